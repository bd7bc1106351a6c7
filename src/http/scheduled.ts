import { Fault } from '../kernel/fault.ts'
import { log, logFailure } from '../platform/log.ts'
import { Stale } from './publishing.ts'
import {
  type BackgroundWork,
  isOutcomeUnknown,
  type JobRun,
  type SystemCall,
  systemCall,
} from './system-call.ts'

const batch = 100
const repeatedMax = 100
/** For work done in sets: how many are found at once, and how many of one tenant go into one publish. */
const setsBatch = 2_000
const setMax = 500
/** How many sets are worked on at once: of an invocation's six connections one stays free. */
const lanesMax = 5
/** Of work that waits for an outside service. */
const smallSetMax = 5
/** How many more invocations a run calls to a backlog of rows that it leases. */
export const helpersMax = 3
/** A refused set is cut into this many parts. */
const partsCount = 10
/** A run finds no new batch after this time; the next run takes what is left. */
const runMs = 20_000
/** A slow batch is left before its end, so that the other jobs run too. */
const batchMs = 60_000
/** Version conflicts are logged from the third on. */
const staleMax = 2

/** A job resolves to `false` when it found nothing, or what it did gives no work to the jobs after it. */
type Jobs<Origins> = Readonly<Record<string, (run: JobRun, origins: Origins) => Promise<unknown>>>

/**
 * Runs the jobs that have something to do, in their order. Since a job may give work to those after it, the database is
 * asked again behind each one that ran. One that fails does not keep the others from running; when the database cannot
 * say what there is to do, all run.
 */
export async function runJobs<Origins>(run: JobRun, jobs: Jobs<Origins>, origins: Origins): Promise<void> {
  const all = Object.keys(jobs)
  let waiting: readonly string[] | null = null
  for (const [job, work] of Object.entries(jobs)) {
    waiting ??= await waitingJobs(run).catch((error: unknown) => {
      logFailure('waiting_jobs', run)(error)
      return all
    })
    if (!waiting.includes(job)) continue
    let gaveWork: unknown
    try {
      gaveWork = await work(run, origins)
    } catch (error) {
      logFailure(job, run)(error)
    }
    if (gaveWork !== false && waiting !== all) waiting = null
  }
}

/** Names of the jobs that have something to do, in one round trip. */
async function waitingJobs({ services: { db }, now }: JobRun): Promise<readonly string[]> {
  const names = await db.call('door.waiting_jobs(timestamptz)', [now.toISOString()])
  return JSON.parse(names ?? '[]') as string[]
}

interface Item {
  readonly tenantId: string
  readonly id: string
}

/**
 * Scheduled work that has become due, each item by itself: one that fails delays no other, is logged, and comes back
 * after growing intervals (door.back_off). A run works off a backlog for `runMs`, not just its first batch. Several
 * tenants' items are worked on at once, those of one tenant one after the other.
 */
export const eachDue = (
  run: JobRun,
  job: string,
  work: (call: SystemCall, id: string) => Promise<void>,
): Promise<void> =>
  eachSetOf(run, { job, findMax: batch, setMax: 1 }, (call, [id]) => work(call, id!).then(none))

/**
 * The same, for items that do not wait for one another: several of one tenant at once. `helpers`: how many more
 * invocations work on a backlog, for a job that leases its rows.
 */
export const eachDueApart = (
  run: JobRun,
  job: string,
  work: (call: SystemCall, id: string) => Promise<void>,
  helpers = 0,
): Promise<void> =>
  eachSetOf(run, { job, findMax: batch, setMax: 1, ofOneMax: lanesMax, helpers }, (call, [id]) =>
    work(call, id!).then(none),
  )

/** The same, in sets of one tenant's items. A refused set is cut until the item at fault is alone. */
export const eachDueSet = (
  run: JobRun,
  job: string,
  work: (call: SystemCall, ids: readonly string[]) => Promise<void>,
): Promise<void> =>
  eachSetOf(run, { job, findMax: setsBatch, setMax }, (call, ids) => work(call, ids).then(none))

/** What of a set could not be done, by its id, with the error. */
type Undone = ReadonlyMap<string, unknown>
const none = (): Undone => new Map()

/**
 * The same in small sets, several of one tenant at once, without help: the outside service bounds it. `work` resolves to
 * what it could not do; the rest of its set stays done.
 */
export const eachDueAtOnce = (
  run: JobRun,
  job: string,
  work: (call: SystemCall, ids: readonly string[]) => Promise<Undone>,
): Promise<void> => eachSetOf(run, { job, findMax: batch, setMax: smallSetMax, ofOneMax: lanesMax }, work)

/**
 * Long work, one step after the other, in turn with all that is due: until nothing is left or the time is over. The next
 * run goes on. For jobs that lease their rows; `step` resolves to whether its item has more to do.
 */
export async function eachDueInTurns(
  run: JobRun,
  job: string,
  step: (call: SystemCall, id: string) => Promise<boolean>,
): Promise<void> {
  const startedAt = Date.now()
  const isTime = () => Date.now() - startedAt < runMs
  const failed = new Map<Item, unknown>()
  let open = await run.services.db.due(job, run.now, batch)
  while (open.length > 0 && isTime()) {
    const more: Item[] = []
    for (const item of open) {
      if (!isTime()) break
      const call = systemCall({ ...run, now: new Date() }, item.tenantId)
      const hasMore = await step(call, item.id).catch((error: unknown) => void failed.set(item, error))
      if (hasMore) more.push(item)
    }
    open = more
  }
  if (failed.size > 0) await backOff(run, job, failed)
}

interface Sets {
  readonly job: string
  /** How many are found at once, and how many of one tenant make a set. */
  readonly findMax: number
  readonly setMax: number
  /** How many sets of one tenant are worked on at once; 1 when absent. */
  readonly ofOneMax?: number
  /** How many more invocations are called to a backlog; 0 when absent. */
  readonly helpers?: number
}

async function eachSetOf(
  run: JobRun,
  { job, findMax, setMax, ofOneMax = 1, helpers = 0 }: Sets,
  work: (call: SystemCall, ids: readonly string[]) => Promise<Undone>,
): Promise<void> {
  const startedAt = Date.now()
  const seen = new Set<string>()
  for (;;) {
    const due = await run.services.db.due(job, run.now, findMax)
    if (due.length === findMax && seen.size === 0 && helpers > 0) run.callHelpers?.(job, helpers)
    const failed = new Map<Item, unknown>()
    await inLanes(setsOf(due, setMax), ofOneMax, async (items) => {
      if (Date.now() - startedAt >= batchMs) return
      for (const item of items.filter(({ id }) => seen.has(id)))
        failed.set(item, new Fault('still due after it was done'))
      const fresh = items.filter(({ id }) => !seen.has(id))
      for (const { id } of fresh) seen.add(id)
      const call = systemCall(run, items[0]!.tenantId)
      const ids = (some: readonly Item[]) => some.map(({ id }) => id)
      if (fresh.length > 0) await inParts(fresh, (some) => work(call, ids(some)), failed)
    })
    if (failed.size > 0) await backOff(run, job, failed)
    if (due.length < findMax || Date.now() - startedAt >= runMs) return
  }
}

/**
 * Works on sets in the order in which they are due, `lanesMax` at once and `ofOneMax` of one tenant. A tenant that has
 * none in work comes before one that has.
 */
async function inLanes(
  sets: readonly (readonly Item[])[],
  ofOneMax: number,
  work: (items: readonly Item[]) => Promise<void>,
): Promise<void> {
  const waiting = Map.groupBy(sets, ([item]) => item!.tenantId)
  const inWork = new Map<string, number>()
  const next = (): readonly [tenant: string, set: readonly Item[]] | undefined => {
    let [first, least] = [undefined as string | undefined, ofOneMax]
    for (const tenant of waiting.keys()) {
      const count = inWork.get(tenant) ?? 0
      if (count < least) [first, least] = [tenant, count]
      if (count === 0) break
    }
    if (first === undefined) return
    const [set, ...rest] = waiting.get(first)!
    // Behind the others: they take turns.
    waiting.delete(first)
    if (rest.length > 0) waiting.set(first, rest)
    return [first, set!]
  }
  const lane = async () => {
    for (let taken = next(); taken; taken = next()) {
      const [tenant, set] = taken
      inWork.set(tenant, (inWork.get(tenant) ?? 0) + 1)
      await work(set)
      inWork.set(tenant, inWork.get(tenant)! - 1)
    }
  }
  await Promise.all(Array.from({ length: lanesMax }, lane))
}

/** Sets of one tenant each, in the order in which their items are due. */
function setsOf(due: readonly Item[], setMax: number): readonly (readonly Item[])[] {
  const sets: Item[][] = []
  const open = new Map<string, Item[]>()
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

/** Cuts a refused set into smaller parts. When the outcome is unknown it does not retry the parts. */
async function inParts(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Undone>,
  failed: Map<Item, unknown>,
): Promise<void> {
  try {
    const undone = await work(items)
    for (const item of items) if (undone.has(item.id)) failed.set(item, undone.get(item.id))
  } catch (error) {
    if (items.length === 1 || isOutcomeUnknown(error)) {
      for (const item of items) failed.set(item, error)
      return
    }
    const partMax = Math.ceil(items.length / partsCount)
    for (let at = 0; at < items.length; at += partMax)
      await inParts(items.slice(at, at + partMax), work, failed)
  }
}

/**
 * Repeats notifications that a crashed Worker may not have recorded; false where there are none. One that fails delays no
 * other.
 */
export async function repeatUnconfirmed<Teller>(
  work: BackgroundWork,
  place: string,
  tellers: readonly Teller[],
  {
    railOf,
    handle,
  }: {
    readonly railOf: (
      teller: Teller,
    ) => { unconfirmed?(limit: number): Promise<readonly string[]> } | undefined
    readonly handle: (teller: Teller, reference: string) => Promise<void>
  },
): Promise<boolean> {
  let isAny = false
  for (const teller of tellers)
    for (const reference of (await railOf(teller)?.unconfirmed?.(repeatedMax)) ?? []) {
      isAny = true
      await handle(teller, reference).catch(logFailure(place, work, reference))
    }
  return isAny
}

async function backOff(
  { services, requestId, now }: JobRun,
  job: string,
  failed: ReadonlyMap<Item, unknown>,
): Promise<void> {
  const items = [...failed.keys()]
  const tenants = `{${items.map(({ tenantId }) => tenantId).join(',')}}`
  const ids = `{${items.map(({ id }) => id).join(',')}}`
  let failures: Record<string, number> = {}
  try {
    const signature = 'door.back_off(text,timestamptz,text[],uuid[])'
    const answer = await services.db.call(signature, [job, now.toISOString(), tenants, ids])
    failures = JSON.parse(answer ?? '{}') as Record<string, number>
  } finally {
    for (const [{ id }, error] of failed) {
      if (error instanceof Stale && (failures[id] ?? 0) <= staleMax) continue
      log('error', { place: job, requestId, id, failures: failures[id] }, error)
    }
  }
}

/** Scheduled: expired challenges, idempotency claims and old failures. */
export const sweepClaims = ({ services, now }: JobRun): Promise<false> =>
  services.db.sweep(now, 1000).then(() => false)
