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
  const from =
    <Name extends string>(load: () => Promise<Readonly<Record<NoInfer<Name>, Page>>>, name: Name) =>
    async (c: Ctx) => {
      const [pages, origins] = await Promise.all([load(), sold.at(c.req.param('publicId')!)])
      return pages[name](c, origins)
    }

  const app = new Hono<Env>()
  app.use(`${nearlyASale}/*`, ...framed)
  app.get(salePattern, from(form, 'showForm'))
  app.get(
    `${salePattern}/status`,
    from(() => import('./waiting/status.ts'), 'showStatus'),
  )
  app.post(`${salePattern}/review`, from(submitting, 'review'))
  app.post(`${salePattern}/attempts`, from(submitting, 'submit'))
  app.post(
    `${salePattern}/complete`,
    from(() => import('./pay/completing.ts'), 'completeOrder'),
  )
  app.post(`${salePattern}/recovery`, from(recovering, 'consentToMail'))
  app.get(recoverPattern, from(recovering, 'showRecovery'))
  app.post(recoverPattern, from(recovering, 'openRecovery'))
  app.post(
    `${salePattern}/order`,
    from(() => import('./pay/ordering.ts'), 'adjustOrder'),
  )
  app.post(
    `${salePattern}/unlock`,
    from(() => import('./pay/password.ts'), 'unlock'),
  )
  app.get(paymentPattern, from(result, 'showPayment'))
  app.get(`${paymentPattern}/receipt.pdf`, from(result, 'showReceiptPdf'))
  app.get(`${paymentPattern}/bank`, from(challenge, 'continueAtBank'))
  app.post(`${paymentPattern}/cancel`, from(challenge, 'payAnotherWay'))
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
