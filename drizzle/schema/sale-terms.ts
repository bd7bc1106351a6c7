import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, type PgColumn, text } from 'drizzle-orm/pg-core'
import { methodsOf, pageMethods, paymentMethods } from '../../src/kernel/payment-methods.ts'
import { amount, words } from './columns.ts'
import { captureMethods } from './payments.ts'

export const feeAllocations = ['absorb', 'pass_to_buyer'] as const

/** How a sale may be paid: the columns of everything that the hosted pages sell. */
export const saleTerms = {
  /** The amount before any markup. */
  ...amount,
  paymentMethodTypes: text('payment_method_types', { enum: pageMethods }).array().notNull(),
  captureMethod: text('capture_method', { enum: captureMethods }).notNull(),
  installmentMonths: integer('installment_months').array().notNull(),
  installmentPlanMonths: integer('installment_plan_months'),
  feeAllocation: text('fee_allocation', { enum: feeAllocations }).notNull(),
  merchantMarkupBps: integer('merchant_markup_bps').notNull(),
  /** Changes with amount, methods or installment terms; a buyer's page is bound to it. */
  termsVersion: integer('terms_version').notNull(),
  /** Changes with who may pay and what the page asks; never frozen, and a buyer's page is bound to it too. */
  asksVersion: integer('asks_version').notNull().default(1),
}

/** What fills in the page's fields for the buyer: given by the merchant, and emptied when the person is erased. */
export const knownBuyer = {
  /** As `normalizeEmail` makes it. */
  customerEmail: text('customer_email'),
  customerName: text('customer_name'),
}

/** Their checks, and the index by which an erased person is found. */
export const checksOfKnownBuyer = (
  name: string,
  t: Record<'tenantId' | 'customerEmail' | 'customerName', PgColumn>,
) => [
  check(
    `${name}_known_buyer`,
    sql`char_length(${t.customerEmail}) <= 254
      and (${t.customerName} is null or (${t.customerEmail} is not null and char_length(${t.customerName}) between 1 and 100))`,
  ),
  index(`${name}_by_email`).on(t.tenantId, t.customerEmail).where(sql`customer_email is not null`),
]

const pesoMethods = pageMethods.filter((method) => paymentMethods[method].currency === 'mxn')

type Columns = Record<
  'amountMinor' | 'currency' | 'paymentMethodTypes' | 'captureMethod' | 'feeAllocation' | 'merchantMarkupBps',
  PgColumn
>

/** Their checks. `name`: the table's; `least`: the least that it may cost. */
export function checksOfTerms(name: string, t: Columns, least: 0 | 1 = 1) {
  const holds = (what: string, condition: SQL) => check(`${name}_${what}`, condition)
  return [
    least === 1
      ? holds('amount_positive', sql`${t.amountMinor} > 0`)
      : holds('amount_not_negative', sql`${t.amountMinor} >= 0`),
    holds('amount_bounded', sql`${t.amountMinor} <= 999999999999`),
    holds('currency_form', sql`${t.currency} ~ '^[a-z]{3}$'`),
    holds('methods_some', sql`cardinality(${t.paymentMethodTypes}) >= 1`),
    holds(
      'cash_in_mxn',
      sql`${t.currency} = 'mxn' or not (${t.paymentMethodTypes} && array[${words(pesoMethods)}])`,
    ),
    holds(
      'capture_method',
      sql`${t.captureMethod} = 'automatic'
        or (${t.captureMethod} = 'manual' and ${t.paymentMethodTypes} = array[${words(methodsOf('card'))}])`,
    ),
    holds('absorb_no_markup', sql`${t.feeAllocation} <> 'absorb' or ${t.merchantMarkupBps} = 0`),
    holds('markup_bounds', sql`${t.merchantMarkupBps} between 0 and 10000`),
  ]
}
