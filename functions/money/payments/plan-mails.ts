import type * as z from 'zod'
import { paymentContacts } from '../../../drizzle/schema/payment-contacts.ts'
import type { MethodDetails, SpeiDetails, VoucherDetails } from '../../../drizzle/schema/payments.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { hasFlow } from '../../../src/kernel/payment-methods.ts'
import { insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { mailTo, mailToBuyer } from '../../account/mails/api-pure.ts'
import type { sendReceipt } from './contract-receipt.ts'
import type { PaymentRow, PaymentWithSale } from './store.ts'

/** What the buyer gave, and in which language. */
export interface Contact {
  readonly email: string
  readonly locale: Locale
  /** The address of what is sold, without a host. */
  readonly salePath: string
}

export const newContact = (
  { email, locale, salePath }: Contact,
  payment: PaymentRow,
  { now, newId }: Clock,
): Write =>
  insert(paymentContacts, {
    id: newId(),
    paymentId: payment.id,
    email,
    locale,
    page: `${salePath}/${payment.publicId}`,
    remindAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  })

/** What every mail about a payment says of it. */
const factsOf = ({ currency, description }: PaymentRow) => ({
  currency,
  description: description ?? '',
})

const receiptFacts = (payment: PaymentRow, paidAt: Date) => ({
  ...factsOf(payment),
  method: payment.method,
  price: toMinorString(payment.amountMinor - payment.markupMinor),
  surcharge: toMinorString(payment.markupMinor),
  received: toMinorString(payment.amountCapturedMinor),
  at: paidAt.toISOString(),
})

/** The receipt of a payment that has succeeded: price, surcharge and what was received. */
export const receiptOf = (payment: PaymentRow, { now, newId }: Clock): Write =>
  mailToBuyer(
    { id: newId(), kind: 'payment_receipt', paymentId: payment.id, data: receiptFacts(payment, now) },
    now,
  )

/** The path of a payment's page; null where its origin has no pages. */
export const pageOfPayment = ({ salePublicId, publicId }: PaymentWithSale): string | null =>
  salePublicId && `/${salePublicId}/${publicId}`

type Copy = z.output<NonNullable<ReturnType<typeof sendReceipt>['body']>>

/** The receipt once more, to the address that is named, or to the buyer's. */
export function planReceiptCopy(
  payment: PaymentWithSale,
  { email, locale = 'es-MX' }: Copy,
  { hasContact, confirmed }: { readonly hasContact: boolean; readonly confirmed: readonly Write[] },
  { now, newId }: Clock,
) {
  const page = pageOfPayment(payment)
  if (payment.succeededAt === null || page === null) return refuse('payment_not_paid')
  if (email === undefined && !hasContact) return refuse('payment_contact_missing', { param: 'email' })
  const [id, paymentId] = [newId(), payment.id]
  const facts = receiptFacts(payment, payment.succeededAt)
  const kind = 'payment_receipt_copy'
  const mail =
    email === undefined
      ? mailToBuyer({ id, kind, paymentId, data: facts }, now)
      : mailTo(
          {
            id,
            kind,
            paymentId,
            recipient: email,
            locale,
            data: { ...facts, page },
          },
          now,
        )
  return {
    writes: [...confirmed, mail],
    events: [],
    reply: {
      id,
      object: 'payment_receipt_mail' as const,
      payment_id: paymentId,
      created_at: now.toISOString(),
    },
    subjectId: paymentId,
  } satisfies Plan<unknown>
}

/** How to pay a voucher or by transfer, once and again before it expires; none for a card. */
export function instructionsFor(
  payment: PaymentRow,
  details: MethodDetails | null,
  kind: 'payment_instructions' | 'payment_reminder',
  { now, newId }: Clock,
): Write[] {
  const { method } = payment
  const missing = payment.amountMinor - payment.amountReceivedMinor
  const facts = { ...factsOf(payment), method, amount: toMinorString(missing) }
  const write = (data: { number: string; bank: string; holder: string; expires_at: string }) => [
    mailToBuyer({ id: newId(), kind, paymentId: payment.id, data: { ...facts, ...data } }, now),
  ]
  if (details && hasFlow(method, 'voucher')) {
    const { reference, expires_at } = details as VoucherDetails
    return write({ number: reference, bank: '', holder: '', expires_at })
  }
  if (details && hasFlow(method, 'bank_transfer')) {
    const { clabe, bank_name, beneficiary, expires_at } = details as SpeiDetails
    return write({ number: clabe, bank: bank_name, holder: beneficiary, expires_at })
  }
  return []
}
