import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyBackupCode, verifyTotp } from '../../../functions/account/auth/second-factor.ts'
import { totp } from '../../../local/totp.ts'
import { type Environment, startHarness } from './harness.ts'
import {
  failuresOf,
  forgetFailures,
  password,
  sessionOf,
  signIn,
  signUp,
  signUpWithTotp,
  wrongCode,
} from './people.ts'

const harness = startHarness()

describe('guessing', () => {
  test('five wrong codes lock the account for 15 minutes, wherever they were tried', async () => {
    const { email, userId, secret, token } = await signUpWithTotp(harness)
    const { sessionId } = await sessionOf(harness, token)
    const wrong = await wrongCode(secret)
    for (let guess = 0; guess < 3; guess++) {
      expect(await verifyTotp(harness.access, { userId, sessionId }, wrong)).toEqual({
        ok: false,
        reason: 'wrong',
      })
    }
    for (let guess = 0; guess < 2; guess++) {
      const { two_factor_token } = (await signIn(harness, email)).body
      const reply = await harness.post('/two-factor/verify-totp', { code: wrong, two_factor_token })
      expect(reply.body.error.code).toBe('second_factor_wrong')
    }
    expect(await verifyTotp(harness.access, { userId, sessionId }, await totp(secret))).toEqual({
      ok: false,
      reason: 'locked',
      retryAfterSeconds: expect.any(Number),
    })
    const { two_factor_token } = (await signIn(harness, email)).body
    const locked = await harness.post('/two-factor/verify-totp', {
      code: await totp(secret),
      two_factor_token,
    })
    expect([locked.status, locked.body.error.code]).toEqual([423, 'second_factor_locked'])
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890)
    const backup = await harness.post('/two-factor/verify-backup-code', {
      code: 'aaaaa-bbbbb',
      two_factor_token,
    })
    expect(backup.body.error.code).toBe('second_factor_locked')
  })

  test('fifty guesses at once are five guesses', async () => {
    const { userId, secret } = await signUpWithTotp(harness)
    const wrong = await wrongCode(secret)
    const results = await Promise.all(
      Array.from({ length: 50 }, () => verifyTotp(harness.access, { userId, sessionId: null }, wrong)),
    )
    const reasons = results.map((result) => (result.ok ? 'ok' : result.reason))
    expect(reasons.filter((reason) => reason === 'wrong')).toHaveLength(5)
    expect(reasons.filter((reason) => reason === 'locked')).toHaveLength(45)
  })

  test('the lock ends, a success resets the count, and old failures do not add up', async () => {
    const { userId, secret } = await signUpWithTotp(harness)
    const subject = { userId, sessionId: null }
    const wrong = await wrongCode(secret)
    for (let guess = 0; guess < 5; guess++) await verifyTotp(harness.access, subject, wrong)
    await harness.owner.query(
      `update second_factor_failures set locked_until = now() - interval '1 second' where user_id = $1`,
      [userId],
    )
    expect(await verifyTotp(harness.access, subject, wrong)).toEqual({ ok: false, reason: 'wrong' })
    expect(await failuresOf(harness, userId)).toMatchObject({ failures: 1, locked_until: null })
    expect(await verifyTotp(harness.access, subject, await totp(secret))).toEqual({ ok: true })
    expect(await failuresOf(harness, userId)).toBeUndefined()

    for (let guess = 0; guess < 4; guess++) await verifyTotp(harness.access, subject, wrong)
    await harness.owner.query(
      `update second_factor_failures set window_started_at = now() - interval '16 minutes' where user_id = $1`,
      [userId],
    )
    expect(await verifyTotp(harness.access, subject, wrong)).toEqual({ ok: false, reason: 'wrong' })
    expect(await failuresOf(harness, userId)).toMatchObject({ failures: 1 })
    await forgetFailures(harness, userId)
  })

  test('a text without the form of a code costs no query and does not count', async () => {
    const { userId } = await signUpWithTotp(harness)
    const subject = { userId, sessionId: null }
    const { trips } = await harness.trips(async () => {
      for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６']) {
        expect(await verifyTotp(harness.access, subject, code)).toEqual({ ok: false, reason: 'malformed' })
        expect(await verifyBackupCode(harness.access, subject, code)).toEqual({
          ok: false,
          reason: 'malformed',
        })
      }
    })
    expect(trips).toBe(0)
  })

  test('an authenticator that is not confirmed is not counted', async () => {
    const { userId, token } = await signUp(harness)
    const { body } = await harness.post('/two-factor/enable', { password }, { bearer: token })
    const secret = new URL(body.totp_uri).searchParams.get('secret')!
    const subject = { userId, sessionId: null }
    expect(await verifyTotp(harness.access, subject, await totp(secret))).toEqual({
      ok: false,
      reason: 'not_enrolled',
    })
    expect(await verifyBackupCode(harness.access, subject, body.backup_codes[0]!)).toEqual({
      ok: false,
      reason: 'not_enrolled',
    })
  })
})

describe('guessing a password', () => {
  let networks = 0
  /** A network from which the account has never signed in. */
  const elsewhere = () => `2001:db8:99:${(++networks).toString(16)}::1`
  const wrong = 'wrong horse battery'
  const from = (address: string, environment: Environment = 'sandbox') => ({
    headers: { 'cf-connecting-ip': address },
    environment,
  })
  const attempt = (email: string, given: string, address: string, environment?: Environment) =>
    harness.post('/sign-in/email', { email, password: given }, from(address, environment))
  const toldOf = ({ status, body }: Awaited<ReturnType<typeof attempt>>) => body.error?.code ?? status

  test('ten wrong ones from one network, on both Workers, block that network for a while; the owner signs in from elsewhere', async () => {
    const { email } = await signUp(harness)
    const guesser = elsewhere()
    const neighbor = guesser.replace('::1', ':ffff:ffff:ffff:ffff')
    const told: unknown[] = []
    for (let at = 0; at < 20; at++)
      told.push(toldOf(await attempt(email, wrong, at % 2 ? guesser : neighbor, at % 3 ? 'sandbox' : 'live')))
    expect(told).toEqual([...Array(10).fill('sign_in_failed'), ...Array(10).fill('rate_limited')])
    const right = await attempt(email, password, guesser)
    expect([right.status, Number(right.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(800)
    expect(toldOf(await attempt(email, password, elsewhere()))).toBe(200)
  })

  test('fifty at once are ten', async () => {
    const { email } = await signUp(harness)
    const guesser = elsewhere()
    const told = await Promise.all(Array.from({ length: 50 }, () => attempt(email, wrong, guesser)))
    expect(told.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(told.filter(({ status }) => status === 429)).toHaveLength(40)
  })

  test('from everywhere: after a hundred, one in five seconds; networks from which the owner signed in before do not wait', async () => {
    const { email, userId } = await signUp(harness)
    const home = elsewhere()
    expect(toldOf(await attempt(email, password, home))).toBe(200)
    await attempted(email, 100)
    const [slow, right] = [
      await attempt(email, wrong, elsewhere()),
      await attempt(email, password, elsewhere()),
    ]
    expect([toldOf(slow), toldOf(right)]).toEqual(['rate_limited', 'rate_limited'])
    expect(Number(right.headers.get('retry-after'))).toBeLessThanOrEqual(5)
    expect([toldOf(await attempt(email, wrong, home)), toldOf(await attempt(email, password, home))]).toEqual(
      ['sign_in_failed', 200],
    )
    await later(email, '6 seconds')
    const two = await Promise.all([1, 2].map(() => attempt(email, password, elsewhere())))
    expect(two.map(toldOf).sort()).toEqual([200, 'rate_limited'])
    expect(userId).toBeTruthy()
  })

  test('a success resets the count, and old failures do not add up', async () => {
    const { email } = await signUp(harness)
    const network = '198.51.100.9'
    expect(toldOf(await attempt(email, wrong, network))).toBe('sign_in_failed')
    await attempted(email, 9, network)
    expect(toldOf(await attempt(email, password, network))).toBe(200)
    expect(toldOf(await attempt(email, wrong, network))).toBe('sign_in_failed')
    await attempted(email, 10, network)
    expect(toldOf(await attempt(email, password, network))).toBe('rate_limited')
    await later(email, '16 minutes')
    expect(toldOf(await attempt(email, wrong, network))).toBe('sign_in_failed')
  })

  test('an address without an account is limited alike', async () => {
    const network = '198.51.100.10'
    expect(toldOf(await attempt('Nobody@example.com', wrong, network))).toBe('sign_in_failed')
    await attempted('nobody@example.com', 10, network)
    expect(toldOf(await attempt('nobody@example.com', wrong, network))).toBe('rate_limited')
  })

  test('routes that ask for the password again share ten tries, from any network or session; signing in is not among them', async () => {
    const { email, token } = await signUp(harness)
    const other = (await signIn(harness, email)).body.token
    const asked: [path: string, body: (given: string) => object][] = [
      ['/change-password', (current_password) => ({ current_password, new_password: `${password}!` })],
      ['/two-factor/enable', (given) => ({ password: given })],
      ['/two-factor/disable', (given) => ({ password: given })],
    ]
    const ask = (at: number, given: string) => {
      const [path, body] = asked[at % asked.length]!
      return harness.post(path, body(given), { ...from(elsewhere()), bearer: at % 3 ? token : other })
    }
    for (let at = 0; at < 10; at++) expect(toldOf(await ask(at, wrong))).toBe('password_wrong')
    for (let at = 0; at < 3; at++) expect(toldOf(await ask(at, password))).toBe('rate_limited')
    expect((await signIn(harness, email)).status).toBe(200)
    await later(email, '16 minutes')
    expect((await ask(1, password)).status).toBe(200)
  })

  const accountOf = (email: string) => createHash('sha256').update(email).digest('hex')
  /** As if there had been so many failures: from one network, or from all together. */
  const attempted = (email: string, attempts: number, network = '') =>
    harness.owner.query(
      `update password_attempts set attempts = $2, admitted_at = clock_timestamp() where account = $1 and network = $3`,
      [accountOf(email), attempts, network],
    )
  const later = (email: string, by: string) =>
    harness.owner.query(
      `update password_attempts set window_started_at = window_started_at - $2::interval,
              admitted_at = admitted_at - $2::interval where account = $1`,
      [accountOf(email), by],
    )
})
