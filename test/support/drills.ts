import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { NeonFaultMode } from './gateways/neon.ts'
import { isWhole } from './share.ts'
import { control, faults } from './stack.ts'

/**
 * A call of the sandbox's Worker to the database or the simulated processor: which one, and how many alike go before
 * it.
 */
export interface Strike {
  readonly contains: string
  readonly skip?: number
  readonly mode: NeonFaultMode
  /** The sandbox's own where absent. */
  readonly database?: 'identity'
}

/** What runs on after the reply may make the call that is struck. */
const missedMs = 10_000

/**
 * Begins `work` and kills the Worker in its call that matches the strike. Returns what the caller of `work` gets: an
 * error, unless the reply was sent before. Fails when no call matches. Only for exclusive files.
 */
export async function dies(
  { contains, skip = 0, mode, database }: Strike,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const fault = await faults.neon({ mode, match: { database: database ?? 'sandbox', contains }, skip })
  return diesOnce(fault.hit, work, `'${contains}'`).finally(faults.clear)
}

/** The same in a call to an outside service, which does not answer: `struck` resolves when it was made. */
export async function diesOnce(
  struck: () => Promise<unknown>,
  work: () => Promise<unknown>,
  strike: string,
): Promise<unknown> {
  const unanswered = work().catch((error: unknown) => error)
  const missed = unanswered.then(async (answer) => {
    await delay(missedMs, undefined, { ref: false })
    return { answer }
  })
  const first = await Promise.race([struck().then(() => null), missed])
  if (first) throw new Error(`no call matched the strike ${strike}: ${inspect(first.answer).slice(0, 500)}`)
  await control.crash('sandbox')
  return unanswered
}

/** The same for scheduled work, which has no caller. */
export const killReconciler = (strike: Strike): Promise<unknown> =>
  dies(strike, () => control.trigger('sandbox'))

/**
 * Each case with `count` of the variants, chosen differently from case to case; with all of them where TESTS=all. A
 * fault drilled at every boundary in every way need not repeat for every story.
 */
export const inTurn = <Case extends object, Variant extends object>(
  cases: readonly Case[],
  variants: readonly Variant[],
  count = 1,
): (Case & Variant)[] =>
  cases.flatMap((one, at) => {
    const first = at + Math.trunc(at / variants.length)
    const chosen = isWhole ? variants.length : count
    return Array.from({ length: chosen }, (_, next) => ({
      ...one,
      ...variants[(first + next) % variants.length]!,
    }))
  })

/** The Worker is killed before its call has an effect, or after. */
export const beforeAndAfter = [{ mode: 'hang' }, { mode: 'late-commit' }] as const

/** The Worker repeats once by itself: the same request survives one fault in a row, not two. */
export const onceAndTwice = [{ times: 1 }, { times: 2 }]

/** What a network does to one call: it has its effect, has none, or the caller cannot know. */
export const failures: { mode: NeonFaultMode; executed?: boolean }[] = [
  { mode: 'refuse' },
  { mode: 'reset-before-send' },
  { mode: 'reset-after-commit' },
  { mode: 'hang' },
  { mode: 'late-commit' },
  { mode: '5xx-html' },
  { mode: '5xx-html', executed: true },
  { mode: 'truncated-json' },
]
