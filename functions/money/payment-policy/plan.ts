import { paymentPolicies, paymentPolicyVersions } from '../../../drizzle/schema/payment-policies.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { changesBetween, effectiveOf, type PolicySettings, widerField } from './policy.ts'
import { presentPolicy } from './present.ts'
import type { CurrentPolicy } from './store.ts'
import { beginningsOf, type Period, saidAt, stepsOf, within } from './timeline.ts'

export interface Wanted extends Period {
  /** Null: the workspace's own level. */
  readonly locationId: string | null
  readonly author: { readonly userId: string; readonly email: string }
}

/** How many changes of one level may be planned at once. */
export const plannedMax = 20
/** How far ahead a version may begin or end: two years. */
const aheadMsMax = 2 * 366 * 86_400_000

/**
 * Replaces what one level says, as the policy's next version: at once, or for a time that is still to come. What
 * locations say stays, and counts where it narrows.
 */
export function planUpdate(
  before: CurrentPolicy,
  { locationId, author, ...period }: Wanted,
  platform: PolicySettings,
  { now, newId }: Clock,
) {
  const { settings, from, until } = period
  const isLocation = locationId !== null
  const level = isLocation ? 'location' : 'workspace'
  const begins = from ?? now
  const ofLevel = (of: string | null) => before.upcoming.filter((version) => version.locationId === of)
  const current = before[level] ?? {}

  const misplaced = outOfTime(now, from, until)
  if (misplaced) return misplaced
  // A level is compared with what the level above says when its own version begins.
  const above = isLocation
    ? effectiveOf(platform, saidAt(before.workspace ?? {}, ofLevel(null), begins))
    : platform
  const wider = widerField(above, settings)
  if (wider)
    return refuse('payment_policy_too_wide', {
      param: `settings.${wider.field}`,
      message: `${wider.field} may only narrow the level above, which says ${JSON.stringify(wider.value)}.`,
    })
  const [hidden] = within(stepsOf(current, ofLevel(locationId)), period)
  if (hidden && !period.replacesPlanned)
    return refuse('payment_policy_planned', {
      param: until ? 'ends_at' : 'starts_at',
      message: `Version ${hidden.version} of this level is to begin at ${hidden.startsAt.toISOString()}.`,
    })

  const versions = beginningsOf(current, ofLevel(locationId), period).map((version, at) => ({
    ...version,
    version: before.lastVersion + 1 + at,
    startsAt: version.startsAt ?? now,
    isPlanned: version.startsAt !== null,
    locationId,
    id: newId(),
  }))
  const planned = versions.filter(({ isPlanned }) => isPlanned)
  const [first] = versions as [(typeof versions)[number], ...typeof versions]
  const after: CurrentPolicy = {
    ...before,
    ...(first.isPlanned ? {} : { [level]: settings, policyVersion: first.version, effectiveAt: now }),
    upcoming: [...before.upcoming, ...planned],
    version: before.version + 1,
  }
  const reply = presentPolicy(after, platform, locationId)
  if (reply.upcoming.length > plannedMax)
    return refuse('payment_policy_planned_max', {
      message: `At most ${plannedMax} changes of one level may be planned; this would be ${reply.upcoming.length}.`,
    })
  const about = { type: 'payment_policy', id: before.id }
  return {
    writes: [
      change(paymentPolicies, before, {
        updatedAt: now,
        lastVersion: before.lastVersion + versions.length,
        hasPlanned: before.isAnyToBegin || planned.length > 0,
      }),
      insert(
        paymentPolicyVersions,
        ...versions.map(({ before: said, ...version }) => ({
          ...version,
          changes: changesBetween(said, version.settings),
          createdByUserId: author.userId,
          createdByEmail: author.email,
          createdAt: now,
        })),
      ),
    ],
    events: [
      event(newId(), 'payment_policy.updated', about, reply, presentPolicy(before, platform, locationId)),
    ],
    reply,
    subjectId: before.id,
  } satisfies Plan<unknown>
}

function outOfTime(now: Date, from: Date | null, until: Date | null) {
  const wrong = (param: 'starts_at' | 'ends_at', message: string) =>
    refuse('parameter_invalid', { param, message: `${param} ${message}` })
  if (from && from <= now) return wrong('starts_at', 'must be in the future; leave it out to begin at once.')
  if (until && until <= (from ?? now)) return wrong('ends_at', 'must be after the beginning.')
  if (+(from ?? now) > +now + aheadMsMax) return wrong('starts_at', 'must be within two years.')
  if (until && +until > +now + aheadMsMax) return wrong('ends_at', 'must be within two years.')
  return null
}
