import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Recipe, type Sandbox } from './simulate.ts'

/** A bill whose guests have paid all of it, here in cash. */
const settled = async (sandbox: Sandbox) => {
  const mark = crypto.randomUUID().slice(0, 8)
  const table = await ask<{ id: string }>(sandbox, '/v1/table-pay/tables', { name: `Mesa ${mark}` })
  const bill = await ask<{ id: string }>(sandbox, `/v1/table-pay/tables/${table.id}/sessions`, {
    line_items: [{ name: 'Tacos al pastor', unit_amount: '14500' }],
  })
  await ask(sandbox, `/v1/table-pay/sessions/${bill.id}/external-payments`, {
    method: 'cash',
    amount: '14500',
  })
  await advance(sandbox, 'PT1M')
}

/** Stories of tables. */
export const tableStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'table_session.settled': settled,
}
