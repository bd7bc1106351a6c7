import { eachDueInTurns } from '../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { watching } from './contract.ts'
import { countedAt, counts, looksAt, planWatch } from './plan.ts'
import { hoursCounted, hoursKept, liveInsights, mostDeclined, watchById } from './store.ts'
import { hourMs, type Unusual, unusualAt, weekMs } from './unusual.ts'

/** Scheduled: counts the hours that are over, of a week at most, and judges each that may be unusual. */
export const watchHours = (run: JobRun): Promise<void> => eachDueInTurns(run, 'insight_watches', nextHours)

/** The next hours of a workspace; resolves to whether more are over. */
async function nextHours({ read, publish, now }: SystemCall, id: string): Promise<boolean> {
  const [[watch]] = await read(watching, watchById({ id }))
  const last = countedAt(now)
  if (!watch || watch.countedTo >= last) return false
  const begins = new Date(Math.max(watch.countedTo.getTime(), last.getTime() - weekMs))
  const look = looksAt(watch, begins)
  const ends = new Date(Math.min(last.getTime(), begins.getTime() + look.hours * hourMs))
  const [counted, kept, live] = await read(
    watching,
    hoursCounted({ begins, ends }),
    hoursKept({ ends, hours: look.hours }),
    liveInsights(),
  )
  // Once something happens again each hour is judged by itself.
  const first = counted.findIndex(counts)
  const hours = look.isJudged && first !== -1 ? counted.slice(0, first + 1) : counted
  const countedTo = new Date(hours.at(-1)!.beginsAt.getTime() + hourMs)
  const unusual: Unusual = look.isJudged ? unusualAt(countedTo, [...kept, ...hours], look.since) : new Map()
  const declines = unusual.get('cards_declined')
  const said = new Map(unusual)
  if (declines && !live.some(({ kind }) => kind === 'cards_declined')) {
    const [[most]] = await read(
      watching,
      mostDeclined({ begins: declines.begins_at, ends: declines.ends_at }),
    )
    said.set('cards_declined', { ...declines, decline_code: most?.code ?? null })
  }
  const isBehind = countedTo < last
  const watched = { watch, since: look.since, countedTo, counted: hours, unusual: said, live, isBehind }
  await publish(watching, planWatch(watched, clockOf(now)))
  return isBehind
}
