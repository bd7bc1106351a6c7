import type { BackgroundWork } from '../../../src/http/system-call.ts'
import type { Notification, Processor } from '../../../src/processors/port.ts'
import { handleBankAccountNotification } from '../bank-accounts/api.ts'
import { handleDisputeNotification, handleFraudWarning } from '../disputes/api.ts'
import {
  handleDepositNotification,
  handlePaymentNotification,
  type PaymentOrigins,
  takerOf,
} from '../payments/api.ts'
import { handlePayoutNotification, handleProcessorPayout } from '../payouts/api.ts'
import { handleRefundNotification } from '../refunds/api.ts'
import { handleTransferNotification } from '../transfers/api.ts'
import { handleExternalRefund } from './external-refunds.ts'

/** What a processor's notification says, and which processor it was. */
export type Hint = Pick<Notification, 'kind' | 'reference'> & { readonly processor: string }

/**
 * Handles a processor's notification. It is only a hint: read the state at the processor. Duplicated, reordered and
 * early ones are harmless, since nothing of the notification itself is booked.
 */
export async function handleNotification(
  work: BackgroundWork,
  origins: PaymentOrigins,
  { processor, kind, reference }: Hint,
): Promise<void> {
  const teller = () => takerOf(work.services, { processor })
  switch (kind) {
    case 'attempt':
      return handlePaymentNotification(work, origins, reference)
    case 'deposit':
      return handleDepositNotification(work, origins, teller(), reference)
    case 'refund':
      return handleRefundNotification(work, reference)
    case 'processor_refund':
      return handleExternalRefund(work, teller(), reference)
    case 'order':
      return handleOrderNotification(work, reference)
    case 'dispute':
      return handleDisputeNotification(work, teller(), reference)
    case 'fraud_warning':
      return handleFraudWarning(work, teller(), reference)
    case 'payout':
      return handleProcessorPayout(work, teller(), reference)
    case 'presented':
      return handlePresented(work, origins, teller(), reference)
    case 'asked':
      return handleAsked(work, origins, teller(), reference)
  }
}

/** A device has ended what it was handed. The processor knows our attempt. */
async function handlePresented(
  work: BackgroundWork,
  origins: PaymentOrigins,
  { inPerson }: Processor,
  reference: string,
): Promise<void> {
  const attemptId = await inPerson?.attemptBehind?.(reference)
  if (attemptId) await handlePaymentNotification(work, origins, attemptId)
}

/** A device has asked its buyer. What it asked is known to its origin alone. */
async function handleAsked(
  work: BackgroundWork,
  origins: PaymentOrigins,
  teller: Processor,
  reference: string,
): Promise<void> {
  await Promise.all(Object.values(origins).map((each) => each.takeAnswer?.(work, teller, reference)))
}

/** A bank knows its orders by our ids: a transfer's, a payout's, a refund's or an account's. An unknown id finds nothing. */
async function handleOrderNotification(work: BackgroundWork, id: string): Promise<void> {
  await Promise.all([
    handleTransferNotification(work, id),
    handlePayoutNotification(work, id),
    handleRefundNotification(work, id),
    handleBankAccountNotification(work, id),
  ])
}
