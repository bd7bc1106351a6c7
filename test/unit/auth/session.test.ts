import { serializeSignedCookie } from 'better-call'
import { describe, expect, test } from 'vitest'
import { identityAccess } from '../../../functions/account/auth/access.ts'
import { openBearer, sessionFromBearer, tokenDigest } from '../../../functions/account/auth/session.ts'

const secret = 'a secret of more than thirty-two characters'
const one = { current: '1', byVersion: { 1: secret } }
const token = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF'

/** As better-auth signs a session token for its cookie. */
const signed = async (value: string, key = secret) =>
  decodeURIComponent((await serializeSignedCookie('', value, key)).slice(1))

describe('openBearer', () => {
  test('opens what better-auth signed', async () => {
    expect(await openBearer(await signed(token), one)).toBe(token)
  })

  test('checks each value under the given keys only, whichever it saw before', async () => {
    const other = `${secret}!`
    expect(await openBearer(await signed(token, other), one)).toBeNull()
    expect(await openBearer(await signed(token, other), { current: '1', byVersion: { 1: other } })).toBe(
      token,
    )
    expect(await openBearer(await signed(token), one)).toBe(token)
  })

  const refused: [what: string, bearer: (good: string) => string][] = [
    ['nothing', () => ''],
    ['the token alone', () => token],
    ['the signature alone', (good) => good.slice(33)],
    ['a signature without its padding', (good) => good.slice(0, -1)],
    ['base64url', (good) => `${good.replace(/[+/]/, '-').replace('=', '')}-`],
    ['percent-encoding', (good) => encodeURIComponent(good)],
    ['a changed token', (good) => `b${good.slice(1)}`],
    ['a changed signature', (good) => good.slice(0, 40) + (good[40] === 'A' ? 'B' : 'A') + good.slice(41)],
    ['a longer token', (good) => `a${good}`],
    ['white space', (good) => ` ${good}`],
    ['a line break', (good) => `${good}\n`],
  ]
  test.each(refused)('refuses %s', async (_what, bearer) => {
    expect(await openBearer(bearer(await signed(token)), one)).toBeNull()
  })

  test('takes one spelling of a signature, not the four that decode to it', async () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const good = await signed(token)
    const at = alphabet.indexOf(good.at(-2)!)
    const bytes = (bearer: string) => Buffer.from(bearer.slice(33), 'base64').toString('hex')
    for (const more of [1, 2, 3]) {
      const other = `${good.slice(0, -2)}${alphabet[at + more]}=`
      expect([bytes(other), await openBearer(other, one)]).toEqual([bytes(good), null])
    }
    expect(await openBearer(good, one)).toBe(token)
  })

  test('refuses values that better-auth signs for other purposes', async () => {
    expect(await openBearer(await signed('2fa-aaaaaaaaaaaaaaaaaaaa'), one)).toBeNull()
    expect(await openBearer(await signed(await tokenDigest(token)), one)).toBeNull()
  })
})

describe('sessionFromBearer', () => {
  const row = {
    id: 's',
    user_id: 'u',
    email: 'ana@example.com',
    email_verified: false,
    name: 'Ana',
    two_factor_enabled: true,
    created_at: 1_790_000_000.123,
    expires_at: 1_790_043_200.123,
    factor_verified_at: null,
    second_factor: 'needed',
  }
  const session = {
    sessionId: 's',
    userId: 'u',
    email: 'ana@example.com',
    emailVerified: false,
    name: 'Ana',
    twoFactorEnabled: true,
    createdAt: new Date(1_790_000_000_123),
    expiresAt: new Date(1_790_043_200_123),
    factorVerifiedAt: null,
    secondFactor: 'needed',
  }

  test('queries once, by digest; never with the token', async () => {
    const asked: unknown[][] = []
    const sql = async (_text: string, values: readonly unknown[]) => {
      asked.push([...values])
      return [row]
    }
    expect(await sessionFromBearer(sql, one, await signed(token))).toEqual(session)
    expect(asked).toEqual([[await tokenDigest(token)]])
  })

  test('reads cells as values or as Postgres prints them', async () => {
    const printed = { ...row, email_verified: 'f', two_factor_enabled: 't', created_at: '1790000000.123' }
    const read = await sessionFromBearer(async () => [printed], one, await signed(token))
    expect(read).toEqual(session)
  })

  test('null when there is none, and no query for what is not signed', async () => {
    expect(await sessionFromBearer(async () => [], one, await signed(token))).toBeNull()
    const unasked = () => Promise.reject(new Error('asked'))
    expect(await sessionFromBearer(unasked, one, token)).toBeNull()
  })
})

describe('identityAccess', () => {
  const settings = {
    authSecrets: one,
    baseUrl: 'https://live.pay.example',
    passkeyRpId: undefined,
    sandboxBaseUrl: 'https://sandbox.pay.example',
    liveBaseUrl: 'https://live.pay.example',
  }
  const sql = async () => []

  test('binds passkeys to its own host, or to the parent domain that is named', () => {
    expect(identityAccess(settings, sql)).toMatchObject({
      baseUrl: 'https://live.pay.example',
      origins: ['https://sandbox.pay.example', 'https://live.pay.example'],
      rpId: 'live.pay.example',
    })
    expect(identityAccess({ ...settings, passkeyRpId: 'pay.example' }, sql).rpId).toBe('pay.example')
  })
})
