import { sandboxClocks } from '../../../drizzle/schema/sandbox.ts'
import { change, insert, type Plan, type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { ClockRow } from './store.ts'

const advanceSecondsMax = 400 * 86_400

export function presentClock(advancedSeconds: bigint, now: Date) {
  return {
    object: 'sandbox_clock' as const,
    now: new Date(now.getTime() + Number(advancedSeconds) * 1000).toISOString(),
    advanced_seconds: advancedSeconds.toString(),
  }
}

/** Days, hours and minutes of an ISO 8601 duration of the form that the contract allows, in seconds. */
export function secondsOf(duration: string): number {
  const [, days = '0', hours = '0', minutes = '0'] =
    /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?$/.exec(duration) ?? []
  return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60
}

/** Moves a tenant's clock forward; the database brings its deadlines nearer. */
export function planAdvance(
  clock: ClockRow | undefined,
  duration: string,
  { now, newId }: { readonly now: Date; readonly newId: () => string },
): Plan<ReturnType<typeof presentClock>> | Refusal<'parameter_invalid'> {
  const seconds = secondsOf(duration)
  if (seconds === 0 || seconds > advanceSecondsMax)
    return refuse('parameter_invalid', {
      param: 'advance',
      message: 'advance must be more than nothing and at most P400D.',
    })
  const advancedSeconds = (clock?.advancedSeconds ?? 0n) + BigInt(seconds)
  const write = clock
    ? change(sandboxClocks, clock, { advancedSeconds, updatedAt: now })
    : insert(sandboxClocks, { id: newId(), advancedSeconds, createdAt: now, updatedAt: now })
  return { writes: [write], events: [], reply: presentClock(advancedSeconds, now) }
}
