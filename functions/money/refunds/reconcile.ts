import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { resolveOrder, sendAndApply } from '../bank-orders/api.ts'
import * as contracts from './contract.ts'
import { planCancel, planSend } from './plan-waiting.ts'
import { load, orders, overdraftOf, type RefundContext } from './send.ts'
import { accountsOf, type RefundRow } from './store.ts'

/** Asks about a refund that was made at the processor; the caller supplies how. */
type ReconcileExternalRefund = (call: SystemCall, refund: RefundRow) => Promise<void>

/** Sends refunds that waited for the balance, and asks about every refund that was sent and is not over. */
export const resolveRefunds = (
  run: JobRun,
  reconcileExternalRefund: ReconcileExternalRefund,
): Promise<void> =>
  eachDue(run, 'refunds', async (call, id) => {
    const found = await load(call, id)
    if (!found) return
    if (found.refund.origin === 'processor') await reconcileExternalRefund(call, found.refund)
    else if (found.refund.status === 'pending') await sendWaiting(call, found)
    else await resolveOrder(call, orders, found)
  })

async function sendWaiting(call: SystemCall, { refund, source }: RefundContext): Promise<void> {
  const clock = clockOf(new Date())
  // A dispute that opened meanwhile takes the rest of the payment: sending this would pay it back twice.
  if (source.kind === 'payment' && source.payment.openDisputesCount > 0) {
    await call.publish(contracts.outcome, planCancel(refund, source, clock), clock)
    return
  }
  const [accounts] = await call.read(contracts.outcome, accountsOf())
  const cover = { accounts, overdraftMinor: overdraftOf(call.services, source) }
  const sending = planSend(refund, cover, clock)
  await call.publish(contracts.outcome, sending.plan, clock)
  if (sending.refund.status === 'processing')
    await sendAndApply(call, orders, { refund: sending.refund, source })
}
