import type { CardDetails, SpeiDetails, VoucherDetails } from '../../../../../drizzle/schema/payments.ts'
import { partsWithTip } from '../../../../../src/kernel/order.ts'
import { flowOf, isPush, isPushMethod } from '../../../../../src/kernel/payment-methods.ts'
import type { DeclineCode } from '../../../../../src/processors/port.ts'
import { namesOf } from '../../../../order/lines/api-pure.ts'
import { type PaymentOnPage, termOf } from '../../checkout-flow.ts'
import type { PageBase, PaymentFacts, ResultView } from '../frame/view.ts'

/** The input of a result page beside the facts of every payment page. */
type Outcome = ResultView extends infer V
  ? V extends ResultView
    ? Omit<V, keyof (PageBase & PaymentFacts)>
    : never
  : never

/** The payment instrument: the card, or the number of the voucher or transfer. */
function instrumentOf({ payment }: PaymentOnPage) {
  const { brand = '', last4 = '' } = (payment.methodDetails ?? {}) as Partial<CardDetails>
  const { method } = payment
  if (!isPushMethod(method)) return { method, brand, last4 }
  const { reference, clave_rastreo: claveRastreo } = (payment.methodDetails ?? {}) as Partial<
    VoucherDetails & SpeiDetails
  >
  return { method, number: reference ?? claveRastreo ?? '' }
}

/** How money may have arrived although the payment is over; null where no voucher or CLABE was issued. */
const pushMethodOf = ({ payment, attempt }: PaymentOnPage) =>
  isPush(attempt) && payment.methodDetails !== null ? attempt.method : null

/** What was paid for, with how many of it, unless the lines say it. */
function describedBy({ description, quantity, order }: PaymentOnPage['payment']): string | null {
  if (order) return description === namesOf(order.lines) ? null : description
  return quantity > 1 && description !== null ? `${quantity} × ${description}` : description
}

const receiptOf = (found: PaymentOnPage, chargedMinor: bigint) => ({
  instrument: instrumentOf(found),
  description: describedBy(found.payment),
  lines: found.payment.order?.lines,
  parts: partsWithTip(found.payment.order?.parts ?? [], found.payment.tipAmountMinor),
  taxes: found.payment.taxes,
  successUrl: found.onSale.sale.successUrl?.replaceAll('{payment}', found.payment.publicId),
  successMessage: found.onSale.sale.successMessage,
  refundedMinor: found.payment.amountRefundedMinor,
  installments:
    found.payment.installmentMonths > 1
      ? {
          ...termOf(chargedMinor, found.payment.installmentMonths),
          interestFree: found.onSale.sale.feeAllocation === 'absorb',
        }
      : null,
})

type Challenge = Extract<Outcome, { state: 'requires_action' }>

/**
 * The result on the page of a payment that waits for no till and no transfer.
 * @param formPath the page of the sale while it takes a payment, else null
 */
export function outcomeOf(
  found: PaymentOnPage,
  formPath: string | null,
  challenge: () => Challenge,
): Outcome {
  const { payment, attempt } = found
  const retryPath = formPath && `${formPath}?retry=${payment.publicId}`
  if (attempt.status === 'amount_mismatch') return { state: 'under_review' }
  const how = attempt.resolution as Extract<Outcome, { state: 'reversed' }>['how'] | 'agreed' | null
  if (payment.status === 'canceled' && how !== null && how !== 'agreed')
    return { state: 'reversed', how, retryPath: formPath }
  switch (payment.status) {
    case 'succeeded':
      return { state: 'succeeded', paidAt: payment.succeededAt!, ...receiptOf(found, payment.amountMinor) }
    case 'requires_capture':
      return {
        state: 'requires_capture',
        captureBefore: payment.captureBefore!,
        ...receiptOf(found, payment.amountMinor),
      }
    case 'partially_captured':
      return {
        state: 'partially_captured',
        paidAt: payment.succeededAt!,
        capturedMinor: payment.amountCapturedMinor,
        ...receiptOf(found, payment.amountCapturedMinor),
      }
    case 'requires_payment_method':
      return {
        state: 'declined',
        method: attempt.method,
        code: payment.declineCode as DeclineCode,
        retryPath,
      }
    case 'requires_action':
      // A device waits for the card; or a voucher or CLABE ended between two reads: the next look shows its page.
      return flowOf(payment.method) === 'card' ? challenge() : { state: 'processing', method: payment.method }
    case 'processing':
      return { state: 'processing', method: payment.method }
    default:
      if (payment.amountAuthorizedMinor > 0n)
        return {
          state: 'released',
          by: payment.status === 'expired' ? 'time' : 'merchant',
          retryPath: formPath,
        }
      return {
        state: payment.status === 'expired' ? 'expired' : 'canceled',
        retryPath: formPath,
        push: pushMethodOf(found),
      }
  }
}
