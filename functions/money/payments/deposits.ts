import type { VersionedKeys } from '../../../src/env/settings.ts'
import { onFreshRows } from '../../../src/http/publishing.ts'
import { repeatUnconfirmed } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import {
  type BackgroundWork,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { containsCardNumber } from '../../../src/kernel/card-number.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { digestsOf } from '../../../src/platform/crypto.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { Deposit, Processor, ProcessorState } from '../../../src/processors/port.ts'
import {
  type AttemptResult,
  applyResult,
  loadOrigin,
  readSubmission,
  tenantOfAttempt,
} from './apply-result.ts'
import { bookMovement } from './buyer-balance.ts'
import * as contracts from './contract-deposits.ts'
import { originOfPayment, type PaymentOrigins, soldBy } from './payment-origin.ts'
import { type Arrived, completes, planArrival, type Target } from './plan-deposit.ts'
import { processorsOf, takerOf } from './processors.ts'
import { scheduleOf } from './settings.ts'
import { type AttemptRow, attemptById, clabeInUse, depositTwin, paymentById } from './store.ts'

/** Concurrent transfers make each other's plans stale when they complete a payment; one of them wins each time. */
const plansMax = 20

/** The processor notified us of a transfer. The notification is only a hint: read the transfer at the processor. */
export async function handleDepositNotification(
  work: BackgroundWork,
  origins: PaymentOrigins,
  { deposits: rail }: Processor,
  depositRef: string,
): Promise<void> {
  const deposit = await rail?.fetchDeposit(depositRef)
  if (!rail) return
  if (deposit && !(await receive({ work, origins }, deposit)))
    throw new OutcomeUnknown('the processor has not applied a transfer to its payment yet')
  const movement = deposit?.belowZeroMinor === 0n ? null : await rail.fetchMovement?.(depositRef)
  if (movement) await bookMovement(work, movement, (attempt) => receiveAll(work, origins, attempt))
  if (deposit) await rail.confirm?.(depositRef)
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export const syncDeposits = (run: JobRun, origins: PaymentOrigins): Promise<boolean> =>
  repeatUnconfirmed(run, 'deposits', processorsOf(run.services), {
    railOf: ({ deposits }) => deposits,
    handle: (processor, depositRef) => handleDepositNotification(run, origins, processor, depositRef),
  })

/**
 * Applies an answer about an attempt. Where the processor says that transfers have paid it, those are booked first, in
 * case their own notifications were lost; where it is over, those that were not applied are booked behind its end.
 */
export async function applyWithTransfers(
  call: SystemCall,
  origins: PaymentOrigins,
  attempt: AttemptRow,
  result: Omit<AttemptResult, 'transfersBooked'>,
): Promise<void> {
  const { answer } = result
  const isTransfer = flowOf(attempt.method) === 'bank_transfer'
  const transfersBooked = isTransfer && attempt.resolvedAt === null && answer.state === 'captured'
  if (transfersBooked)
    await receiveAll(call, origins, { ...attempt, processorRef: answer.processorRef }, answer)
  await applyResult(call, origins, { ...result, transfersBooked })
  const wasOpen = isTransfer && attempt.status === 'pending_customer'
  if (wasOpen && answer.state === 'canceled') await receiveAll(call, origins, attempt)
}

/**
 * Books every transfer that has arrived for an attempt: before the attempt is abandoned, and when the processor says
 * that it is paid. One that would complete the payment waits until the processor has applied it: it is asked, unless
 * its answer is known.
 * @throws when the processor does not answer: then the attempt must not be abandoned
 */
export async function receiveAll(
  work: BackgroundWork,
  origins: PaymentOrigins,
  attempt: Pick<AttemptRow, 'id' | 'processor' | 'processorRef' | 'accountId'>,
  known?: ProcessorState,
): Promise<void> {
  const rail = takerOf(work.services, attempt).deposits
  for (const deposit of (await rail?.depositsOf?.(attempt.id, attempt)) ?? [])
    await receive({ work, origins, known }, deposit)
}

interface Receiving {
  readonly work: BackgroundWork
  readonly origins: PaymentOrigins
  /** The processor's answer about the deposits' attempt, where it was asked already. */
  readonly known?: ProcessorState | undefined
}

/** False where the transfer completes its payment, and the processor has not applied it yet: nothing is booked then. */
async function receive({ work, origins, known }: Receiving, deposit: Deposit): Promise<boolean> {
  const { db, settings } = work.services
  const lender: string | null = await db.call('door.clabe_tenant(text)', [deposit.clabe])
  const early = lender === null ? await earlyFor(work.services, deposit) : null
  // A processor with an account per merchant names the merchant: there, a CLABE lent to another merchant is unknown.
  const tenantId = deposit.account ?? lender ?? early
  if (tenantId === null) throw new Fault('a deposit of no workspace')
  const call = systemCall(work, tenantId)
  if (early === tenantId) await lendFirst(call, origins, deposit)
  const claveRastreo = await keptClave(settings.signingSecrets, deposit.claveRastreo)
  return book({ call, origins, known }, { ...deposit, claveRastreo })
}

/**
 * A tracking key in a form that we may store. One of digits alone could pass for a card number: letters of a keyed
 * digest replace it. The same key gives the same letters, so the money is booked exactly once.
 */
export async function keptClave(secrets: VersionedKeys, clave: string): Promise<string> {
  if (!containsCardNumber(clave)) return clave
  const [digest] = await digestsOf(secrets, 'clave', clave)
  return `MASKED${digest!.slice(0, 24).replace(/./g, (hex) => 'ABCDEFGHIJKLMNOP'[Number.parseInt(hex, 16)]!)}`
}

/**
 * The workspace of an attempt whose CLABE is not recorded yet: the deposit arrived before the processor's own answer
 * was recorded.
 */
const earlyFor = async (services: Services, { attemptReference }: Deposit): Promise<string | null> =>
  attemptReference ? tenantOfAttempt(services, attemptReference) : null

/** Records the CLABE: as the processor's answer has it, or as the deposit does where the money is there already. */
async function lendFirst(call: SystemCall, origins: PaymentOrigins, deposit: Deposit): Promise<void> {
  const { clabe, bankName, beneficiary, attemptReference } = deposit
  const attemptId = attemptReference!
  const submission = await readSubmission(call, attemptId)
  const status = submission?.attempt.status
  if (status !== 'submitting' && status !== 'unknown') return
  const { attempt } = submission!
  const answer = await takerOf(call.services, attempt).fetchAttempt(attemptId, attempt)
  if (answer.state === 'pending_customer') return applyResult(call, origins, { attemptId, answer })
  const { expiresAt } = attempt
  if (answer.state !== 'captured' || !bankName || !beneficiary || !expiresAt)
    throw new Fault('a deposit before its CLABE')
  const action = { type: 'clabe', clabe, bankName, beneficiary, expiresAt } as const
  const { processorRef } = answer
  await applyResult(call, origins, { attemptId, answer: { state: 'pending_customer', action, processorRef } })
}

interface Booking extends Pick<Receiving, 'origins' | 'known'> {
  readonly call: SystemCall
}

/** Books a transfer on fresh rows; one that is already booked changes nothing. False: see `receive`. */
const book = ({ call, origins, known }: Booking, deposit: Deposit): Promise<boolean> =>
  onFreshRows(plansMax, async () => {
    const { settings } = call.services
    const clock = clockOf(new Date())
    const { twin, target } = await readArrival(call, deposit)
    if (twin) return true
    if (target && target.payment.currency !== deposit.currency)
      throw new Fault('a deposit in another currency than its payment')
    const port = target && originOfPayment(origins, target.payment)
    const isLast = completes(target, deposit)
    const applied = isLast ? await appliedBy(call, target!.attempt, known) : {}
    if (!applied) return false
    const origin = isLast ? await loadOrigin(call, port!, target!.payment) : null
    const plan = planArrival(
      { ...deposit, ...applied },
      target,
      target && scheduleOf(settings, target.payment.feeScheduleVersion),
      soldBy(port!, origin, clock, settings),
      clock,
    )
    await call.publish(contracts.deposit, plan, clock)
    return true
  })

/**
 * What the processor says of a payment that its transfers have completed; null while their money is not the merchant's: see
 * `DepositRail.holder`.
 */
async function appliedBy(
  { services }: SystemCall,
  attempt: AttemptRow,
  known?: ProcessorState,
): Promise<Pick<Arrived, 'settledOn'> | null> {
  const processor = takerOf(services, attempt)
  if (processor.deposits?.holder !== 'buyer') return {}
  const answer = known ?? (await processor.fetchAttempt(attempt.id, attempt))
  if (answer.state !== 'captured') return null
  return answer.settledOn === undefined ? {} : { settledOn: answer.settledOn }
}

async function readArrival(
  { read }: SystemCall,
  { clabe: number, claveRastreo, senderBank, operatedOn, amountMinor }: Deposit,
): Promise<{ twin: boolean; target: Target | null }> {
  const [[clabe], twins] = await read(
    contracts.deposit,
    clabeInUse({ clabe: number }),
    depositTwin({ clabe: number, claveRastreo, senderBank, operatedOn, amountMinor }),
  )
  const twin = twins.length > 0
  if (twin || !clabe) return { twin, target: null }
  const [[attempt], [payment]] = await read(
    contracts.deposit,
    attemptById({ id: clabe.attemptId }),
    paymentById({ id: clabe.paymentId }),
  )
  return { twin, target: attempt && payment ? { payment, attempt, clabe } : null }
}
