import type { Clock } from '../../../src/kernel/clock.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { Write } from '../../../src/kernel/plan.ts'
import { mailToBuyer } from '../../account/mails/api-pure.ts'
import type { RefundRow } from './store.ts'

/** Tells the buyer that a refund was made; none for funds that belong to no payment. */
export const madeMail = ({ paymentId, amountMinor, currency }: RefundRow, { now, newId }: Clock): Write[] =>
  paymentId === null
    ? []
    : [
        mailToBuyer(
          {
            id: newId(),
            kind: 'refund_made',
            paymentId,
            data: { amount: toMinorString(amountMinor), currency, at: now.toISOString() },
          },
          now,
        ),
      ]
