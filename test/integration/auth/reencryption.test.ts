import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decryptText, encryptText } from '../../../functions/account/auth/encryption.ts'
import { verifyBackupCode } from '../../../functions/account/auth/second-factor.ts'
import { type Query, reencrypt, tablesUnder } from '../../../local/reencrypt.ts'
import { totp } from '../../../local/totp.ts'
import type { VersionedKeys } from '../../../src/env/settings.ts'
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
  }

/** What `npm run reencrypt` does to one account, at any moment. */
async function reencryptOne(userId: string, secrets = both): Promise<void> {
  const { secret, backup_codes } = await stored(userId)
  const texts = await Promise.all([decryptText(secrets, secret), decryptText(secrets, backup_codes)])
  const [newSecret, newCodes] = await Promise.all(texts.map((text) => encryptText(secrets, text)))
  // As in the command: a code that was spent meanwhile is not re-encrypted.
  await harness.owner.query(
    `update two_factors set secret = $2, backup_codes = $3
     where user_id = $1 and secret = $4 and backup_codes = $5`,
    [userId, newSecret, newCodes, secret, backup_codes],
  )
}

test('a sign-in with a backup code goes through when the codes are re-encrypted in the middle of it', async () => {
  const { userId, email, backupCodes } = await signUpWithTotp(harness)
  const code = backupCodes[0]!
  const begun = await signIn(harness, email)
  harness.before('update two_factors set backup_codes', () => reencryptOne(userId))
  const { two_factor_token } = begun.body
  const verified = await harness.post('/two-factor/verify-backup-code', { code, two_factor_token })
  expect(verified.status).toBe(200)
  const codes = await decryptText(both, (await stored(userId)).backup_codes)
  expect(JSON.parse(codes)).toEqual(backupCodes.slice(1))

  const again = await signIn(harness, email)
  const spent = await harness.post('/two-factor/verify-backup-code', {
    code,
    two_factor_token: again.body.two_factor_token,
  })
  expect([spent.status, spent.body.error.code]).toEqual([401, 'second_factor_wrong'])
})

test('so does step-up with a backup code, and with a code of the authenticator', async () => {
  const { userId, email, token, secret, backupCodes } = await signUpWithTotp(harness)
  const { sessionId } = await sessionOf(harness, token)
  harness.before('update two_factors set backup_codes', () => reencryptOne(userId))
  const spent = await verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!)
  expect(spent).toEqual({ ok: true })
  expect(await verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!)).toMatchObject({
    reason: 'wrong',
  })

  const begun = await signIn(harness, email)
  harness.before('insert into totp_uses', () => reencryptOne(userId))
  const { two_factor_token } = begun.body
  const verified = await harness.post('/two-factor/verify-totp', {
    code: await totp(secret),
    two_factor_token,
  })
  expect(verified.status).toBe(200)
})

test('of two sign-ins with one code while it is re-encrypted, one succeeds', async () => {
  const { userId, email, backupCodes } = await signUpWithTotp(harness)
  const begun = await Promise.all(Array.from({ length: 4 }, () => signIn(harness, email)))
  harness.before('update two_factors set backup_codes', () => reencryptOne(userId))
  const replies = await Promise.all(
    begun.map(({ body: { two_factor_token } }) =>
      harness.post('/two-factor/verify-backup-code', { code: backupCodes[0], two_factor_token }),
    ),
  )
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
})

const [twoFactors] = tablesUnder.AUTH_SECRETS
const asOwner: Query = async (text, values) => (await harness.owner.query(text, values)).rows

test('a code that was spent while it was being re-encrypted stays spent', async () => {
  const { userId, token, backupCodes } = await signUpWithTotp(harness)
  const { sessionId } = await sessionOf(harness, token)
  let spent: unknown
  const meanwhile: Query = async (text, values) => {
    if (
      spent === undefined &&
      String(values[0]).includes((await stored(userId)).id) &&
      text.includes('update')
    )
      spent = await verifyBackupCode(harness.access, { userId, sessionId }, backupCodes[0]!)
    return asOwner(text, values)
  }
  await reencrypt(meanwhile, twoFactors!, both)
  expect(spent).toEqual({ ok: true })
  const codes = await decryptText(
    { current: '2', byVersion: { 2: two } },
    (await stored(userId)).backup_codes,
  )
  expect(JSON.parse(codes)).toEqual(backupCodes.slice(1))
})

test('a row that does not decrypt is named, left as it is, and delays no other account', async () => {
  const broken = await signUpWithTotp(harness)
  const sound = await signUpWithTotp(harness)
  const before = await stored(broken.userId)
  const lost = { ...before, secret: `$ba$1$${'0'.repeat(200)}` }
  await harness.owner.query(`update two_factors set secret = $2 where user_id = $1`, [
    broken.userId,
    lost.secret,
  ])
  const { left, undecryptable } = await reencrypt(asOwner, twoFactors!, both)
  expect(undecryptable).toContain(before.id)
  expect(undecryptable).not.toContain((await stored(sound.userId)).id)
  expect(left['1']).toBeGreaterThanOrEqual(1)
  expect(await stored(broken.userId)).toEqual(lost)
  expect((await stored(sound.userId)).secret).toMatch(/^[$]ba[$]2[$]/)
})

test('nothing is re-encrypted with a key that the Workers do not have, or before they encrypt with it', async () => {
  const under2 = await signUpWithTotp(harness)
  await reencryptOne(under2.userId)
  const { userId } = await signUpWithTotp(harness)
  const before = await stored(userId)
  const mistyped = { current: '2', byVersion: { 1: one, 2: randomBytes(32).toString('base64') } }
  await expect(reencrypt(asOwner, twoFactors!, mistyped)).rejects.toThrow(
    'Version 2 is another one in the Workers',
  )
  await expect(reencrypt(asOwner, twoFactors!, { ...both, current: '1' })).rejects.toThrow(
    'The Workers still encrypt under version 1',
  )
  expect(await stored(userId)).toEqual(before)
})
