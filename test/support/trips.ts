import type { Call } from './gateways/call-log.ts'

/** A call for mails that earlier requests have caused: it goes on in the background, also after other work. */
export const isForMails = ({ statements }: Pick<Call, 'statements'>): boolean =>
  statements.some((each) => /\bdoor\.due\b|\bmails\b|"(mail_notices|outgoing_mails)"/.test(each))

/**
 * The longest chain of calls in which each began only after the previous one had ended: what a caller waits for.
 * Concurrent calls count once; set a latency first (20 ms is enough), or the quicker of two concurrent calls may end
 * before the other arrives. Calls begun after `untilMs`, or still running then, do not count: the caller did not wait
 * for them.
 */
export function sequentialTrips(calls: readonly Call[], untilMs = Number.POSITIVE_INFINITY): number {
  const waited = calls
    .map(({ startedAtMs, finishedAtMs = Number.POSITIVE_INFINITY }) => ({ startedAtMs, finishedAtMs }))
    .filter(({ finishedAtMs }) => finishedAtMs <= untilMs)
    .sort((a, b) => a.finishedAtMs - b.finishedAtMs)
  let trips = 0
  let lastEndMs = Number.NEGATIVE_INFINITY
  for (const call of waited) {
    if (call.startedAtMs < lastEndMs) continue
    trips += 1
    lastEndMs = call.finishedAtMs
  }
  return trips
}
