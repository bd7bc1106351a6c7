import { Problem } from '../../../src/http/problems.ts'
import { onFreshRows, publishPlan, rehearse, Stale } from '../../../src/http/publishing.ts'
import { isOutcomeUnknown, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { flowOf, isPush } from '../../../src/kernel/payment-methods.ts'
import type { Owned, Plan } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { Published } from '../../../src/platform/postgres.ts'
import { plansMax, readSubmission } from './apply-result.ts'
import * as contracts from './contract.ts'
import { applyWithTransfers, receiveAll } from './deposits.ts'
import type { PayContext } from './payment-origin.ts'
import { planReplaced } from './plan-push-end.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

export interface Found {
  readonly payment: Owned<PaymentRow>
  readonly attempts: readonly AttemptRow[]
}

type Begun = Plan<{ readonly public_id: string }>

/** A voucher or CLABE is issued and unpaid. */
export const awaitsPush = ({ payment, attempts }: Found) =>
  payment.status === 'requires_action' && isPush(payment) && attempts.at(-1)?.status === 'pending_customer'

/**
 * A buyer pays another way: the processor closes the voucher or CLABE first, so that we never let a buyer pay twice. Then
 * its end and what begins in its place are one publish: what it held passes over, and nobody else gets it in between. That
 * publish is rehearsed before, so that no buyer loses a voucher for a payment that is refused. Answers the rows that
 * the publish relied on; null where the voucher turns out to be paid: that payment stands.
 * @throws Stale, Replayed, Problem as a publish of `begun` would; Problem when the processor does not confirm the closing
 */
export async function replacePush(
  context: PayContext,
  { payment, attempts }: Found,
  begun: Begun,
): Promise<Published['expected'] | null> {
  const { services, publishing } = context
  const attempt = attempts.at(-1)!
  const call = systemCall({ services, requestId: publishing.requestId }, payment.tenantId)
  const { end } = await endOf(call, attempt.id)
  if (end) await rehearse(services, publishing, both(end, begun))
  if (!(await isClosed(context, call, attempt))) return null
  let isWaiting = true
  try {
    return await onFreshRows(
      plansMax,
      async () => {
        const { status, end } = await endOf(call, attempt.id)
        isWaiting = end !== null
        // Two forms of one buyer may arrive at once: both go on, and the database records one.
        if (!end && status !== 'canceled' && status !== 'expired') return null
        const plan = end ? both(end, begun) : begun
        return (await publishPlan(services, publishing, plan)).expected
      },
      (error) => error instanceof Stale && isWaiting,
    )
  } catch (error) {
    if (isWaiting && !isOutcomeUnknown(error))
      await endAlone(call, attempt.id).catch(logFailure('end_replaced', call, attempt.id))
    throw error
  }
}

/** How an attempt stands, and the plan that ends it where it still waits. */
async function endOf(call: SystemCall, attemptId: string) {
  const submission = await readSubmission(call, attemptId)
  const status = submission?.attempt.status
  const end =
    submission && status === 'pending_customer' ? planReplaced(submission, clockOf(new Date())) : null
  return { status, end }
}

const both = (end: Plan<unknown>, begun: Begun): Begun => ({
  ...begun,
  writes: [...end.writes, ...begun.writes],
  events: [...end.events, ...begun.events],
})

/** The processor has closed it, and nothing came in its place. Where this fails, the reconciler ends it. */
const endAlone = (call: SystemCall, attemptId: string) =>
  onFreshRows(plansMax, async () => {
    const { end } = await endOf(call, attemptId)
    if (end) await call.publish(contracts.outcome, end, { now: new Date() })
  })

/** Closes it at the processor. False where it turns out to be paid. */
async function isClosed(
  { processor, origin }: PayContext,
  call: SystemCall,
  attempt: AttemptRow,
): Promise<boolean> {
  const { id: attemptId } = attempt
  const answer = await processor.cancel(attemptId, attempt)
  // Transfers that arrived before the CLABE was closed count, and may complete the payment.
  const origins = { [origin.kind]: origin }
  if (answer.state === 'captured') {
    await applyWithTransfers(call, origins, attempt, { attemptId, answer })
    return false
  }
  if (flowOf(attempt.method) === 'bank_transfer') await receiveAll(call, origins, attempt)
  if (answer.state !== 'canceled') throw new Problem('outcome_unknown')
  return true
}
