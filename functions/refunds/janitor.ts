import { publishPlan } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun, SystemCredential } from '../../src/http/system-call.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { resolveOrder, sendAndRecord } from '../bank-orders/api.ts'
import * as contracts from './contract.ts'
import type { Cover } from './plan.ts'
import { planCancel, planSend } from './plan-waiting.ts'
import { type Known, load, orders, overdraftOf } from './send.ts'
import { accountsOf, type RefundRow } from './store.ts'

/** Asks about a refund that was made at the processor; the caller supplies how. */
type LookAtMade = (
  services: Services,
  credential: SystemCredential,
  refund: RefundRow,
  requestId: string,
) => Promise<void>

/** Scheduled: sends refunds that waited for the balance, and asks about every refund that was sent and is not over. */
export const resolveRefunds = (run: JobRun, reconcileExternalRefunds: LookAtMade): Promise<void> =>
  eachDue(run, 'refunds', async ({ services, credential, requestId }, id) => {
    const known = await load(services, credential, id)
    if (!known) return
    if (known.refund.origin === 'processor')
      await reconcileExternalRefunds(services, credential, known.refund, requestId)
    else if (known.refund.status === 'pending') await sendWaiting(services, credential, known, requestId)
    else await resolveOrder(orders, services, known, requestId)
  })

async function sendWaiting(
  services: Services,
  credential: SystemCredential,
  known: Known,
  requestId: string,
): Promise<void> {
  const now = new Date()
  const publishing = { operation: contracts.outcome.id, credential, requestId, now }
  // A dispute that opened meanwhile takes the rest of the payment: sending this would pay it back twice.
  if (known.source.kind === 'payment' && known.source.payment.openDisputesCount > 0) {
    await publishPlan(services, publishing, planCancel(known.refund, known.source, clockOf(now)))
    return
  }
  const { rows } = await services.db.read(contracts.outcome.id, credential, [accountsOf()])
  const cover = {
    accounts: rows[0] as Cover['accounts'],
    overdraftMinor: overdraftOf(services, known.source),
  }
  const { refund, plan } = planSend(known.refund, cover, clockOf(now))
  await publishPlan(services, publishing, plan)
  if (refund.status === 'processing')
    await sendAndRecord(orders, services, { refund, source: known.source }, requestId)
}
