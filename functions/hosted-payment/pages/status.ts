import { closedBecause, findSale } from '../checkout-flow.ts'
import type { HostedOrigins, Sale } from '../hosted-origin.ts'
import type { Quote } from '../signed-quote.ts'
import type { Ctx } from './frame.ts'

/** Changes with anything that a buyer's page shows of the terms, and with what it asks. */
export const termsTag = ({
  termsVersion,
  policyVersion,
  asksVersion,
}: Pick<Sale | Quote, 'termsVersion' | 'policyVersion' | 'asksVersion'>) =>
  [termsVersion, policyVersion, asksVersion].join('.')

/**
 * What an open page asks for while it is looked at: whether the sale still takes a payment, and under which terms. Names
 * neither the merchant nor a buyer. One trip.
 */
export async function showStatus(c: Ctx, origins: HostedOrigins) {
  const found = await findSale(c.get('services'), origins, c.req.param('publicId')!, null)
  if (!found) return c.json({ state: 'not_found' }, 404)
  const why = closedBecause(found.onSale, new Date())
  return c.json({ state: why === null ? 'open' : 'closed', terms: termsTag(found.onSale.sale) })
}
