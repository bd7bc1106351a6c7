import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { clabeWithCheckDigit } from '../../src/kernel/clabe.ts'
import { nowSeconds } from './stripe-answers.ts'
import { noAddress } from './stripe-methods.ts'

/** A customer as the stand-in keeps it. */
export interface Customer {
  readonly id: string
  readonly livemode: boolean
  readonly name: string | null
  readonly email: string | null
  readonly metadata: Readonly<Record<string, string>>
  /** Null: the account's own setting. */
  readonly mode: 'automatic' | 'manual' | null
}

/**
 * One CLABE a customer, always the same. Stripe's transfers in Mexico go through Citi
 * (https://docs.stripe.com/payments/mx-bank-transfers), whose code with Banco de México is 124.
 */
export function clabeOf(customer: string): string {
  const number = BigInt(`0x${createHash('sha256').update(customer).digest('hex')}`) % 10n ** 11n
  return clabeWithCheckDigit(`124180${String(number).padStart(11, '0')}`)
}

const inMexico = { ...noAddress, country: 'MX' }

export const speiOf = (customer: string) =>
  ({
    account_holder_address: inMexico,
    account_holder_name: 'Stripe Payments Mexico',
    bank_address: inMexico,
    bank_code: '124',
    bank_name: 'CITI MEXICO',
    clabe: clabeOf(customer),
  }) satisfies Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions.FinancialAddress.Spei

export const fundingOf = ({ id, livemode }: Customer): Stripe.FundingInstructions => ({
  object: 'funding_instructions',
  currency: 'mxn',
  funding_type: 'bank_transfer',
  livemode,
  bank_transfer: {
    country: 'MX',
    type: 'mx_bank_transfer',
    financial_addresses: [{ type: 'spei', supported_networks: ['spei'], spei: speiOf(id) }],
  },
})

export const customerOf = ({ id, livemode, name, email, metadata }: Customer): Stripe.Customer => ({
  id,
  object: 'customer',
  address: null,
  balance: 0,
  created: nowSeconds(),
  currency: null,
  customer_account: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email,
  invoice_prefix: 'SPINDLE',
  invoice_settings: {
    custom_fields: null,
    default_payment_method: null,
    footer: null,
    rendering_options: null,
  },
  livemode,
  metadata: { ...metadata },
  name,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
})

type CashTransaction = Stripe.CustomerCashBalanceTransaction
export type CashType =
  | 'adjusted_for_overdraft'
  | 'applied_to_payment'
  | 'funded'
  | 'funding_reversed'
  | 'refunded_from_payment'
  | 'return_canceled'
  | 'return_initiated'
  | 'transferred_to_balance'
  | 'unapplied_from_payment'

/** Whether money of this kind comes into the customer's balance, or leaves it. */
export const signs: Readonly<Record<CashType, 1 | -1>> = {
  funded: 1,
  return_canceled: 1,
  refunded_from_payment: 1,
  unapplied_from_payment: 1,
  adjusted_for_overdraft: 1,
  applied_to_payment: -1,
  funding_reversed: -1,
  return_initiated: -1,
  transferred_to_balance: -1,
}

/** The other object that a transaction names: a PaymentIntent, a refund, or an entry of the account's balance. */
const detailsOf = (type: CashType, about: string): Partial<CashTransaction> => {
  switch (type) {
    case 'funded':
      return { funded: { bank_transfer: { reference: about, type: 'mx_bank_transfer' } } }
    case 'applied_to_payment':
      return { applied_to_payment: { payment_intent: about } }
    case 'unapplied_from_payment':
      return { unapplied_from_payment: { payment_intent: about } }
    case 'refunded_from_payment':
      return { refunded_from_payment: { refund: about } }
    case 'transferred_to_balance':
      return { transferred_to_balance: { balance_transaction: about } }
    case 'adjusted_for_overdraft':
      return { adjusted_for_overdraft: { balance_transaction: 'txn_overdraft', linked_transaction: about } }
    default:
      return {}
  }
}

export const cashOf = (
  customer: string,
  id: string,
  type: CashType,
  net_amount: number,
  more: {
    readonly about?: string
    readonly before?: number
    readonly created?: number
    readonly livemode?: boolean
  },
): CashTransaction => ({
  id,
  object: 'customer_cash_balance_transaction',
  created: more.created ?? nowSeconds(),
  currency: 'mxn',
  customer,
  customer_account: null,
  ending_balance: (more.before ?? 0) + net_amount,
  livemode: more.livemode ?? true,
  net_amount,
  type,
  ...detailsOf(type, more.about ?? 'R1'),
})

/** A transfer that arrived, first in its balance. */
export const depositOf = (customer: string, id: string, amount: number, created = nowSeconds()) =>
  cashOf(customer, id, 'funded', amount, { created })
