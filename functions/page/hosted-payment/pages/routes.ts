import { Hono } from '../../../../src/http/hono.ts'
import { Problem } from '../../../../src/http/problems.ts'
import type { Env } from '../../../../src/http/router.ts'
import { withLocale } from '../../../../src/kernel/locale.ts'
import type { HostedOrigins, SoldHere } from '../hosted-origin.ts'
import { type Ctx, framed, localeOf, statePageOf as state } from './frame/frame.ts'

/** A known address with a method that it does not allow. */
const only = (allowed: string) => () => {
  throw new Problem('method_not_allowed', { headers: { Allow: allowed } })
}

type Page = (c: Ctx, origins: HostedOrigins) => Response | Promise<Response>

const recovering = () => import('./mailed/recovering.ts')
const form = () => import('./pay/form.ts')
const submitting = () => import('./pay/submitting.ts')
const challenge = () => import('./result/challenge.ts')
const result = () => import('./result/payment.ts')

/**
 * The buyer's pages of every origin, at its public ids. GET reads and nothing else; money moves on POST of a form that
 * carries a sealed quote. A page and what sells are loaded with the first request for them.
 */
export async function buyerPages(sold: SoldHere): Promise<Hono<Env>> {
  const prefixes = (await sold.facts()).map(({ publicIdPrefix }) => publicIdPrefix)
  const salePattern = `/:publicId{(?:${prefixes.join('|')})_[a-z0-9]{32}}`
  const paymentPattern = `${salePattern}/:reference{spcs_[a-z0-9]{32}}`
  const recoverPattern = `${salePattern}/recover/:token{[0-9a-f.-]{1,120}}`
  const nearlyASale = `/:publicId{(?:${prefixes.join('|')})_[^/]*}`
  const from = (load: () => Promise<Page>) => async (c: Ctx) => {
    const [page, origins] = await Promise.all([load(), sold.at(c.req.param('publicId')!)])
    return page(c, origins)
  }

  const app = new Hono<Env>()
  app.use(`${nearlyASale}/*`, ...framed)
  app.get(
    salePattern,
    from(async () => (await form()).showForm),
  )
  app.get(
    `${salePattern}/status`,
    from(async () => (await import('./waiting/status.ts')).showStatus),
  )
  app.post(
    `${salePattern}/review`,
    from(async () => (await submitting()).review),
  )
  app.post(
    `${salePattern}/attempts`,
    from(async () => (await submitting()).submit),
  )
  app.post(
    `${salePattern}/complete`,
    from(async () => (await import('./pay/completing.ts')).completeOrder),
  )
  app.post(
    `${salePattern}/recovery`,
    from(async () => (await recovering()).consentToMail),
  )
  app.get(
    recoverPattern,
    from(async () => (await recovering()).showRecovery),
  )
  app.post(
    recoverPattern,
    from(async () => (await recovering()).openRecovery),
  )
  app.post(
    `${salePattern}/order`,
    from(async () => (await import('./pay/ordering.ts')).adjustOrder),
  )
  app.post(
    `${salePattern}/unlock`,
    from(async () => (await import('./pay/password.ts')).unlock),
  )
  app.get(
    paymentPattern,
    from(async () => (await result()).showPayment),
  )
  app.get(
    `${paymentPattern}/receipt.pdf`,
    from(async () => (await result()).showReceiptPdf),
  )
  app.get(
    `${paymentPattern}/bank`,
    from(async () => (await challenge()).continueAtBank),
  )
  app.post(
    `${paymentPattern}/cancel`,
    from(async () => (await challenge()).payAnotherWay),
  )
  // A form's target, opened by itself: a reload, a bookmark.
  app.get(`${salePattern}/:step{review|attempts|complete|recovery|order|unlock}`, async (c) =>
    (await form()).again(c, localeOf(c), null),
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
