import { eachDue, type SystemCredential } from '../../src/http/due.ts'
import { publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import type { Credential } from '../../src/platform/postgres.ts'
import type { Processor, RefundOrder } from '../../src/processors/port.ts'
import { processorOf, scheduleOf } from '../payments/published.ts'
import * as contracts from './contract.ts'
import { type Cover, planCancel, planSend } from './plan.ts'
import { type Answer, fromBank, fromProcessor, planLookLater, planOutcome } from './plan-outcome.ts'
import type { Clock, SourceRow } from './plan-source.ts'
import {
  accountsOf,
  type FundsRow,
  fundsOfRefund,
  paymentOfRefund,
  type RefundablePayment,
  type RefundRow,
  refundById,
  waitingRefundsOf,
} from './store.ts'

const planMax = 5
/** What the receiver reads on the statement. */
const concept = 'Reembolso'

/**
 * Sends a refund that was recorded as `processing` and records what was said to it. Whatever goes wrong is told to us
 * and left to the janitor: nobody waits for it. One call of the processor and one publish.
 */
export async function sendRefund(
  services: Services,
  tenantId: string,
  refund: RefundRow,
  source: SourceRow,
  requestId: string,
): Promise<void> {
  try {
    const processor = processorOf(services)
    if (!processor) return
    const answer = await send(processor, refund, source)
    await record(services, { kind: 'system', tenantId }, { refund, source }, answer, requestId)
  } catch (error) {
    const told = { request_id: requestId, refund: refund.id, message: String(error) }
    console.error(JSON.stringify({ level: 'error', job: 'send_refund', ...told }))
  }
}

/** Our id is the reference: whatever is sent twice is one refund. */
async function send(processor: Processor, refund: RefundRow, source: SourceRow): Promise<Answer> {
  const { id: reference, amountMinor, currency } = refund
  if (refund.method === 'spei_out') {
    const [clabe, holder] = [refund.destinationClabe, refund.destinationHolder]
    if (!processor.bank || clabe === null || holder === null) return { state: 'unknown' }
    const order = { reference, amountMinor, currency, clabe, holder, concept }
    return fromBank(await processor.bank.send(order), refund)
  }
  const order = orderOf(refund, source)
  if (!processor.refunds || !order) return { state: 'unknown' }
  return fromProcessor(await processor.refunds.refund(order))
}

/** What is asked of the processor that took the money; null where none did. */
function orderOf({ id: reference, amountMinor, currency }: RefundRow, source: SourceRow): RefundOrder | null {
  if (source.kind !== 'payment' || source.payment.attemptId === null) return null
  const { attemptId: attemptReference, attemptProcessorRef: processorRef } = source.payment
  return { reference, amountMinor, currency, attemptReference, processorRef }
}

async function look(processor: Processor, refund: RefundRow, source: SourceRow): Promise<Answer> {
  if (refund.method === 'spei_out')
    return processor.bank
      ? fromBank(await processor.bank.fetchOrder(refund.id), refund)
      : { state: 'unknown' }
  return processor.refunds
    ? fromProcessor(await processor.refunds.fetchRefund(refund.id, orderOf(refund, source) ?? undefined))
    : { state: 'unknown' }
}

interface Known {
  readonly refund: RefundRow
  readonly source: SourceRow
}

/** Records an answer on the rows as they were written; on fresh ones when something moved in between. */
async function record(
  services: Services,
  credential: Credential,
  known: Known,
  answer: Answer,
  requestId: string,
  otherwise: typeof planLookLater = planLookLater,
): Promise<void> {
  let current: Known | null = known
  for (let tries = 1; current; tries++) {
    const now = new Date()
    const { refund, source } = current
    const plan = planOutcome(refund, source, answer, clockOf(now)) ?? otherwise(refund, answer, now)
    if (!plan) return
    try {
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale) || tries === planMax) throw error
    }
    current = await load(services, credential, refund.id)
  }
}

async function load(services: Services, credential: Credential, id: string): Promise<Known | null> {
  const queries = [refundById({ id }), paymentOfRefund({ id }), fundsOfRefund({ id })]
  const { rows } = await services.db.read(contracts.outcome.id, credential, queries)
  const [refund] = rows[0] as RefundRow[]
  const source = sourceOf((rows[1] as RefundablePayment[])[0], (rows[2] as FundsRow[])[0])
  return refund && source ? { refund, source } : null
}

export function sourceOf(
  payment: RefundablePayment | undefined,
  funds: FundsRow | undefined,
): SourceRow | null {
  if (payment) return { kind: 'payment', payment }
  return funds ? { kind: 'funds', funds } : null
}

/** Scheduled: sends what waited for the balance, and asks about everything that was sent and is not over. */
export const resolveRefunds = (services: Services, requestId: string, now: Date): Promise<void> =>
  eachDue(services, 'refunds', requestId, now, async (credential, id) => {
    const processor = processorOf(services)
    const known = await load(services, credential, id)
    if (!processor || !known) return
    if (known.refund.status === 'pending')
      await sendWaiting(services, processor, credential, known, requestId)
    else await resolve(services, processor, credential, known, requestId)
  })

async function sendWaiting(
  services: Services,
  processor: Processor,
  credential: Credential,
  known: Known,
  requestId: string,
): Promise<void> {
  const now = new Date()
  const publishing = { operation: contracts.outcome.id, credential, requestId, now }
  // A dispute that opened meanwhile takes what is left: this would go back twice.
  if (known.source.kind === 'payment' && known.source.payment.openDisputesCount > 0) {
    await publishPlan(services, publishing, planCancel(known.refund, known.source, clockOf(now)))
    return
  }
  const { rows } = await services.db.read(contracts.outcome.id, credential, [accountsOf()])
  const cover = {
    accounts: rows[0] as Cover['accounts'],
    overdraftMinor: overdraftOf(services, known.source),
  }
  const { refund, plan } = planSend(known.refund, cover, clockOf(now))
  await publishPlan(services, publishing, plan)
  if (refund.status !== 'processing') return
  const answer = await send(processor, refund, known.source)
  await record(services, credential, { refund, source: known.source }, answer, requestId)
}

async function resolve(
  services: Services,
  processor: Processor,
  credential: Credential,
  known: Known,
  requestId: string,
): Promise<void> {
  let answer = await look(processor, known.refund, known.source)
  // It never arrived: sent again, under the same reference. Only what is on its way may be sent.
  if (answer.state === 'not_found' && known.refund.status === 'processing')
    answer = await send(processor, known.refund, known.source)
  await record(services, credential, known, answer, requestId)
}

/**
 * A processor or a bank says that something happened to a refund: a hint to go and read it there.
 * @throws Error when it does not say what, and no janitor will ask: then the hint is all there is, and is heard again
 */
export async function heardOfRefund(services: Services, id: string, requestId: string): Promise<void> {
  const processor = processorOf(services)
  const tenantId = await services.db.call('select door.owner_of($1, $2::uuid)', ['refunds', id])
  if (!processor || !tenantId) return
  const credential = { kind: 'system', tenantId } as const
  const known = await load(services, credential, id)
  if (!known) return
  const answer = await look(processor, known.refund, known.source)
  if (answer.state === 'unknown' && known.refund.nextCheckAt === null)
    throw new Error(`the processor does not tell of the refund ${id}`)
  // Told twice or late, it leaves the days as they are on which what was paid is looked at.
  const otherwise = known.refund.status === 'succeeded' ? () => null : planLookLater
  await record(services, credential, known, answer, requestId, otherwise)
}

/**
 * A dispute takes back what a refund only waits to: whatever of the payment nothing was sent of is canceled, so that the
 * dispute finds all of it. Answers how many. One that is sent meanwhile stays, and the dispute finds less.
 * @throws Stale when it was sent at this very moment
 */
export async function giveWay(
  services: Services,
  credential: SystemCredential,
  paymentId: string,
  requestId: string,
): Promise<number> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [waitingRefundsOf({ paymentId })])
  for (const { id } of rows[0] as RefundRow[]) {
    const known = await load(services, credential, id)
    const now = new Date()
    const plan = known && planCancel(known.refund, known.source, clockOf(now))
    if (!plan || isRefusal(plan)) continue
    await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
  }
  return rows[0]!.length
}

/** How far below zero this refund may bring what the merchant has: by the schedule of its payment. */
export const overdraftOf = ({ settings }: Services, source: SourceRow): bigint =>
  source.kind === 'payment'
    ? scheduleOf(settings, source.payment.feeScheduleVersion).refundOverdraftMinor
    : 0n

const clockOf = (now: Date): Clock => ({ now, newId: () => uuidv7(now.getTime()) })
