import type { Call } from '../../../src/http/operation.ts'
import { type BackgroundWork, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { Processor, ProcessorState } from '../../../src/processors/port.ts'
import { applyResult } from './apply-result.ts'
import { closed } from './closing.ts'
import { outcome } from './contract.ts'
import type { PaymentOrigin, PaymentOrigins } from './payment-origin.ts'
import type { Submission } from './plan.ts'
import { takerOf } from './processors.ts'
import { processorStateOf } from './reconcile.ts'
import { attemptsOf } from './store.ts'

/** The device that takes the card. */
export interface Handed {
  readonly tenantId: string
  readonly deviceId: string
  /** The processor's own id of it; null where it has none. */
  readonly readerRef: string | null
  readonly expiresAt: Date
}

/**
 * Hands a recorded payment to its device, and records the processor's answer. It does not fail: the reconciler asks for an
 * answer that is not recorded now. A device that got it after its time waits for nothing.
 * Round trips: the processor, a load and the outcome.
 */
export async function handToDevice(
  work: BackgroundWork,
  { processor, origin }: { readonly processor: Processor; readonly origin: PaymentOrigin },
  { attempt }: Submission,
  { tenantId, deviceId, readerRef, expiresAt }: Handed,
): Promise<void> {
  const {
    id: reference,
    amountMinor,
    currency,
    accountId,
    installmentMonths,
    captureMethod: capture,
  } = attempt
  const charge = {
    reference,
    amountMinor,
    currency,
    accountId,
    installmentMonths,
    capture,
    deviceId,
    readerRef,
    expiresAt,
  }
  const answer = await processor.inPerson!.present(charge)
  const apply = (each: ProcessorState) =>
    applyResult(systemCall(work, tenantId), { [origin.kind]: origin }, { attemptId: reference, answer: each })
  const record = async () => {
    await apply(answer)
    if (answer.state === 'pending_customer' && expiresAt <= new Date())
      await apply(await closed(processor, { ...attempt, processorRef: answer.processorRef }))
  }
  await record().catch(logFailure('apply_result', work, reference))
}

/** Asks the processor about a payment that is not over, as the reconciler would. Round trips: a load, the processor, the outcome. */
export async function askAbout(call: SystemCall, origins: PaymentOrigins, paymentId: string): Promise<void> {
  const [attempts] = await call.read(outcome, attemptsOf({ paymentId }))
  const attempt = attempts.at(-1)
  if (!attempt || attempt.nextCheckAt === null) return
  const answer = await processorStateOf(takerOf(call.services, attempt), attempt, false)
  await applyResult(call, origins, { attemptId: attempt.id, answer })
}

/**
 * What a phone charges the card with that a payment waits for; null where it needs nothing of the processor's. `over`: the
 * processor waits for no card any more, and that is not recorded yet. Round trips: a load and the processor.
 * @throws OutcomeUnknown when the processor does not answer
 */
export async function secretOfPayment(
  { read, services }: Pick<Call<unknown, unknown, unknown, unknown>, 'read' | 'services'>,
  paymentId: string,
): Promise<{ readonly client_secret: string | null } | 'over'> {
  const attempt = (await read(attemptsOf({ paymentId }))).at(-1)
  const secretOf = attempt && takerOf(services, attempt).inPerson?.secretOf
  if (!secretOf) return { client_secret: null }
  const unknown = () => {
    throw new OutcomeUnknown('the processor did not answer about what a phone charges')
  }
  const client_secret = await secretOf(attempt.id, attempt).catch(unknown)
  if (client_secret !== null) return { client_secret }
  // One whose id there is not known yet is found later.
  return attempt.processorRef === null ? unknown() : 'over'
}
