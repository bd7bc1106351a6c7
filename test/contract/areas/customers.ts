import { asked, customerAs, letters, newCustomer } from '../../support/customers.ts'
import { call } from '../../support/merchant.ts'
import { once, payOnce, withKey } from '../listing.ts'
import type { AreaSamples, ListWorld, World } from '../samples.ts'

/** A customer with the link's id, so that its path is known. */
const listed = (world: ListWorld) => once(world, 'customer', () => customerAs(world.merchant, world.link.id))

const within = (part: string, body: (world: ListWorld) => Promise<object>) =>
  withKey(
    ({ link }) => `/v1/customer-hub/customers/${link.id}/${part}`,
    async (world) => {
      await listed(world)
      const { merchant, link } = world
      const at = `/v1/customer-hub/customers/${link.id}/${part}`
      return call('POST', at, { bearer: merchant.apiKey, body: (await body(world)) as never })
    },
  )

/** Into a new customer. */
const into = async ({ merchant }: World) => ({ into: (await newCustomer(merchant)).id })

export const samples: AreaSamples = {
  makers: {
    '/v1/customer-hub/customers/:id/unmerge': async (world) => {
      const { id } = await newCustomer(world.merchant)
      await asked(world.merchant, 'POST', `/customers/${id}/merge`, await into(world))
      return id
    },
  },
  prepare: {
    'customers.merge': async (world, ready) => {
      ready.body = await into(world)
    },
  },
  lists: {
    'customers.list': withKey('/v1/customer-hub/customers', ({ merchant }) => newCustomer(merchant)),
    'customers.list_contacts': within('contacts', async () => ({
      kind: 'email',
      value: `${letters()}@example.com`,
    })),
    'customers.list_payments': withKey(
      ({ link }) => `/v1/customer-hub/customers/${link.id}/payments`,
      async (world) => {
        await listed(world)
        const { merchant, link } = world
        const body = { customer_id: link.id }
        await once(world, 'theirs', () =>
          call('PATCH', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey, body }),
        )
        return payOnce(world)
      },
    ),
    'customers.list_timeline': withKey(
      ({ link }) => `/v1/customer-hub/customers/${link.id}/timeline`,
      async (world) => {
        await listed(world)
        return asked(world.merchant, 'PATCH', `/customers/${world.link.id}`, { name: letters() })
      },
    ),
    'customers.list_notes': within('notes', async () => ({ text: letters() })),
    'customers.list_consents': withKey(
      ({ link }) => `/v1/customer-hub/customers/${link.id}/consents`,
      async (world) => {
        await listed(world)
        const { merchant, link } = world
        const bearer = merchant.apiKey
        const contact = await call('POST', `/v1/customer-hub/customers/${link.id}/contacts`, {
          bearer,
          body: { kind: 'email', value: `${letters()}@example.com` },
        })
        return call('POST', `/v1/customer-hub/contacts/${contact.body.id}/consents`, {
          bearer,
          body: { channel: 'email', method: 'paper', text_version: 'one' },
        })
      },
    ),
  },
}
