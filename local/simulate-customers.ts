import type { EventType } from '../src/kernel/event-types.ts'
import { advance, ask, type Recipe, type Sandbox, type Sent } from './simulate.ts'

const hub = '/v1/customer-hub'
const sources = `${hub}/sync-sources`

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

/** Uploads a file of customers and starts its run, which the next run of the scheduled jobs reads. */
async function readFile(sandbox: Sandbox, text = 'id,name\n1,Ana\n') {
  const { id: source } = await ask<Sent>(sandbox, sources, { kind: 'csv', name: 'npm run trigger' })
  const response = await fetch(`${sandbox.baseUrl}${sources}/${source}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'content-type': 'text/csv' },
    body: text,
  })
  if (!response.ok) throw new Error(`PUT file: ${response.status} ${await response.text()}`)
  const { id: run } = await ask<Sent>(sandbox, `${sources}/${source}/runs`, {})
  return { source, run }
}

/** More rows than one slice has, all without an id. */
const manyRows = `id,name\n${',Ana\n'.repeat(501)}`
/** A row that a run gives up at. */
const endlessRow = `id,name\n1,"${'Ana '.repeat(300_000)}`

async function pausedRun(sandbox: Sandbox) {
  const { source } = await readFile(sandbox, manyRows)
  await ask(sandbox, `${sources}/${source}/pause`)
}

async function canceledRun(sandbox: Sandbox) {
  const { run } = await readFile(sandbox, manyRows)
  await ask(sandbox, `${hub}/sync-runs/${run}/cancel`)
}

/** Any restricted key is taken; what only Stripe knows of it the source learns later. */
async function connectStripe(sandbox: Sandbox) {
  const { id } = await ask<Sent>(sandbox, sources, { kind: 'stripe', name: 'npm run trigger' })
  await ask(sandbox, `${sources}/${id}/stripe-connection`, { api_key: 'rk_test_KeyOfNoAccountAtAll' })
}

/** Stories of customers. */
export const customerStories: Readonly<Partial<Record<EventType, Recipe>>> = {
  'customer.erased': (sandbox) => moveCustomer(sandbox, 'erase'),
  'customer.merged': (sandbox) => moveCustomer(sandbox, 'merge'),
  'customer.unmerged': (sandbox) => moveCustomer(sandbox, 'merge', 'unmerge'),
  'segment.pinned': pinCustomer,
  'sync_source.connecting': (sandbox) => readFile(sandbox),
  'sync_source.connection_updated': connectStripe,
  'sync_source.failed': (sandbox) => readFile(sandbox, endlessRow),
  'sync_run.queued': (sandbox) => readFile(sandbox),
  'sync_run.running': (sandbox) => readFile(sandbox, manyRows),
  'sync_run.failed': (sandbox) => readFile(sandbox, manyRows),
  'sync_run.partial': (sandbox) => readFile(sandbox, 'id,name\n1,Ana\n,Berta\n'),
  'sync_run.paused': pausedRun,
  'sync_run.canceled': canceledRun,
}
