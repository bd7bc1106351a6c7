import * as z from 'zod'
import { captureMethods } from '../../../drizzle/schema/payments.ts'
import { feeAllocations } from '../../../drizzle/schema/sale-terms.ts'
import { freeText } from '../../../src/http/schemas.ts'
import { cardMethod, pageMethods } from '../../../src/kernel/payment-methods.ts'

/** Where a buyer may be sent. That its origin is in the settings' list, the database checks. */
export const returnUrl = freeText(2048)
  .regex(/^https?:\/\/[^\s]+$/, 'must be an address that begins with https://')
  .refine((text) => URL.canParse(text), 'must be an address')
  .nullable()

const months = z.strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') })

const Pricing = z.strictObject({
  fee_allocation: z
    .enum(feeAllocations)
    .describe('Who bears the cost of installments: you, or the buyer by a markup.'),
  merchant_markup_bps: z
    .int()
    .min(0)
    .max(3_000)
    .default(0)
    .describe('The buyer’s markup in basis points: 250 is 2.5 %. 0 with `absorb`.'),
})

/** The terms of a sale in a request. */
export const termsAsked = {
  payment_method_types: z
    .array(z.enum(pageMethods))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'must not name a method twice')
    .meta({ uniqueItems: true, description: 'How it can be paid; of several the buyer chooses.' }),
  capture_method: z
    .enum(captureMethods)
    .describe('`manual`: a card is only authorized, and captured by you.'),
  installment_options: z
    .array(months)
    .max(12)
    .refine(
      (list) => new Set(list.map((option) => option.months)).size === list.length,
      'must not name a term twice',
    )
    .describe('The terms that a buyer may choose from; none for a single payment.'),
  installment_plan: months.nullable().describe('The one term that every buyer must take; null for none.'),
  installment_pricing: Pricing.describe('Who bears the cost of installments; the same for every term.'),
}

/** The same in a request that makes the sale. */
export const termsOfNew = {
  payment_method_types: termsAsked.payment_method_types.default([cardMethod]),
  capture_method: termsAsked.capture_method.default('automatic'),
  installment_options: termsAsked.installment_options.default([]),
  installment_plan: termsAsked.installment_plan.default(null),
  installment_pricing: termsAsked.installment_pricing.default({
    fee_allocation: 'absorb',
    merchant_markup_bps: 0,
  }),
}

/** The terms of a sale in a reply. */
export const termsShown = {
  payment_method_types: z
    .array(z.enum(pageMethods))
    .min(1)
    .describe('How it can be paid; of several the buyer chooses.'),
  capture_method: z
    .enum(captureMethods)
    .describe('manual: a card is only authorized; capture the payment within its capture_before'),
  installment_options: z.array(months).describe('The terms that a buyer may choose from.'),
  installment_plan: months.nullable().describe('The one term that every buyer must take'),
  installment_pricing: Pricing.describe('Who bears the cost of installments; the same for every term.'),
}

/** What terms are refused with. */
export const termErrors = [
  'amount_below_minimum',
  'amount_above_maximum',
  'currency_unsupported',
  'payment_method_unavailable',
  'payment_method_inactive',
  'manual_capture_needs_card',
  'installments_unavailable',
  'fee_allocation_not_allowed',
  'manual_capture_not_allowed',
  'markup_above_cap',
  'markup_not_allowed',
  'payments_not_configured',
] as const

/** What a sale for a customer is refused with. */
export const customerErrors = [
  'customer_not_found',
  'customer_blocked',
  'customer_merged',
  'customer_erased',
] as const

/** What a new sale is refused with because of its workspace. */
export const workspaceErrors = ['workspace_not_live', 'workspace_suspended', 'workspace_closed'] as const
