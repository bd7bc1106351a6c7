import { base64 } from '@better-auth/utils/base64'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import type { IdentityAccess } from './access.ts'
import { assertion } from './routes.ts'
import type { FactorResult, FactorSubject, Factors } from './second-factor.ts'
import { isTrue } from './session.ts'

/**
 * The options for `navigator.credentials.get` (after `parseRequestOptionsFromJSON`). No round trip.
 * @param challenge random base64url; the caller stores it and accepts one answer, for a short time.
 */
export function passkeyOptions(
  access: IdentityAccess,
  factors: Factors,
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: access.rpId,
    challenge: base64.decode(challenge) as Uint8Array<ArrayBuffer>,
    userVerification: 'required',
    allowCredentials: factors.passkeys.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: transports as AuthenticatorTransportFuture[],
    })),
  })
}

type AuthenticatorTransportFuture = NonNullable<
  NonNullable<Parameters<typeof generateAuthenticationOptions>[0]['allowCredentials']>[number]['transports']
>[number]

const findPasskey = `
  select id, credential_id, public_key, counter, transports from passkeys where user_id = $1 and credential_id = $2`

// A counter that did not grow means a cloned authenticator or a replayed answer; 0 means that it keeps none.
const advanceCounter = `
  with advanced as (
    update passkeys set counter = $3
     where id = $2 and user_id = $1 and (counter < $3::bigint or (counter = 0 and $3::bigint = 0))
    returning 1),
  marked as (
    update sessions set factor_verified_at = now() where id = $4 and user_id = $1 and exists (select from advanced))
  select exists (select from advanced) as advanced`

/**
 * Checks the answer of one of the account's passkeys, with user verification, in two round trips. An answer is tied to
 * `expectedChallenge`; the caller must ensure that a challenge is answered once.
 */
export async function verifyPasskey(
  access: IdentityAccess,
  subject: FactorSubject,
  response: unknown,
  expectedChallenge: string,
): Promise<FactorResult> {
  const answer = assertion.safeParse(response).data as AuthenticationResponseJSON | undefined
  if (!answer) return { ok: false, reason: 'malformed' }
  const [row] = await access.sql(findPasskey, [subject.userId, answer.id])
  if (!row) return { ok: false, reason: 'wrong' }
  const newCounter = await counterOf(access, row, answer, expectedChallenge)
  if (newCounter === null) return { ok: false, reason: 'wrong' }
  const values = [subject.userId, row.id, newCounter, subject.sessionId]
  const [advanced] = await access.sql(advanceCounter, values)
  return isTrue(advanced?.advanced) ? { ok: true } : { ok: false, reason: 'already_used' }
}

/** The authenticator's counter when the answer is genuine, else null. The library throws on every kind of mismatch. */
async function counterOf(
  access: IdentityAccess,
  row: Record<string, unknown>,
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: [...access.origins],
      expectedRPID: access.rpId,
      requireUserVerification: true,
      credential: {
        id: String(row.credential_id),
        publicKey: base64.decode(String(row.public_key)) as Uint8Array<ArrayBuffer>,
        counter: Number(row.counter),
      },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
