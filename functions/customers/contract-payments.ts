import { contract } from '../../src/http/contract.ts'
import { paged } from '../../src/http/schemas.ts'
import { examplePayment, Payment } from '../payments/api-pure.ts'
import { exampleCustomer, ofCustomer, reading } from './contract.ts'

export const listCustomerPayments = contract({
  ...reading,
  ...ofCustomer,
  id: 'customers.list_payments',
  path: '/v1/customer-hub/customers/:id/payments',
  summary: 'List a customer’s payments',
  description: 'Also those of customers that became part of this one.',
  ...paged(
    Payment,
    { ...examplePayment, customer_id: exampleCustomer.id },
    {
      status: Payment.shape.status.optional(),
    },
  ),
  errors: ['customer_not_found', 'cursor_invalid'],
})
