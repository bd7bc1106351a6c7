import { type Operation, operation } from '../../../src/http/operation.ts'
import { isPush } from '../../../src/kernel/payment-methods.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import { refuseOrder } from '../../../src/processors/simulator/bank.ts'
import { makeRefund, sendRefundBack } from '../../../src/processors/simulator/refunds.ts'
import type { PaymentOrigins } from '../../money/payments/api.ts'
import { refundablePayment, refundById, refundByRef } from '../../money/refunds/api.ts'
import { presentRefund } from '../../money/refunds/api-pure.ts'
import * as contracts from './contract-refunds.ts'
import { processor, tell } from './tell.ts'

/**
 * Test controls of the processor's dashboard and the buyers' banks. Their effects reach us like any notification of a
 * processor.
 */
export function refundOperations(origins: PaymentOrigins): Operation[] {
  const sendBack = operation(contracts.returnRefund, async (call) => {
    const { id } = call.params
    const { services } = call
    const [refund] = await call.read(refundById({ id }))
    if (!refund) return call.fail('refund_not_found')
    if (!['succeeded', 'failed'].includes(refund.status) || refund.method === 'recorded_offline')
      return call.fail('bank_order_not_returnable')
    const made = refund.origin === 'processor'
    const reference = (made ? refund.processorRef : null) ?? id
    const sentBack =
      refund.method === 'spei_out'
        ? (await refuseOrder(services.db.call, id, 'returned')).state === 'returned'
        : await sendRefundBack(services.db.call, reference)
    if (!sentBack) return call.fail('bank_order_not_returnable')
    const kind = made ? 'processor_refund' : 'refund'
    await tell(call, origins, { kind, reference })
    const [after] = await call.read(refundById({ id }))
    if (after?.status !== 'failed') return call.fail('outcome_unknown')
    return call.publish({ writes: [], events: [], reply: presentRefund(after), subjectId: id })
  })

  const make = operation(contracts.makeRefund, async (call) => {
    const { payment_id: id, amount } = call.body
    const { services } = call
    const [payment] = await call.read(refundablePayment({ id }))
    if (!payment) return call.fail('payment_not_found', { param: 'payment_id' })
    if (payment.attemptId === null || isPush(payment))
      return call.fail('payment_not_refundable', { param: 'payment_id' })
    // The same Idempotency-Key is the same refund, even when the first reply was lost.
    const digest = await sha256Hex(`${payment.tenantId}/${call.kid}/${call.idempotencyKey}`)
    const refundRef = `sbx_re_${digest.slice(0, 32)}`
    const amountMinor = amount === undefined ? null : BigInt(amount)
    const order = { refundRef, attemptReference: payment.attemptId, amountMinor }
    if (!(await makeRefund(services.db.call, order)))
      return call.fail('refund_exceeds_captured', { param: 'amount' })
    await tell(call, origins, { kind: 'processor_refund', reference: refundRef })
    const [refund] = await call.read(refundByRef({ processor, processorRef: refundRef }))
    if (!refund) return call.fail('outcome_unknown')
    return call.publish({ writes: [], events: [], reply: presentRefund(refund), subjectId: refund.id })
  })

  return [make, sendBack]
}
