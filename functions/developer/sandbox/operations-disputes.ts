import { type Operation, operation } from '../../../src/http/operation.ts'
import type { BackgroundWork } from '../../../src/http/system-call.ts'
import { sha256Hex } from '../../../src/platform/crypto.ts'
import {
  endInquiry,
  openDispute,
  reconsiderDispute,
  resolveDispute,
} from '../../../src/processors/simulator/disputes.ts'
import { reportFraud } from '../../../src/processors/simulator/fraud-warnings.ts'
import { disputablePayment, disputeById, disputeByRef, fraudWarningByRef } from '../../money/disputes/api.ts'
import { isInquiry, presentDispute, presentFraudWarning } from '../../money/disputes/api-pure.ts'
import { type PaymentOrigins, paymentById } from '../../money/payments/api.ts'
import * as contracts from './contract-disputes.ts'
import { processor, tell } from './tell.ts'

/** Test controls of the simulated buyers' banks. Their effects reach us like any notification of a processor. */
export function disputeOperations(origins: PaymentOrigins): Operation[] {
  const notify = (work: BackgroundWork, reference: string) =>
    tell(work, origins, { kind: 'dispute', reference })

  const open = operation(contracts.open, async (call) => {
    const { payment_id: id, amount, reason, inquiry: inquires } = call.body
    const [[payment], [disputable]] = await call.readAll(paymentById({ id }), disputablePayment({ id }))
    if (!payment) return call.fail('payment_not_found', { param: 'payment_id' })
    if (!disputable) return call.fail('payment_not_disputable', { param: 'payment_id' })
    // The same Idempotency-Key is the same dispute, even when the first reply was lost.
    const digest = await sha256Hex(`${disputable.tenantId}/${call.kid}/${call.idempotencyKey}`)
    const disputeRef = `sbx_dp_${digest.slice(0, 32)}`
    const amountMinor = amount === undefined ? null : BigInt(amount)
    const order = { disputeRef, attemptReference: disputable.attemptId, amountMinor, reason, inquires }
    if (!(await openDispute(call.services.db.call, order)))
      return call.fail('payment_not_disputable', { param: 'payment_id' })
    await notify(call, disputeRef)
    const [dispute] = await call.read(disputeByRef({ processor, processorRef: disputeRef }))
    if (!dispute) return call.fail('outcome_unknown')
    return call.publish({
      writes: [],
      events: [],
      reply: presentDispute(dispute),
      subjectId: dispute.id,
    })
  })

  const resolve = operation(contracts.resolve, async (call) => {
    const { id } = call.params
    const [dispute] = await call.read(disputeById({ id }))
    if (!dispute) return call.fail('dispute_not_found')
    if (isInquiry(dispute.status)) return call.fail('dispute_is_inquiry')
    await resolveDispute(call.services.db.call, dispute.processorRef, call.body.outcome)
    await notify(call, dispute.processorRef)
    const [decided] = await call.read(disputeById({ id }))
    if (decided?.status !== call.body.outcome) return call.fail('dispute_over')
    return call.publish({ writes: [], events: [], reply: presentDispute(decided), subjectId: id })
  })

  const ended = { closed: 'inquiry_closed', disputed: 'needs_response' } as const
  const inquiry = operation(contracts.endInquiry, async (call) => {
    const { id } = call.params
    const [dispute] = await call.read(disputeById({ id }))
    if (!dispute) return call.fail('dispute_not_found')
    const status = ended[call.body.outcome]
    await endInquiry(call.services.db.call, dispute.processorRef, status)
    await notify(call, dispute.processorRef)
    const [now] = await call.read(disputeById({ id }))
    if (now?.status !== status) return call.fail('dispute_not_inquiry')
    return call.publish({ writes: [], events: [], reply: presentDispute(now), subjectId: id })
  })

  const reconsider = operation(contracts.reconsider, async (call) => {
    const { id } = call.params
    const [dispute] = await call.read(disputeById({ id }))
    if (!dispute) return call.fail('dispute_not_found')
    await reconsiderDispute(call.services.db.call, dispute.processorRef, call.body.status)
    await notify(call, dispute.processorRef)
    const [now] = await call.read(disputeById({ id }))
    if (now?.status !== call.body.status) return call.fail('dispute_not_decided')
    return call.publish({ writes: [], events: [], reply: presentDispute(now), subjectId: id })
  })

  const warn = operation(contracts.warn, async (call) => {
    const { payment_id: id, fraud_type: fraudType } = call.body
    const [[payment], [disputable]] = await call.readAll(paymentById({ id }), disputablePayment({ id }))
    if (!payment) return call.fail('payment_not_found', { param: 'payment_id' })
    if (!disputable) return call.fail('payment_not_disputable', { param: 'payment_id' })
    const digest = await sha256Hex(`${disputable.tenantId}/${call.kid}/${call.idempotencyKey}`)
    const warningRef = `sbx_fw_${digest.slice(0, 32)}`
    const report = { warningRef, attemptReference: disputable.attemptId, fraudType }
    if (!(await reportFraud(call.services.db.call, report)))
      return call.fail('payment_not_disputable', { param: 'payment_id' })
    await tell(call, origins, { kind: 'fraud_warning', reference: warningRef })
    const [warning] = await call.read(fraudWarningByRef({ processor, processorRef: warningRef }))
    if (!warning) return call.fail('outcome_unknown')
    return call.publish({
      writes: [],
      events: [],
      reply: presentFraudWarning(warning),
      subjectId: warning.id,
    })
  })

  return [open, resolve, inquiry, reconsider, warn]
}
