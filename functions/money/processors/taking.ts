import { Problem } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'

/**
 * The account that takes what a workspace sells from now on: its own, or null for the environment's.
 * @param active the workspace's own, as `activeAccount` reads it
 * @throws Problem where there is neither
 */
export function accountNow(
  { settings: { stripe } }: Services,
  active: { readonly id: string } | undefined,
): string | null {
  if (!stripe) return null
  if (stripe.merchantAccounts && active) return active.id
  if (!stripe.own) throw new Problem('payments_not_configured')
  return null
}
