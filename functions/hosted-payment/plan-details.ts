import { buyerDetails, type CollectedDetails } from '../../drizzle/schema/buyer-details.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { insert, type Write } from '../../src/kernel/plan.ts'
import type { PaymentRow } from '../payments/api-pure.ts'

/** What the buyer gave, and the address beside it, written in the publish that records the attempt. */
export const besideOf =
  (details: CollectedDetails | null, email: string | null) =>
  ({ id: paymentId, originId }: PaymentRow, { now, newId }: Clock): Write[] =>
    details === null
      ? []
      : [
          insert(buyerDetails, {
            id: newId(),
            paymentId,
            originId,
            details,
            emailDigests: email === null ? [] : [email],
            createdAt: now,
          }),
        ]
