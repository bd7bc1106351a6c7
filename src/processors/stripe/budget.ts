/** What is left of an allowance that fills up with time. */
export interface Budget {
  readonly tokens: number
  /** Milliseconds since the epoch. */
  readonly atMs: number
}

export interface BudgetRule {
  readonly perSecond: number
  readonly burst: number
}

/**
 * Asking which terms a card has makes a PaymentIntent, at the endpoint that charges go to: Stripe allows an account 25
 * requests a second there (https://docs.stripe.com/rate-limits). An isolate spends at most this on questions.
 */
export const termsRule: BudgetRule = { perSecond: 5, burst: 10 }

export const full = ({ burst }: BudgetRule, nowMs: number): Budget => ({ tokens: burst, atMs: nowMs })

/** Takes one token where there is one. */
export function spend(
  { tokens, atMs }: Budget,
  { perSecond, burst }: BudgetRule,
  nowMs: number,
): { readonly granted: boolean; readonly budget: Budget } {
  const filled = Math.min(burst, tokens + (Math.max(nowMs - atMs, 0) * perSecond) / 1000)
  const granted = filled >= 1
  return { granted, budget: { tokens: granted ? filled - 1 : filled, atMs: nowMs } }
}
