import { sql } from 'drizzle-orm'
import { check, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, instant, tenantRow, updatedAt, version } from './columns.ts'
import { ofTenant } from './tenants.ts'

/**
 * A step-up challenge and, once verified, its proof: a random token, of which only the digest is stored. `publish`
 * consumes it in the transaction of the change that it is bound to.
 */
export const stepUpChallenges = pgTable(
  'step_up_challenges',
  {
    ...tenantRow,
    userId: text('user_id').notNull(),
    sessionId: text('session_id').notNull(),
    environment: text('environment').notNull(),
    action: text('action').notNull(),
    scope: text('scope').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    paramsHash: text('params_hash').notNull(),
    status: text('status').notNull(),
    method: text('method'),
    /** Random value that a passkey signs. Public, useless without the passkey. */
    passkeyChallenge: text('passkey_challenge').notNull(),
    tokenDigest: text('token_digest'),
    challengeExpiresAt: instant('challenge_expires_at').notNull(),
    tokenExpiresAt: instant('token_expires_at'),
    consumedAt: instant('consumed_at'),
    ...version,
    ...createdAt,
    ...updatedAt,
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.id] }),
      uniqueIndex('step_up_challenges_token').on(t.tokenDigest),
      ofTenant('step_up_challenges', t.tenantId),
      check(
        'step_up_challenges_status_known',
        sql`${t.status} in ('pending', 'verified', 'consumed', 'expired', 'failed')`,
      ),
      check('step_up_challenges_params_hash_form', sql`${t.paramsHash} ~ '^[0-9a-f]{64}$'`),
      check(
        'step_up_challenges_token_when_verified',
        sql`(${t.status} in ('verified', 'consumed')) = (${t.tokenDigest} is not null)`,
      ),
      check(
        'step_up_challenges_consumed_once',
        sql`(${t.status} = 'consumed') = (${t.consumedAt} is not null)`,
      ),
      uniqueIndex('step_up_challenges_id').on(t.id),
      index('step_up_challenges_due').on(t.challengeExpiresAt).where(sql`status in ('pending', 'verified')`),
    ]
  },
)
