/** A reconciler polls this long after a call to a processor began, in case the Worker stopped in the middle of it. */
export const callLeaseMs = 60_000

/** The waits before a silent processor is asked again by the Worker that has just asked it. */
export const soonMs: readonly number[] = [1_000, 2_000, 5_000, 10_000]

const firstMs = 3_000
const longestMs = 3_600_000
const dayMs = 86_400_000
const watchDays = 5

/** When a reconciler asks a silent processor again: after 3 s, then twice as long each time, up to an hour. */
export const nextPoll = (checksCount: number, now: Date): Date =>
  new Date(now.getTime() + Math.min(firstMs * 2 ** checksCount, longestMs))

/** When a bank is asked for the first time whether what it paid was sent back. */
export const firstWatch = (now: Date): Date => new Date(now.getTime() + dayMs)

/** What a row keeps of its poll schedule. */
export interface Polls {
  readonly nextCheckAt: Date | null
  /** Those that were answered, since its status last moved. */
  readonly checksCount: number
}

/**
 * The next poll of what a bank paid: a day later, for five days; then null: it counts as final. A poll that the bank
 * did not answer does not count and is repeated in an hour.
 */
export function watchAgain({ checksCount }: Polls, answered: boolean, now: Date): Polls {
  if (!answered) return { checksCount, nextCheckAt: new Date(now.getTime() + longestMs) }
  const answeredCount = checksCount + 1
  return { checksCount: answeredCount, nextCheckAt: answeredCount < watchDays ? firstWatch(now) : null }
}

/** The next poll of what is on its way, after growing waits. */
export const pollAgain = ({ checksCount }: Polls, now: Date): Polls => ({
  checksCount: checksCount + 1,
  nextCheckAt: nextPoll(checksCount, now),
})
