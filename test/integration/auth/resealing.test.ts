import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { openText, sealText } from '../../../functions/auth/sealing.ts'
import { sealAnew } from '../../../functions/auth/sealing-anew.ts'
import { verifyBackupCode } from '../../../functions/auth/second-factor.ts'
import { totp } from '../../../local/totp.ts'
import type { VersionedKeys } from '../../../src/env.ts'
import { startHarness } from './harness.ts'
import { sessionOf, signIn, signUpWithTotp } from './people.ts'

const [one, two] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const both: VersionedKeys = { current: '2', byVersion: { 1: one, 2: two } }
const harness = startHarness({ ...both, current: '1' })

const stored = async (userId: string) =>
  (await harness.owner.query('select * from two_factors where user_id = $1', [userId])).rows[0] as {
    id: string
    secret: string
    backup_codes: string
    unopened_at: Date | null
  }

/** What the scheduled job does to one account, at any moment. */
async function sealedAnew(userId: string, secrets = both): Promise<void> {
  const { secret, backup_codes } = await stored(userId)
  const texts = await Promise.all([openText(secrets, secret), openText(secrets, backup_codes)])
  const [newSecret, newCodes] = await Promise.all(texts.map((text) => sealText(secrets, text)))
  // As in the job: a code that was spent meanwhile is not sealed anew.
  await harness.owner.query(
    `update two_factors set secret = $2, backup_codes = $3
     where user_id = $1 and secret = $4 and backup_codes = $5`,
    [userId, newSecret, newCodes, secret, backup_codes],
  )
}

test('a sign-in with a backup code goes through when the codes are sealed anew in the middle of it', async () => {
  const { userId, email, backupCodes } = await signUpWithTotp(harness)
  const code = backupCodes[0]!
  const begun = await signIn(harness, email)
  harness.before('update "two_factors"', () => sealedAnew(userId))
  const { twoFactorToken } = begun.body
  const verified = await harness.post('/two-factor/verify-backup-code', { code, twoFactorToken })
  expect(verified.status).toBe(200)
  const codes = await openText(both, (await stored(userId)).backup_codes)
  expect(JSON.parse(codes)).toEqual(backupCodes.slice(1))

  const again = await signIn(harness, email)
  const spent = await harness.post('/two-factor/verify-backup-code', {
    code,
    twoFactorToken: again.body.twoFactorToken,
  })
  expect([spent.status, spent.body.error.code]).toEqual([401, 'second_factor_wrong'])
})

test('so does step-up with a backup code, and with a code of the authenticator', async () => {
  const { userId, email, token, secret, backupCodes } = await signUpWithTotp(harness)
  const { sessionId } = await sessionOf(harness, token)
  harness.before('update two_factors set backup_codes', () => sealedAnew(userId))
  const spent = await verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!)
  expect(spent).toEqual({ ok: true })
  expect(await verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!)).toMatchObject({
    reason: 'wrong',
  })

  const begun = await signIn(harness, email)
  harness.before('insert into totp_uses', () => sealedAnew(userId))
  const { twoFactorToken } = begun.body
  const verified = await harness.post('/two-factor/verify-totp', { code: await totp(secret), twoFactorToken })
  expect(verified.status).toBe(200)
})

test('of two sign-ins with one code while it is sealed anew, one succeeds', async () => {
  const { userId, email, backupCodes } = await signUpWithTotp(harness)
  const begun = await Promise.all(Array.from({ length: 4 }, () => signIn(harness, email)))
  harness.before('update "two_factors"', () => sealedAnew(userId))
  const replies = await Promise.all(
    begun.map(({ body: { twoFactorToken } }) =>
      harness.post('/two-factor/verify-backup-code', { code: backupCodes[0], twoFactorToken }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('a code that was spent while it was being sealed anew stays spent', async () => {
  const { userId, token, backupCodes } = await signUpWithTotp(harness)
  const { sessionId } = await sessionOf(harness, token)
  harness.before('unopened_at = null', () =>
    verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!),
  )
  await untilSealed(userId)
  const codes = await openText({ current: '2', byVersion: { 2: two } }, (await stored(userId)).backup_codes)
  expect(JSON.parse(codes)).toEqual(backupCodes.slice(1))
})

test('what cannot be opened is logged with its version, left as it is, and delays no other account', async () => {
  const broken = await signUpWithTotp(harness)
  const sound = await signUpWithTotp(harness)
  const before = await stored(broken.userId)
  await harness.owner.query(`update two_factors set secret = $2 where user_id = $1`, [
    broken.userId,
    '0'.repeat(200),
  ])
  const told = await untilSealed(sound.userId)
  expect(told.join()).toMatch(/^\d+ authenticators: version 1 of AUTH_SECRETS does not open what was sealed/)
  const after = await stored(broken.userId)
  expect([after.secret, after.backup_codes]).toEqual(['0'.repeat(200), before.backup_codes])
  expect(after.unopened_at).not.toBeNull()
})

/** Files beside this one have accounts under secrets that these two versions do not open. */
async function untilSealed(userId: string): Promise<string[]> {
  const told: string[] = []
  const sealed = async () => {
    told.push(...(await sealAnew({ ...harness.access, secrets: both })))
    return (await stored(userId)).secret
  }
  await expect.poll(sealed, { timeout: 20_000 }).toMatch(/^[$]ba[$]2[$]/)
  return told
}
