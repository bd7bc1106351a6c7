import type { InvoiceRow } from './store.ts'

/** The record of a payment's invoice as the interface shows it. */
export const presentInvoice = (invoice: Omit<InvoiceRow, 'recordedOrder' | 'endedOrder'>) => ({
  id: invoice.id,
  object: 'payment_invoice' as const,
  status: invoice.status,
  payment_id: invoice.paymentId,
  folio: invoice.folio.toUpperCase(),
  kind: invoice.kind,
  replaces_id: invoice.replacesId,
  version: invoice.version,
  created_at: invoice.createdAt.toISOString(),
  updated_at: invoice.updatedAt.toISOString(),
})
