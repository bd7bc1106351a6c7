import { billAs, dish, newTable, tablePay } from '../../support/table-pay.ts'
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
  },
  arrange: {
    'table_sessions.void_line': withLine,
    'table_sessions.split_line': withLine,
    'table_sessions.transfer': async (world, ready) => {
      ready.body = { table_id: (await freshTable(world)).id }
    },
    'table_sessions.close': async (world, _ready, id) => {
      await paid(world, id)
    },
  },
  lists: {
    'dining_tables.list': withKey('/v1/table-pay/tables', freshTable),
    'table_sessions.list': withKey('/v1/table-pay/sessions', opened),
    'table_external_payments.list': withKey(
      ({ link }) => `/v1/table-pay/sessions/${link.id}/external-payments`,
      async (world) => {
        await once(world, 'bill', () => billAs(world.merchant, world.link.id))
        return paid(world, world.link.id)
      },
    ),
  },
}
