import type { Services } from '../../../src/http/services.ts'
import type { BackgroundWork, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import type { RefundOrder } from '../../../src/processors/port.ts'
import { handleOrderNotification, type Orders, sendOrder } from '../bank-orders/api.ts'
import { processorOf, scheduleOf, takerOf } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { fromBank, fromProcessor, planNextPoll, planOutcome, type RefundAnswer } from './plan-outcome.ts'
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
export interface RefundContext {
  readonly refund: RefundRow
  readonly source: SourceRow
}

/** By a bank to a CLABE, else by the processor that took the money. */
async function send({ services }: SystemCall, { refund, source }: RefundContext): Promise<RefundAnswer> {
  const { id: reference, amountMinor, currency } = refund
  if (refund.method === 'spei_out') {
    const bank = processorOf(services)?.bank
    const [clabe, holder] = [refund.destinationClabe, refund.destinationHolder]
    if (!bank || clabe === null || holder === null) return { state: 'unknown' }
    const order = { reference, amountMinor, currency, clabe, holder, concept }
    return fromBank(await bank.send(order), refund)
  }
  const order = orderOf(refund, source)
  const rail = railOf(services, source)
  if (!rail || !order) return { state: 'unknown' }
  return fromProcessor(await rail.refund(order))
}

/** Of the processor that took the money, and no other. */
const railOf = (services: Services, source: SourceRow) =>
  source.kind === 'payment' && source.payment.attemptProcessor !== null
    ? takerOf(services, { processor: source.payment.attemptProcessor }).refunds
    : undefined

/** The order to the processor that took the money; null where none did. */
function orderOf(refund: RefundRow, source: SourceRow): RefundOrder | null {
  if (source.kind !== 'payment' || source.payment.attemptId === null) return null
  const { attemptId: attemptReference, attemptProcessorRef: processorRef, attemptAccountId } = source.payment
  const { id: reference, reason, amountMinor, currency } = refund
  return {
    reference,
    reason,
    amountMinor,
    currency,
    attemptReference,
    processorRef,
    accountId: attemptAccountId,
  }
}

async function poll(services: Services, { refund, source }: RefundContext): Promise<RefundAnswer> {
  if (refund.method === 'spei_out') {
    const bank = processorOf(services)?.bank
    return bank ? fromBank(await bank.fetchOrder(refund.id), refund) : { state: 'unknown' }
  }
  const rail = railOf(services, source)
  return rail
    ? fromProcessor(await rail.fetchRefund(refund.id, orderOf(refund, source) ?? undefined))
    : { state: 'unknown' }
}

export async function load({ read }: SystemCall, id: string): Promise<RefundContext | null> {
  const [[refund], [payment], [funds]] = await read(
    contracts.outcome,
    refundById({ id }),
    paymentOfRefund({ id }),
    fundsOfRefund({ id }),
  )
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

/** How refunds made here are sent and reconciled. */
export const orders: Orders<RefundContext, RefundAnswer> = {
  table: 'refunds',
  operation: contracts.outcome,
  rowOf: ({ refund: { id, nextCheckAt }, source }) => ({ tenantId: tenantOf(source), id, nextCheckAt }),
  load,
  send,
  poll,
  // A refund whose numbers contradicted ours is not sent again, even if the processor no longer knows it.
  isOnItsWay: ({ refund }) => refund.status === 'processing' && refund.failureCode !== 'amount_mismatch',
  planOutcome: ({ refund, source }, answer, clock) => planOutcome(refund, source, answer, clock),
  planNextPoll: ({ refund }, answer, now) => planNextPoll(refund, answer, now),
}

const tenantOf = (source: SourceRow) =>
  source.kind === 'payment' ? source.payment.tenantId : source.funds.tenantId

/** Sends a refund that was recorded as `processing`: one call of the processor and one publish. */
export const sendRefund = (work: BackgroundWork, refund: RefundContext): Promise<void> =>
  sendOrder(work, orders, refund)

export const handleRefundNotification = (work: BackgroundWork, id: string): Promise<void> =>
  handleOrderNotification(work, orders, id)

/**
 * Cancels a payment's unsent refunds, so that the dispute finds all of the money. Returns how many. A refund sent
 * meanwhile stays, and the dispute finds less.
 * @throws Stale when one was sent at this very moment
 */
export async function cancelWaitingRefunds(call: SystemCall, paymentId: string): Promise<number> {
  const [waiting] = await call.read(contracts.outcome, waitingRefundsOf({ paymentId }))
  for (const { id } of waiting) {
    const found = await load(call, id)
    const clock = clockOf(new Date())
    const plan = found && planCancel(found.refund, found.source, clock)
    if (plan && !isRefusal(plan)) await call.publish(contracts.outcome, plan, clock)
  }
  return waiting.length
}

/** How far below zero this refund may bring the merchant's balance: by the schedule of its payment. */
export const overdraftOf = ({ settings }: Services, source: SourceRow): bigint =>
  source.kind === 'payment'
    ? scheduleOf(settings, source.payment.feeScheduleVersion).refundOverdraftMinor
    : 0n
