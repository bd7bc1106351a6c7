import type { Services } from '../../../src/http/services.ts'
import { type BackgroundWork, systemCall } from '../../../src/http/system-call.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import type { Owned } from '../../../src/kernel/plan.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import { applyResult } from './apply-result.ts'
import type { PaymentOrigins } from './payment-origin.ts'
import type { Submission } from './plan.ts'
import { takerOf } from './processors.ts'
import { processorStateOf } from './reconcile.ts'
import type { AttemptRow, PaymentRow } from './store.ts'

/** The bank has challenged the buyer, who has not answered. */
export const awaitsBank = ({ payment, attempt }: Submission): boolean =>
  payment.status === 'requires_action' &&
  flowOf(payment.method) === 'card' &&
  attempt.status === 'pending_customer'

/**
 * The challenge's URL as the processor states it now, or the recorded URL where the processor is silent. Null when no
 * challenge is open. One call.
 */
export async function challengeUrl(services: Services, attempt: AttemptRow): Promise<string | null> {
  const answer = await takerOf(services, attempt).fetchAttempt(attempt.id, attempt)
  if (answer.state === 'unknown') return attempt.nextAction?.url ?? null
  return answer.state === 'pending_customer' && answer.action.type === 'redirect' ? answer.action.url : null
}

/**
 * `closed`: ended without money, and recorded. `taken`: the bank approved first, also recorded. `unknown`: nothing
 * changed.
 */
export type Abandoned = 'closed' | 'taken' | 'unknown'

const abandonedAs: Readonly<Record<ProcessorState['state'], Abandoned>> = {
  canceled: 'closed',
  declined: 'closed',
  captured: 'taken',
  authorized: 'taken',
  pending_customer: 'unknown',
  not_found: 'unknown',
  unknown: 'unknown',
}

/**
 * The buyer abandons a challenge. As with an unanswered challenge, the processor closes it first and the Worker records
 * the processor's answer. If the Worker crashes in between, the reconciler finishes.
 * Round trips: two calls of the processor, a load and the outcome.
 * @throws Stale, Problem
 */
export async function abandon(
  work: BackgroundWork,
  origins: PaymentOrigins,
  { payment, attempt }: Pick<Submission, 'attempt'> & { readonly payment: Owned<PaymentRow> },
): Promise<Abandoned> {
  const answer = await processorStateOf(takerOf(work.services, attempt), attempt, true)
  const became = abandonedAs[answer.state]
  if (became !== 'unknown')
    await applyResult(systemCall(work, payment.tenantId), origins, { attemptId: attempt.id, answer })
  return became
}
