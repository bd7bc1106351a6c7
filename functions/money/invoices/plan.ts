import { paymentInvoices } from '../../../drizzle/schema/payment-invoices.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { changesOf, newRow } from '../../../src/kernel/changes.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { presentInvoice } from './present.ts'
import type { InvoiceRow } from './store.ts'

const { created, changed } = changesOf(paymentInvoices, 'payment_invoice', presentInvoice)

type Asked = Pick<InvoiceRow, 'paymentId' | 'folio' | 'kind' | 'replacesId'>

/** The database fills in its transaction. */
const recorded = (asked: Asked, clock: Clock) =>
  created(
    { ...newRow(clock), ...asked, status: 'live', recordedOrder: 0n, endedOrder: null },
    'payment_invoice.recorded',
    clock,
  )

export const planRecord = (
  { payment_id: paymentId, folio, kind }: BodyOf<typeof contracts.record>,
  clock: Clock,
) => recorded({ paymentId, folio, kind, replacesId: null }, clock)

export function planReplace(
  invoice: InvoiceRow,
  { folio, kind }: BodyOf<typeof contracts.replace>,
  clock: Clock,
) {
  if (invoice.status !== 'live') return refuse('payment_invoice_ended')
  const ended = changed(invoice, { status: 'replaced' }, 'payment_invoice.replaced', clock)
  const next = recorded({ paymentId: invoice.paymentId, folio, kind, replacesId: invoice.id }, clock)
  return {
    ...next,
    writes: [...ended.writes, ...next.writes],
    events: [...ended.events, ...next.events],
  } satisfies Plan<unknown>
}

export const planRemove = (invoice: InvoiceRow, clock: Clock) =>
  invoice.status === 'live'
    ? changed(invoice, { status: 'removed' }, 'payment_invoice.removed', clock)
    : refuse('payment_invoice_ended')
