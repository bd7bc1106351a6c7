import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { PolicySettings } from './policy.ts'

/** A version of one level that is still to begin. */
export interface Upcoming {
  readonly version: number
  readonly startsAt: Date
  readonly settings: PolicySettings
}

/** What is wanted of one level: these settings from `from`, or from now on; until `until`, or for good. */
export interface Period {
  readonly settings: PolicySettings
  readonly from: Date | null
  readonly until: Date | null
  /** The changes that are planned within the period, or after its beginning where it has no end, may fall away. */
  readonly replacesPlanned: boolean
}

/** A version to be made. Null: it begins at once. */
export interface Begins {
  readonly settings: PolicySettings
  readonly before: PolicySettings
  readonly startsAt: Date | null
}

const same = (a: PolicySettings, b: PolicySettings) => canonicalJson(a) === canonicalJson(b)

/** In the order of time; of versions that begin together the newest. */
function inOrder(upcoming: readonly Upcoming[]): Upcoming[] {
  const ordered = [...upcoming].sort((a, b) => +a.startsAt - +b.startsAt || a.version - b.version)
  return ordered.filter(({ startsAt }, at) => +startsAt !== +(ordered[at + 1]?.startsAt ?? 0))
}

/** What a level will say, from each change on. A version that says what was said before is no change. */
export function stepsOf(current: PolicySettings, upcoming: readonly Upcoming[]): Upcoming[] {
  const ordered = inOrder(upcoming)
  return ordered.filter(({ settings }, at) => !same(settings, ordered[at - 1]?.settings ?? current))
}

/** What a level says at a moment. */
export const saidAt = (current: PolicySettings, upcoming: readonly Upcoming[], at: Date): PolicySettings =>
  inOrder(upcoming).findLast(({ startsAt }) => startsAt <= at)?.settings ?? current

/** Those that begin within a period: without an end, all after its beginning. */
export const within = (upcoming: readonly Upcoming[], { from, until }: Pick<Period, 'from' | 'until'>) =>
  upcoming.filter(({ startsAt }) => (!from || startsAt >= from) && (!until || startsAt < until))

/**
 * The versions that a period needs: its beginning; at its end, what the level would have said there; and for each version
 * that begins within it, one that begins at the same time and says what the period says.
 */
export function beginningsOf(
  current: PolicySettings,
  upcoming: readonly Upcoming[],
  period: Period,
): Begins[] {
  const { settings, from, until } = period
  const ordered = inOrder(upcoming)
  const beforeIt = from ? ordered.filter(({ startsAt }) => startsAt < from) : []
  const hidden = within(ordered, period).filter(({ startsAt }) => +startsAt !== +(from ?? 0))
  const ends = until && !ordered.some(({ startsAt }) => +startsAt === +until)
  return [
    { settings, before: beforeIt.at(-1)?.settings ?? current, startsAt: from },
    ...hidden.map(({ startsAt }) => ({ settings, before: settings, startsAt })),
    ...(ends ? [{ settings: saidAt(current, ordered, until), before: settings, startsAt: until }] : []),
  ]
}
