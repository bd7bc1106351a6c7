import type { MethodState, MethodStates } from '../../../drizzle/schema/processors.ts'
import {
  cardMethod,
  isPushMethod,
  type Method,
  paymentMethods,
  presentedMethod,
} from '../../../src/kernel/payment-methods.ts'
import {
  buyerTotal,
  type FeeSchedule,
  type InstallmentOffer,
  type InstallmentPricing,
  installmentOffers,
} from '../payments/api-pure.ts'
import type { PolicySettings } from './policy.ts'

/** A way to pay an amount: what a link offers, a buyer chooses, or a merchant asks about. */
export interface Proposal {
  readonly amountMinor: bigint
  readonly currency: string
  readonly method: Method
  readonly captureMethod: 'automatic' | 'manual'
  /** Terms of more than one month; none: at once. */
  readonly months: readonly number[]
  readonly pricing: InstallmentPricing
  /** The terms that the buyer's card may have; null while the card is not known: then none is offered. */
  readonly eligible: readonly number[] | null
}

export type ReasonCode =
  | 'currency_unsupported'
  | 'payment_method_unavailable'
  | 'payment_method_inactive'
  | 'amount_below_minimum'
  | 'amount_above_maximum'
  | 'manual_capture_needs_card'
  | 'manual_capture_not_allowed'
  | 'installments_unavailable'
  | 'fee_allocation_not_allowed'
  | 'markup_not_allowed'
  | 'markup_above_cap'

/** The effective policy, and what the account that takes the money may take. */
export type Judged = PolicySettings & { readonly states?: Partial<MethodStates> }

/** The policy under which terms are set. */
export interface Governing {
  readonly policyVersion: number
  readonly policy: Judged
}

/** A card at a device needs of the account what one on a page needs, but for the switch of pages. */
const stateOf = (method: Method, states: Partial<Record<Method, MethodState | null>>) =>
  method === presentedMethod && states[cardMethod] !== 'off' ? states[cardMethod] : states[method]

/** What is missing for a method at the account that takes the money; null: nothing, or it is not known. */
export function missingFor(
  method: Method,
  states: Partial<Record<Method, MethodState | null>> = {},
): string | null {
  switch (stateOf(method, states)) {
    case 'off':
      return `${method} is switched off in the dashboard of the account that takes the money.`
    case 'pending':
      return `The processor has not finished checking whether the account may take ${method}.`
    case 'inactive':
      return `The processor does not allow the account that takes the money to take ${method}.`
    default:
      return null
  }
}

/** Why a proposal is refused. */
export interface Reason {
  readonly code: ReasonCode
  /** The field of the policy that refuses; null where no policy could allow it. */
  readonly field: string | null
  /** The term that is refused; null where the whole proposal is. */
  readonly months: number | null
  readonly message: string
}

export interface Evaluation {
  /** None where the proposal is allowed. */
  readonly reasons: readonly Reason[]
  /** The terms that this card gets, shortest first. */
  readonly offers: readonly InstallmentOffer[]
  /** The bank must confirm the buyer: judged by what is charged, markup included. */
  readonly needsThreeDs: boolean
}

/**
 * The one judge of what may be sold, offered and paid: links, pages, payments and the interface's evaluations ask it.
 * `schedule`: in force for the currency; null where there is none. Pure.
 */
export function evaluate(policy: Judged, schedule: FeeSchedule | null, proposal: Proposal): Evaluation {
  const whole = reasonOfSale(policy, schedule, proposal)
  const { amountMinor, currency, months, pricing, eligible, method } = proposal
  const refused = months.flatMap((term) => reasonOfTerm(policy, proposal, term) ?? [])
  const reasons = [...(whole ? [whole] : []), ...refused]
  const from = policy.three_ds?.required_from?.[currency]
  const chargedMinor = buyerTotal({ amountMinor, pricing, months: Math.max(1, ...months) })
  return {
    reasons,
    offers:
      whole || !schedule || eligible === null
        ? []
        : installmentOffers({
            amountMinor,
            allowedMonths: months.filter((term) => refused.every((reason) => reason.months !== term)),
            eligibleMonths: eligible,
            pricing,
            schedule,
          }),
    needsThreeDs: method === cardMethod && from !== undefined && chargedMinor >= BigInt(from),
  }
}

function reasonOfSale(
  policy: Judged,
  schedule: FeeSchedule | null,
  { amountMinor, currency, method, captureMethod }: Proposal,
): Reason | null {
  const because = (code: ReasonCode, field: string | null, message: string) => ({
    code,
    field,
    months: null,
    message,
  })
  if (!schedule) return because('currency_unsupported', null, `Payments in ${currency} are not offered.`)
  const only = paymentMethods[method].currency
  if (only !== null && currency !== only)
    return because(
      'payment_method_unavailable',
      null,
      `${method} needs the currency ${only}: it moves pesos and nothing else.`,
    )
  const path = `methods.${method}`
  const { enabled, amount_min, amount_max } = policy.methods?.[method] ?? {}
  if (enabled === false || !schedule[method])
    return because('payment_method_unavailable', `${path}.enabled`, `${method} is not offered here.`)
  const missing = missingFor(method, policy.states)
  if (missing) return because('payment_method_inactive', null, missing)
  const [least, most] = [amount_min?.[currency], amount_max?.[currency]]
  if (least !== undefined && amountMinor < BigInt(least))
    return because(
      'amount_below_minimum',
      `${path}.amount_min.${currency}`,
      `${method} takes at least ${least} minor units.`,
    )
  if (most !== undefined && amountMinor > BigInt(most))
    return because(
      'amount_above_maximum',
      `${path}.amount_max.${currency}`,
      `${method} takes at most ${most} minor units.`,
    )
  if (captureMethod === 'automatic') return null
  if (isPushMethod(method))
    return because('manual_capture_needs_card', null, 'Only cards can be authorized first.')
  return policy.capture?.manual_allowed === false
    ? because(
        'manual_capture_not_allowed',
        'capture.manual_allowed',
        'The payment policy does not allow manual capture.',
      )
    : null
}

function reasonOfTerm(
  { msi }: PolicySettings,
  { amountMinor, currency, method, pricing: { feeAllocation, merchantMarkupBps } }: Proposal,
  months: number,
): Reason | null {
  const because = (code: ReasonCode, field: string | null, message: string) => ({
    code,
    field,
    months,
    message,
  })
  if (isPushMethod(method))
    return because('installments_unavailable', null, 'Installments need the method card.')
  if (currency !== 'mxn')
    return because('installments_unavailable', null, 'Installments need the currency mxn.')
  const { terms, amount_min, fee_allocations, markup_cap_bps } = msi ?? {}
  if (terms && !terms.includes(months)) {
    const offered = terms.length > 0 ? `Terms are ${terms.join(', ')} months.` : 'No terms are offered.'
    return because('installments_unavailable', 'msi.terms', offered)
  }
  const least = amount_min?.[months]
  if (least !== undefined && amountMinor < BigInt(least))
    return because(
      'installments_unavailable',
      `msi.amount_min.${months}`,
      `${months} months need an amount of at least ${least} minor units.`,
    )
  if (fee_allocations && !fee_allocations.includes(feeAllocation))
    return because(
      'fee_allocation_not_allowed',
      'msi.fee_allocations',
      `The payment policy does not allow fee_allocation "${feeAllocation}".`,
    )
  if (feeAllocation === 'absorb' && merchantMarkupBps !== 0)
    return because('markup_not_allowed', null, 'With fee_allocation "absorb" the buyer pays no markup.')
  return markup_cap_bps !== undefined && merchantMarkupBps > markup_cap_bps
    ? because(
        'markup_above_cap',
        'msi.markup_cap_bps',
        `The payment policy allows a markup of at most ${markup_cap_bps} basis points.`,
      )
    : null
}
