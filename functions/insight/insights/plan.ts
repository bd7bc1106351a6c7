import {
  hourFigures,
  type InsightKind,
  insightHours,
  insights,
  insightWatches,
} from '../../../drizzle/schema/insights.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { move } from '../../../src/kernel/lifecycle.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { insightLifecycle } from './lifecycle.ts'
import { presentInsight } from './present.ts'
import type { InsightRow, WatchRow } from './store.ts'
import { type Hour, hourMs, kinds, type Unusual, weekMs, weeksMin } from './unusual.ts'

const { created, changed } = changesOf(insights, 'insight', presentInsight)

/** What was not unusual for so long is over. */
const overMs = 3 * hourMs
/** A workspace of which nothing was counted for so long is looked at once a day, as one without weeks to compare with. */
const idleMs = weekMs
/** An hour is counted so long after its end, when buyers have confirmed: spread over the workspaces. */
export const countedAfterMs = 10 * 60_000
const spreadMinutes = 20

interface Author {
  readonly userId: string
  readonly email: string
}

export function planAnswer(
  insight: InsightRow,
  how: 'acknowledge' | 'dismiss',
  author: Author,
  clock: Clock,
) {
  const moved = move(insightLifecycle, insight, how)
  if (!moved.ok) return refuse(insight.endedAt ? 'insight_ended' : 'insight_acknowledged')
  const { status } = moved
  const answered = { status, answeredByUserId: author.userId, answeredByEmail: author.email }
  return status === 'dismissed'
    ? changed(insight, { ...answered, endedAt: clock.now }, 'insight.dismissed', clock)
    : changed(insight, answered, 'insight.acknowledged', clock)
}

/** The end of the last hour that may be counted at a time. */
export const countedAt = (now: Date): Date =>
  new Date(Math.floor((now.getTime() - countedAfterMs) / hourMs) * hourMs)

const nextCheck = ({ id }: Pick<WatchRow, 'id'>, countedTo: Date, inMs: number): Date =>
  new Date(
    countedTo.getTime() +
      inMs +
      countedAfterMs +
      (Number.parseInt(id.slice(-4), 16) % spreadMinutes) * 60_000,
  )

const isIdle = (
  { activeTo, countedSince, seen }: Pick<WatchRow, 'activeTo' | 'countedSince' | 'seen'>,
  at: Date,
) => at.getTime() - (activeTo ?? countedSince).getTime() >= idleMs && Object.keys(seen).length === 0
const isYoung = (since: Date, at: Date) => at.getTime() - since.getTime() < weeksMin * weekMs

/** So many hours are counted at once where none of them is judged by itself: few, so that a busy day is read in parts. */
const hoursMost = 6

/** How the hours of a workspace are looked at that begin at a time. */
export function looksAt(watch: WatchRow, begins: Date) {
  // Hours that nobody counted say nothing.
  const since = begins > watch.countedTo ? begins : watch.countedSince
  const isJudged = !isYoung(since, begins)
  return { since, isJudged, hours: isJudged && !isIdle(watch, begins) ? 1 : hoursMost }
}

/** Whether anything was counted of an hour. */
export const counts = (hour: Hour): boolean => hourFigures.some((figure) => hour[figure] > 0)

export interface Watched {
  readonly watch: WatchRow
  /** Since when all hours are counted. */
  readonly since: Date
  /** The end of the last of the counted hours. */
  readonly countedTo: Date
  /** Other hours are over. */
  readonly isBehind: boolean
  readonly counted: readonly Hour[]
  readonly unusual: Unusual
  readonly live: readonly InsightRow[]
}

/** Keeps what was counted, opens an insight of what has become unusual, and ends those of what is over. */
export function planWatch(watched: Watched, clock: Clock): Plan<null> {
  const { watch, since, countedTo, unusual, live, isBehind } = watched
  const at = countedTo.getTime()
  const hours = watched.counted.filter(counts)
  const last = hours.at(-1)
  const activeTo = last ? new Date(last.beginsAt.getTime() + hourMs) : watch.activeTo
  const seen: { [K in InsightKind]?: string } = {}
  const plans: Pick<Plan<unknown>, 'writes' | 'events'>[] = []
  for (const kind of kinds) {
    const evidence = unusual.get(kind)
    const seenTo = watch.seen[kind]
    const goesOn = seenTo !== undefined && at - Date.parse(seenTo) < overMs
    const mine = live.find((insight) => insight.kind === kind)
    if (evidence) seen[kind] = evidence.ends_at
    else if (goesOn) seen[kind] = seenTo
    if (evidence && !goesOn && !mine) {
      const opened = { ...newRow(clock), status: 'open', kind, evidence, ...unanswered } as const
      plans.push(created(opened, 'insight.opened', clock))
    } else if (!evidence && !goesOn && mine)
      plans.push(changed(mine, { status: 'resolved', endedAt: clock.now }, 'insight.resolved', clock))
  }
  const isDaily = isYoung(since, countedTo) || isIdle({ activeTo, countedSince: since, seen }, countedTo)
  return {
    writes: [
      ...hours.map((hour) => insert(insightHours, { id: clock.newId(), ...hour })),
      change(insightWatches, watch, {
        countedSince: since,
        countedTo,
        activeTo,
        seen,
        nextCheckAt: isBehind ? clock.now : nextCheck(watch, countedTo, isDaily ? 24 * hourMs : hourMs),
        updatedAt: clock.now,
      }),
      ...plans.flatMap(({ writes }) => writes),
    ],
    events: plans.flatMap(({ events }) => events),
    reply: null,
    subjectId: watch.id,
  }
}
const unanswered = { answeredByUserId: null, answeredByEmail: null, endedAt: null }
