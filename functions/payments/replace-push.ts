import { Problem } from '../../src/http/problems.ts'
import { onFreshRows, type PublishRequest, publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { flowOf, isPush } from '../../src/kernel/payment-methods.ts'
import type { Owned } from '../../src/kernel/plan.ts'
import type { Credential } from '../../src/platform/postgres.ts'
import type { Processor } from '../../src/processors/port.ts'
import { plansMax, readSubmission, recordAnswer } from './apply-result.ts'
import * as contracts from './contract.ts'
import { receiveAll } from './deposits.ts'
import type { PaymentOrigin } from './payment-origin.ts'
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
 * The buyer switches to another way to pay: the processor closes the voucher or CLABE first, so that we never let the
 * buyer pay twice. If it turns out to be paid, that payment stands.
 * @throws Problem when the processor does not confirm that it is closed
 */
export async function replacePush(
  services: Services,
  processor: Processor,
  origin: PaymentOrigin,
  { payment, attempts }: Found,
  { requestId }: PublishRequest,
): Promise<void> {
  const attempt = attempts.at(-1)!
  const { id } = attempt
  const answer = await processor.cancel(id, attempt)
  const credential: Credential = { kind: 'system', tenantId: payment.tenantId }
  // Transfers that arrived before the CLABE was closed count, and may complete the payment.
  const origins = { [origin.kind]: origin }
  if (flowOf(payment.method) === 'bank_transfer')
    await receiveAll(services, origins, processor, attempt, requestId)
  if (answer.state === 'captured')
    return recordAnswer(services, origins, credential, id, answer, {
      requestId,
    })
  if (answer.state !== 'canceled') throw new Problem('outcome_unknown')
  await onFreshRows(plansMax, async () => {
    const clock = clockOf(new Date())
    const submission = await readSubmission(services, credential, id)
    if (submission?.attempt.status !== 'pending_customer') return
    const request = { operation: contracts.outcome.id, credential, requestId, now: clock.now }
    await publishPlan(services, request, planReplaced(submission, clock))
  })
}
