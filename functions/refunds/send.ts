import { publishPlan } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import type { SystemCredential } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { isRefusal } from '../../src/kernel/plan.ts'
import type { RefundOrder } from '../../src/processors/port.ts'
import { handleOrderNotification, type Orders, sendOrder } from '../bank-orders/api.ts'
import { processorOf, scheduleOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { type Answer, fromBank, fromProcessor, planNextPoll, planOutcome } from './plan-outcome.ts'
import type { SourceRow } from './plan-source.ts'
import { planCancel } from './plan-waiting.ts'
import {
  type FundsRow,
  fundsOfRefund,
  paymentOfRefund,
  type RefundablePayment,
  type RefundRow,
  refundById,
  waitingRefundsOf,
} from './store.ts'

/** The text on the receiver's statement. */
const concept = 'Reembolso'

/** A refund with its payment or unapplied funds. */
export interface Known {
  readonly refund: RefundRow
  readonly source: SourceRow
}

/** By a bank to a CLABE, else by the processor that took the money. */
async function send(services: Services, { refund, source }: Known): Promise<Answer> {
  const processor = processorOf(services)
  const { id: reference, amountMinor, currency } = refund
  if (refund.method === 'spei_out') {
    const [clabe, holder] = [refund.destinationClabe, refund.destinationHolder]
    if (!processor?.bank || clabe === null || holder === null) return { state: 'unknown' }
    const order = { reference, amountMinor, currency, clabe, holder, concept }
    return fromBank(await processor.bank.send(order), refund)
  }
  const order = orderOf(refund, source)
  if (!processor?.refunds || !order) return { state: 'unknown' }
  return fromProcessor(await processor.refunds.refund(order))
}

/** The order to the processor that took the money; null where none did. */
function orderOf({ id: reference, amountMinor, currency }: RefundRow, source: SourceRow): RefundOrder | null {
  if (source.kind !== 'payment' || source.payment.attemptId === null) return null
  const { attemptId: attemptReference, attemptProcessorRef: processorRef, attemptAccountId } = source.payment
  return { reference, amountMinor, currency, attemptReference, processorRef, accountId: attemptAccountId }
}

async function look(services: Services, { refund, source }: Known): Promise<Answer> {
  const processor = processorOf(services)
  if (refund.method === 'spei_out')
    return processor?.bank
      ? fromBank(await processor.bank.fetchOrder(refund.id), refund)
      : { state: 'unknown' }
  return processor?.refunds
    ? fromProcessor(await processor.refunds.fetchRefund(refund.id, orderOf(refund, source) ?? undefined))
    : { state: 'unknown' }
}

export async function load(
  services: Services,
  credential: SystemCredential,
  id: string,
): Promise<Known | null> {
  const queries = [refundById({ id }), paymentOfRefund({ id }), fundsOfRefund({ id })] as const
  const { rows } = await services.db.read(contracts.outcome.id, credential, queries)
  const [[refund], [payment], [funds]] = rows
  const source = sourceOf(payment, funds)
  return refund && source ? { refund, source } : null
}

export function sourceOf(
  payment: RefundablePayment | undefined,
  funds: FundsRow | undefined,
): SourceRow | null {
  if (payment) return { kind: 'payment', payment }
  return funds ? { kind: 'funds', funds } : null
}

/** How refunds of ours are followed. */
export const orders: Orders<Known, Answer> = {
  table: 'refunds',
  operation: contracts.outcome.id,
  rowOf: ({ refund: { id, nextCheckAt }, source }) => ({ tenantId: tenantOf(source), id, nextCheckAt }),
  load,
  send,
  look,
  // A refund whose numbers contradicted ours is not sent again, even if the processor no longer knows it.
  isOnItsWay: ({ refund }) => refund.status === 'processing' && refund.failureCode !== 'amount_mismatch',
  planOutcome: ({ refund, source }, answer, clock) => planOutcome(refund, source, answer, clock),
  planNextPoll: ({ refund }, answer, now) => planNextPoll(refund, answer, now),
}

const tenantOf = (source: SourceRow) =>
  source.kind === 'payment' ? source.payment.tenantId : source.funds.tenantId

/** Sends a refund that was recorded as `processing`: one call of the processor and one publish. */
export const sendRefund = (services: Services, known: Known, requestId: string): Promise<void> =>
  sendOrder(orders, services, known, requestId)

export const handleRefundNotification = (services: Services, id: string, requestId: string): Promise<void> =>
  handleOrderNotification(orders, services, id, requestId)

/**
 * Cancels a payment's unsent refunds, so that the dispute finds all of the money. Returns how many. A refund sent
 * meanwhile stays, and the dispute finds less.
 * @throws Stale when one was sent at this very moment
 */
export async function giveWay(
  services: Services,
  credential: SystemCredential,
  paymentId: string,
  requestId: string,
): Promise<number> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [waitingRefundsOf({ paymentId })])
  for (const { id } of rows[0]) {
    const known = await load(services, credential, id)
    const now = new Date()
    const plan = known && planCancel(known.refund, known.source, clockOf(now))
    if (!plan || isRefusal(plan)) continue
    await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
  }
  return rows[0].length
}

/** How far below zero this refund may bring the merchant's balance: by the schedule of its payment. */
export const overdraftOf = ({ settings }: Services, source: SourceRow): bigint =>
  source.kind === 'payment'
    ? scheduleOf(settings, source.payment.feeScheduleVersion).refundOverdraftMinor
    : 0n
