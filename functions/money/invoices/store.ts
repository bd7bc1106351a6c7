import { paymentInvoices } from '../../../drizzle/schema/payment-invoices.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type InvoiceRow = Row<typeof paymentInvoices>

export const invoiceById = rowsBy(paymentInvoices, 'id')

export const invoicesPage = newest(paymentInvoices, ['paymentId', 'folio', 'status'])
