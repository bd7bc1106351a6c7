import { contract } from '../../../src/http/contract.ts'
import { collectedListed } from '../../order/sales/api-pure.ts'
import { ofLink, reading } from './contract-read.ts'

export const listCollected = contract({
  ...reading,
  ...ofLink,
  id: 'payment_links.list_collected',
  method: 'GET',
  path: '/v1/payment-links/:id/collected',
  summary: 'List what buyers of a payment link gave',
  description:
    'The answers to what the link `collects`, of each payment with its last attempt, whether that succeeded or not. Those of an erased customer are gone.',
  ...collectedListed,
  errors: ['payment_link_not_found', 'cursor_invalid'],
})
