import { Fault } from '../kernel/fault.ts'
import { log } from '../platform/log.ts'
import type { Credential } from '../platform/postgres.ts'
import { Stale } from './publishing.ts'
import type { Services } from './services.ts'

const batch = 100
/** How long one run of a job goes on; what is left is for the next. */
const runMs = 20_000
/** A batch whose items take long is left before its end, so that other jobs come to their turn. */
const batchMs = 60_000
/** Somebody else was first: as often as this it is no accident. */
const staleMax = 2

export type SystemCredential = Extract<Credential, { kind: 'system' }>

interface Item {
  readonly tenantId: string
  readonly id: string
}

/**
 * Scheduled work that time has made due, each item by itself: one that fails keeps no other waiting, is told to us, and
 * comes back at a growing distance (door.put_off). A backlog is worked off for a while, not just its first batch. One
 * that somebody else moved meanwhile is nobody's fault.
 */
export const eachDue = (
  services: Services,
  job: string,
  requestId: string,
  now: Date,
  work: (credential: SystemCredential, id: string) => Promise<void>,
): Promise<void> =>
  eachOf(
    services,
    { job, requestId, now, find: () => services.db.due(job, now, batch) },
    (credential, { id }) => work(credential, id),
  )

export interface Job<Due extends Item> {
  readonly job: string
  readonly requestId: string
  readonly now: Date
  /** The next ones, at most `limit`, without what was put off. */
  readonly find: (limit: number) => Promise<readonly Due[]>
}

/** The same for work that is found otherwise than by a time. */
export async function eachOf<Due extends Item>(
  services: Services,
  { job, requestId, now, find }: Job<Due>,
  work: (credential: SystemCredential, item: Due) => Promise<void>,
): Promise<void> {
  const startedAt = Date.now()
  const seen = new Set<string>()
  for (;;) {
    const due = await find(batch)
    const failed = new Map<Item, unknown>()
    for (const item of due) {
      if (Date.now() - startedAt >= batchMs) break
      try {
        if (seen.has(item.id)) throw new Fault('still due after it was done')
        seen.add(item.id)
        await work({ kind: 'system', tenantId: item.tenantId }, item)
      } catch (error) {
        failed.set(item, error)
      }
    }
    if (failed.size > 0) await putOff(services, { job, requestId, now }, failed)
    if (due.length < batch || Date.now() - startedAt >= runMs) return
  }
}

async function putOff(
  services: Services,
  { job, requestId, now }: Omit<Job<Item>, 'find'>,
  failed: ReadonlyMap<Item, unknown>,
): Promise<void> {
  const items = [...failed.keys()]
  const tenants = `{${items.map(({ tenantId }) => tenantId).join(',')}}`
  const ids = `{${items.map(({ id }) => id).join(',')}}`
  let failures: Record<string, number> = {}
  try {
    const signature = 'door.put_off(text,timestamptz,text[],uuid[])'
    const answer = await services.db.call(signature, [job, now.toISOString(), tenants, ids])
    failures = JSON.parse(answer ?? '{}') as Record<string, number>
  } finally {
    for (const [{ id }, error] of failed) {
      if (error instanceof Stale && (failures[id] ?? 0) <= staleMax) continue
      log('error', { place: job, requestId, id, failures: failures[id] }, error)
    }
  }
}
