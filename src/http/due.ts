import { Fault } from '../kernel/fault.ts'
import { log } from '../platform/log.ts'
import { type Credential, OutcomeUnknown } from '../platform/postgres.ts'
import { Problem } from './problems.ts'
import { Stale } from './publishing.ts'
import type { Services } from './services.ts'

const batch = 100
/** The same for work that is done many at a time: so many are found at once, and so many of a tenant are one publish. */
const setsBatch = 2_000
const setMax = 500
/** A set that is refused is cut into so many. */
const partsCount = 10
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

/**
 * The same, with what is due of one tenant done many at a time. A set that is refused is cut until what is refused is by
 * itself.
 */
export const eachDueSet = (
  services: Services,
  job: string,
  requestId: string,
  now: Date,
  work: (credential: SystemCredential, ids: readonly string[]) => Promise<void>,
): Promise<void> =>
  eachSetOf(
    services,
    { job, requestId, now, find: () => services.db.due(job, now, setsBatch) },
    { findMax: setsBatch, setMax },
    (credential, items) =>
      work(
        credential,
        items.map(({ id }) => id),
      ),
  )

export interface Job<Due extends Item> {
  readonly job: string
  readonly requestId: string
  readonly now: Date
  /** The next ones, at most `limit`, without what was put off. */
  readonly find: (limit: number) => Promise<readonly Due[]>
}

/** The same for work that is found otherwise than by a time. */
export const eachOf = <Due extends Item>(
  services: Services,
  job: Job<Due>,
  work: (credential: SystemCredential, item: Due) => Promise<void>,
): Promise<void> =>
  eachSetOf(services, job, { findMax: batch, setMax: 1 }, (credential, [item]) => work(credential, item!))

async function eachSetOf<Due extends Item>(
  services: Services,
  { job, requestId, now, find }: Job<Due>,
  { findMax, setMax }: { findMax: number; setMax: number },
  work: (credential: SystemCredential, items: readonly Due[]) => Promise<void>,
): Promise<void> {
  const startedAt = Date.now()
  const seen = new Set<string>()
  for (;;) {
    const due = await find(findMax)
    const failed = new Map<Item, unknown>()
    for (const items of setsOf(due, setMax)) {
      if (Date.now() - startedAt >= batchMs) break
      for (const item of items.filter(({ id }) => seen.has(id)))
        failed.set(item, new Fault('still due after it was done'))
      const fresh = items.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      const credential = { kind: 'system', tenantId: items[0]!.tenantId } as const
      if (fresh.length > 0) await inParts(fresh, (some) => work(credential, some), failed)
    }
    if (failed.size > 0) await putOff(services, { job, requestId, now }, failed)
    if (due.length < findMax || Date.now() - startedAt >= runMs) return
  }
}

/** Of one tenant each, in the order in which they are due. */
function setsOf<Due extends Item>(due: readonly Due[], setMax: number): readonly (readonly Due[])[] {
  const sets: Due[][] = []
  const open = new Map<string, Due[]>()
  for (const item of due) {
    let set = open.get(item.tenantId)
    if (!set || set.length === setMax) {
      set = []
      sets.push(set)
      open.set(item.tenantId, set)
    }
    set.push(item)
  }
  return sets
}

/** What is refused is found in ever smaller parts. A database that does not answer is not asked for each part again. */
async function inParts<Due extends Item>(
  items: readonly Due[],
  work: (items: readonly Due[]) => Promise<void>,
  failed: Map<Item, unknown>,
): Promise<void> {
  try {
    await work(items)
  } catch (error) {
    if (items.length === 1 || isUnknown(error)) {
      for (const item of items) failed.set(item, error)
      return
    }
    const partMax = Math.ceil(items.length / partsCount)
    for (let at = 0; at < items.length; at += partMax)
      await inParts(items.slice(at, at + partMax), work, failed)
  }
}

const isUnknown = (error: unknown) =>
  error instanceof OutcomeUnknown || (error instanceof Problem && error.code === 'outcome_unknown')

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
