import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Stack } from '../local/stack.ts'
import { batchRecords } from './customers.ts'
import { spentBy } from './interleave.ts'
import type { Merchant } from './merchant.ts'
import { asAdmin } from './money.ts'
import { postmasterOf } from './postgres-cpu.ts'

type Way = 'csv' | 'batch'
type Counts = Record<'processed' | 'created' | 'updated' | 'skipped' | 'failed', number>

/** One import of all rows. `seconds` has no pauses between turns of the scheduled job; CPU is that of the Worker's process with its file store. */
export interface Import {
  readonly way: Way
  readonly isAgain: boolean
  readonly counts: Counts
  readonly seconds: number
  readonly cpuMicros: number
  readonly postgresMicros: number
  /** How many customers there are afterwards, and how many different e-mail addresses they have. */
  readonly customers: number
  readonly addresses: number
}

const turnsMax = 1_000
/** Between two turns of the scheduled job; the lease of a run's last slice must end before the next turn takes it. */
const pauseMs = 500
const batchesAtOnce = 2

/** The same `rows` customers by file and by batches, each into a workspace of its own, and each a second time. */
export async function imports(
  stack: Stack,
  newMerchant: () => Promise<Merchant>,
  rows: number,
): Promise<Import[]> {
  const done: Import[] = []
  for (const way of ['batch', 'csv'] as const) {
    const merchant = await newMerchant()
    const hub = hubOf(stack, merchant)
    const { id } = await hub<{ id: string }>('POST', '/sync-sources', {
      kind: way === 'csv' ? 'csv' : 'push',
      name: 'Shop',
    })
    for (const isAgain of [false, true]) {
      const { worker, vars } = stack.sandbox
      const processes = { pid: worker.pid(), postgresPid: postmasterOf(vars.DATABASE_URL!) }
      const [startedMs, before] = [performance.now(), spentBy(processes)]
      const { pausedMs, ...counts } = await (way === 'csv'
        ? byFile(stack, hub, id, rows)
        : byBatches(hub, id, rows))
      const seconds = (performance.now() - startedMs - pausedMs) / 1000
      const after = spentBy(processes)
      const cpuMicros = after.worker - before.worker
      const postgresMicros = after.postgres - before.postgres
      const [found] = await asAdmin(stack, async (client) => {
        const { rows: counted } = await client.query<{ customers: number; addresses: number }>(
          'select count(*)::int as customers, count(distinct email)::int as addresses from customers where tenant_id = $1',
          [merchant.tenantId],
        )
        return counted
      })
      done.push({ way, isAgain, counts, seconds, cpuMicros, postgresMicros, ...found! })
    }
  }
  return done
}

type Hub = ReturnType<typeof hubOf>

const hubOf =
  (stack: Stack, { apiKey }: Merchant) =>
  async <Body>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object | string): Promise<Body> => {
    const reply = await fetch(`${stack.sandbox.directUrl}/v1/customer-hub${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'text/csv' : 'application/json',
        }),
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text) as Body
  }

const updatedAt = '2026-01-01T00:00:00.000Z'
const customerOf = (at: number) => ({ name: `Ana Ruiz ${at}`, email: `buyer${at}@example.com` })

/** A file that has not changed since it was uploaded says nothing new: both times it is uploaded again. */
async function byFile(
  stack: Stack,
  hub: Hub,
  id: string,
  rows: number,
): Promise<Counts & { pausedMs: number }> {
  const lines = Array.from({ length: rows }, (_, at) => {
    const { name, email } = customerOf(at)
    return `shop-${at},${name},${email}\n`
  })
  await hub('PUT', `/sync-sources/${id}/file`, `id,name,email\n${lines.join('')}`)
  const run = await hub<Counts & { id: string }>('POST', `/sync-sources/${id}/runs`, {})
  let pausedMs = 0
  for (let turns = 0; turns < turnsMax; turns++) {
    await stack.sandbox.trigger()
    const now = await hub<Counts & { status: string }>('GET', `/sync-runs/${run.id}`)
    if (!['queued', 'running'].includes(now.status)) return { ...now, pausedMs }
    const pausedAt = performance.now()
    await delay(pauseMs)
    pausedMs += performance.now() - pausedAt
  }
  throw new Error(`the run did not end in ${turnsMax} turns`)
}

async function byBatches(hub: Hub, id: string, rows: number): Promise<Counts & { pausedMs: number }> {
  const sum: Counts = { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
  let next = 0
  const send = async () => {
    while (next < rows) {
      const from = next
      next += batchRecords
      const records = Array.from({ length: Math.min(batchRecords, rows - from) }, (_, at) => ({
        external_id: `shop-${from + at}`,
        updated_at: updatedAt,
        customer: customerOf(from + at),
      }))
      const { run } = await hub<{ run: Counts }>('POST', `/sync-sources/${id}/records/batch`, { records })
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += run[name]
    }
  }
  await Promise.all(Array.from({ length: batchesAtOnce }, send))
  return { ...sum, pausedMs: 0 }
}
