import { pagePath } from '../../goods/digital-catalogs/api-pure.ts'
import { type DiscountRow, presentOrder } from '../../order/lines/api-pure.ts'
import { presentCollected, presentCollects, presentKnown, presentTerms } from '../../order/sales/api-pure.ts'
import type { SessionRow, SettingsRow } from './store.ts'

/** `pending`: a payment is under way, or a voucher or CLABE waits. */
function paymentStatusOf({ status, amountMinor, livePaymentId }: SessionRow) {
  if (amountMinor === 0n) return 'no_payment_required' as const
  if (status === 'complete') return 'paid' as const
  return livePaymentId === null ? ('unpaid' as const) : ('pending' as const)
}

/** The session as the interface shows it. `linkBaseUrl` is host and port, without a scheme. */
export const presentSession = (session: SessionRow, linkBaseUrl: string) => ({
  id: session.id,
  object: 'checkout_session' as const,
  public_id: session.publicId,
  url: `https://${linkBaseUrl}/${session.publicId}`,
  status: session.status,
  payment_status: paymentStatusOf(session),
  payment_id: session.paymentId ?? session.livePaymentId,
  ui_mode: session.uiMode,
  ...presentOrder(session),
  currency: session.currency,
  ...presentTerms(session),
  collects: presentCollects(session.collects),
  collected: presentCollected(session.collected),
  description: session.description,
  success_url: session.successUrl,
  cancel_url:
    session.cancelUrl ??
    (session.catalogPublicId && `https://${linkBaseUrl}${pagePath(session.catalogPublicId)}`),
  recovery: session.recovery && { ...session.recovery },
  recovered_from: session.recoveredFrom,
  origin: session.catalogPublicId
    ? { surface: 'catalog' as const, ref: session.catalogPublicId }
    : { surface: 'api' as const, ref: null },
  client_reference_id: session.clientReferenceId,
  customer_id: session.customerId,
  ...presentKnown(session),
  metadata: session.metadata,
  location_id: session.locationId,
  policy_version: String(session.policyVersion),
  expires_at: session.expiresAt.toISOString(),
  completed_at: session.completedAt?.toISOString() ?? null,
  version: session.version,
  created_at: session.createdAt.toISOString(),
  updated_at: session.updatedAt.toISOString(),
})

/** The settings as the interface shows them. */
export const presentSettings = (settings: SettingsRow | undefined) => ({
  id: settings?.id ?? null,
  object: 'checkout_settings' as const,
  return_origins: [...(settings?.returnOrigins ?? [])],
  version: settings?.version ?? 0,
  updated_at: settings?.updatedAt.toISOString() ?? null,
})

/** A discount as the interface shows it. */
export const presentDiscount = (discount: DiscountRow) => ({
  id: discount.id,
  object: 'discount' as const,
  code: discount.code,
  active: discount.isActive,
  amount_off: discount.amountOffMinor?.toString() ?? null,
  percent_off_bps: discount.percentOffBps,
  currency: discount.currency,
  amount_min: discount.subtotalMinorMin?.toString() ?? null,
  uses_max: discount.usesMax,
  uses_per_customer_max: discount.usesPerCustomerMax,
  starts_at: discount.startsAt?.toISOString() ?? null,
  ends_at: discount.endsAt?.toISOString() ?? null,
  uses_count: discount.uses,
  version: discount.version,
  created_at: discount.createdAt.toISOString(),
  updated_at: discount.updatedAt.toISOString(),
})
