import { operation } from '../../../src/http/operation.ts'
import { randomToken } from '../../../src/kernel/ids.ts'
import { keyDigests, sha256Hex } from '../../../src/platform/crypto.ts'
import type { AccessOf, IdentityAccess } from './access.ts'
import * as contracts from './contract.ts'
import { problemOfFactor } from './identity-problems.ts'
import { newChallenge, planChallenge, planFailure, planProof, refusalOf } from './plan.ts'
import { presentChallenge } from './present.ts'
import type { FactorMethod, FactorResult, FactorSubject, Factors } from './second-factor.ts'
import { type ChallengeRow, challengeById } from './store.ts'

/** The step-up operations of /v1/auth/step-up. The identity libraries are loaded when a challenge needs them. */
export function stepUpOperations(accessOf: AccessOf) {
  const create = operation(
    contracts.createChallenge,
    async ({ body, settings, session, publish, fail, newId, now }) => {
      if (body.tenant_environment !== settings.environment) {
        const address = body.tenant_environment === 'live' ? settings.liveBaseUrl : settings.sandboxBaseUrl
        fail('tenant_environment_mismatch', {
          param: 'tenant_environment',
          message: `Keys of the ${body.tenant_environment} environment are made at ${address}.`,
        })
      }
      const { userId, sessionId } = await session()
      const [idempotencyKey] = await keyDigests(settings.signingSecrets, body.idempotency_key)
      const row = newChallenge(body, {
        id: newId(),
        idempotencyKey: idempotencyKey!,
        userId,
        sessionId,
        passkeyChallenge: randomToken(),
        now,
      })
      const shown = await shownWith(accessOf(settings), row, now)
      const wanted = body.method
      if (shown.methods.length === 0 || (wanted && !shown.methods.includes(wanted))) {
        fail('step_up_method_unavailable', wanted ? { param: 'method' } : {})
      }
      return publish(planChallenge(row, shown))
    },
  )

  const get = operation(contracts.getChallenge, async ({ params, settings, session, read, fail, now }) => {
    const [[row], { sessionId }] = await Promise.all([read(challengeById({ id: params.id })), session()])
    if (!row || row.sessionId !== sessionId) return fail('step_up_challenge_not_found')
    return shownWith(accessOf(settings), row, now)
  })

  const verify = operation(contracts.verifyChallenge, async (call) => {
    const { params, body, settings, session, read, publish, publishStep, fail, now } = call
    const [[row], { userId, sessionId }] = await Promise.all([
      read(challengeById({ id: params.id })),
      session(),
    ])
    if (!row) return fail('step_up_challenge_not_found')
    const refusal = refusalOf(row, sessionId, now)
    if (refusal) return publish(refusal)
    const result = await check(accessOf(settings), { userId, sessionId }, body, row)
    if (!result.ok) {
      if (result.reason === 'locked') await publishStep(planFailure(row, now))
      throw problemOfFactor(result, stepUpCodes)
    }
    const token = randomToken()
    return publish(planProof(row, body.method, token, await sha256Hex(token), now))
  })

  return { operations: [create, get, verify] }
}

async function shownWith(access: IdentityAccess, row: ChallengeRow, now: Date) {
  const { availableMethods, factorsOf } = await import('./second-factor.ts')
  const factors: Factors = await factorsOf(access, row.userId)
  const options =
    factors.passkeys.length > 0 && row.status === 'pending'
      ? await (await import('./passkey-factor.ts')).passkeyOptions(access, factors, row.passkeyChallenge)
      : null
  return presentChallenge(row, { ...factors, methods: availableMethods(factors) }, options, now)
}

async function check(
  access: IdentityAccess,
  subject: FactorSubject,
  { method, response }: { readonly method: FactorMethod; readonly response: unknown },
  row: ChallengeRow,
): Promise<FactorResult> {
  if (method === 'webauthn') {
    const { verifyPasskey } = await import('./passkey-factor.ts')
    return verifyPasskey(access, subject, response, row.passkeyChallenge)
  }
  if (typeof response !== 'string') return { ok: false, reason: 'malformed' }
  const { verifyBackupCode, verifyTotp } = await import('./second-factor.ts')
  return method === 'totp'
    ? verifyTotp(access, subject, response)
    : verifyBackupCode(access, subject, response)
}

const stepUpCodes = {
  malformed: 'parameter_invalid',
  not_enrolled: 'step_up_method_unavailable',
  wrong: 'step_up_response_wrong',
  already_used: 'step_up_code_already_used',
  locked: 'step_up_locked',
} as const
