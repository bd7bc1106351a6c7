import type { CardDetails, SpeiDetails, VoucherDetails } from '../../../drizzle/schema/payments.ts'
import type { DeclineCode, Method } from '../../../src/processors/port.ts'
import { awaitsBank, heardOf } from '../../payments/published.ts'
import { closedBecause, findPayment, isOver, type PaymentOnPage, termOf } from '../buyer.ts'
import { forgetBegun } from './begun.ts'
import { challengeOf } from './challenge.ts'
import { type Ctx, localeOf, page, statePageOf as state } from './frame.ts'
import { withLocale } from './locale.ts'
import { factsOf, pathOf, surfacesOf } from './payment-facts.ts'
import { resultPage } from './result.ts'
import { speiPage } from './spei.ts'
import type { ResultView } from './view.ts'
import { voucherPage } from './voucher.ts'

/** What became of a payment, by its public reference. */
export async function showPayment(c: Ctx) {
  const services = c.get('services')
  const locale = localeOf(c)
  const found = await findPayment(services, c.req.param('publicId')!, c.req.param('reference')!)
  if (!found) return state(c, { state: 'not_found' }, locale)
  const { link, payment } = found
  if (c.req.query('redirect_status') !== undefined) {
    // Back from the bank: a hint to go and read. What the address says is not believed, and not kept in it.
    if (awaitsBank(found)) await heardOf(services, surfacesOf(services), found.attempt.id, c.get('requestId'))
    return c.redirect(withLocale(pathOf(found), locale), 303)
  }
  if (isOver(payment)) forgetBegun(c, link.publicId, payment.publicId)
  const base = factsOf(c, found, locale)
  const now = new Date()
  const linkPath = closedBecause(services, link, now) === null ? `/${link.publicId}` : null
  if (awaitsTransfer(found)) return page(c, speiPage({ ...base, ...speiOf(found, linkPath, now) }))
  if (awaitsTill(found)) return page(c, voucherPage({ ...base, ...voucherOf(found, linkPath, now) }))
  return page(c, resultPage({ ...base, ...resultOf(c, found, linkPath) } as ResultView))
}

const awaitsTill = ({ payment, attempt }: PaymentOnPage) =>
  payment.status === 'requires_action' && payment.method === 'oxxo' && attempt.status === 'pending_customer'

const awaitsTransfer = ({ payment, attempt }: PaymentOnPage) =>
  payment.status === 'requires_action' && payment.method === 'spei' && attempt.status === 'pending_customer'

/** Where another way to pay is chosen: another voucher or CLABE is none while this one can be paid. */
function otherPathOf({ link, payment }: PaymentOnPage, linkPath: string | null, expired: boolean) {
  const choice = link.paymentMethodTypes.length > 1 || expired
  return choice && linkPath ? `${linkPath}?retry=${payment.publicId}` : null
}

function speiOf(found: PaymentOnPage, linkPath: string | null, now: Date) {
  const { payment, attempt } = found
  const details = payment.methodDetails as SpeiDetails
  const expiresAt = attempt.expiresAt ?? now
  const expired = expiresAt <= now
  return {
    description: payment.description,
    clabe: details.clabe,
    bankName: details.bank_name,
    beneficiary: details.beneficiary,
    receivedMinor: payment.amountReceivedMinor,
    expiresAt,
    expired,
    toldUntil: attempt.graceEndsAt ?? expiresAt,
    otherPath: otherPathOf(found, linkPath, expired),
  }
}

function voucherOf(found: PaymentOnPage, linkPath: string | null, now: Date) {
  const { payment, attempt } = found
  const expiresAt = attempt.expiresAt ?? now
  const expired = expiresAt <= now
  return {
    description: payment.description,
    number: (payment.methodDetails as VoucherDetails).reference,
    expiresAt,
    expired,
    toldUntil: attempt.graceEndsAt ?? expiresAt,
    otherPath: otherPathOf(found, linkPath, expired),
  }
}

/** What paid: the card, or the number under which cash came. */
function meansOf({ payment }: PaymentOnPage) {
  const { brand = '', last4 = '' } = (payment.methodDetails ?? {}) as Partial<CardDetails>
  if (payment.method === 'card') return { method: 'card', brand, last4 }
  const { reference, clave_rastreo: claveRastreo } = (payment.methodDetails ?? {}) as Partial<
    VoucherDetails & SpeiDetails
  >
  return { method: payment.method as Method, number: reference ?? claveRastreo ?? '' }
}

/** How money may have come although the payment is over; null where nothing was out that takes any. */
const cashOf = ({ payment, attempt }: PaymentOnPage) =>
  attempt.method !== 'card' && payment.methodDetails !== null ? attempt.method : null

const receiptOf = (found: PaymentOnPage, chargedMinor: bigint) => ({
  means: meansOf(found),
  description: found.payment.description,
  refundedMinor: found.payment.amountRefundedMinor,
  installments:
    found.payment.installmentMonths > 1
      ? {
          ...termOf(chargedMinor, found.payment.installmentMonths),
          interestFree: found.link.feeAllocation === 'absorb',
        }
      : null,
})

function resultOf(c: Ctx, found: PaymentOnPage, linkPath: string | null): object {
  const { payment, attempt } = found
  const retryPath = linkPath && `${linkPath}?retry=${payment.publicId}`
  if (attempt.status === 'integrity_failure') return { state: 'under_review' }
  switch (payment.status) {
    case 'succeeded':
      return { state: 'succeeded', paidAt: payment.succeededAt, ...receiptOf(found, payment.amountMinor) }
    case 'requires_capture':
      return {
        state: 'requires_capture',
        captureBefore: payment.captureBefore,
        ...receiptOf(found, payment.amountMinor),
      }
    case 'partially_captured':
      return {
        state: 'partially_captured',
        paidAt: payment.succeededAt,
        capturedMinor: payment.amountCapturedMinor,
        ...receiptOf(found, payment.amountCapturedMinor),
      }
    case 'requires_payment_method':
      // Without a reason nobody declined: the buyer closed what was out and has not paid in another way yet.
      return payment.declineCode === null
        ? { state: 'canceled', retryPath, cash: cashOf(found) }
        : { state: 'declined', code: payment.declineCode as DeclineCode, retryPath }
    case 'requires_action':
      return challengeOf(c, found)
    case 'processing':
      return { state: 'processing', method: payment.method }
    default:
      return {
        state: payment.status === 'expired' ? 'expired' : 'canceled',
        retryPath: linkPath,
        cash: cashOf(found),
      }
  }
}
