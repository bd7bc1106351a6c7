import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { invoiceLifecycle } from './lifecycle.ts'

const unmade = 'a merchant records it, with the folio of a CFDI that was issued elsewhere'

export const area: Declaration = {
  routes: [{ at: ['/v1/payment-operations/invoices'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 62,
      name: 'Invoices',
      description:
        'Which CFDI a payment is in, as you recorded it. CFDIs are issued elsewhere; the report `cfdi.pending` lists payments without one.',
    },
  ],
  nouns: { invoices: 'invoice of a payment' },
  lifecycles: [invoiceLifecycle],
  events: {
    payment_invoice: {
      scopes: ['reporting:read'],
      shownBy: 'payment_invoices.get',
      types: {
        recorded: { says: 'The CFDI that a payment is in was recorded.', unmade },
        replaced: { says: 'A payment is in another CFDI: this record has another in its place.', unmade },
        removed: { says: 'A payment is in no CFDI any more: the record was removed.', unmade },
      },
    },
  },
  errors,
  constraints: {
    payment_invoices_payment: { code: 'payment_not_found', param: 'payment_id' },
    payment_invoices_captured: { code: 'payment_uncaptured', param: 'payment_id' },
    payment_invoices_one_live: { code: 'payment_invoiced', param: 'payment_id' },
    payment_invoices_one_kind: { code: 'payment_invoice_kind_differs', param: 'kind' },
    payment_invoices_one_replacement: 'stale',
  },
  samples: {
    'payment_invoices.record': { other: { kind: 'global' } },
    'payment_invoices.replace': { other: { kind: 'global' } },
  },
}
