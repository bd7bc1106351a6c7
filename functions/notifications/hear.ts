import type { Services } from '../../src/http/services.ts'
import type { Notification } from '../../src/processors/port.ts'
import { heardOfDispute } from '../disputes/published.ts'
import { heardOf, heardOfDeposit, type Surfaces } from '../payments/published.ts'
import { heardOfPayout } from '../payouts/published.ts'
import { heardOfRefund } from '../refunds/published.ts'
import { heardOfTransfer } from '../transfers/published.ts'
import { heardOfMade } from './made-refunds.ts'

/**
 * Handles a processor's notification. It is only a hint: read the state at the processor. Duplicated, reordered and
 * early ones are harmless, since nothing of the notification itself is booked.
 */
export async function hear(
  services: Services,
  surfaces: Surfaces,
  { kind, reference }: Notification,
  requestId: string,
): Promise<void> {
  switch (kind) {
    case 'attempt':
      await heardOf(services, surfaces, reference, requestId)
      return
    case 'deposit':
      await heardOfDeposit(services, surfaces, reference, requestId)
      return
    case 'refund':
      await heardOfRefund(services, reference, requestId)
      return
    case 'processor_refund':
      await heardOfMade(services, reference, requestId)
      return
    case 'order':
      await heardOfOrder(services, reference, requestId)
      return
    case 'dispute':
      await heardOfDispute(services, reference, requestId)
      return
  }
}

/** A bank knows its orders by our ids: a transfer's, a payout's or a refund's. An unknown id finds nothing. */
async function heardOfOrder(services: Services, id: string, requestId: string): Promise<void> {
  await Promise.all([
    heardOfTransfer(services, id, requestId),
    heardOfPayout(services, id, requestId),
    heardOfRefund(services, id, requestId),
  ])
}
