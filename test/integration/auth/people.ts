import { randomBytes } from 'node:crypto'
import { sessionFromBearer } from '../../../functions/account/auth/session.ts'
import { totp } from '../../../local/totp.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import type { Environment, Harness } from './harness.ts'

export const password = 'correct horse battery'
/** 128 characters, which JavaScript counts as 256. */
export const longestPassword = '🪑'.repeat(128)
export const origin = 'http://localhost:8701'

/** A new account with its first session. */
export async function signUp(harness: Harness) {
  const email = `ana-${randomBytes(6).toString('hex')}@example.com`
  const made = await harness.post('/sign-up/email', { name: 'Ana', email, password })
  const { status, body } = await signIn(harness, email)
  if (status !== 200) throw new Error(JSON.stringify([made.body, body]))
  return { email, userId: body.user.id as string, token: body.token as string }
}

export const signIn = (harness: Harness, email: string, environment: Environment = 'sandbox') =>
  harness.post('/sign-in/email', { email, password }, { environment })

/**
 * An account with a confirmed authenticator; the code of the confirmation may be used again. Tests use the codes of
 * this half minute and of the next: they stay right if a half minute ends meanwhile.
 */
export async function signUpWithTotp(harness: Harness) {
  const person = await signUp(harness)
  const enabled = await harness.post('/two-factor/enable', { password }, { bearer: person.token })
  const secret = new URL(enabled.body.totp_uri).searchParams.get('secret')!
  const code = await totp(secret)
  const confirmed = await harness.post('/two-factor/verify-totp', { code }, { bearer: person.token })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  await forgetUsedCodes(harness, person.userId)
  const backupCodes = enabled.body.backup_codes as string[]
  return { ...person, token: confirmed.body.token as string, secret, backupCodes }
}

export async function addPasskey(harness: Harness, token: string, options: { counter?: number } = {}) {
  const passkey = new SoftwareAuthenticator({ rpId: 'localhost', origin, ...options })
  const { body } = await harness.get('/passkey/generate-register-options', { bearer: token })
  const registered = await harness.post(
    '/passkey/verify-registration',
    { response: passkey.register(body.challenge), name: 'Laptop', passkey_token: body.passkey_token },
    { bearer: token },
  )
  return { passkey, registered }
}

/** Lets another half minute's worth of codes be used, as if time had passed. */
export const forgetUsedCodes = (harness: Harness, userId: string) =>
  harness.owner.query('delete from totp_uses where user_id = $1', [userId])

/** Makes the sessions of an account as old as if they had been begun or verified an hour ago. */
export const letAnHourPass = (harness: Harness, userId: string) =>
  harness.owner.query(
    `update sessions set created_at = created_at - interval '1 hour',
            factor_verified_at = factor_verified_at - interval '1 hour' where user_id = $1`,
    [userId],
  )

/** Signs in with a passkey, and nothing else. */
export async function signInWith(harness: Harness, passkey: SoftwareAuthenticator) {
  const { body } = await harness.get('/passkey/generate-authenticate-options')
  const response = passkey.assert(body.challenge)
  return harness.post('/passkey/verify-authentication', { response, passkey_token: body.passkey_token })
}

/** A session as the service reads it; it must be valid. */
export async function sessionOf(harness: Harness, token: string) {
  const session = await sessionFromBearer(harness.access.sql, harness.access.secrets, token)
  if (!session) throw new Error('no live session')
  return session
}

export const failuresOf = async (harness: Harness, userId: string) =>
  (await harness.owner.query('select * from second_factor_failures where user_id = $1', [userId])).rows[0]

export const forgetFailures = (harness: Harness, userId: string) =>
  harness.owner.query('delete from second_factor_failures where user_id = $1', [userId])

/** Never the right code of any half minute that counts. */
export async function wrongCode(secret: string): Promise<string> {
  const right = await Promise.all([-2, -1, 0, 1, 2].map((step) => totp(secret, step)))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!
}
