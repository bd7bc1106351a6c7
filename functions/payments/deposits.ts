import type { VersionedKeys } from '../../src/env.ts'
import { onFreshRows, publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { containsCardNumber } from '../../src/kernel/card-number.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { digestsOf } from '../../src/platform/crypto.ts'
import { log } from '../../src/platform/log.ts'
import type { Credential } from '../../src/platform/postgres.ts'
import type { Deposit, DepositRail, Processor } from '../../src/processors/port.ts'
import { originOf, readSubmission, recordAnswer, tenantOfAttempt } from './apply-result.ts'
import * as contracts from './contract.ts'
import { originOfPayment, type PaymentOrigins, soldBy } from './payment-origin.ts'
import { completes, planArrival, type Target } from './plan-deposit.ts'
import { processorOf, scheduleOf } from './settings.ts'
import { type AttemptRow, attemptById, clabeInUse, depositTwin, paymentById } from './store.ts'

/** Concurrent transfers make each other's plans stale when they complete a payment; one of them wins each time. */
const plansMax = 20
const repeatedMax = 100

/** The processor notified us of a transfer. The notification is only a hint: read the transfer at the processor. */
export async function handleDepositNotification(
  services: Services,
  origins: PaymentOrigins,
  depositRef: string,
  requestId: string,
): Promise<void> {
  const processor = processorOf(services)
  if (!processor?.deposits) return
  const deposit = await processor.deposits.fetchDeposit(depositRef)
  if (!deposit) return
  await receive(services, origins, processor, deposit, requestId)
  await processor.deposits.confirm?.(depositRef)
}

/** Scheduled: repeats notifications that a crashed Worker may not have recorded. */
export async function syncDeposits(
  services: Services,
  origins: PaymentOrigins,
  requestId: string,
): Promise<void> {
  const rail: DepositRail | undefined = processorOf(services)?.deposits
  for (const depositRef of (await rail?.unconfirmed?.(repeatedMax)) ?? []) {
    try {
      await handleDepositNotification(services, origins, depositRef, requestId)
    } catch (error) {
      log('error', { place: 'deposits', requestId, id: depositRef }, error)
    }
  }
}

/**
 * Books every transfer that has arrived for an attempt before the attempt is abandoned.
 * @throws when the processor does not answer: then the attempt must not be abandoned
 */
export async function receiveAll(
  services: Services,
  origins: PaymentOrigins,
  processor: Processor,
  attempt: Pick<AttemptRow, 'id' | 'processorRef' | 'accountId'>,
  requestId: string,
): Promise<void> {
  for (const deposit of (await processor.deposits?.depositsOf?.(attempt.id, attempt)) ?? [])
    await receive(services, origins, processor, deposit, requestId)
}

async function receive(
  services: Services,
  origins: PaymentOrigins,
  processor: Processor,
  deposit: Deposit,
  requestId: string,
): Promise<void> {
  const lender: string | null = await services.db.call('door.clabe_tenant(text)', [deposit.clabe])
  const early = lender === null ? await earlyFor(services, deposit) : null
  // A processor with an account per merchant names the merchant: there, a CLABE lent to another merchant is unknown.
  const tenantId = deposit.account ?? lender ?? early
  if (tenantId === null) throw new Fault('a deposit of no workspace')
  const credential = { kind: 'system', tenantId } as const
  if (early === tenantId)
    await lendFirst(services, origins, processor, credential, deposit.attemptReference!, requestId)
  const claveRastreo = await keptClave(services.settings.signingSecrets, deposit.claveRastreo)
  await book(services, origins, credential, { ...deposit, claveRastreo }, requestId)
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

async function lendFirst(
  services: Services,
  origins: PaymentOrigins,
  processor: Processor,
  credential: Credential,
  attemptId: string,
  requestId: string,
): Promise<void> {
  const submission = await readSubmission(services, credential, attemptId)
  const status = submission?.attempt.status
  if (status !== 'submitting' && status !== 'unknown') return
  const answer = await processor.fetchAttempt(attemptId, submission!.attempt)
  if (answer.state !== 'pending_customer') throw new Fault('a deposit before its CLABE')
  await recordAnswer(services, origins, credential, attemptId, answer, { requestId })
}

/** Books a transfer on fresh rows; one that is already booked changes nothing. */
const book = (
  services: Services,
  origins: PaymentOrigins,
  credential: Credential,
  deposit: Deposit,
  requestId: string,
): Promise<void> =>
  onFreshRows(plansMax, async () => {
    const now = new Date()
    const clock = clockOf(now)
    const { twin, target } = await readArrival(services, credential, deposit)
    if (twin) return
    if (target && target.payment.currency !== deposit.currency)
      throw new Fault('a deposit in another currency than its payment')
    const port = target && originOfPayment(origins, target.payment)
    const origin = completes(target, deposit)
      ? await originOf(services, credential, port!, target!.payment)
      : null
    const plan = planArrival(
      deposit,
      target,
      target && scheduleOf(services.settings, target.payment.feeScheduleVersion),
      soldBy(port!, origin, clock, services.settings),
      clock,
    )
    await publishPlan(services, { operation: contracts.deposit.id, credential, requestId, now }, plan)
  })

async function readArrival(
  services: Services,
  credential: Credential,
  deposit: Deposit,
): Promise<{ twin: boolean; target: Target | null }> {
  const { clabe: number } = deposit
  const first = await services.db.read(contracts.deposit.id, credential, [
    clabeInUse({ clabe: number }),
    depositTwin({
      clabe: number,
      claveRastreo: deposit.claveRastreo,
      senderBank: deposit.senderBank,
      operationDate: deposit.operationDate,
      amountMinor: deposit.amountMinor,
    }),
  ])
  const [clabe] = first.rows[0]
  const twin = first.rows[1].length > 0
  if (twin || !clabe) return { twin, target: null }
  const second = await services.db.read(contracts.deposit.id, credential, [
    attemptById({ id: clabe.attemptId }),
    paymentById({ id: clabe.paymentId }),
  ])
  const [attempt] = second.rows[0]
  const [payment] = second.rows[1]
  return { twin, target: attempt && payment ? { payment, attempt, clabe } : null }
}
