import { type Call, operation } from '../../../src/http/operation.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { isRefusedBy } from '../../../src/http/system-call.ts'
import { isRefusal, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import type { Processor } from '../../../src/processors/port.ts'
import { dailySpendOf } from '../bank-orders/api.ts'
import { lastRefundDay, levelsOfPayment } from '../payment-policy/api.ts'
import { requireProcessor } from '../payments/api.ts'
import * as contracts from './contract.ts'
import { resolve } from './contract-review.ts'
import { planCreate, type Recorded, type RefundRoutes } from './plan.ts'
import { spendLimitOf } from './plan-limit.ts'
import { planResolve } from './plan-review.ts'
import type { SourceRow } from './plan-source.ts'
import { planApprove, planCancel, planDestination, planReject } from './plan-waiting.ts'
import { presentRefund, type RefundReply } from './present.ts'
import { handleRefundNotification, overdraftOf, sendRefund, sourceOf } from './send.ts'
import {
  accountsOf,
  fundsOfRefund,
  paymentOfRefund,
  refundablePayment,
  refundById,
  refundsPage,
} from './store.ts'

const routesOf = (processor: Processor): RefundRoutes => ({
  processor: processor.name,
  original: processor.refunds !== undefined,
  transfers: processor.refunds?.ofTransfers ?? false,
  spei: processor.bank !== undefined,
})

const createRefund = operation(contracts.create, async (call) => {
  const { kid, settings, services } = call
  const processor = requireProcessor(services)
  const [[payment], [levels], accounts, sums = []] = await call.readAll(
    refundablePayment({ id: call.body.payment_id }),
    levelsOfPayment(call.body.payment_id),
    accountsOf(),
    // Only refunds to a CLABE are limited.
    ...(call.body.destination ? [dailySpendOf({ kid, kind: 'refunds' })] : []),
  )
  if (!payment) return call.fail('payment_not_found', { param: 'payment_id' })
  const source = { kind: 'payment', payment } as const
  const bounds = {
    accounts,
    overdraftMinor: overdraftOf(services, source),
    spendLimit: spendLimitOf(settings, kid, payment.currency, sums),
    lastDay: lastRefundDay(services, call.now, levels!, payment.succeededAt ?? payment.createdAt),
  }
  const planned = planCreate(payment, call.body, routesOf(processor), bounds, call)
  if (isRefusal(planned)) return call.publish(planned)
  return publishAndSend(call, planned, source).catch(async (error: unknown) => {
    if (!isRefusedBy('payments_amounts_ordered', error)) throw error
    // The database saw what this plan could not: another refund, or a dispute that came first.
    const [now] = await call.read(refundablePayment({ id: payment.id }))
    if (now?.openDisputesCount) return call.fail('refund_blocked_by_dispute', { param: 'payment_id' })
    // All that is left is less than it was.
    if (call.body.amount === undefined) throw new Stale()
    return call.fail('refund_exceeds_captured', { param: 'amount' })
  })
})

interface Sending<Reply>
  extends Pick<Call<unknown, unknown, unknown, unknown>, 'services' | 'requestId' | 'later'> {
  readonly publish: (plan: Plan<RefundReply>) => Promise<Reply>
}

/** Replies as soon as the refund is recorded; sending continues after the reply. */
async function publishAndSend<Reply>(
  call: Sending<Reply>,
  { refund, plan }: Recorded,
  source: SourceRow,
): Promise<Reply> {
  const reply = await call.publish(plan)
  if (refund.status === 'processing') call.later(sendRefund(call, { refund, source }))
  return reply
}

const listRefunds = listOperation(contracts.list, refundsPage, presentRefund)

const getRefund = getOperation(contracts.get, refundById, presentRefund)

const cancelRefund = operation(contracts.cancel, async (call) => {
  const [[refund], [payment], [funds]] = await call.readAll(...withSource(call.params.id))
  const source = sourceOf(payment, funds)
  if (!refund || !source) return call.fail('refund_not_found')
  return call.publish(planCancel(refund, source, call))
})

const withSource = (id: string) =>
  [refundById({ id }), paymentOfRefund({ id }), fundsOfRefund({ id })] as const

const setRefundDestination = operation(contracts.setDestination, async (call) => {
  const { kid, settings, services } = call
  const [[refund], [payment], [funds], accounts, sums] = await call.readAll(
    ...withSource(call.params.id),
    accountsOf(),
    dailySpendOf({ kid, kind: 'refunds' }),
  )
  const source = sourceOf(payment, funds)
  if (!refund || !source) return call.fail('refund_not_found')
  const spendLimit = spendLimitOf(settings, kid, refund.currency, sums)
  const bounds = { accounts, overdraftMinor: overdraftOf(services, source), spendLimit }
  const planned = planDestination(refund, call.body, bounds, call)
  if (isRefusal(planned)) return call.publish(planned)
  return publishAndSend(call, planned, source)
})

const approveRefund = operation(
  contracts.approve,
  async (call) => {
    const reading = call.readAll(...withSource(call.params.id), accountsOf())
    const [[[refund], [payment], [funds], accounts], { userId }] = await Promise.all([
      reading,
      call.session(),
    ])
    const source = sourceOf(payment, funds)
    if (!refund || !source) return call.publish(refuse('refund_not_found'))
    const cover = { accounts, overdraftMinor: overdraftOf(call.services, source) }
    const planned = planApprove(refund, source, call.body, userId, cover, call)
    if (isRefusal(planned)) return call.publish(planned)
    return publishAndSend(call, planned, source)
  },
  ({ params, body }) => ({ refund_id: params.id, amount: body.amount, currency: body.currency }),
)

const rejectRefund = operation(contracts.reject, async (call) => {
  const [[refund], [payment], [funds]] = await call.readAll(...withSource(call.params.id))
  const source = sourceOf(payment, funds)
  if (!refund || !source) return call.fail('refund_not_found')
  return call.publish(planReject(refund, source, call))
})

const resolveRefund = operation(
  resolve,
  async (call) => {
    const [[refund], [payment], [funds]] = await call.readAll(...withSource(call.params.id))
    const source = sourceOf(payment, funds)
    if (!refund || !source) return call.publish(refuse('refund_not_found'))
    const reply = await call.publish(planResolve(refund, source, call.body.decision, call))
    // The reconciler looks at refunds made at the processor.
    if (call.body.decision === 'recheck' && refund.origin === 'api')
      call.later(
        handleRefundNotification(call, refund.id).catch(logFailure('refund_review', call, refund.id)),
      )
    return reply
  },
  ({ params, body }) => ({ refund_id: params.id, decision: body.decision }),
)

export const operations = [
  createRefund,
  listRefunds,
  getRefund,
  cancelRefund,
  setRefundDestination,
  approveRefund,
  rejectRefund,
  resolveRefund,
]
