import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { paged } from '../../../src/http/schemas.ts'
import { examplePayment, Payment } from '../../money/payments/api-pure.ts'
import { exampleCustomer, ofCustomer, reading } from './contract.ts'

/** What a key that reads customers sees of a payment: neither fees nor what it was paid with. */
const CustomerPayment = Payment.pick({
  id: true,
  public_id: true,
  status: true,
  amount: true,
  currency: true,
  amount_captured: true,
  amount_refunded: true,
  refund_status: true,
  amount_disputed: true,
  method: true,
  origin: true,
  customer_id: true,
  description: true,
  client_reference_id: true,
  succeeded_at: true,
  created_at: true,
})
  .extend({ object: z.literal('customer_payment') })
  .meta({ id: 'CustomerPayment' })

const shown = CustomerPayment.strip()

/** A payment in short. */
export const inShort = (payment: z.input<typeof Payment>) =>
  shown.parse({ ...payment, object: 'customer_payment' })

export const listCustomerPayments = contract({
  ...reading,
  ...ofCustomer,
  id: 'customers.list_payments',
  path: '/v1/customer-hub/customers/:id/payments',
  summary: 'List a customer’s payments',
  description:
    'Also those of customers that became part of this one. In short: with `reporting:read`, get a payment for the rest.',
  ...paged(CustomerPayment, inShort({ ...examplePayment, taxes: [], customer_id: exampleCustomer.id }), {
    status: Payment.shape.status.optional(),
  }),
  errors: ['customer_not_found', 'cursor_invalid'],
})
