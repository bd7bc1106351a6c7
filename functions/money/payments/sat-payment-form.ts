import type { MethodDetails } from '../../../drizzle/schema/payments.ts'
import { flowOf, type Method } from '../../../src/kernel/payment-methods.ts'

/** The codes of the catalog c_FormaPago of the SAT that payments have: cash, transfer, credit card, debit card. */
export const satPaymentForms = ['01', '03', '04', '28'] as const

type SatPaymentForm = (typeof satPaymentForms)[number]

/** The catalog has no prepaid cards: they spend what is on them, as debit cards do. */
const formsOfCards = new Map<string, SatPaymentForm>([
  ['credit', '04'],
  ['debit', '28'],
  ['prepaid', '28'],
])

/** What an invoice says of how a payment was made, by what its card draws on; null where that is not known. */
export function satFormBy(method: Method, funding: string): SatPaymentForm | null {
  const flow = flowOf(method)
  if (flow === 'voucher') return '01'
  if (flow === 'bank_transfer') return '03'
  return formsOfCards.get(funding) ?? null
}

/** The same of a payment. */
export const satPaymentFormOf = ({
  method,
  methodDetails,
}: {
  readonly method: Method
  readonly methodDetails: MethodDetails | null
}): SatPaymentForm | null =>
  satFormBy(method, methodDetails && 'funding' in methodDetails ? methodDetails.funding : '')
