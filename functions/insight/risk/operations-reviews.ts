import { operation } from '../../../src/http/operation.ts'
import { Stale } from '../../../src/http/publishing.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueSet } from '../../../src/http/scheduled.ts'
import { isRefusedBy, type JobRun, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { isRefusal, refuse } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import {
  askAbout,
  attemptsOf,
  originOfPayment,
  type PaymentOrigins,
  scheduleOf,
} from '../../money/payments/api.ts'
import { planCancelIntent } from '../../money/payments/api-pure.ts'
import { ofWholeRefund, planWholeRefund, sendRefund } from '../../money/refunds/api.ts'
import * as contracts from './contract-reviews.ts'
import { canceling, planAnnounce, planDecide, refunding } from './plan-reviews.ts'
import { presentReview } from './present.ts'
import { reviewById, reviewsByIds, reviewsPage } from './store.ts'

const approveReview = operation(contracts.approve, async (call) => {
  const [[review], author] = await Promise.all([call.read(reviewById(call.params)), call.session()])
  if (!review) return call.fail('risk_review_not_found')
  return call.publish(planDecide(review, { kind: 'approve', note: call.body.note, author }, nothing, call))
})
const nothing = { before: [], after: [], events: [] }

/**
 * The decision and the intent to cancel, or the refund, are one publish: the processor is asked after the reply, and by
 * the reconcilers of payments and refunds in case that fails.
 */
const rejectReview = (origins: PaymentOrigins) =>
  operation(
    contracts.reject,
    async (call) => {
      const { services } = call
      const [[found], author] = await Promise.all([call.read(reviewById(call.params)), call.session()])
      if (!found) return call.publish(refuse('risk_review_not_found'))
      const { paymentId } = found
      // The review is read after the payment: while it is open, nobody has given the money back that was read.
      const [attempts, payments, levels, accounts, [review]] = await call.readAll(
        attemptsOf({ paymentId }),
        ...ofWholeRefund(paymentId),
        reviewById(call.params),
      )
      if (review?.status !== 'open') return call.publish(refuse('risk_review_ended'))
      const decision = { kind: 'reject', note: call.body.note, author } as const
      const [payment] = payments
      const attempt = attempts.at(-1)
      if (!payment || !attempt) throw new Stale()
      const work = systemCall(call, payment.tenantId)
      if (payment.status === 'requires_capture') {
        if (attempt.status !== 'authorized' && attempt.status !== 'amount_mismatch') throw new Stale()
        const wished = {
          payment,
          submission: { payment, attempt },
          key: call.idempotencyKey,
          schedule: scheduleOf(services.settings, payment.feeScheduleVersion),
          origin: originOfPayment(origins, payment).lock(payment.originId),
        }
        const step = planCancelIntent(wished, call)
        if (isRefusal(step)) return call.publish(step)
        if (step.next !== 'intend') throw new Stale()
        const reply = await call.publish(planDecide(review, decision, canceling(step.plan), call))
        call.later(askAbout(work, origins, paymentId).catch(logFailure('review_reject', call, attempt.id)))
        return reply
      }
      const planned = planWholeRefund(call, [payments, levels, accounts], 'fraudulent')
      if (isRefusal(planned)) {
        const isEmpty = planned.refused === 'refund_exceeds_captured'
        const { message } = planned
        return call.publish(
          isEmpty ? refuse('risk_review_nothing_left') : refuse(planned.refused, message ? { message } : {}),
        )
      }
      const { refund, plan } = planned
      const reply = await call
        .publish(planDecide(review, decision, refunding(payment, plan), call))
        .catch((error: unknown) => {
          // Another refund, or a dispute, came first: what is left is another amount now.
          throw isRefusedBy('payments_amounts_ordered', error) ? new Stale() : error
        })
      if (refund.status === 'processing')
        call.later(sendRefund(call, { refund, source: { kind: 'payment', payment } }))
      return reply
    },
    ({ params: { id } }) => ({ review_id: id }),
  )

/** Scheduled: publishes what triggers opened and ended. */
export const announceReviews = (run: JobRun) =>
  eachDueSet(run, 'risk_reviews', async ({ read, publish, now }, ids) => {
    const clock = clockOf(now)
    const [rows] = await read(contracts.announce, reviewsByIds({ ids }))
    const plans = rows.flatMap((row) => planAnnounce(row, clock) ?? [])
    if (plans.length === 0) return
    await publish(contracts.announce, {
      writes: plans.flatMap(({ writes }) => writes),
      events: plans.flatMap(({ events }) => events),
      reply: {},
    })
  })

export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [
    listOperation(contracts.list, reviewsPage, presentReview),
    getOperation(contracts.get, ({ id }) => reviewById({ id }), presentReview),
    approveReview,
    rejectReview(origins),
  ],
})
