import type * as z from 'zod'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import { isPushMethod, type Method, type PageMethod } from '../../../src/kernel/payment-methods.ts'
import { type Refusal, refuse } from '../../../src/kernel/plan.ts'
import type { CaptureMethod } from '../../../src/processors/port.ts'
import {
  type Evaluation,
  evaluate,
  type PolicySettings,
  type ReasonCode,
} from '../../money/payment-policy/api-pure.ts'
import type { FeeSchedule, InstallmentPricing } from '../../money/payments/api-pure.ts'
import type { termsAsked } from './terms.ts'

type Asked = { readonly [K in keyof typeof termsAsked]?: z.output<(typeof termsAsked)[K]> | undefined }

/** How a sale may be paid: the columns of `saleTerms`. */
export interface Terms extends InstallmentPricing {
  readonly amountMinor: bigint
  readonly currency: string
  readonly paymentMethodTypes: PageMethod[]
  readonly captureMethod: CaptureMethod
  readonly installmentMonths: number[]
  readonly installmentPlanMonths: number | null
}

type Way = Omit<Terms, 'amountMinor' | 'currency'>
type Set = { -readonly [K in keyof Way]: Way[K] }

/** The terms that a request names, over those that there are. */
export function termsFrom(asked: Asked, before: Way): Set {
  const { installment_options: options, installment_plan: plan, installment_pricing: pricing } = asked
  return {
    paymentMethodTypes: asked.payment_method_types ?? before.paymentMethodTypes,
    captureMethod: asked.capture_method ?? before.captureMethod,
    installmentMonths: options?.map(({ months }) => months).sort((a, b) => a - b) ?? before.installmentMonths,
    installmentPlanMonths: plan === undefined ? before.installmentPlanMonths : (plan?.months ?? null),
    feeAllocation: pricing?.fee_allocation ?? before.feeAllocation,
    merchantMarkupBps: pricing ? pricing.merchant_markup_bps : before.merchantMarkupBps,
  }
}

/** The terms of a request that makes a sale: it names all of them. */
export const termsOf = (
  asked: { readonly [K in keyof Asked]-?: NonNullable<Asked[K]> | (null & Asked[K]) },
): Set =>
  termsFrom(asked, {
    paymentMethodTypes: [],
    captureMethod: 'automatic',
    installmentMonths: [],
    installmentPlanMonths: null,
    feeAllocation: 'absorb',
    merchantMarkupBps: 0,
  })

/** Whether the buyer would pay, or could choose, anything else. */
export const isSameTerms = (one: Terms, other: Terms): boolean =>
  one.amountMinor === other.amountMinor &&
  sameList(one.paymentMethodTypes, other.paymentMethodTypes) &&
  one.captureMethod === other.captureMethod &&
  sameList(one.installmentMonths, other.installmentMonths) &&
  one.installmentPlanMonths === other.installmentPlanMonths &&
  one.feeAllocation === other.feeAllocation &&
  one.merchantMarkupBps === other.merchantMarkupBps

/**
 * Who may pay and what is asked of them, changed: with another version, so that open forms are refused. Nothing where it
 * is the same as before.
 */
export function asksAfter<Asks extends object>(
  before: Asks & { readonly asksVersion: number },
  asks: Asks,
): Partial<Asks & { asksVersion: number }> {
  const textOf = (of: object) => canonicalJson(JSON.parse(JSON.stringify(of)))
  const same = { ...before, ...asks }
  return textOf(same) === textOf(before) ? {} : { ...asks, asksVersion: before.asksVersion + 1 }
}

const sameList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((item, at) => item === b[at])

/** The terms as the interface shows them. */
export const presentTerms = (terms: Way) => ({
  payment_method_types: terms.paymentMethodTypes,
  capture_method: terms.captureMethod,
  installment_options: terms.installmentMonths.map((months) => ({ months })),
  installment_plan: terms.installmentPlanMonths === null ? null : { months: terms.installmentPlanMonths },
  installment_pricing: {
    fee_allocation: terms.feeAllocation,
    merchant_markup_bps: terms.merchantMarkupBps,
  },
})

export type TermsProblem = Refusal<'parameter_invalid' | ReasonCode>

/** What the payment policy says against terms; `amountParam`: the field of the request that gives the amount. */
export function problemOfTerms(
  terms: Terms,
  schedule: FeeSchedule | null,
  policy: PolicySettings,
  amountParam: string,
): TermsProblem | null {
  const { paymentMethodTypes: methods, installmentMonths, installmentPlanMonths } = terms
  const judge = (method: Method, months: readonly number[], at: string) =>
    refusalOf(
      evaluate(policy, schedule, { ...terms, method, months, pricing: terms, eligible: null }),
      at,
      amountParam,
    )
  for (const [at, method] of methods.entries()) {
    const problem = judge(method, [], `payment_method_types.${at}`)
    if (problem) return problem
  }
  if (installmentPlanMonths !== null && installmentMonths.length > 0)
    return refuse('parameter_invalid', {
      param: 'installment_plan',
      message: 'Give installment_options or installment_plan, not both.',
    })
  const asked = [
    ...installmentMonths.map((months, at) => ({ months, param: `installment_options.${at}.months` })),
    ...(installmentPlanMonths === null
      ? []
      : [{ months: installmentPlanMonths, param: 'installment_plan.months' }]),
  ]
  const method = methods.find((each) => !isPushMethod(each)) ?? methods[0]!
  for (const { months, param } of asked) {
    const problem = judge(method, [months], param)
    if (problem) return problem
  }
  return problemOfMarkup(terms)
}

/** The first reason, with the field of the request that it is about; `at`: the method or the term that was judged. */
function refusalOf({ reasons: [reason] }: Evaluation, at: string, amountParam: string): TermsProblem | null {
  if (!reason) return null
  const params: Partial<Record<ReasonCode, string>> = {
    currency_unsupported: 'currency',
    amount_below_minimum: amountParam,
    amount_above_maximum: amountParam,
    manual_capture_needs_card: 'capture_method',
    manual_capture_not_allowed: 'capture_method',
    fee_allocation_not_allowed: 'installment_pricing.fee_allocation',
    markup_not_allowed: 'installment_pricing.merchant_markup_bps',
    markup_above_cap: 'installment_pricing.merchant_markup_bps',
  }
  return refuse(reason.code, { param: params[reason.code] ?? at, message: reason.message })
}

/**
 * Only for terms that are set now: older sales may have a markup that nothing charges, and may still change otherwise.
 */
function problemOfMarkup(terms: Terms): TermsProblem | null {
  const hasTerms = terms.installmentMonths.length > 0 || terms.installmentPlanMonths !== null
  if (hasTerms || terms.merchantMarkupBps === 0) return null
  return refuse('markup_not_allowed', {
    param: 'installment_pricing.merchant_markup_bps',
    message: 'A markup is on installments: offer a term, or no markup.',
  })
}
