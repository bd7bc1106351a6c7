import { limitRate, networkOfCaller } from '../../../../../src/http/stages/rate-limit.ts'
import { folioOf } from '../../../../../src/kernel/folio.ts'
import { withLocale } from '../../../../../src/kernel/locale.ts'
import { isPush } from '../../../../../src/kernel/payment-methods.ts'
import { isPayerKey } from '../../../../account/mails/api.ts'
import { deliveredOf } from '../../../../goods/entitlements/api.ts'
import { awaitsBank, handlePaymentNotification, type PaymentRow } from '../../../../money/payments/api.ts'
import { closedBecause, findPayment, isPaid } from '../../checkout-flow.ts'
import type { HostedOrigins } from '../../hosted-origin.ts'
import { type Ctx, localeOf, page, statePageOf as state } from '../frame/frame.ts'
import { lookAs } from '../frame/look.ts'
import { forgetTyped } from '../pay/typed.ts'
import { waitingPage } from '../waiting/waiting.ts'
import { challengeOf } from './challenge.ts'
import { freePaperAt, showFree } from './free-receipt.ts'
import { outcomeOf } from './outcome.ts'
import { paperLogo } from './paper-logo.ts'
import { forgetPayment, isPayerHere, rememberPayment } from './payment-cookie.ts'
import { factsOf, pathOf } from './payment-facts.ts'
import { isReceipt, type Paper, paidPaper } from './receipt-rows.ts'
import { resultPage } from './result.ts'

/** The page of a payment, by its public reference. */
export async function showPayment(c: Ctx, origins: HostedOrigins) {
  const services = c.get('services')
  const locale = localeOf(c)
  const publicId = c.req.param('publicId')!
  const reference = c.req.param('reference')!
  const isPayers = await isPayerHere(c, reference)
  const found = await findPayment(services, origins, { publicId, reference, isPayers })
  if (!found) return showFree(c, origins, locale)
  const { onSale, payment, taxData } = found
  await lookAs(c, onSale)
  const key = c.req.query('key')
  if (key !== undefined) {
    // From a mail to its buyer: this browser is the payer's from now on. The key is removed from the address.
    if (await isPayerKey(services.settings.authSecrets, payment.publicId, key))
      await rememberPayment(c, publicId, payment.publicId)
    return c.redirect(withLocale(pathOf(found), locale), 303)
  }
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
  const waiting = waitingPage(base, found, now)
  if (waiting) return page(c, waiting)
  const isNext = c.req.query('bank') === 'next'
  const outcome = outcomeOf(found, formPath, () => challengeOf(found, { isNext }))
  // The form says why, and offers the other methods.
  if (outcome.state === 'declined' && outcome.retryPath)
    return c.redirect(withLocale(outcome.retryPath, locale), 303)
  const isShown = isPaid(payment.status) && isForPayer(payment, isPayers)
  const delivered = isShown ? await deliveredOf(services.settings, found.granted, now) : []
  return page(
    c,
    resultPage({ ...base, ...outcome, taxData, delivered, isWithheld: isPaid(payment.status) && !isShown }),
  )
}

/**
 * Whether this browser may have what was bought and the receipt as a file. A voucher or CLABE is shown to be paid, also
 * by others, so its address alone is not enough: the payer's browser has the cookie, from the form or from a mail's link.
 */
const isForPayer = (payment: PaymentRow, isPayers: boolean): boolean => !isPush(payment) || isPayers

/** The receipt of a paid payment as a file, or of an order that cost nothing; any other payment has its page alone. */
export async function showReceiptPdf(c: Ctx, origins: HostedOrigins) {
  const locale = localeOf(c)
  const reference = c.req.param('reference')!
  const isPayers = await isPayerHere(c, reference)
  const at = { publicId: c.req.param('publicId')!, reference, isPayers }
  const found = await findPayment(c.get('services'), origins, at)
  if (!found) {
    const paper = await freePaperAt(c, origins, locale)
    return paper ? asFile(c, paper) : state(c, { state: 'not_found' }, locale)
  }
  await lookAs(c, found.onSale)
  const view = { ...factsOf(c, found, locale), ...outcomeOf(found, null, () => challengeOf(found)) }
  if (!isReceipt(view) || !isForPayer(found.payment, isPayers))
    return c.redirect(withLocale(pathOf(found), locale), 303)
  return asFile(c, paidPaper({ ...view, taxData: found.taxData }))
}

/** Drawing takes as much CPU as checking a password, so it counts like one. */
async function asFile(c: Ctx, paper: Paper) {
  await limitRate(c.env, 'auth', `${networkOfCaller(c)} ${c.req.param('publicId')} file`)
  const { receiptPdf } = await import('./receipt-pdf.ts')
  const file = await receiptPdf(paper, await paperLogo(c))
  return c.body(file.buffer as ArrayBuffer, 200, {
    'Content-Type': 'application/pdf',
    'Content-Disposition': `attachment; filename="${folioOf(paper.reference)}.pdf"`,
  })
}
