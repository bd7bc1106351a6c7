import { presentTerms } from '../hosted-payment/api-pure.ts'
import type { SessionRow, SettingsRow } from './store.ts'

/** `pending`: a payment is under way, or a voucher or CLABE waits. */
function paymentStatusOf({ status, livePaymentId }: SessionRow) {
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
  line_items: session.lines.map((line) => ({ ...line })),
  amount: session.amountMinor.toString(),
  amount_tax:
    session.lines.length === 0
      ? null
      : session.lines.reduce((sum, { amount_tax }) => sum + BigInt(amount_tax), 0n).toString(),
  currency: session.currency,
  ...presentTerms(session),
  description: session.description,
  success_url: session.successUrl,
  cancel_url: session.cancelUrl,
  client_reference_id: session.clientReferenceId,
  customer_id: session.customerId,
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
