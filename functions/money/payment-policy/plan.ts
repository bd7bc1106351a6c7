import { paymentPolicies, paymentPolicyVersions } from '../../../drizzle/schema/payment-policies.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { changesBetween, effectiveOf, type PolicySettings, widerField } from './policy.ts'
import { presentPolicy } from './present.ts'
import type { CurrentPolicy } from './store.ts'

export interface Wanted {
  /** Null: the workspace's own level. */
  readonly locationId: string | null
  readonly settings: PolicySettings
  readonly author: { readonly userId: string; readonly email: string }
}

/** Replaces what one level says, as the policy's next version. What locations say stays, and counts where it narrows. */
export function planUpdate(
  before: CurrentPolicy,
  { locationId, settings, author }: Wanted,
  platform: PolicySettings,
  { now, newId }: Clock,
) {
  const isLocation = locationId !== null
  const above = isLocation ? effectiveOf(platform, before.workspace ?? {}) : platform
  const wider = widerField(above, settings)
  if (wider)
    return refuse('payment_policy_too_wide', {
      param: `settings.${wider.field}`,
      message: `${wider.field} may only narrow the level above, which says ${JSON.stringify(wider.value)}.`,
    })
  const version = before.version + 1
  const after = {
    ...before,
    ...(isLocation ? { location: settings } : { workspace: settings }),
    version,
    updatedAt: now,
  }
  const reply = presentPolicy(after, platform, locationId)
  const about = { type: 'payment_policy', id: before.id }
  return {
    writes: [
      change(paymentPolicies, before, { updatedAt: now }),
      insert(paymentPolicyVersions, {
        id: newId(),
        version,
        locationId,
        settings,
        changes: changesBetween((isLocation ? before.location : before.workspace) ?? {}, settings),
        createdByUserId: author.userId,
        createdByEmail: author.email,
        createdAt: now,
      }),
    ],
    events: [
      event(newId(), 'payment_policy.updated', about, reply, presentPolicy(before, platform, locationId)),
    ],
    reply,
    subjectId: before.id,
  } satisfies Plan<unknown>
}
