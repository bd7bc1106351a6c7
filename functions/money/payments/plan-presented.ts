import type { Clock } from '../../../src/kernel/clock.ts'
import { presentedMethod } from '../../../src/kernel/payment-methods.ts'
import type { Expect, Plan } from '../../../src/kernel/plan.ts'
import type { StoredCard } from '../../../src/kernel/stored-card.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { newSubmission, type Order, type PaymentInstrument, planSubmission, type Submission } from './plan.ts'

const byDevice = (accountId: string | null): PaymentInstrument => ({
  method: presentedMethod,
  channel: 'device',
  accountId,
  details: null,
  expiresAt: null,
  graceEndsAt: null,
})

/** A payment by a card that a device has read while it had no network. */
export const storedSubmission = (
  order: Order,
  {
    publicId,
    processor,
    schedule,
  }: { readonly publicId: string; readonly processor: string; readonly schedule: FeeSchedule },
  storedCard: StoredCard,
  clock: Clock,
): Submission => newSubmission(order, publicId, { ...byDevice(null), storedCard }, processor, schedule, clock)

/** A payment by a card that will be presented to a device. `condition`: the state that its device must still have. */
export function planPresented(
  order: Order,
  {
    publicId,
    processor,
    accountId,
    schedule,
  }: {
    readonly publicId: string
    readonly processor: string
    readonly accountId: string | null
    readonly schedule: FeeSchedule
  },
  condition: Expect,
  clock: Clock,
): { readonly submission: Submission; readonly plan: Plan<unknown> } {
  const submission = newSubmission(order, publicId, byDevice(accountId), processor, schedule, clock)
  return { submission, plan: planSubmission(submission, condition, clock.newId) }
}
