import { expect, test } from 'vitest'
import type { Slice } from '../../../functions/people/sync-sources/kinds.ts'
import { planDisconnect, planPause, planResume } from '../../../functions/people/sync-sources/plan.ts'
import {
  planCancel,
  planFailure,
  planSlice,
  planStart,
} from '../../../functions/people/sync-sources/plan-runs.ts'
import type { RunRow, SourceRow } from '../../../functions/people/sync-sources/store.ts'
import { isRefusal, type Plan } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
let ids = 0
const clock = { now, newId: () => `id-${++ids}` }
const source = (status: SourceRow['status']): SourceRow => ({
  id: 'source',
  kind: 'csv',
  name: 'Spreadsheet',
  status,
  failure: null,
  version: 3,
  createdAt: now,
  updatedAt: now,
})
const run = (changes: Partial<RunRow> = {}): RunRow => ({
  id: 'run',
  sourceId: 'source',
  mode: 'live',
  status: 'running',
  total: null,
  created: 1,
  updated: 1,
  skipped: 1,
  failed: 0,
  cursor: { offset: 10 },
  slicesCount: 1,
  progress: 10,
  fileId: null,
  triesCount: 0,
  failure: null,
  nextCheckAt: now,
  finishedAt: null,
  version: 2,
  createdAt: now,
  updatedAt: now,
  ...changes,
})

type Writes = Pick<Plan<unknown>, 'writes' | 'events'>
const typesOf = ({ events }: Writes) => events.map(({ type }) => type)
const setsOf = ({ writes }: Writes) =>
  Object.assign(
    {},
    ...writes.flatMap((write) => (write.kind === 'change' && write.id === 'run' ? [write.set] : [])),
  )
const planned = <T extends object>(plan: T) => {
  if (isRefusal(plan)) throw new Error(plan.refused)
  return plan as Exclude<T, { refused: string }>
}

const misfit = { externalId: null, fault: { code: 'parameter_invalid' as const } }
const slice = (changes: Partial<Slice> = {}): Slice => ({
  records: [{ record: { external_id: 'a', customer: { name: 'Ana' } } }, misfit],
  cursor: { offset: 20 },
  isDone: false,
  ...changes,
})
const sliced = (of: RunRow, next: Slice, status: SourceRow['status'] = 'active') =>
  planSlice({ run: of, source: source(status), matches: [], customers: [], contacts: [] }, next, clock).plan

test('a slice adds its counts to those of the run, with the cursor and a lease', () => {
  const plan = sliced(run(), slice({ progress: 40, total: 9 }))
  expect(setsOf(plan)).toMatchObject({
    created: 2,
    updated: 1,
    skipped: 1,
    failed: 1,
    cursor: { offset: 20 },
    progress: 40,
    total: 9,
    slicesCount: 2,
    nextCheckAt: new Date('2026-06-13T12:00:30.000Z'),
  })
  expect(typesOf(plan)).toEqual(['customer.created'])
  expect(plan.reply).toEqual({ isOver: false })
})

test.each<[what: string, run: Partial<RunRow>, slice: Partial<Slice>, status: string]>([
  ['without a refused record', {}, { records: [] }, 'succeeded'],
  ['with one', {}, {}, 'partial'],
  ['with one long before', { failed: 1 }, { records: [] }, 'partial'],
  ['with no other', { created: 0, updated: 0, skipped: 0 }, { records: [misfit] }, 'failed'],
  ['before it began', { status: 'queued', created: 0, updated: 0, skipped: 0 }, { records: [] }, 'succeeded'],
])('the last slice ends a run %s', (_, of, changes, status) => {
  const plan = sliced(run(of), slice({ ...changes, isDone: true }))
  expect(setsOf(plan)).toMatchObject({
    status,
    progress: 100,
    cursor: null,
    nextCheckAt: null,
    finishedAt: now,
  })
  expect(typesOf(plan).at(-1)).toBe(`sync_run.${status}`)
})

test('the first slice makes the run running and its source active', () => {
  const plan = sliced(run({ status: 'queued' }), slice({ records: [] }), 'connecting')
  expect(typesOf(plan)).toEqual(['sync_source.activated', 'sync_run.running'])
})

test.each<[from: SourceRow['status'], events: string[]]>([
  ['created', ['sync_source.connecting', 'sync_run.queued']],
  ['error', ['sync_source.connecting', 'sync_run.queued']],
  ['active', ['sync_run.queued']],
])('a run of a source that is %s', (from, events) => {
  expect(typesOf(planStart(source(from), { cursor: {} }, 'live', clock))).toEqual(events)
})

test('a failing slice is tried again after 1, 2, 4 … minutes, and the sixth failure ends the run', () => {
  const failing = {
    code: 'sync_source_unanswered',
    message: 'The source does not answer.',
    isFinal: false,
  } as const
  const waits: (number | null)[] = []
  let last = run()
  for (let tries = 1; tries <= 6; tries++) {
    const plan = planFailure({ run: last, source: source('active') }, failing, clock)
    last = { ...last, ...setsOf(plan) }
    waits.push(last.nextCheckAt && (last.nextCheckAt.getTime() - now.getTime()) / 60_000)
    expect(typesOf(plan)).toEqual(tries < 6 ? [] : ['sync_source.failed', 'sync_run.failed'])
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, null])
  expect(last).toMatchObject({ status: 'failed', failure: { message: failing.message } })
})

test.each<[SourceRow['status'], string[]]>([
  ['connecting', ['sync_source.failed', 'sync_run.failed']],
  ['paused', ['sync_run.failed']],
])('what no other try helps ends the run at once, of a source that is %s', (status, events) => {
  const failing = { code: 'sync_file_gone', message: 'The uploaded file is gone.', isFinal: true } as const
  expect(typesOf(planFailure({ run: run(), source: source(status) }, failing, clock))).toEqual(events)
})

test('a source takes its run along', () => {
  const active = source('active')
  expect(typesOf(planned(planPause(active, run(), clock)))).toEqual(['sync_source.paused', 'sync_run.paused'])
  expect(typesOf(planned(planPause(active, undefined, clock)))).toEqual(['sync_source.paused'])
  const waiting = run({ status: 'paused', nextCheckAt: null })
  const resumed = planned(planResume(source('paused'), waiting, clock))
  expect([typesOf(resumed), setsOf(resumed).nextCheckAt]).toEqual([
    ['sync_source.resumed', 'sync_run.queued'],
    now,
  ])
  expect(typesOf(planned(planDisconnect(source('paused'), waiting, clock, [])))).toEqual([
    'sync_source.disconnected',
    'sync_run.canceled',
  ])
})

test('a run is canceled once', () => {
  const canceled = planned(planCancel(run(), clock))
  expect(canceled.reply).toMatchObject({ status: 'canceled', processed: 3, finished_at: now.toISOString() })
  expect(planCancel(run({ status: 'canceled', finishedAt: now }), clock)).toEqual({
    refused: 'sync_run_over',
  })
})
