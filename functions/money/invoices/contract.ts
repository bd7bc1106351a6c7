import * as z from 'zod'
import { paymentInvoices } from '../../../drizzle/schema/payment-invoices.ts'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { textOf, uuid } from '../../../src/http/schemas.ts'

const folio = textOf(
  /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  'must be the fiscal folio of a CFDI, like 6F9619FF-8B86-4D01-B42D-00C04FC964FF',
)
const folioText = 'The fiscal folio (UUID) of the CFDI, in capital letters as the SAT writes it.'

const asked = {
  folio: folio.describe('The fiscal folio (UUID) of the CFDI, in letters of either case.'),
  kind: z
    .enum(paymentInvoices.kind.enumValues)
    .describe(
      '`individual`: to a buyer, of one payment or of several for one sale. `global`: of sales to the general public, of which it has many.',
    ),
}

const Invoice = shown('payment_invoice', {
  status: z
    .enum(paymentInvoices.status.enumValues)
    .describe('`live`: the payment is in this CFDI. `replaced` and `removed` ones are kept.'),
  payment_id: uuid.describe('The payment.'),
  folio: z.string().describe(folioText),
  kind: asked.kind,
  replaces_id: uuid.nullable().describe('The record that this one took the place of; null: of none.'),
}).meta({ id: 'PaymentInvoice' })

const body = { folio: '6F9619FF-8B86-4D01-B42D-00C04FC964FF', kind: 'individual' } as const
const ofPayment = { payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002', ...body }
const example = exampleOf('payment_invoice', '0190a6d2-7c3e-7b1a-9f00-0000000000c1', {
  status: 'live' as const,
  ...ofPayment,
  replaces_id: null,
})

const invoices = resource({
  tag: 'Invoices',
  path: '/v1/payment-operations/invoices',
  reads: { api_key: { scopes: ['reporting:read'] } },
  writes: { api_key: { scopes: ['workspace:write'] } },
  tables: ['payment_invoices'],
  notFound: 'payment_invoice_not_found',
  versioned: true,
  schema: Invoice,
  example,
})

export const record = invoices.create({
  id: 'payment_invoices.record',
  summary: 'Record the invoice of a payment',
  description:
    'That a captured payment is in a CFDI which you issued elsewhere: none is issued here, and the SAT is not asked about it. A payment is in one; a CFDI of several payments is recorded for each of them, with one kind.',
  body: z.strictObject({ payment_id: uuid.describe('The payment.'), ...asked }),
  errors: ['payment_not_found', 'payment_uncaptured', 'payment_invoiced', 'payment_invoice_kind_differs'],
  example: ofPayment,
})

export const list = invoices.list({
  id: 'payment_invoices.list',
  summary: 'List the invoices of payments',
  filters: {
    payment_id: uuid.optional().describe('Only records of this payment.'),
    folio: folio.optional().describe('Only records of this CFDI.'),
    status: z.enum(paymentInvoices.status.enumValues).optional().describe('Only what has this status.'),
  },
})

export const get = invoices.get({ id: 'payment_invoices.get', summary: 'Get the invoice of a payment' })

export const replace = contract({
  ...invoices.writing,
  ...invoices.one,
  id: 'payment_invoices.replace',
  path: '/v1/payment-operations/invoices/:id/replace',
  summary: 'Replace the invoice of a payment',
  description:
    'The payment is in another CFDI now: an individual one in place of the global one, or the one that corrects it. The reply is the new record.',
  tables: ['payment_invoices'],
  versioned: true,
  body: z.strictObject(asked),
  location: '/v1/payment-operations/invoices/:id',
  reply: { status: 201, schema: Invoice },
  errors: ['payment_invoice_not_found', 'payment_invoice_ended', 'payment_invoice_kind_differs'],
  example: {
    body,
    reply: { ...example, id: '0190a6d2-7c3e-7b1a-9f00-0000000000c2', replaces_id: example.id },
  },
})

export const remove = invoices.move('remove', {
  id: 'payment_invoices.remove',
  summary: 'Remove the invoice of a payment',
  description: 'The payment is in no CFDI: it was canceled, or recorded by mistake. The record is kept.',
  errors: ['payment_invoice_ended'],
  example: { status: 'removed', version: 2 },
})
