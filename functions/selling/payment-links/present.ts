import { linesAlone, presentOrder } from '../../order/lines/api-pure.ts'
import { presentCollected, presentCollects, presentKnown, presentTerms } from '../../order/sales/api-pure.ts'
import { boughtOf } from './lines.ts'
import type { LinkRow, TemplateRow } from './store.ts'

/** What a link of several lines sells. */
function presentLines(link: LinkRow) {
  const bought = boughtOf(link)
  const { line_items, discounts, allows_discount_codes, shipping_options, tips, amount } = presentOrder(
    bought ?? linesAlone([]),
  )
  const plain = line_items.map(({ measured: _, modifiers: __, ...line }) => line)
  const sold = { line_items: plain, discounts, allows_discount_codes, shipping_options, tips }
  return { ...sold, amount: bought && amount }
}

/** The link as the API shows it. `linkBaseUrl` is host and port, without a scheme. */
export function presentLink(link: LinkRow, linkBaseUrl: string) {
  const isSingle = link.usage === 'single_use'
  const usesCount = Math.max(link.paidCount, Number(link.checkoutSessionRef !== null))
  return {
    id: link.id,
    object: 'payment_link' as const,
    public_id: link.publicId,
    url: `https://${linkBaseUrl}/${link.publicId}`,
    status: link.status,
    usage: link.usage,
    amount_source: link.amountSource,
    // Bounded far below 2^53 by the largest amount that a link may ask for.
    manual_amount:
      link.amountSource === 'manual_amount' && link.buyerAmount === null ? Number(link.amountMinor) : null,
    buyer_amount: link.buyerAmount && { ...link.buyerAmount },
    adjustable_quantity:
      link.quantityMin === null || link.quantityMax === null
        ? null
        : { min: link.quantityMin, max: link.quantityMax },
    currency: link.currency,
    catalog_line_item_snapshot: link.catalogLineItemSnapshot && { ...link.catalogLineItemSnapshot },
    ...presentLines(link),
    description: link.description,
    ...presentTerms(link),
    success_url: link.successUrl,
    success_message: link.successMessage,
    payer_email_domains: link.payerEmailDomains && [...link.payerEmailDomains],
    collects: presentCollects(link.collects),
    collected: presentCollected(link.collected),
    has_password: link.passwordHash !== null,
    checkout_session_ref: link.checkoutSessionRef ?? link.liveRef,
    uses_max: isSingle ? 1 : link.usesMax,
    uses_count: usesCount,
    uses_held_count: link.usesMax === null ? null : link.heldCount,
    views_count: link.viewsCount,
    conversion_bps: link.viewsCount === 0 ? null : Math.round((usesCount * 10_000) / link.viewsCount),
    starts_at: link.startsAt?.toISOString() ?? null,
    expires_at: link.expiresAt?.toISOString() ?? null,
    revoked_at: link.revokedAt?.toISOString() ?? null,
    client_reference_id: link.clientReferenceId,
    customer_id: link.customerId,
    ...presentKnown(link),
    metadata: link.metadata,
    location_id: link.locationId,
    template_ref: link.templateId,
    policy_version: String(link.policyVersion),
    version: link.version,
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  }
}

/** A template as the interface shows it. */
export const presentTemplate = (template: TemplateRow) => ({
  id: template.id,
  object: 'payment_link_template' as const,
  name: template.name,
  settings: { ...template.settings },
  version: template.version,
  created_at: template.createdAt.toISOString(),
  updated_at: template.updatedAt.toISOString(),
})
