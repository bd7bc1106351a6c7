import { keepFile, keptFile } from '../../../../../src/platform/page-cache.ts'
import { closedBecause, findSale } from '../../checkout-flow.ts'
import type { HostedOrigins, Sale } from '../../hosted-origin.ts'
import type { Quote } from '../../sealed-quote.ts'
import type { Ctx } from '../frame/frame.ts'
import { isHolder } from '../result/holder.ts'
import { paymentHere } from '../result/payment-cookie.ts'

/** Changes with anything that a buyer's page shows of the terms, and with what it asks. */
export const termsTag = ({
  termsVersion,
  policyVersion,
  asksVersion,
}: Pick<Sale | Quote, 'termsVersion' | 'policyVersion' | 'asksVersion'>) =>
  [termsVersion, policyVersion, asksVersion].join('.')

/** The same of a page on which a part is chosen: it changes with what other buyers pay, too. */
export const partsTag = (sale: Sale) => `${termsTag(sale)}.${sale.shared?.followed ?? 0}`

/** How long a data center keeps the answer that nothing has changed; and what others pay. */
const keptSeconds = 15
const keptPartsSeconds = 5

/**
 * What an open page asks for while it is looked at: whether the sale still takes a payment, and under which terms. Names
 * neither the merchant nor a buyer. One trip; none where this data center has lately
 * answered another page with the same `terms` that nothing has changed.
 */
export async function showStatus(c: Ctx, origins: HostedOrigins) {
  const { settings } = c.get('services')
  const publicId = c.req.param('publicId')!
  const shown = c.req.query('terms') ?? ''
  const isOfParts = /^(\d{1,9}\.){3}\d{1,9}$/.test(shown)
  const address =
    isOfParts || /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(shown)
      ? `https://${settings.linkBaseUrl}/${publicId}/status?terms=${shown}`
      : null
  const unchanged = { state: 'open', terms: shown }
  if (address && (await keptFile(address))) return c.json(unchanged)
  const found = await findSale(c.get('services'), origins, publicId, { began: paymentHere(c) })
  if (!found) return c.json({ state: 'not_found' }, 404)
  const now = new Date()
  const { sale } = found.onSale
  const [why, terms] = [closedBecause(found.onSale, now), (isOfParts ? partsTag : termsTag)(sale)]
  if (why !== null) return c.json({ state: (await isHolder(c, found, why)) ? 'open' : 'closed', terms })
  const leftSeconds = sale.expiresAt
    ? Math.floor((sale.expiresAt.getTime() - now.getTime()) / 1000)
    : keptSeconds
  const seconds = Math.min(isOfParts ? keptPartsSeconds : keptSeconds, leftSeconds)
  if (address && terms === shown && seconds > 0) {
    const kept = Response.json(unchanged, { headers: { 'Cache-Control': `public, max-age=${seconds}` } })
    c.executionCtx.waitUntil(keepFile(address, kept).catch(() => {}))
  }
  return c.json({ state: 'open', terms })
}
