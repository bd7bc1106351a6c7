import { describe, expect, test } from 'vitest'
import { verifyBackupCode, verifyTotp } from '../../../functions/auth/second-factor.ts'
import { totp } from '../../../local/totp.ts'
import { startHarness } from './harness.ts'
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
      const { twoFactorToken } = (await signIn(harness, email)).body
      const reply = await harness.post('/two-factor/verify-totp', { code: wrong, twoFactorToken })
      expect(reply.body.error.code).toBe('second_factor_wrong')
    }
    expect(await verifyTotp(harness.access, { userId, sessionId }, await totp(secret))).toEqual({
      ok: false,
      reason: 'locked',
      retryAfterSeconds: expect.any(Number),
    })
    const { twoFactorToken } = (await signIn(harness, email)).body
    const locked = await harness.post('/two-factor/verify-totp', { code: await totp(secret), twoFactorToken })
    expect([locked.status, locked.body.error.code]).toEqual([423, 'second_factor_locked'])
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(890)
    const backup = await harness.post('/two-factor/verify-backup-code', {
      code: 'aaaaa-bbbbb',
      twoFactorToken,
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

  test('the lock ends, a success forgets, and failures of long ago do not add up', async () => {
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

  test('what has not the form of a code is neither asked nor counted', async () => {
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

  test('an authenticator that is not confirmed counts for nothing', async () => {
    const { userId, token } = await signUp(harness)
    const { body } = await harness.post('/two-factor/enable', { password }, { bearer: token })
    const secret = new URL(body.totpURI).searchParams.get('secret')!
    const subject = { userId, sessionId: null }
    expect(await verifyTotp(harness.access, subject, await totp(secret))).toEqual({
      ok: false,
      reason: 'not_enrolled',
    })
    expect(await verifyBackupCode(harness.access, subject, body.backupCodes[0]!)).toEqual({
      ok: false,
      reason: 'not_enrolled',
    })
  })
})
