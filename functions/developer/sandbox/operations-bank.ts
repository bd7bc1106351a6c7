import { type Call, type Operation, operation } from '../../../src/http/operation.ts'
import { refuseOrder } from '../../../src/processors/simulator/bank.ts'
import type { PaymentOrigins } from '../../money/payments/api.ts'
import { payoutById } from '../../money/payouts/api.ts'
import { transferById } from '../../money/transfers/api.ts'
import * as contracts from './contract-bank.ts'
import { tell } from './tell.ts'

type ControlCall = Pick<
  Call<{ id: string }, unknown, unknown, Order>,
  'params' | 'services' | 'requestId' | 'publish' | 'fail'
>
type Order = { object: 'sandbox_bank_order'; id: string; status: 'failed' | 'returned' }

/** Test controls of the simulated bank. Their effects reach us like any notification of a bank. */
export function bankOperations(origins: PaymentOrigins): Operation[] {
  const refuse = async (call: ControlCall, status: Order['status']): Promise<Order> => {
    const { id } = call.params
    const order = await refuseOrder(call.services.db.call, id, status)
    if (order.state !== status)
      return call.fail(status === 'failed' ? 'bank_order_over' : 'bank_order_not_returnable')
    await tell(call, origins, { kind: 'order', reference: id })
    return call.publish({ writes: [], events: [], reply: { object: 'sandbox_bank_order', id, status } })
  }

  const ofTransfer = (
    contract: typeof contracts.returnTransfer | typeof contracts.failTransfer,
    status: Order['status'],
  ) =>
    operation(contract, async (call) => {
      const [transfer] = await call.read(transferById({ id: call.params.id }))
      return transfer ? refuse(call, status) : call.fail('transfer_not_found')
    })

  const ofPayout = (
    contract: typeof contracts.returnPayout | typeof contracts.failPayout,
    status: Order['status'],
  ) =>
    operation(contract, async (call) => {
      const [payout] = await call.read(payoutById({ id: call.params.id }))
      return payout ? refuse(call, status) : call.fail('payout_not_found')
    })

  return [
    ofTransfer(contracts.returnTransfer, 'returned'),
    ofTransfer(contracts.failTransfer, 'failed'),
    ofPayout(contracts.returnPayout, 'returned'),
    ofPayout(contracts.failPayout, 'failed'),
  ]
}
