import { type BackgroundWork, systemCall } from '../../../src/http/system-call.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { Processor, ProcessorState } from '../../../src/processors/port.ts'
import { applyResult } from './apply-result.ts'
import type { PaymentOrigin } from './payment-origin.ts'
import type { Submission } from './plan.ts'
import type { AttemptRow } from './store.ts'

/** Sends a card that a device has stored to the processor: as often as it is sent, it is one charge. */
export const forwarded = async (processor: Processor, attempt: AttemptRow): Promise<ProcessorState> => {
  const { id: reference, amountMinor, currency, accountId, storedCard } = attempt
  return storedCard && processor.inPerson?.forward
    ? processor.inPerson.forward({ reference, amountMinor, currency, accountId, card: storedCard })
    : { state: 'unknown' }
}

/**
 * Sends a recorded payment whose card a device has stored, and records the processor's answer. It does not fail: the
 * reconciler sends again what is not recorded now.
 * Round trips: the processor, two loads and the outcome.
 */
export async function forwardStored(
  work: BackgroundWork,
  { processor, origin }: { readonly processor: Processor; readonly origin: PaymentOrigin },
  { attempt }: Submission,
  tenantId: string,
): Promise<void> {
  const answer = await forwarded(processor, attempt)
  await applyResult(
    systemCall(work, tenantId),
    { [origin.kind]: origin },
    { attemptId: attempt.id, answer },
  ).catch(logFailure('apply_result', work, attempt.id))
}
