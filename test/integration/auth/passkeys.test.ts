import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { passkeyOptions, verifyPasskey } from '../../../functions/account/auth/passkey-factor.ts'
import { availableMethods, factorsOf } from '../../../functions/account/auth/second-factor.ts'
import { SoftwareAuthenticator } from '../../support/authenticator.ts'
import { startHarness } from './harness.ts'
import {
  addPasskey,
  letAnHourPass,
  origin,
  sessionOf,
  signIn,
  signInWith,
  signUp,
  signUpWithTotp,
} from './people.ts'

const harness = startHarness()

const newChallenge = () => randomBytes(32).toString('base64url')

describe('registering a passkey', () => {
  test('works right after signing in', async () => {
    const { token } = await signUp(harness)
    const options = await harness.get('/passkey/generate-register-options', { bearer: token })
    expect(options.body).toMatchObject({
      rp: { id: 'localhost', name: 'Spindle' },
      authenticatorSelection: { userVerification: 'required' },
      attestation: 'none',
      passkey_token: expect.any(String),
    })
    const { passkey, registered } = await addPasskey(harness, token)
    expect(registered.status).toBe(200)
    expect(Object.keys(registered.body).sort()).toEqual(
      ['aaguid', 'backed_up', 'created_at', 'device_type', 'id', 'name'].sort(),
    )
    const list = await harness.get('/passkey/list-user-passkeys', { bearer: token })
    expect(list.body).toEqual([registered.body])
    const { rows } = await harness.owner.query('select * from passkeys where credential_id = $1', [
      passkey.credentialId,
    ])
    expect(rows).toMatchObject([{ name: 'Laptop', counter: '0', transports: 'internal' }])
  })

  test('is refused for a session older than ten minutes', async () => {
    const { userId, token } = await signUp(harness)
    await letAnHourPass(harness, userId)
    const { registered } = await addPasskey(harness, token)
    expect([registered.status, registered.body.error.code]).toEqual([403, 'second_factor_needed'])
  })

  const spoilt: [what: string, options: { rpId?: string; origin?: string; userVerified?: boolean }][] = [
    ['of another host', { rpId: 'example.com' }],
    ['on another origin', { origin: 'https://example.com' }],
    ['that did not verify its user', { userVerified: false }],
  ]
  test.each(spoilt)('refuses one %s', async (_what, options) => {
    const { token } = await signUp(harness)
    const passkey = new SoftwareAuthenticator({ rpId: 'localhost', origin, ...options })
    const { body } = await harness.get('/passkey/generate-register-options', { bearer: token })
    const reply = await harness.post(
      '/passkey/verify-registration',
      { response: passkey.register(body.challenge), passkey_token: body.passkey_token },
      { bearer: token },
    )
    expect([reply.status, reply.body.error.code]).toEqual([401, 'passkey_rejected'])
    expect((await harness.get('/passkey/list-user-passkeys', { bearer: token })).body).toEqual([])
  })

  test('is refused a second time, for another account, and without its ceremony', async () => {
    const [ana, eve] = [await signUp(harness), await signUp(harness)]
    const { passkey } = await addPasskey(harness, ana.token)
    const mine = await harness.get('/passkey/generate-register-options', { bearer: eve.token })
    const register = (passkey_token: string | undefined, challenge: string, bearer: string) =>
      harness.post(
        '/passkey/verify-registration',
        { response: passkey.register(challenge), passkey_token },
        { bearer },
      )
    const taken = await register(mine.body.passkey_token, mine.body.challenge, eve.token)
    expect([taken.status, taken.body.error.code]).toEqual([409, 'passkey_exists'])
    const none = await register(undefined, mine.body.challenge, eve.token)
    expect([none.status, none.body.error.code]).toEqual([401, 'challenge_invalid'])
    const used = await register(mine.body.passkey_token, mine.body.challenge, eve.token)
    expect([used.status, used.body.error.code]).toEqual([401, 'challenge_invalid'])
    const foreign = await harness.get('/passkey/generate-authenticate-options')
    const other = await register(foreign.body.passkey_token, foreign.body.challenge, eve.token)
    expect([other.status, other.body.error.code]).toEqual([401, 'challenge_invalid'])
  })
})

describe('signing in with a passkey', () => {
  test('is a sign-in with a second factor, by itself', async () => {
    const { email, token } = await signUpWithTotp(harness)
    const { passkey } = await addPasskey(harness, token)
    const reply = await signInWith(harness, passkey)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      token: expect.any(String),
      expires_at: expect.any(String),
      user: expect.objectContaining({ email }),
    })
    expect((await sessionOf(harness, reply.body.token)).factorVerifiedAt).not.toBeNull()
  })

  test('works with a cookie jar too', async () => {
    const { token } = await signUp(harness)
    const { passkey } = await addPasskey(harness, token)
    const { body, cookies } = await harness.get('/passkey/generate-authenticate-options')
    expect(body.userVerification).toBe('required')
    const headers = { cookie: cookies[0]!.split(';')[0]! }
    const response = passkey.assert(body.challenge)
    const reply = await harness.post('/passkey/verify-authentication', { response }, { headers })
    expect(reply.status).toBe(200)
  })

  test('a challenge can be answered once', async () => {
    const { token } = await signUp(harness)
    const { passkey } = await addPasskey(harness, token)
    const { body } = await harness.get('/passkey/generate-authenticate-options')
    const answer = { response: passkey.assert(body.challenge), passkey_token: body.passkey_token }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => harness.post('/passkey/verify-authentication', answer)),
    )
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
  })

  test('refuses one that did not verify its user, and an unknown one', async () => {
    const { token } = await signUp(harness)
    const { passkey } = await addPasskey(harness, token)
    passkey.userVerified = false
    const unverified = await signInWith(harness, passkey)
    expect([unverified.status, unverified.body.error.code]).toEqual([401, 'passkey_rejected'])
    const unknown = await signInWith(harness, new SoftwareAuthenticator({ rpId: 'localhost', origin }))
    expect(unknown.status).toBe(401)
    expect(unknown.body).toEqual(unverified.body)
  })
})

describe('the token of another ceremony', () => {
  test('is no passkey’s, as it is or encoded, and its own ceremony goes on', async () => {
    const ana = await signUpWithTotp(harness)
    const { passkey } = await addPasskey(harness, ana.token)
    const { body } = await signIn(harness, ana.email)
    const spellings = [body.two_factor_token, encodeURIComponent(body.two_factor_token), ana.token]
    for (const passkey_token of spellings) {
      const signedIn = await harness.post('/passkey/verify-authentication', {
        response: passkey.assert(newChallenge()),
        passkey_token,
      })
      expect([signedIn.status, signedIn.body.error.code]).toEqual([401, 'challenge_invalid'])
      const registered = await harness.post(
        '/passkey/verify-registration',
        { response: passkey.register(newChallenge()), passkey_token },
        { bearer: ana.token },
      )
      expect([registered.status, registered.body.error.code]).toEqual([401, 'challenge_invalid'])
    }
    const step = { code: ana.backupCodes[0], two_factor_token: body.two_factor_token }
    expect((await harness.post('/two-factor/verify-backup-code', step)).status).toBe(200)
  })
})

describe('the passkeys of an account', () => {
  test('can be renamed and deleted by their owner only', async () => {
    const [ana, eve] = [await signUp(harness), await signUp(harness)]
    await addPasskey(harness, eve.token)
    const { registered, passkey } = await addPasskey(harness, ana.token)
    const refreshed = (await signInWith(harness, passkey)).body.token
    const { id } = registered.body
    for (const path of ['/passkey/update-passkey', '/passkey/delete-passkey']) {
      const name = path.includes('update') ? { name: 'Stolen' } : {}
      const recent = await freshSessionOf(eve.token)
      const foreign = await harness.post(path, { id, ...name }, { bearer: recent })
      const missing = await harness.post(path, { id: 'nothing', ...name }, { bearer: recent })
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 'passkey_not_found'])
      expect(missing.body).toEqual(foreign.body)
    }
    const renamed = await harness.post(
      '/passkey/update-passkey',
      { id, name: 'Phone' },
      { bearer: refreshed },
    )
    expect(renamed.body).toMatchObject({ id, name: 'Phone' })
    expect((await harness.post('/passkey/delete-passkey', { id }, { bearer: refreshed })).status).toBe(200)
    expect((await signInWith(harness, passkey)).status).toBe(401)
  })

  /** Marks a session as having shown its factor, as signing in with that factor does. */
  async function freshSessionOf(token: string): Promise<string> {
    const { sessionId } = await sessionOf(harness, token)
    await harness.owner.query('update sessions set factor_verified_at = now() where id = $1', [sessionId])
    return token
  }
})

describe('a passkey as a second factor', () => {
  async function enrolled(options: { counter?: number } = {}) {
    const { token } = await signUp(harness)
    const { passkey } = await addPasskey(harness, token, options)
    const { userId, sessionId } = await sessionOf(harness, token)
    return { passkey, subject: { userId, sessionId } }
  }

  test('is offered, answers its challenge, and marks the session', async () => {
    const { passkey, subject } = await enrolled()
    const factors = await factorsOf(harness.access, subject.userId)
    expect(availableMethods(factors)).toEqual(['webauthn'])
    const challenge = newChallenge()
    expect(await passkeyOptions(harness.access, factors, challenge)).toMatchObject({
      challenge,
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [{ id: passkey.credentialId, type: 'public-key', transports: ['internal'] }],
    })
    const answer = passkey.assert(challenge)
    const { trips, value } = await harness.trips(() =>
      verifyPasskey(harness.access, subject, answer, challenge),
    )
    expect([trips, value]).toEqual([2, { ok: true }])
    const { rows } = await harness.owner.query('select factor_verified_at from sessions where id = $1', [
      subject.sessionId,
    ])
    expect(rows[0].factor_verified_at).toBeInstanceOf(Date)
  })

  const refused: [
    what: string,
    answer: (passkey: SoftwareAuthenticator, challenge: string) => unknown,
    reason: string,
    trips: number,
  ][] = [
    ['an answer to another challenge', (passkey) => passkey.assert(newChallenge()), 'wrong', 1],
    [
      'another origin',
      (passkey, challenge) => passkey.assert(challenge, { origin: 'https://example.com' }),
      'wrong',
      1,
    ],
    [
      "another account's passkey",
      (_passkey, challenge) => new SoftwareAuthenticator({ rpId: 'localhost', origin }).assert(challenge),
      'wrong',
      1,
    ],
    ['a registration', (passkey, challenge) => passkey.register(challenge), 'malformed', 0],
    ['a text', () => 'yes', 'malformed', 0],
    ['nothing', () => null, 'malformed', 0],
    [
      'an id that is none',
      (passkey, challenge) => ({ ...passkey.assert(challenge), id: 'a\u0000b' }),
      'malformed',
      0,
    ],
    ['half an answer', () => ({ id: 'x', rawId: 'x', type: 'public-key' }), 'malformed', 0],
  ]
  test.each(refused)('refuses %s', async (_what, answer, reason, expectedTrips) => {
    const { passkey, subject } = await enrolled()
    const challenge = newChallenge()
    const given = answer(passkey, challenge)
    const { trips, value } = await harness.trips(() =>
      verifyPasskey(harness.access, subject, given, challenge),
    )
    expect([trips, value]).toEqual([expectedTrips, { ok: false, reason }])
  })

  test('refuses one that did not verify its user', async () => {
    const { passkey, subject } = await enrolled()
    passkey.userVerified = false
    const challenge = newChallenge()
    const result = await verifyPasskey(harness.access, subject, passkey.assert(challenge), challenge)
    expect(result).toEqual({ ok: false, reason: 'wrong' })
  })

  test('a counter must grow: fifty copies of one answer count as one answer', async () => {
    const { passkey, subject } = await enrolled({ counter: 1 })
    const challenge = newChallenge()
    const answer = passkey.assert(challenge)
    const results = await Promise.all(
      Array.from({ length: 50 }, () => verifyPasskey(harness.access, subject, answer, challenge)),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    passkey.counter = 1
    const late = await verifyPasskey(harness.access, subject, passkey.assert(challenge), challenge)
    expect(late.ok).toBe(false)
  })
})
