/** How a processor's account has been answering. */
export interface Health {
  readonly failuresInARow: number
  /** Milliseconds since the epoch; null while calls go out. */
  readonly openUntilMs: number | null
}

export interface BreakerRule {
  readonly failuresMax: number
  readonly openMs: number
}

export const healthy: Health = { failuresInARow: 0, openUntilMs: null }

/** After this many failures in a row calls fail at once for `openMs`; then one call at a time tries again. */
export const breakerRule: BreakerRule = { failuresMax: 5, openMs: 15_000 }

/** Whether a call may go out now. The first one after the pause is the trial: until it ends the others are refused. */
export function admit(
  health: Health,
  rule: BreakerRule,
  nowMs: number,
): { readonly admitted: boolean; readonly health: Health } {
  const { openUntilMs } = health
  if (openUntilMs === null) return { admitted: true, health }
  if (nowMs < openUntilMs) return { admitted: false, health }
  return { admitted: true, health: { ...health, openUntilMs: nowMs + rule.openMs } }
}

/** The health after a call. Only silence and the processor's own failures count: a declined card is an answer. */
export function noted(health: Health, answered: boolean, rule: BreakerRule, nowMs: number): Health {
  if (answered) return healthy
  const failuresInARow = health.failuresInARow + 1
  return { failuresInARow, openUntilMs: failuresInARow >= rule.failuresMax ? nowMs + rule.openMs : null }
}
