import { describe, expect, test } from 'vitest'
import {
  availableMethods,
  factorsOf,
  verifyBackupCode,
  verifyTotp,
} from '../../../functions/account/auth/second-factor.ts'
import { totp } from '../../../local/totp.ts'
import { startHarness } from './harness.ts'
import {
  failuresOf,
  forgetUsedCodes,
  letAnHourPass,
  password,
  sessionOf,
  signIn,
  signUp,
  signUpWithTotp,
  wrongCode,
} from './people.ts'

const harness = startHarness()

describe('enrolling an authenticator', () => {
  test('takes the password and a first code; the session goes on with two factors', async () => {
    const { token } = await signUp(harness)
    const wrong = await harness.post(
      '/two-factor/enable',
      { password: 'wrong horse battery' },
      { bearer: token },
    )
    expect([wrong.status, wrong.body.error.code]).toEqual([403, 'password_wrong'])
    const { body } = await harness.post('/two-factor/enable', { password }, { bearer: token })
    expect(body).toEqual({
      totp_uri: expect.stringMatching(/^otpauth:\/\/totp\/Spindle:/),
      backup_codes: expect.any(Array),
    })
    expect(body.backup_codes).toHaveLength(10)
    expect((await sessionOf(harness, token)).twoFactorEnabled).toBe(false)

    const secret = new URL(body.totp_uri).searchParams.get('secret')!
    const confirmed = await harness.post(
      '/two-factor/verify-totp',
      { code: await totp(secret) },
      { bearer: token },
    )
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.token).toBe(token)
    const session = await sessionOf(harness, token)
    expect([session.twoFactorEnabled, session.factorVerifiedAt !== null]).toEqual([true, true])
  })

  const lost = [1, 2, 3, 4, 5, 6].flatMap((trip) => [false, true].map((after) => ({ trip, after })))
  test.each(lost)(
    'loses no session when the connection breaks at $trip, after it ran: $after',
    async (at) => {
      const { token, userId } = await signUp(harness)
      const { body } = await harness.post('/two-factor/enable', { password }, { bearer: token })
      const secret = new URL(body.totp_uri).searchParams.get('secret')!
      const confirm = async () =>
        harness.post('/two-factor/verify-totp', { code: await totp(secret) }, { bearer: token })
      harness.breakTrip(at.trip, at)
      await confirm()
      harness.breakTrip(0)
      await forgetUsedCodes(harness, userId)
      expect((await confirm()).status).toBe(200)
      const session = await sessionOf(harness, token)
      expect([session.twoFactorEnabled, session.factorVerifiedAt !== null]).toEqual([true, true])
    },
  )

  test('is not finished by a wrong code, and cannot begin twice', async () => {
    const { token } = await signUp(harness)
    const { body } = await harness.post('/two-factor/enable', { password }, { bearer: token })
    const secret = new URL(body.totp_uri).searchParams.get('secret')!
    const wrong = await harness.post(
      '/two-factor/verify-totp',
      { code: await wrongCode(secret) },
      { bearer: token },
    )
    expect([wrong.status, wrong.body.error.code]).toEqual([401, 'second_factor_wrong'])
    const right = await harness.post(
      '/two-factor/verify-totp',
      { code: await totp(secret) },
      { bearer: token },
    )
    const again = await harness.post('/two-factor/enable', { password }, { bearer: right.body.token })
    expect([again.status, again.body.error.code]).toEqual([409, 'second_factor_exists'])
  })

  test('keeps secret and backup codes encrypted', async () => {
    const { userId, secret, backupCodes } = await signUpWithTotp(harness)
    const { rows } = await harness.owner.query('select * from two_factors where user_id = $1', [userId])
    const stored = JSON.stringify(rows)
    for (const plain of [secret, ...backupCodes]) expect(stored).not.toContain(plain)
    expect(rows[0]).toMatchObject({
      verified: true,
      secret: expect.stringMatching(/^[$]ba[$]1[$][0-9a-f]{144,}$/),
    })
  })

  test('switches on in one statement, so that no half remains', async () => {
    const { userId, token, email } = await signUp(harness)
    await harness.post('/two-factor/enable', { password }, { bearer: token })
    await harness.owner.query('update users set two_factor_enabled = true where id = $1', [userId])
    expect((await signIn(harness, email)).body.two_factor_methods).toEqual(['totp', 'backup_code'])
    await harness.owner.query('update users set two_factor_enabled = false where id = $1', [userId])
    const { rowCount } = await harness.owner.query('select from two_factors where user_id = $1', [userId])
    expect(rowCount).toBe(0)
  })
})

describe('signing in to an account with an authenticator', () => {
  test('takes a code; without a cookie jar, on the other Worker', async () => {
    const { email, secret } = await signUpWithTotp(harness)
    const first = await signIn(harness, email)
    expect(first.body).toEqual({
      two_factor_redirect: true,
      two_factor_methods: ['totp', 'backup_code'],
      two_factor_token: expect.stringMatching(/^2fa-/),
    })
    expect(first.headers.get('set-auth-token')).toBeNull()
    const { two_factor_token } = first.body
    const code = await totp(secret)
    const step = { code, two_factor_token }
    const { trips, value: second } = await harness.trips(() =>
      harness.post('/two-factor/verify-totp', step, { environment: 'live' }),
    )
    expect([trips, second.status]).toEqual([9, 200])
    expect(second.body).toMatchObject({
      token: expect.any(String),
      expires_at: expect.any(String),
      user: { email },
    })
    expect((await sessionOf(harness, second.body.token)).factorVerifiedAt).not.toBeNull()
  })

  test('also works with a cookie jar', async () => {
    const { email, secret } = await signUpWithTotp(harness)
    const first = await signIn(harness, email)
    expect(first.cookies).toEqual([
      expect.stringMatching(/^spindle\.two_factor=.*Path=\/v1\/auth; HttpOnly; SameSite=Strict$/),
    ])
    const cookie = first.cookies[0]!.split(';')[0]!
    const second = await harness.post(
      '/two-factor/verify-totp',
      { code: await totp(secret) },
      { headers: { cookie } },
    )
    expect(second.status).toBe(200)
    expect((await harness.get('/get-session', { bearer: second.body.token })).status).toBe(200)
  })

  test('leaves no session behind while the code is missing', async () => {
    const { email, userId } = await signUpWithTotp(harness)
    await signIn(harness, email)
    const { rowCount } = await harness.owner.query('select from sessions where user_id = $1', [userId])
    expect(rowCount).toBe(1)
  })

  test('a sign-in can be finished once', async () => {
    const { email, userId, secret } = await signUpWithTotp(harness)
    const { two_factor_token } = (await signIn(harness, email)).body
    expect(
      (await harness.post('/two-factor/verify-totp', { code: await totp(secret), two_factor_token })).status,
    ).toBe(200)
    await forgetUsedCodes(harness, userId)
    const again = await harness.post('/two-factor/verify-totp', {
      code: await totp(secret),
      two_factor_token,
    })
    expect([again.status, again.body.error.code]).toEqual([401, 'challenge_invalid'])
  })

  const spoilt: [what: string, spoil: (token: string) => string | undefined, code: string][] = [
    ['another signature', (token) => `${token.split('.')[0]}.${'A'.repeat(43)}=`, 'challenge_invalid'],
    ['a session token', () => `${'a'.repeat(32)}.${'A'.repeat(43)}=`, 'challenge_invalid'],
    ['nothing', () => undefined, 'credential_missing'],
  ]
  test.each(spoilt)('refuses %s for the sign-in under way, without a trip', async (_what, spoil, code) => {
    const { email, secret } = await signUpWithTotp(harness)
    const { two_factor_token } = (await signIn(harness, email)).body
    const body = { code: await totp(secret), two_factor_token: spoil(two_factor_token) }
    const { trips, value } = await harness.trips(() => harness.post('/two-factor/verify-totp', body))
    expect([trips, value.status, value.body.error.code]).toEqual([0, 401, code])
  })

  test('an expired sign-in is refused', async () => {
    const { email, secret, userId } = await signUpWithTotp(harness)
    const { two_factor_token } = (await signIn(harness, email)).body
    const expire = `update verifications set expires_at = now() - interval '1 second' where value = $1`
    await harness.owner.query(expire, [userId])
    const late = await harness.post('/two-factor/verify-totp', { code: await totp(secret), two_factor_token })
    expect([late.status, late.body.error.code]).toEqual([401, 'challenge_invalid'])
  })

  test('a backup code finishes it, once', async () => {
    const { email, backupCodes } = await signUpWithTotp(harness)
    const code = backupCodes[3]!
    const { two_factor_token } = (await signIn(harness, email)).body
    const used = await harness.post('/two-factor/verify-backup-code', { code, two_factor_token })
    expect(used.status).toBe(200)
    expect((await harness.get('/get-session', { bearer: used.body.token })).status).toBe(200)
    const next = (await signIn(harness, email)).body.two_factor_token
    const again = await harness.post('/two-factor/verify-backup-code', { code, two_factor_token: next })
    expect([again.status, again.body.error.code]).toEqual([401, 'second_factor_wrong'])
  })
})

describe('a code works once', () => {
  test('a code of the sign-in does not work for step-up, on either Worker', async () => {
    const { email, secret, userId } = await signUpWithTotp(harness)
    const { two_factor_token } = (await signIn(harness, email)).body
    const code = await totp(secret)
    const { body } = await harness.post('/two-factor/verify-totp', { code, two_factor_token })
    const { sessionId } = await sessionOf(harness, body.token)
    expect(await verifyTotp(harness.access, { userId, sessionId }, code)).toEqual({
      ok: false,
      reason: 'already_used',
    })
    const next = await totp(secret, 1)
    expect(await verifyTotp(harness.access, { userId, sessionId }, next)).toEqual({ ok: true })
  })

  test('fifty at once with one code: one is accepted, and the account is not locked', async () => {
    const { userId, secret } = await signUpWithTotp(harness)
    const code = await totp(secret)
    const results = await Promise.all(
      Array.from({ length: 50 }, () => verifyTotp(harness.access, { userId, sessionId: null }, code)),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect(await verifyTotp(harness.access, { userId, sessionId: null }, await totp(secret, 1))).toEqual({
      ok: true,
    })
  })

  test('a code already used counts as no failure, and clears no others', async () => {
    const { userId, secret } = await signUpWithTotp(harness)
    const subject = { userId, sessionId: null }
    const [used, wrong] = [await totp(secret), await wrongCode(secret)]
    expect(await verifyTotp(harness.access, subject, used)).toEqual({ ok: true })
    for (let guess = 0; guess < 4; guess++) await verifyTotp(harness.access, subject, wrong)
    const replay = await verifyTotp(harness.access, subject, used)
    expect(replay).toEqual({ ok: false, reason: 'already_used' })
    expect(await failuresOf(harness, userId)).toMatchObject({ failures: 4, locked_until: null })
    expect(await verifyTotp(harness.access, subject, wrong)).toEqual({ ok: false, reason: 'wrong' })
    expect(await verifyTotp(harness.access, subject, used)).toMatchObject({ ok: false, reason: 'locked' })
  })

  test('fifty at once with one backup code: one is accepted', async () => {
    const { userId, backupCodes } = await signUpWithTotp(harness)
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        verifyBackupCode(harness.access, { userId, sessionId: null }, backupCodes[0]!),
      ),
    )
    expect(results.filter((result) => result.ok)).toHaveLength(1)
    expect((await factorsOf(harness.access, userId)).backupCodesLeft).toBe(9)
  })

  test('four backup codes at once are all accepted', async () => {
    const { userId, backupCodes } = await signUpWithTotp(harness)
    const results = await Promise.all(
      backupCodes
        .slice(0, 4)
        .map((code) => verifyBackupCode(harness.access, { userId, sessionId: null }, code)),
    )
    expect(results).toEqual([{ ok: true }, { ok: true }, { ok: true }, { ok: true }])
    expect((await factorsOf(harness.access, userId)).backupCodesLeft).toBe(6)
  })

  test.each([1, 2, 3, 4, 5])('fifty sign-ins at once with one backup code: one session (%i)', async () => {
    const { userId, email, backupCodes } = await signUpWithTotp(harness)
    const begun = await Promise.all([1, 2, 3, 4, 5].map(() => signIn(harness, email)))
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        harness.post('/two-factor/verify-backup-code', {
          code: backupCodes[0],
          two_factor_token: begun[at % 5]!.body.two_factor_token,
        }),
      ),
    )
    const told = new Set(replies.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`))
    expect(
      replies.filter(({ status }) => status === 200),
      [...told].join(),
    ).toHaveLength(1)
    expect(told).not.toContain('500 internal')
    const { rowCount } = await harness.owner.query('select from sessions where user_id = $1', [userId])
    expect(rowCount).toBe(2)
  })
})

describe('the factors of an account', () => {
  test('none, then an authenticator; two trips for a right code, one for a wrong one', async () => {
    const bare = await signUp(harness)
    expect(availableMethods(await factorsOf(harness.access, bare.userId))).toEqual([])
    const { userId, secret, token } = await signUpWithTotp(harness)
    const { trips, value } = await harness.trips(() => factorsOf(harness.access, userId))
    expect([trips, value]).toEqual([1, { totp: true, backupCodesLeft: 10, passkeys: [] }])
    expect(availableMethods(value)).toEqual(['totp', 'backup_code'])
    const subject = { userId, sessionId: (await sessionOf(harness, token)).sessionId }
    const wrong = await wrongCode(secret)
    expect((await harness.trips(() => verifyTotp(harness.access, subject, wrong))).trips).toBe(1)
    const right = await totp(secret)
    expect((await harness.trips(() => verifyTotp(harness.access, subject, right))).trips).toBe(2)
  })
})

describe('changing factors takes a factor', () => {
  test('a session that showed none lately is refused until it shows one', async () => {
    const { userId, token, secret } = await signUpWithTotp(harness)
    await letAnHourPass(harness, userId)
    const guarded: [method: 'get' | 'post', path: string, body?: object][] = [
      ['post', '/two-factor/enable', { password }],
      ['post', '/two-factor/disable', { password }],
      ['post', '/two-factor/generate-backup-codes', { password }],
      ['post', '/change-password', { current_password: password, new_password: `${password}!` }],
      ['get', '/passkey/generate-register-options'],
      ['post', '/passkey/delete-passkey', { id: 'any' }],
    ]
    for (const [method, path, body] of guarded) {
      const reply =
        method === 'get'
          ? await harness.get(path, { bearer: token })
          : await harness.post(path, body, { bearer: token })
      expect([path, reply.status, reply.body.error.code]).toEqual([path, 403, 'second_factor_needed'])
    }
    const code = await totp(secret)
    const shown = await harness.post('/two-factor/verify-totp', { code }, { bearer: token })
    expect([shown.status, shown.body]).toEqual([200, { token }])
    const codes = await harness.post('/two-factor/generate-backup-codes', { password }, { bearer: token })
    expect(codes.body.backup_codes).toHaveLength(10)
  })

  test('a fresh sign-in with the password alone is not enough once there is a factor', async () => {
    const { userId, token } = await signUpWithTotp(harness)
    await harness.owner.query('update sessions set factor_verified_at = null where user_id = $1', [userId])
    const reply = await harness.get('/passkey/generate-register-options', { bearer: token })
    expect([reply.status, reply.body.error.code]).toEqual([403, 'second_factor_needed'])
  })

  test('a backup code shows a factor too', async () => {
    const { userId, token, backupCodes } = await signUpWithTotp(harness)
    await letAnHourPass(harness, userId)
    const shown = await harness.post(
      '/two-factor/verify-backup-code',
      { code: backupCodes[0] },
      { bearer: token },
    )
    expect([shown.status, shown.body]).toEqual([200, { token }])
    expect((await harness.get('/passkey/generate-register-options', { bearer: token })).status).toBe(200)
  })

  test('removing the authenticator makes the sign-in a single step again', async () => {
    const { email, token } = await signUpWithTotp(harness)
    const removed = await harness.post('/two-factor/disable', { password }, { bearer: token })
    expect(removed.status).toBe(200)
    expect(
      (await harness.get('/get-session', { bearer: removed.body.token })).body.user.two_factor_enabled,
    ).toBe(false)
    expect((await signIn(harness, email)).body.token).toEqual(expect.any(String))
  })
})
