import type { ApiKeyRow } from './store.ts'

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
    environment: key.environment as 'sandbox' | 'live',
    expires_at: first?.toISOString() ?? null,
    id: key.id,
    obfuscated_value: key.obfuscatedValue,
    scopes: key.scopes as never[],
    status: key.status as 'active',
  }
}
