import { presentTerms } from '../hosted-payment/api-pure.ts'
import type { LinkRow } from './store.ts'

/** The link as the API shows it. `linkBaseUrl` is host and port, without a scheme. */
export function presentLink(link: LinkRow, linkBaseUrl: string) {
  return {
    id: link.id,
    object: 'payment_link' as const,
    public_id: link.publicId,
    url: `https://${linkBaseUrl}/${link.publicId}`,
    status: link.status,
    usage: link.usage,
    amount_source: link.amountSource,
    // Bounded far below 2^53 by the largest amount that a link may ask for.
    manual_amount: link.amountSource === 'manual_amount' ? Number(link.amountMinor) : null,
    currency: link.currency,
    catalog_line_item_snapshot: link.catalogLineItemSnapshot && { ...link.catalogLineItemSnapshot },
    description: link.description,
    ...presentTerms(link),
    checkout_session_ref: link.checkoutSessionRef,
    expires_at: link.expiresAt?.toISOString() ?? null,
    revoked_at: link.revokedAt?.toISOString() ?? null,
    client_reference_id: link.clientReferenceId,
    customer_id: link.customerId,
    metadata: link.metadata,
    location_id: link.locationId,
    policy_version: String(link.policyVersion),
    version: link.version,
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  }
}
