import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Recipe, type Sandbox, type Sent } from './simulate.ts'

const hub = '/v1/customer-hub'

async function moveCustomer(sandbox: Sandbox, ...moves: ('merge' | 'unmerge' | 'erase')[]) {
  const path = `${hub}/customers`
  const [{ id }, into] = [await ask<Sent>(sandbox, path, {}), await ask<Sent>(sandbox, path, {})]
  for (const move of moves)
    await ask(sandbox, `${path}/${id}/${move}`, move === 'merge' ? { into: into.id } : undefined)
  if (moves.includes('erase')) await advance(sandbox, 'P15D')
}

async function pinCustomer(sandbox: Sandbox) {
  const customer = await ask<Sent>(sandbox, `${hub}/customers`, {})
  const rule = { type: 'payments_count', gte: 1 }
  const { id } = await ask<Sent>(sandbox, `${hub}/segments`, { name: 'npm run trigger', rule })
  await ask(sandbox, `${hub}/segments/${id}/pin`, { customer_id: customer.id, pinned: 'in' })
}

/** Stories of customers. */
export const customerStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'customer.erased': (sandbox) => moveCustomer(sandbox, 'erase'),
  'customer.merged': (sandbox) => moveCustomer(sandbox, 'merge'),
  'customer.unmerged': (sandbox) => moveCustomer(sandbox, 'merge', 'unmerge'),
  'segment.pinned': pinCustomer,
}
