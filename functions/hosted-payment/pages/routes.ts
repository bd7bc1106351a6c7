import { Hono } from 'hono'
import { Problem } from '../../../src/http/problems.ts'
import type { Env } from '../../../src/http/router.ts'
import { continueAtBank, payAnotherWay } from './challenge.ts'
import { type Ctx, framed, localeOf, statePageOf as state } from './frame.ts'
import { again, showLink } from './link.ts'
import { withLocale } from './locale.ts'
import { showPayment } from './payment.ts'
import { review, submit } from './submitting.ts'

const linkPattern = '/:publicId{splink_[a-z0-9]{32}}'
const paymentPattern = `${linkPattern}/:reference{spcs_[a-z0-9]{32}}`
const nearlyALink = '/:publicId{splink_[^/]*}'

/** A known address with a method that it does not allow. */
const only = (allowed: string) => () => {
  throw new Problem('method_not_allowed', { headers: { Allow: allowed } })
}

/** The buyer's pages. GET reads and nothing else; money moves on POST of a form that carries a signed offer. */
export function buyerPages(): Hono<Env> {
  const app = new Hono<Env>()
  app.use(`${nearlyALink}/*`, ...framed)
  app.get(linkPattern, showLink)
  app.post(`${linkPattern}/review`, review)
  app.post(`${linkPattern}/attempts`, submit)
  app.get(paymentPattern, showPayment)
  app.get(`${paymentPattern}/bank`, continueAtBank)
  app.post(`${paymentPattern}/cancel`, payAnotherWay)
  // A form's target, opened by itself: a reload, a bookmark.
  app.get(`${linkPattern}/:step{review|attempts}`, (c) => again(c, localeOf(c), null))
  app.get(`${paymentPattern}/cancel`, (c: Ctx) =>
    c.redirect(withLocale(c.req.path.replace(/\/cancel$/, ''), localeOf(c)), 303),
  )
  for (const path of [linkPattern, paymentPattern, `${paymentPattern}/bank`]) app.all(path, only('GET, HEAD'))
  for (const path of [`${linkPattern}/:step{review|attempts}`, `${paymentPattern}/cancel`])
    app.all(path, only('GET, HEAD, POST'))
  app.all(`${nearlyALink}/*`, (c) => state(c, { state: 'not_found' }))
  return app
}
