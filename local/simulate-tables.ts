import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Recipe, type Sandbox } from './simulate.ts'

async function opened(sandbox: Sandbox): Promise<string> {
  const mark = crypto.randomUUID().slice(0, 8)
  const table = await ask<{ id: string }>(sandbox, '/v1/table-pay/tables', { name: `Mesa ${mark}` })
  const bill = await ask<{ id: string }>(sandbox, `/v1/table-pay/tables/${table.id}/sessions`, {
    line_items: [{ name: 'Tacos al pastor', unit_amount: '14500' }],
  })
  return bill.id
}

/** The id of a bill whose guests have paid all of it, here in cash, with what else they did. */
async function paid(sandbox: Sandbox, more: object = {}): Promise<string> {
  const id = await opened(sandbox)
  const cash = { method: 'cash', amount: '14500', ...more }
  await ask(sandbox, `/v1/table-pay/sessions/${id}/external-payments`, cash)
  return id
}

const settled = async (sandbox: Sandbox) => {
  await paid(sandbox)
  await advance(sandbox, 'PT1M')
}

const closed = async (sandbox: Sandbox) => {
  await ask(sandbox, `/v1/table-pay/sessions/${await paid(sandbox)}/close`)
}

const merged = async (sandbox: Sandbox) => {
  const [id, from] = [await opened(sandbox), await opened(sandbox)]
  await ask(sandbox, `/v1/table-pay/sessions/${id}/merge`, { from_id: from })
}

/** A waiter is paid a tip; answers the payout's id. */
async function paidOut(sandbox: Sandbox): Promise<string> {
  const waiter = await ask<{ id: string }>(sandbox, '/v1/table-pay/waiters', { name: 'Lupita' })
  await paid(sandbox, { amount_tip: '1500', waiter_id: waiter.id })
  const path = `/v1/table-pay/waiters/${waiter.id}/tip-payouts`
  return (await ask<{ id: string }>(sandbox, path, { amount: '1500' })).id
}

const canceled = async (sandbox: Sandbox) => {
  await ask(sandbox, `/v1/table-pay/tip-payouts/${await paidOut(sandbox)}/cancel`)
}

/** Stories of tables. */
export const tableStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'table_session.settled': settled,
  'table_session.closed': closed,
  'table_session.merged': merged,
  'tip_payout.recorded': async (sandbox) => {
    await paidOut(sandbox)
  },
  'tip_payout.canceled': canceled,
}
