import { type Operation, operation } from '../../src/http/operation.ts'
import type { Services } from '../../src/http/services.ts'
import { refuseOrder } from '../../src/processors/simulator/bank.ts'
import { sendRefundBack } from '../../src/processors/simulator/refunds.ts'
import { hear } from '../notifications/published.ts'
import type { Surfaces } from '../payments/published.ts'
import { refundById } from '../refunds/published.ts'
import { presentRefund } from '../refunds/published-pure.ts'
import * as contracts from './contract-refunds.ts'

/** The lever of the buyers' banks. What they do we hear of as of anything that a processor tells. */
export function refundLevers(surfacesOf: (services: Services) => Surfaces): Operation[] {
  const sendBack = operation(contracts.returnRefund, async (call) => {
    const { id } = call.params
    const { services, requestId } = call
    const [refund] = await call.read(refundById({ id }))
    if (!refund) return call.fail('refund_not_found')
    if (!['succeeded', 'failed'].includes(refund.status) || refund.method === 'recorded_offline')
      return call.fail('bank_order_not_returnable')
    const sentBack =
      refund.method === 'spei_out'
        ? (await refuseOrder(services.db.call, id, 'returned')).state === 'returned'
        : await sendRefundBack(services.db.call, id)
    if (!sentBack) return call.fail('bank_order_not_returnable')
    const told = { eventId: requestId, kind: 'refund', reference: id } as const
    await hear(services, surfacesOf(services), told, requestId)
    const [after] = await call.read(refundById({ id }))
    if (after?.status !== 'failed') return call.fail('outcome_unknown')
    return call.publish({ writes: [], events: [], reply: presentRefund(after), subjectId: id })
  })
  return [sendBack]
}
