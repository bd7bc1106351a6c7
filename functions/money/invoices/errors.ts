import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  payment_invoice_not_found: problem(
    404,
    'There is no such record of an invoice.',
    'List the records for their ids.',
  ),
  payment_invoiced: problem(
    409,
    'The payment is in a CFDI already.',
    'List the records of this payment, and replace or remove the one that is `live`.',
  ),
  payment_invoice_kind_differs: problem(
    409,
    'This CFDI is recorded with the other kind.',
    'List the records of this folio: a CFDI is individual or global for all of its payments. Remove those that are wrong.',
  ),
  payment_invoice_ended: problem(
    409,
    'The record was replaced or removed.',
    'Record the CFDI that the payment is in now, or change the record that is `live`.',
  ),
  payment_uncaptured: problem(
    422,
    'Nothing of this payment was captured.',
    'Record its CFDI once the payment is paid.',
  ),
}
