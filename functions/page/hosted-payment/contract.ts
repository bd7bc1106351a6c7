import { originTables } from '../../../src/http/contract.ts'

/** The buyer's pages: what any holder of the address may read, and the payment that they may begin. */
export const view = { id: 'hosted_payments.view', access: { public_id: {} }, tables: [] } as const
export const submit = {
  id: 'hosted_payments.submit',
  access: { public_id: {} },
  tables: [
    originTables,
    'payments',
    'payment_attempts',
    'payment_contacts',
    'buyer_details',
    'card_tries',
    // Of the voucher or CLABE that a payment takes the place of.
    'vouchers',
    'clabes',
    'unapplied_funds',
  ],
} as const
