import { buyerDetails, type CollectedDetails } from '../../../drizzle/schema/buyer-details.ts'
import { firstLetters } from '../../../src/kernel/first-letters.ts'
import { folioOf } from '../../../src/kernel/folio.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { insert, type Plan, type Write } from '../../../src/kernel/plan.ts'
import { mailTo } from '../../account/mails/api-pure.ts'
import { subtotalOf, sumOf } from '../../order/lines/api-pure.ts'
import { addressesOf } from '../../order/sales/api-pure.ts'
import { type Making, planChange } from './plan.ts'
import type { SessionRow } from './store.ts'

/** What a buyer sends with the button that completes an order. */
interface Sent {
  /** The address of the receipt, below the session's. */
  readonly receiptRef: string
  readonly details: CollectedDetails | null
  /** Where the receipt is mailed; null: nowhere. */
  readonly mailTo: { readonly email: string; readonly locale: Locale } | null
}

/**
 * The buyer completes an order that costs nothing; the database takes its stock and its discounts in the same publish.
 * Null: it is not such an order, or not any more.
 */
export function planFree(session: SessionRow, sent: Sent, making: Making) {
  if (session.status !== 'open' || session.expiresAt <= making.now || session.amountMinor !== 0n) return null
  const { receiptRef, details } = sent
  const { id: originId } = session
  const row = { id: making.newId(), paymentId: null, originId, createdAt: making.now }
  const email = sent.mailTo?.email ?? null
  const set = { status: 'complete' as const, receiptRef, completedAt: making.now }
  const plan = planChange(session, set, 'checkout_session.completed', making)
  return {
    writes: [
      ...plan.writes,
      ...(details
        ? [
            insert(buyerDetails, {
              ...row,
              details,
              email: details.email,
              emailDigests: addressesOf(details, email),
            }),
          ]
        : []),
      ...mailOf(session, sent, making),
    ],
    events: plan.events,
    // The buyer is sent to it: nothing else is kept for a repetition of the form.
    reply: { receipt: receiptRef },
    subjectId: originId,
  } satisfies Plan<unknown>
}

/** The receipt where the buyer wants it: the address stands in the outbox alone, until the mail is over. */
function mailOf(session: SessionRow, { receiptRef, mailTo: to }: Sent, { now, newId }: Making): Write[] {
  if (!to) return []
  const names = session.lines.map(({ name }) => name).join(', ')
  const data = {
    page: `/${session.publicId}/${receiptRef}`,
    reference: folioOf(receiptRef),
    currency: session.currency,
    description: firstLetters(session.description ?? names, 200),
    price: subtotalOf(session).toString(),
    discount: (-sumOf(session.discounts)).toString(),
    total: '0',
    at: now.toISOString(),
  }
  const { email: recipient, locale } = to
  return [mailTo({ id: newId(), kind: 'order_receipt', recipient, locale, data }, now)]
}
