import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { stepUpLifecycle } from '../../functions/account/auth/lifecycle.ts'
import { changes, environments, instant, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** The actions that a proof can be for, each with the scope that it carries. */
export const stepUpActions = [
  'api_key.create',
  'api_key.rotate',
  'api_key.revoke',
  'api_key.transfer_limit',
  'transfer.approve',
  'refund.approve',
  'refund.resolve',
  'payment.resolve',
  'payout_settings.update',
  'processor_credentials.update',
  'payment_policy.update',
  'workspace.go_live',
  'workspace.change_details',
  'bank_account.create',
  'bank_account.disable',
  'member.role_change',
  'member.remove',
  'invitation.create',
  'risk_list.create',
  'risk_list_item.create',
  'risk_rule.activate',
  'risk_review.reject',
  'phone_app.set',
  'phone_app.remove',
  'attestation_settings.set',
] as const

/** Of keys, of the payment policy and of the workspace; the others let money leave. */
const stepUpScopes = [
  'api_keys:write',
  'transfers:write',
  'refunds:write',
  'policies:write',
  'workspace:write',
] as const

export const factorMethods = ['webauthn', 'totp', 'backup_code'] as const

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
    environment: text('environment', { enum: environments }).notNull(),
    action: text('action', { enum: stepUpActions }).notNull(),
    scope: text('scope', { enum: stepUpScopes }).notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    paramsHash: text('params_hash').notNull(),
    status: statusOf(stepUpLifecycle),
    method: text('method', { enum: factorMethods }),
    /** Random value that a passkey signs. Public, useless without the passkey. */
    passkeyChallenge: text('passkey_challenge').notNull(),
    tokenDigest: text('token_digest'),
    challengeExpiresAt: instant('challenge_expires_at').notNull(),
    tokenExpiresAt: instant('token_expires_at'),
    consumedAt: instant('consumed_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('step_up_challenges_token').on(t.tokenDigest),
      ofTenant('step_up_challenges', t.tenantId),
      check('step_up_challenges_status_known', known(t.status)),
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
