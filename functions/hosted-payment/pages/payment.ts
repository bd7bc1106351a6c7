import type { SpeiDetails, VoucherDetails } from '../../../drizzle/schema/payments.ts'
import { folioOf } from '../../../src/kernel/folio.ts'
import { withLocale } from '../../../src/kernel/locale.ts'
import { hasFlow } from '../../../src/kernel/payment-methods.ts'
import { deliveredOf } from '../../entitlements/api.ts'
import { awaitsBank, handlePaymentNotification } from '../../payments/api.ts'
import { closedBecause, findPayment, isPaid, type PaymentOnPage } from '../checkout-flow.ts'
import type { HostedOrigins } from '../hosted-origin.ts'
import { challengeOf } from './challenge.ts'
import { type Ctx, localeOf, page, statePageOf as state } from './frame.ts'
import { freePaperAt, showFree } from './free-receipt.ts'
import { lookAs } from './look.ts'
import { outcomeOf } from './outcome.ts'
import { paperLogo } from './paper-logo.ts'
import { forgetPayment } from './payment-cookie.ts'
import { factsOf, pathOf } from './payment-facts.ts'
import { isReceipt, type Paper, paidPaper } from './receipt-rows.ts'
import { resultPage } from './result.ts'
import { speiPage } from './spei.ts'
import { forgetTyped } from './typed.ts'
import { voucherPage } from './voucher.ts'

/** The page of a payment, by its public reference. */
export async function showPayment(c: Ctx, origins: HostedOrigins) {
  const services = c.get('services')
  const locale = localeOf(c)
  const publicId = c.req.param('publicId')!
  const found = await findPayment(services, origins, publicId, c.req.param('reference')!)
  if (!found) return showFree(c, origins, locale)
  const { onSale, payment } = found
  await lookAs(c, onSale)
  if (c.req.query('redirect_status') !== undefined) {
    // Back from the bank: the query is only a hint to read the payment. It is not trusted, and is removed from the
    // address.
    if (awaitsBank(found))
      await handlePaymentNotification({ services, requestId: c.get('requestId') }, origins, found.attempt.id)
    return c.redirect(withLocale(pathOf(found), locale), 303)
  }
  // Not paid yet: the next form continues this payment. In any other state its buyer may come back to see it.
  if (payment.status === 'requires_payment_method') forgetPayment(c, publicId, payment.publicId)
  if (isPaid(payment.status)) forgetTyped(c, publicId)
  const base = factsOf(c, found, locale)
  const now = new Date()
  const formPath = closedBecause(onSale, now) === null ? `/${publicId}` : null
  const { method } = payment
  const awaitsBuyer = payment.status === 'requires_action' && found.attempt.status === 'pending_customer'
  if (awaitsBuyer && hasFlow(method, 'bank_transfer'))
    return page(c, speiPage({ ...base, ...speiOf(found, formPath, now) }))
  if (awaitsBuyer && hasFlow(method, 'voucher'))
    return page(c, voucherPage({ ...base, method, ...voucherOf(found, formPath, now) }))
  const outcome = outcomeOf(found, formPath, () => challengeOf(found))
  // The form says why, and offers the other methods.
  if (outcome.state === 'declined' && outcome.retryPath)
    return c.redirect(withLocale(outcome.retryPath, locale), 303)
  const delivered = isPaid(payment.status) ? await deliveredOf(services.settings, found.granted, now) : []
  return page(c, resultPage({ ...base, ...outcome, delivered }))
}

/** The receipt of a paid payment as a file, or of an order that cost nothing; any other payment has its page alone. */
export async function showReceiptPdf(c: Ctx, origins: HostedOrigins) {
  const locale = localeOf(c)
  const reference = c.req.param('reference')!
  const found = await findPayment(c.get('services'), origins, c.req.param('publicId')!, reference)
  if (!found) {
    const paper = await freePaperAt(c, origins, locale)
    return paper ? asFile(c, paper) : state(c, { state: 'not_found' }, locale)
  }
  await lookAs(c, found.onSale)
  const view = { ...factsOf(c, found, locale), ...outcomeOf(found, null, () => challengeOf(found)) }
  if (!isReceipt(view)) return c.redirect(withLocale(pathOf(found), locale), 303)
  return asFile(c, paidPaper(view))
}

async function asFile(c: Ctx, paper: Paper) {
  const { receiptPdf } = await import('./receipt-pdf.ts')
  const file = await receiptPdf(paper, await paperLogo(c))
  return c.body(file.buffer as ArrayBuffer, 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="${folioOf(paper.reference)}.pdf"`,
  })
}

/**
 * The page where the buyer chooses another way to pay; a second voucher or CLABE is not offered while this one can be
 * paid.
 */
function otherPathOf({ onSale, payment }: PaymentOnPage, formPath: string | null, expired: boolean) {
  const choice = onSale.sale.methods.length > 1 || expired
  return choice && formPath ? `${formPath}?retry=${payment.publicId}` : null
}

function speiOf(found: PaymentOnPage, formPath: string | null, now: Date) {
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
    now,
    expiresAt,
    expired,
    toldUntil: attempt.graceEndsAt ?? expiresAt,
    otherPath: otherPathOf(found, formPath, expired),
  }
}

function voucherOf(found: PaymentOnPage, formPath: string | null, now: Date) {
  const { payment, attempt } = found
  const expiresAt = attempt.expiresAt ?? now
  const expired = expiresAt <= now
  return {
    description: payment.description,
    number: (payment.methodDetails as VoucherDetails).reference,
    now,
    expiresAt,
    expired,
    toldUntil: attempt.graceEndsAt ?? expiresAt,
    otherPath: otherPathOf(found, formPath, expired),
  }
}
