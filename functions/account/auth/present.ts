import type { FactorMethod, Factors } from './second-factor.ts'
import type { ChallengeRow } from './store.ts'

export function presentChallenge(
  row: ChallengeRow,
  factors: Factors & { readonly methods: FactorMethod[] },
  webauthnOptions: object | null,
  now: Date,
) {
  const over = row.status === 'pending' && row.challengeExpiresAt <= now
  return {
    id: row.id,
    object: 'step_up_challenge' as const,
    status: over ? ('expired' as const) : row.status,
    action: row.action,
    scope: row.scope,
    tenant_id: row.tenantId,
    tenant_environment: row.environment,
    methods: factors.methods,
    webauthn_options: webauthnOptions as Record<string, unknown> | null,
    expires_at: row.challengeExpiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
  }
}
