import { onFreshRows, Stale } from '../../../src/http/publishing.ts'
import { eachDueInTurns } from '../../../src/http/scheduled.ts'
import { isOutcomeUnknown, isRefusedBy, type JobRun, type SystemCall } from '../../../src/http/system-call.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { continuing } from './contract-runs.ts'
import { whole } from './incoming.ts'
import { kinds, type Slice, SliceFailed } from './kinds.ts'
import { keysOf } from './plan-records.ts'
import { type Failing, planFailure, planSlice } from './plan-runs.ts'
import { matchedContacts, matchedCustomers, matches, type RunRow, runById, sourceOfRun } from './store.ts'

/** Scheduled: the next slices of all runs that are under way. A run whose Worker died is taken over. */
export const continueRuns = (run: JobRun): Promise<void> => eachDueInTurns(run, 'sync_runs', nextSlice)

const plansMax = 5

/** Reads a slice, applies it and answers whether the run goes on. */
async function nextSlice(call: SystemCall, id: string): Promise<boolean> {
  const [[run], [source]] = await call.read(continuing, runById({ id }), sourceOfRun({ id }))
  if (!run || !source || !isUnderWay(run)) return false
  try {
    const kind = await kinds[source.kind]!()
    const slice = await kind.slice(call, { source, run }).catch((cause: unknown) => {
      throw cause instanceof SliceFailed ? cause : unanswered(cause)
    })
    return await onFreshRows(plansMax, () => publishSlice(call, run, slice))
  } catch (error) {
    // The database's answer is missing, or other work was first: nothing is known against the source.
    if (error instanceof Stale || isOutcomeUnknown(error)) throw error
    logFailure('sync_runs', call, id)(error)
    return fail(call, id, failingOf(error))
  }
}

/** Where the run has moved since the slice was read, another Worker or a request has it. */
async function publishSlice(
  call: SystemCall,
  { id, version, sourceId }: RunRow,
  slice: Slice,
): Promise<boolean> {
  const clock = clockNow()
  const keys = { keys: JSON.stringify(keysOf(sourceId, slice.records)) }
  const [[run], [source], found, customers, contacts] = await call.read(
    continuing,
    runById({ id }),
    sourceOfRun({ id }),
    matches(keys),
    matchedCustomers(keys),
    matchedContacts(keys),
  )
  if (run?.version !== version) return false
  const { plan, results } = planSlice(
    { run, source: source!, ...whole(found, customers, contacts) },
    slice,
    clock,
  )
  await slice.keep?.(results)
  try {
    return !(await call.publish(continuing, plan, clock)).isOver
  } catch (error) {
    // Another request gave a customer this id: the plan that knows it refuses the record alone.
    throw isRefusedBy('customers_external_id', error) ? new Stale() : error
  }
}

async function fail(call: SystemCall, id: string, failing: Failing): Promise<boolean> {
  await onFreshRows(plansMax, async () => {
    const clock = clockNow()
    const [[run], [source]] = await call.read(continuing, runById({ id }), sourceOfRun({ id }))
    if (run && source && isUnderWay(run))
      await call.publish(continuing, planFailure({ run, source }, failing, clock), clock)
  })
  return false
}

const isUnderWay = ({ status }: RunRow) => status === 'queued' || status === 'running'

const unanswered = (cause: unknown) =>
  new SliceFailed('sync_source_unanswered', 'The source does not answer.', { cause })

const failingOf = (error: unknown): Failing =>
  error instanceof SliceFailed
    ? error
    : { code: 'sync_records_unstored', message: 'The next records could not be stored.', isFinal: false }

function clockNow() {
  const now = new Date()
  return { now, newId: () => uuidv7(now.getTime()) }
}
