import type * as z from 'zod'
import { stepUpChallenges } from '../../../drizzle/schema/step-up.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type { createChallenge } from './contract.ts'
import type { FactorMethod } from './second-factor.ts'
import type { ChallengeRow } from './store.ts'

type Create = z.output<NonNullable<typeof createChallenge.body>>

const challengeMs = 5 * 60_000
const proofMs = 5 * 60_000

/** The database compares the hash with the request; the Worker cannot read it back. */
type NewChallenge = ChallengeRow & { readonly paramsHash: string }

interface Asking {
  readonly id: string
  /** A digest of the Idempotency-Key. */
  readonly idempotencyKey: string
  readonly userId: string
  readonly sessionId: string
  readonly passkeyChallenge: string
  readonly now: Date
}

export const newChallenge = (
  body: Create,
  { id, idempotencyKey, userId, sessionId, passkeyChallenge, now }: Asking,
): NewChallenge => ({
  tenantId: body.tenant_id,
  id,
  userId,
  sessionId,
  environment: body.tenant_environment,
  action: body.action,
  scope: body.scope,
  idempotencyKey,
  paramsHash: body.params_hash,
  status: 'pending',
  method: null,
  passkeyChallenge,
  challengeExpiresAt: new Date(now.getTime() + challengeMs),
  tokenExpiresAt: null,
  consumedAt: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
})

export function planChallenge<Reply>(challenge: NewChallenge, reply: Reply): Plan<Reply> {
  return { writes: [insert(stepUpChallenges, challenge)], events: [], reply, subjectId: challenge.id }
}

/** Whether a challenge can still be answered, by this session. */
export function refusalOf(challenge: ChallengeRow, sessionId: string, now: Date) {
  if (challenge.sessionId !== sessionId) return refuse('step_up_session_mismatch')
  if (challenge.status !== 'pending' || challenge.challengeExpiresAt <= now)
    return refuse('step_up_challenge_over')
  return null
}

/** The factor matched: the challenge becomes a proof, of which only the digest is kept. */
export function planProof(
  challenge: ChallengeRow,
  method: FactorMethod,
  token: string,
  tokenDigest: string,
  now: Date,
) {
  const tokenExpiresAt = new Date(now.getTime() + proofMs)
  return {
    writes: [
      change(stepUpChallenges, challenge, {
        status: 'verified',
        method,
        tokenDigest,
        tokenExpiresAt,
        updatedAt: now,
      }),
    ],
    events: [],
    reply: {
      object: 'step_up_proof' as const,
      step_up_token: token,
      expires_at: tokenExpiresAt.toISOString(),
    },
    subjectId: challenge.id,
  } satisfies Plan<unknown>
}

/** Wrong answers to this challenge locked the account: the challenge ends. */
export function planFailure(challenge: ChallengeRow, now: Date): Plan<object> {
  return {
    writes: [change(stepUpChallenges, challenge, { status: 'failed', updatedAt: now })],
    events: [],
    reply: {},
    subjectId: challenge.id,
  }
}
