import { buyerDetails, type CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { emailsIn } from '../../../src/kernel/email.ts'
import { insert, type Write } from '../../../src/kernel/plan.ts'
import type { PaymentRow } from '../../money/payments/api-pure.ts'

/** Addresses by which what a buyer gave is erased: the one beside it, and those in the answers. The database digests them. */
export const addressesOf = (
  { email: given, custom_fields }: CollectedDetails,
  email: string | null,
): string[] => [
  ...(given === null ? [] : [given]),
  ...(email === null ? [] : [email]),
  ...custom_fields.flatMap(({ value }) => emailsIn(value)),
]

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
            email: details.email,
            emailDigests: addressesOf(details, email),
            createdAt: now,
          }),
        ]
