import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, pay, type Recipe, type Sandbox } from './simulate.ts'
import { newDevice } from './simulate-devices.ts'

const base = '/v1/physical-checkout'

/** The id of a register of its own. */
const register = async (sandbox: Sandbox) =>
  (await newDevice(sandbox, `${base}/registers`)).split('/').at(-1)!

async function order(sandbox: Sandbox, register_id: string) {
  return ask<{ id: string; public_id: string }>(sandbox, `${base}/orders`, {
    register_id,
    line_items: [{ name: 'Café americano', unit_amount: '5800' }],
  })
}

const ordered = async (sandbox: Sandbox) => order(sandbox, await register(sandbox))

/** A code of a register; answers its address. */
async function code(sandbox: Sandbox): Promise<string> {
  const made = { register_id: await register(sandbox), purpose: 'printed' }
  return `${base}/codes/${(await ask<{ id: string }>(sandbox, `${base}/codes`, made)).id}`
}

/** An open shift of a register of its own: its address. */
async function shift(sandbox: Sandbox, register_id: string): Promise<string> {
  const opened = { register_id, amount_opening: '50000' }
  return `${base}/shifts/${(await ask<{ id: string }>(sandbox, `${base}/shifts`, opened)).id}`
}

const cashReturned = async (sandbox: Sandbox) => {
  const at = await register(sandbox)
  await shift(sandbox, at)
  const { id } = await order(sandbox, at)
  await ask(sandbox, `${base}/orders/${id}/cash-payment`, { amount_tendered: '10000' })
  await ask(sandbox, `${base}/orders/${id}/cash-returns`, { amount: '5800' })
}

const done = (act: (sandbox: Sandbox) => Promise<unknown>) => async (sandbox: Sandbox) => {
  await act(sandbox)
}

const moved = (step: string) =>
  done(async (sandbox) => ask(sandbox, `${base}/orders/${(await ordered(sandbox)).id}/${step}`))

/** Stories of registers, beside those of all devices. */
export const registerStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'register_code.created': done(code),
  'register_code.revoked': done(async (sandbox) => ask(sandbox, `${await code(sandbox)}/revoke`)),
  'register_order.created': done(ordered),
  'register_order.canceled': moved('cancel'),
  'register_order.detached': moved('detach'),
  'register_order.paid': done(async (sandbox) => {
    const { id, public_id } = await ordered(sandbox)
    await pay(sandbox, { id, public_id }, { card_token: 'tok_sbx_approve' })
  }),
  'register_order.expired': done(async (sandbox) => {
    await ordered(sandbox)
    await advance(sandbox, 'PT15M')
  }),
  'register_order.cash_returned': cashReturned,
  'register_shift.opened': done(async (sandbox) => shift(sandbox, await register(sandbox))),
  'register_shift.closed': done(async (sandbox) => {
    const at = await shift(sandbox, await register(sandbox))
    await ask(sandbox, `${at}/close`, { amount_counted: '50000' })
  }),
  'cash_movement.recorded': done(async (sandbox) => {
    const at = await shift(sandbox, await register(sandbox))
    await ask(sandbox, `${at}/cash-movements`, { kind: 'paid_out', amount: '20000', note: 'Hielo' })
  }),
}
