import { type Operation, operation } from '../../../src/http/operation.ts'
import { Problem } from '../../../src/http/problems.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'
import { dailySpendOf } from '../bank-orders/api.ts'
import {
  attemptsOf,
  clabesOfPayment,
  isSoldElsewhere,
  type PaymentOrigins,
  paymentById,
  requireProcessor,
  scheduleOf,
  soldBy,
} from '../payments/api.ts'
import { type Payable, planApply, presentUnappliedFunds } from '../payments/api-pure.ts'
import { sendRefund } from '../refunds/api.ts'
import { spendLimitOf } from '../refunds/api-pure.ts'
import * as contracts from './contract.ts'
import { planReturn } from './plan.ts'
import { depositOfFunds, type FundsRow, fundsById, fundsByIds, fundsPage } from './store.ts'

const listUnappliedFunds = listOperation(contracts.list, fundsPage, presentUnappliedFunds)

const getUnappliedFunds = getOperation(contracts.get, fundsById, presentUnappliedFunds)

const refundUnappliedFunds = operation(contracts.refund, async (call) => {
  const processor = requireProcessor(call.services)
  const { kid, settings } = call
  const { id } = call.params
  const [[funds], [deposit], sums] = await call.readAll(
    fundsById({ id }),
    depositOfFunds({ id }),
    dailySpendOf({ kid, kind: 'refunds' }),
  )
  if (!funds) return call.fail('unapplied_funds_not_found')
  if (!processor.bank) return call.fail('refund_unavailable')
  const spendLimit = spendLimitOf(settings, kid, funds.currency, sums)
  const planned = planReturn(funds, call.body, deposit?.senderClabe ?? null, processor.name, spendLimit, call)
  if (isRefusal(planned)) return call.publish(planned)
  const reply = await call.publish(planned.plan)
  const source = { kind: 'funds', funds } as const
  if (planned.refund.status === 'processing') call.later(sendRefund(call, { refund: planned.refund, source }))
  return reply
})

/** Applying may complete a payment: what was sold with it changes in the same publish. */
const applyingOperations = (origins: PaymentOrigins): Operation[] => [
  operation(contracts.apply, async (call) => {
    const { params, body, services, fail } = call
    const { payment_id: paymentId } = body
    const ids = [...new Set([params.id, ...body.together_with])]
    const ports = Object.values(origins)
    const [rows, [payment], attempts, clabes, ...sold] = await call.readAll(
      fundsByIds({ ids: `{${ids.join(',')}}` }),
      paymentById({ id: paymentId }),
      attemptsOf({ paymentId }),
      clabesOfPayment({ paymentId }),
      ...ports.map(({ loadFor }) => loadFor(paymentId)),
    )
    const [funds, ...others] = ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
    if (!funds || funds.id !== params.id) return fail('unapplied_funds_not_found')
    if (others.length < ids.length - 1) return fail('unapplied_funds_not_found', { param: 'together_with' })
    const isHeld = ({ depositId, movementId }: FundsRow) =>
      (depositId !== null || movementId !== null) && requireProcessor(services).deposits?.holder === 'buyer'
    if (isHeld(funds)) return fail('unapplied_funds_held_for_buyer')
    if (others.some(isHeld)) return fail('unapplied_funds_held_for_buyer', { param: 'together_with' })
    const attempt = attempts.at(-1)
    if (!payment || !attempt) return fail('payment_not_found', { param: 'payment_id' })
    const clabe = clabes.find(({ attemptId }) => attemptId === attempt.id) ?? null
    const payable: Payable = { payment, attempt, clabe }
    const plan = planApply(
      payable,
      {
        funds,
        amountMinor: body.amount === undefined ? null : BigInt(body.amount),
        others,
      },
      scheduleOf(services.settings, payment.feeScheduleVersion),
      (paid) => {
        const at = ports.findIndex(({ kind }) => kind === paid.originType)
        const [origin = null] = sold[at] ?? []
        return soldBy(ports[at]!, origin, call, services.settings)(paid)
      },
      call,
    )
    try {
      return await call.publish(plan)
    } catch (error) {
      if (isSoldElsewhere(error, origins))
        throw new Problem('origin_no_longer_available', { param: 'payment_id' })
      throw error
    }
  }),
]

export const withOrigins = (origins: PaymentOrigins) => ({
  operations: [listUnappliedFunds, getUnappliedFunds, refundUnappliedFunds, ...applyingOperations(origins)],
})
