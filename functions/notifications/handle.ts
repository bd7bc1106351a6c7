import type { Services } from '../../src/http/services.ts'
import type { Notification } from '../../src/processors/port.ts'
import { handleDisputeNotification } from '../disputes/api.ts'
import { handleDepositNotification, handlePaymentNotification, type PaymentOrigins } from '../payments/api.ts'
import { handlePayoutNotification } from '../payouts/api.ts'
import { handleRefundNotification } from '../refunds/api.ts'
import { handleTransferNotification } from '../transfers/api.ts'
import { handleExternalRefund } from './external-refunds.ts'

/**
 * Handles a processor's notification. It is only a hint: read the state at the processor. Duplicated, reordered and
 * early ones are harmless, since nothing of the notification itself is booked.
 */
export async function handleNotification(
  services: Services,
  origins: PaymentOrigins,
  { kind, reference }: Notification,
  requestId: string,
): Promise<void> {
  switch (kind) {
    case 'attempt':
      await handlePaymentNotification(services, origins, reference, requestId)
      return
    case 'deposit':
      await handleDepositNotification(services, origins, reference, requestId)
      return
    case 'refund':
      await handleRefundNotification(services, reference, requestId)
      return
    case 'processor_refund':
      await handleExternalRefund(services, reference, requestId)
      return
    case 'order':
      await handleOrderNotification(services, reference, requestId)
      return
    case 'dispute':
      await handleDisputeNotification(services, reference, requestId)
      return
  }
}

/** A bank knows its orders by our ids: a transfer's, a payout's or a refund's. An unknown id finds nothing. */
async function handleOrderNotification(services: Services, id: string, requestId: string): Promise<void> {
  await Promise.all([
    handleTransferNotification(services, id, requestId),
    handlePayoutNotification(services, id, requestId),
    handleRefundNotification(services, id, requestId),
  ])
}
