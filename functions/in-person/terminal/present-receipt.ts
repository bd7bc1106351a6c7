import type { CardReading } from '../../../drizzle/schema/payments.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import { folioOf } from '../../../src/kernel/folio.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { receiptMarks } from './contract-receipt.ts'
import { cardOf, term } from './present.ts'
import type { ReceiptRow, RefundRow, TakenRow } from './store.ts'

type Mark = (typeof receiptMarks)[number]

/** A refund that counts and has not ended: it may still fail. */
export const isOnItsWay = ({ status }: Pick<RefundRow, 'status'>) =>
  status !== 'succeeded' && status !== 'kept'

/** What is printed across a receipt; null where it is paid and stands. */
function markOf(
  { paymentStatus, amountCapturedMinor, amountRefundedMinor }: ReceiptRow,
  refunds: readonly RefundRow[],
): Mark | null {
  if (paymentStatus === 'requires_capture') return 'authorized'
  if (paymentStatus === 'canceled' || paymentStatus === 'expired') return 'canceled'
  if (amountRefundedMinor === 0n) return null
  if (refunds.some(isOnItsWay)) return 'refund_pending'
  return amountRefundedMinor < amountCapturedMinor ? 'partially_refunded' : 'refunded'
}

const needsSignature = ({ cardholder_verification }: CardReading) => cardholder_verification === 'signature'

/** There is one as soon as a card was approved. */
export const hasReceipt = (sale: TakenRow): boolean =>
  cardOf(sale) !== null && sale.amountAuthorizedMinor > 0n

export type Receipt = NonNullable<ReturnType<typeof presentReceipt>>

/** The receipt of a payment in person as it is now; null where no card was approved for it. */
export function presentReceipt(sale: ReceiptRow, refunds: readonly RefundRow[], environment: Environment) {
  const card = cardOf(sale)
  if (!card || !hasReceipt(sale)) return null
  return {
    object: 'in_person_receipt' as const,
    in_person_payment_id: sale.id,
    payment_id: sale.paymentId,
    payment_public_id: sale.paymentPublicId,
    folio: folioOf(sale.paymentPublicId),
    mark: markOf(sale, refunds),
    environment,
    merchant: {
      name: sale.branding?.brand_name ?? sale.merchantName,
      legal_name: sale.fiscalProfile?.legal_name ?? null,
      rfc: sale.fiscalProfile?.rfc ?? null,
      email: sale.supportEmail,
      phone: sale.supportPhone,
      website_url: sale.websiteUrl,
    },
    location:
      sale.locationId === null
        ? null
        : {
            id: sale.locationId,
            name: sale.placeName!,
            address: sale.address && { ...sale.address },
            time_zone: sale.timeZone!,
          },
    device_id: sale.deviceId,
    approved_at: (sale.approvedAt ?? sale.succeededAt ?? sale.updatedAt).toISOString(),
    description: sale.description,
    line_items: (sale.order?.lines ?? []).map(({ name, quantity, total }) => ({
      name,
      quantity,
      amount_total: total,
    })),
    client_reference_id: sale.clientReferenceId,
    amount: toMinorString(sale.amountMinor),
    currency: sale.currency,
    amount_tip: toMinorString(sale.tipMinor),
    amount_captured: toMinorString(sale.amountCapturedMinor),
    amount_refunded: toMinorString(sale.amountRefundedMinor),
    taxes: sale.taxes.map(({ iva_rate, base, iva }) => ({ iva_rate, base, iva })),
    installments: term(sale.installmentMonths),
    card,
    signature_needed: needsSignature(card.reading),
    refunds: refunds.map((refund) => ({
      id: refund.id,
      amount: toMinorString(refund.amountMinor),
      status: refund.status,
      created_at: refund.createdAt.toISOString(),
    })),
  }
}
