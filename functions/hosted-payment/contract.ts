import { originTables, publicLink } from '../../src/http/contract.ts'

/** The buyer's pages: what any holder of the address may read, and the payment that they may begin. */
export const view = { id: 'hosted_payments.view', access: publicLink, tables: [] } as const
export const submit = {
  id: 'hosted_payments.submit',
  access: publicLink,
  tables: [originTables, 'payments', 'payment_attempts'],
} as const
