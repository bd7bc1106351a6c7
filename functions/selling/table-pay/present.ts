import type { ExternalPaymentRow, SessionRow, ShownLine, TableRow } from './store.ts'

/** A table as the interface shows it. `linkBaseUrl` is host and port, without a scheme. */
export const presentTable = (table: TableRow, { linkBaseUrl }: { readonly linkBaseUrl: string }) => ({
  id: table.id,
  object: 'dining_table' as const,
  public_id: table.publicId,
  url: tableUrl(table, linkBaseUrl),
  status: table.status,
  name: table.name,
  seats_count: table.seatsCount,
  location_id: table.locationId,
  metadata: table.metadata,
  version: table.version,
  created_at: table.createdAt.toISOString(),
  updated_at: table.updatedAt.toISOString(),
})

/** Where its printed code leads: to the bill that is open then. */
export const tableUrl = ({ publicId }: Pick<TableRow, 'publicId'>, linkBaseUrl: string) =>
  `https://${linkBaseUrl}/m/${publicId}`

const presentLine = ({ version: _, ...line }: ShownLine) => line

/** How much of it is paid, as one word. */
function paymentStatusOf({ totalMinor, paidMinor }: SessionRow) {
  if (paidMinor === 0n) return 'unpaid' as const
  return paidMinor < totalMinor ? ('partly_paid' as const) : ('paid' as const)
}

/** A bill as the interface shows it. */
export const presentSession = (session: SessionRow, { linkBaseUrl }: { readonly linkBaseUrl: string }) => ({
  id: session.id,
  object: 'table_session' as const,
  public_id: session.publicId,
  url: `https://${linkBaseUrl}/${session.publicId}`,
  status: session.status,
  payment_status: paymentStatusOf(session),
  table_id: session.tableId,
  name: session.name,
  guests_count: session.guestsCount,
  waiter_id: session.waiterId,
  currency: session.currency,
  line_items: session.lines.map(presentLine),
  amount_subtotal: (session.totalMinor + session.discountMinor).toString(),
  amount_discount: session.discountMinor.toString(),
  amount: session.totalMinor.toString(),
  amount_held: session.heldMinor.toString(),
  amount_paid: session.paidMinor.toString(),
  amount_due: (session.totalMinor - session.heldMinor - session.paidMinor).toString(),
  amount_tips: session.tipsMinor.toString(),
  tips: session.tipOptions && { ...session.tipOptions, presets_bps: [...session.tipOptions.presets_bps] },
  has_pin: session.pinHash !== null,
  payment_method_types: session.paymentMethodTypes,
  client_reference_id: session.clientReferenceId,
  location_id: session.locationId,
  metadata: session.metadata,
  policy_version: String(session.policyVersion),
  closed_at: session.closedAt?.toISOString() ?? null,
  merged_into: session.mergedInto,
  version: session.version,
  created_at: session.createdAt.toISOString(),
  updated_at: session.updatedAt.toISOString(),
})

/** What was paid outside of Spindle, as the interface shows it. */
export const presentExternalPayment = (payment: ExternalPaymentRow) => ({
  id: payment.id,
  object: 'table_external_payment' as const,
  status: payment.status,
  table_session_id: payment.sessionId,
  method: payment.method,
  amount: payment.amountMinor.toString(),
  amount_tip: payment.tipMinor.toString(),
  waiter_id: payment.waiterId,
  note: payment.note,
  version: payment.version,
  created_at: payment.createdAt.toISOString(),
  updated_at: payment.updatedAt.toISOString(),
})
