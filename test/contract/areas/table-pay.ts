import { billAs, dish, newTable, newWaiter, tablePay, tipped, waiterAs } from '../../support/table-pay.ts'
import { once, withKey } from '../listing.ts'
import type { AreaSamples, Request, World } from '../samples.ts'

let tables = 0
const freshTable = ({ merchant }: World) => newTable(merchant, { name: `Mesa ${++tables}` })

const opened = async (world: World) => {
  const { merchant } = world
  const { id } = await freshTable(world)
  return (await tablePay(merchant, 'POST', `/tables/${id}/sessions`, { line_items: [dish(14_500)] })).body
}

/** A line of the bill that the path names. */
const withLine = async ({ merchant }: World, ready: Request, id: string) => {
  const { body } = await tablePay(merchant, 'GET', `/sessions/${id}`)
  ready.path = ready.path.replace(':line_id', body.line_items[0]!.id)
}

const paid = async (world: World, id: string) =>
  tablePay(world.merchant, 'POST', `/sessions/${id}/external-payments`, { method: 'cash', amount: '14500' })

export const samples: AreaSamples = {
  makers: {
    '/v1/table-pay/sessions/': async (world) => (await opened(world)).id,
    '/v1/table-pay/external-payments/': async (world) => {
      const { body } = await paid(world, (await opened(world)).id)
      return body.id
    },
    '/v1/table-pay/waiters/': async ({ merchant }) => (await newWaiter(merchant)).id,
    '/v1/table-pay/tip-payouts/': async ({ merchant }) => {
      const { id } = await newWaiter(merchant)
      await tipped(merchant, id)
      return (await tablePay(merchant, 'POST', `/waiters/${id}/tip-payouts`, { amount: '1500' })).body.id
    },
  },
  arrange: {
    'table_sessions.void_line': withLine,
    'table_sessions.split_line': withLine,
    'table_sessions.transfer': async (world, ready) => {
      ready.body = { table_id: (await freshTable(world)).id }
    },
    'tip_payouts.record': async ({ merchant }, _ready, id) => {
      await tipped(merchant, id)
    },
    'table_sessions.merge': async (world, ready) => {
      ready.body = { from_id: (await opened(world)).id }
    },
    'table_sessions.close': async (world, _ready, id) => {
      await paid(world, id)
    },
  },
  lists: {
    'dining_tables.list': withKey('/v1/table-pay/tables', freshTable),
    'table_sessions.list': withKey('/v1/table-pay/sessions', opened),
    'waiters.list': withKey('/v1/table-pay/waiters', ({ merchant }) => newWaiter(merchant)),
    'waiters.tips': withKey(
      ({ link }) => `/v1/table-pay/waiters/${link.id}/tips`,
      async (world) => {
        await once(world, 'waiter', () => waiterAs(world.merchant, world.link.id))
        return tipped(world.merchant, world.link.id)
      },
    ),
    'tip_payouts.list': withKey(
      ({ link }) => `/v1/table-pay/waiters/${link.id}/tip-payouts`,
      async (world) => {
        await once(world, 'waiter', () => waiterAs(world.merchant, world.link.id))
        await tipped(world.merchant, world.link.id)
        return tablePay(world.merchant, 'POST', `/waiters/${world.link.id}/tip-payouts`, { amount: '1500' })
      },
    ),
    'table_external_payments.list': withKey(
      ({ link }) => `/v1/table-pay/sessions/${link.id}/external-payments`,
      async (world) => {
        await once(world, 'bill', () => billAs(world.merchant, world.link.id))
        return paid(world, world.link.id)
      },
    ),
  },
}
