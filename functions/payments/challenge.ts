import type { Services } from '../../src/http/services.ts'
import type { ProcessorState } from '../../src/processors/port.ts'
import { standingOf } from './janitor.ts'
import type { Submission } from './plan.ts'
import { recordAnswer, type Surfaces } from './record.ts'
import { requireProcessor } from './settings.ts'
import type { AttemptRow } from './store.ts'

/** The bank asks the buyer, who has not answered. */
export const awaitsBank = ({ payment, attempt }: Submission): boolean =>
  payment.status === 'requires_action' && payment.method === 'card' && attempt.status === 'pending_customer'

/**
 * Where the bank asks now, as the processor says it; what it said first where it is silent. Null when there is nothing
 * to answer any more. One call.
 */
export async function challengeUrl(services: Services, attempt: AttemptRow): Promise<string | null> {
  const answer = await requireProcessor(services).fetchAttempt(attempt.id, attempt)
  if (answer.state === 'unknown') return attempt.nextAction?.url ?? null
  return answer.state === 'pending_customer' && answer.action.type === 'redirect' ? answer.action.url : null
}

/** `closed`: without money, and recorded; `taken`: the bank was quicker, recorded too; `unknown`: nothing has changed. */
export type GivenUp = 'closed' | 'taken' | 'unknown'

const givenUp: Readonly<Record<ProcessorState['state'], GivenUp>> = {
  canceled: 'closed',
  declined: 'closed',
  captured: 'taken',
  authorized: 'taken',
  pending_customer: 'unknown',
  not_found: 'unknown',
  unknown: 'unknown',
}

/**
 * The buyer gives a challenge up. It ends as one that nobody answers does: closed at the processor first, and what the
 * processor says of it is recorded. A Worker that dies in between leaves the rest to the janitor.
 * Round trips: two calls of the processor, a load and the outcome.
 * @throws Stale, Problem
 */
export async function giveUp(
  services: Services,
  surfaces: Surfaces,
  { payment, attempt }: Submission,
  requestId: string,
): Promise<GivenUp> {
  const answer = await standingOf(requireProcessor(services), attempt, true)
  const became = givenUp[answer.state]
  if (became === 'unknown') return became
  const credential = { kind: 'system', tenantId: payment.tenantId } as const
  await recordAnswer(services, surfaces, credential, attempt.id, answer, { requestId })
  return became
}
