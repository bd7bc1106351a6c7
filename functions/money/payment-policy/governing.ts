import type { MethodStates } from '../../../drizzle/schema/processors.ts'
import type { Call } from '../../../src/http/operation.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import { Stale } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { addDays, type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { isRefusal, type Plan, type Refusal } from '../../../src/kernel/plan.ts'
import { currentSchedules, methodsTaken } from '../payments/api.ts'
import type { Governing, Judged } from './evaluate.ts'
import { platformLevel, standingLevel } from './platform.ts'
import {
  effectiveOf,
  fieldsOf,
  levelsOf,
  type PolicyField,
  type PolicySettings,
  sourcesOf,
} from './policy.ts'
import { currentPolicy, type Levels } from './store.ts'

/** The platform's level as it is now, or a part of it. */
export const platformNow = (services: Services, now: Date, level = platformLevel): PolicySettings =>
  level(services.settings, methodsTaken(services.settings), currentSchedules(services.settings, now))

/** The platform's level is one whole already: most workspaces say nothing beside it. */
const within = (services: Services, platform: PolicySettings, levels: Levels): Judged => {
  const { workspace, location } = levels
  const policy = workspace || location ? effectiveOf(platform, workspace ?? {}, location ?? {}) : platform
  return { ...policy, states: statesNow(services, levels) }
}

/** What the account that takes new payments may take; empty where that is not known. */
export function statesNow({ settings: { stripe } }: Services, { accounts }: Levels): Partial<MethodStates> {
  if (!stripe || !accounts) return {}
  const { environment, workspace } = accounts
  if (stripe.merchantAccounts && workspace) return workspace.methods ?? {}
  return (stripe.own && environment) ?? {}
}

/** For terms that are set now. */
export const underCurrentPolicy = (
  services: Services,
  now: Date,
  current: Levels & { readonly policyVersion: number },
): Governing => ({
  policyVersion: current.policyVersion,
  policy: within(services, platformNow(services, now), current),
})

/** What holds now for all of the workspace, field by field. */
export function fieldsNow(services: Services, now: Date, current: Levels): PolicyField[] {
  const levels = levelsOf(platformNow(services, now), current, null)
  const sources = sourcesOf(levels)
  const effective = effectiveOf(...levels.map(([, said]) => said))
  return [...fieldsOf(effective)].map(([path, value]) => ({ path, value, level: sources[path]! }))
}

/**
 * For what is for sale already: what workspace and location said when its terms were set, and of the platform's level
 * only what stands for all. An amount that the buyer chooses is set now, so there the whole of it counts.
 */
export const offeredNow = (services: Services, now: Date, levels: Levels, isChosen: boolean): Judged =>
  within(services, platformNow(services, now, isChosen ? platformLevel : standingLevel), levels)

/**
 * The last day in Mexico City on which a payment can be refunded: the window's calendar days after the day of its
 * success. Null: no level closes the window. Workspace and location count as of the payment's own version.
 */
export function lastRefundDay(services: Services, now: Date, levels: Levels, paidAt: Date): IsoDate | null {
  const days = within(services, platformNow(services, now), levels).refunds?.window_days
  return days === undefined ? null : addDays(mexicoCityDate(paidAt), days)
}

/** What each API key's workspace said when this isolate last read it: a guess, which the database confirms or refuses. */
const guesses = new Map<string, Guess>()
const guessesMax = 1_000

interface Guess extends Levels {
  readonly policyVersion: number
  readonly readAt: Date
}

/** What an account may take has no version that the database could refuse: where it counts, a guess is good for so long. */
const guessMs = 60_000

const mayGuess = (
  { services, now }: { readonly services: Services; readonly now: Date },
  remembered: Guess | undefined,
) =>
  services.settings.stripe === null ||
  (remembered !== undefined && now.getTime() - remembered.readAt.getTime() < guessMs)

/** Every workspace begins with it. */
const firstVersion = { policyVersion: 1, workspace: null, location: null }

/**
 * Publishes a plan for new terms without reading the policy first: it is made under a guess, and a trigger refuses terms
 * of another version than the one that holds. Then, and where the plan refuses under what was only remembered, the policy is
 * read and the plan made again; also where it answers null, since it writes nothing that the trigger could refuse.
 */
export async function publishUnderPolicy<Reply>(
  call: Pick<Call<unknown, unknown, unknown, Reply>, 'read' | 'publish' | 'services' | 'now' | 'kid'>,
  locationId: string | null,
  plan: (governing: Governing, isCurrent: boolean) => Plan<Reply> | Refusal<ProblemCode> | null,
): Promise<Reply> {
  const key = `${call.kid} ${locationId}`
  const remembered = guesses.get(key)
  const planned = plan(underCurrentPolicy(call.services, call.now, remembered ?? firstVersion), false)
  // What the platform alone refuses, every policy refuses.
  if (planned && mayGuess(call, remembered) && !(remembered && isRefusal(planned))) {
    try {
      return await call.publish(planned)
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
  const [current] = await call.read(currentPolicy(locationId ? { locationId } : {}))
  if (guesses.size >= guessesMax) guesses.clear()
  guesses.set(key, { ...current!, readAt: call.now })
  return call.publish(plan(underCurrentPolicy(call.services, call.now, current!), true)!)
}
