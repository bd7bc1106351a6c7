import type { Factors } from './second-factor.ts'
import type { ChallengeRow } from './store.ts'

export function presentChallenge(
  row: ChallengeRow,
  factors: Factors & { readonly methods: readonly string[] },
  webauthnOptions: object | null,
  now: Date,
) {
  const over = row.status === 'pending' && row.challengeExpiresAt <= now
  return {
    id: row.id,
    object: 'step_up_challenge' as const,
    status: (over ? 'expired' : row.status) as 'pending',
    action: row.action as 'api_key.create',
    scope: row.scope as 'api_keys:write',
    tenant_id: row.tenantId,
    tenant_environment: row.environment as 'sandbox',
    methods: factors.methods as 'totp'[],
    webauthn_options: webauthnOptions as Record<string, unknown> | null,
    expires_at: row.challengeExpiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
  }
}
