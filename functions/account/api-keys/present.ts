import type { Scope } from '../../../src/http/contract.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { ApiKeyRow } from './store.ts'

/** The environment's limits by currency, for keys that have none of their own. */
export type Defaults = Readonly<Record<string, bigint>>

/**
 * How much this key may transfer in a day of Mexico City without approval, in minor units. A currency without a
 * configured limit has the limit 0: everything waits.
 */
export const transferLimitOf = (
  key: Pick<ApiKeyRow, 'transferLimits'>,
  currency: string,
  defaults: Defaults,
): bigint => {
  const own = key.transferLimits[currency]
  return own === undefined ? (defaults[currency] ?? 0n) : BigInt(own)
}

export const presentLimit = (key: ApiKeyRow, currency: string, defaults: Defaults) => ({
  object: 'transfer_limit' as const,
  api_key_id: key.id,
  currency,
  amount: toMinorString(transferLimitOf(key, currency, defaults)),
  source: currency in key.transferLimits ? ('key' as const) : ('default' as const),
})

/** The limits of every currency that has one, in the order of their names. */
export const presentLimits = (key: ApiKeyRow, defaults: Defaults) => ({
  object: 'list' as const,
  data: [...new Set([...Object.keys(defaults), ...Object.keys(key.transferLimits)])]
    .sort()
    .map((currency) => presentLimit(key, currency, defaults)),
  has_more: false,
  next_cursor: '',
})

/** The summary of the interface: exactly these fields. A rotating key ends with its overlap, or before. */
export function presentKey(key: ApiKeyRow) {
  const ends = [key.expiresAt, key.status === 'rotating' ? key.graceEndsAt : null].filter(
    (end) => end !== null,
  )
  const first = ends.sort((a, b) => a.getTime() - b.getTime())[0]
  return {
    created_at: key.createdAt.toISOString(),
    created_by_email: key.createdByEmail,
    description: key.description,
    environment: key.environment,
    expires_at: first?.toISOString() ?? null,
    id: key.id,
    obfuscated_value: key.obfuscatedValue,
    scopes: key.scopes as Scope[],
    status: key.status,
  }
}
