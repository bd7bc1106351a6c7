import { Problem } from '../../src/http/problems.ts'
import { onFreshRows } from '../../src/http/publishing.ts'
import { systemCall } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { flowOf, isPush } from '../../src/kernel/payment-methods.ts'
import type { Owned } from '../../src/kernel/plan.ts'
import { plansMax, readSubmission } from './apply-result.ts'
import * as contracts from './contract.ts'
import { applyWithTransfers, receiveAll } from './deposits.ts'
import type { PayContext } from './payment-origin.ts'
import type { PaymentInstrument } from './plan.ts'
import { planReplaced } from './plan-push-end.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

export interface Found {
  readonly payment: Owned<PaymentRow>
  readonly attempts: readonly AttemptRow[]
}

/** A voucher or CLABE is issued and unpaid. */
export const awaitsPush = ({ payment, attempts }: Found) =>
  payment.status === 'requires_action' && isPush(payment) && attempts.at(-1)?.status === 'pending_customer'

/**
 * Another voucher or CLABE must be able to hold what this one holds: no buyer loses theirs for one that is refused.
 * @throws Refused as by the new one's insert
 */
export async function requireRoom(
  { services }: PayContext,
  { attempts }: Found,
  { holder, expiresAt }: PaymentInstrument,
): Promise<void> {
  if (!holder || !expiresAt) return
  const { networkDigest, contactDigest, shareBps } = holder
  await services.db.call('door.ask_unpaid(uuid,text,text,bigint,timestamptz)', [
    attempts.at(-1)!.id,
    networkDigest,
    contactDigest,
    shareBps,
    expiresAt.toISOString(),
  ])
}

/**
 * A buyer pays another way: the processor closes the voucher or CLABE first, so that we never let a buyer pay twice, and
 * its payment ends. False where it turns out to be paid: that payment stands.
 * @throws Problem when the processor does not confirm that it is closed
 */
export async function replacePush(
  { services, processor, origin, publishing: { requestId } }: PayContext,
  { payment, attempts }: Found,
): Promise<boolean> {
  const attempt = attempts.at(-1)!
  const { id: attemptId } = attempt
  const answer = await processor.cancel(attemptId, attempt)
  const call = systemCall({ services, requestId }, payment.tenantId)
  // Transfers that arrived before the CLABE was closed count, and may complete the payment.
  const origins = { [origin.kind]: origin }
  if (answer.state === 'captured') {
    await applyWithTransfers(call, origins, attempt, { attemptId, answer })
    return false
  }
  if (flowOf(payment.method) === 'bank_transfer') await receiveAll(call, origins, attempt)
  if (answer.state !== 'canceled') throw new Problem('outcome_unknown')
  const before = await onFreshRows(plansMax, async () => {
    const clock = clockOf(new Date())
    const submission = await readSubmission(call, attemptId)
    if (submission?.attempt.status === 'pending_customer')
      await call.publish(contracts.outcome, planReplaced(submission, clock), clock)
    return submission?.attempt.status
  })
  // Two forms of one buyer may arrive at once: both go on, and the database records one.
  return before === 'pending_customer' || before === 'canceled' || before === 'expired'
}
