import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import type { HostedOrigins } from '../hosted-origin.ts'
import { type Ctx, framed, localeOf, statePageOf as state } from './frame/frame.ts'
import { consentToMail, openRecovery, showRecovery } from './mailed/recovering.ts'
import { completeOrder } from './pay/completing.ts'
import { again, showForm } from './pay/form.ts'
import { adjustOrder } from './pay/ordering.ts'
import { unlock } from './pay/password.ts'
import { review, submit } from './pay/submitting.ts'
import { continueAtBank, payAnotherWay } from './result/challenge.ts'
import { showPayment, showReceiptPdf } from './result/payment.ts'
import { showStatus } from './waiting/status.ts'

/** A known address with a method that it does not allow. */
const only = (allowed: string) => () => {
  throw new Problem('method_not_allowed', { headers: { Allow: allowed } })
}

/**
 * The buyer's pages of every origin, at its public ids. GET reads and nothing else; money moves on POST of a form that
 * carries a sealed quote.
 */
export function buyerPages(origins: HostedOrigins): Hono<Env> {
  const prefixes = Object.values(origins).map(({ publicIdPrefix }) => publicIdPrefix)
  const salePattern = `/:publicId{(?:${prefixes.join('|')})_[a-z0-9]{32}}`
  const paymentPattern = `${salePattern}/:reference{spcs_[a-z0-9]{32}}`
  const recoverPattern = `${salePattern}/recover/:token{[0-9a-f.-]{1,120}}`
  const nearlyASale = `/:publicId{(?:${prefixes.join('|')})_[^/]*}`
  const from = (page: (c: Ctx, origins: HostedOrigins) => Response | Promise<Response>) => (c: Ctx) =>
    page(c, origins)

  const app = new Hono<Env>()
  app.use(`${nearlyASale}/*`, ...framed)
  app.get(salePattern, from(showForm))
  app.get(`${salePattern}/status`, from(showStatus))
  app.post(`${salePattern}/review`, from(review))
  app.post(`${salePattern}/attempts`, from(submit))
  app.post(`${salePattern}/complete`, from(completeOrder))
  app.post(`${salePattern}/recovery`, from(consentToMail))
  app.get(recoverPattern, from(showRecovery))
  app.post(recoverPattern, from(openRecovery))
  app.post(`${salePattern}/order`, from(adjustOrder))
  app.post(`${salePattern}/unlock`, from(unlock))
  app.get(paymentPattern, from(showPayment))
  app.get(`${paymentPattern}/receipt.pdf`, from(showReceiptPdf))
  app.get(`${paymentPattern}/bank`, from(continueAtBank))
  app.post(`${paymentPattern}/cancel`, from(payAnotherWay))
  // A form's target, opened by itself: a reload, a bookmark.
  app.get(`${salePattern}/:step{review|attempts|complete|recovery|order|unlock}`, (c) =>
    again(c, localeOf(c), null),
  )
  app.get(`${paymentPattern}/cancel`, (c: Ctx) =>
    c.redirect(withLocale(c.req.path.replace(/\/cancel$/, ''), localeOf(c)), 303),
  )
  for (const path of [
    salePattern,
    `${salePattern}/status`,
    paymentPattern,
    `${paymentPattern}/bank`,
    `${paymentPattern}/receipt.pdf`,
  ])
    app.all(path, only('GET, HEAD'))
  for (const path of [
    `${salePattern}/:step{review|attempts|complete|recovery|order|unlock}`,
    `${paymentPattern}/cancel`,
  ])
    app.all(path, only('GET, HEAD, POST'))
  app.all(recoverPattern, only('GET, HEAD, POST'))
  app.all(`${nearlyASale}/*`, (c) => state(c, { state: 'not_found' }))
  return app
}
