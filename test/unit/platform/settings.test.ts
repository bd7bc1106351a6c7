import { describe, expect, test } from 'vitest'
import { type Bindings, readSettings, type VersionedKeys } from '../../../src/env/settings.ts'
import { seal, unseal } from '../../../src/platform/crypto.ts'

const long = (letter: string) => letter.repeat(32)
const [a, b] = [long('a'), long('b')]
const encryptionKey = Buffer.alloc(32, 7).toString('base64')

const bindings = {
  ENVIRONMENT: 'sandbox',
  SANDBOX_BASE_URL: 'http://localhost:8787',
  LIVE_BASE_URL: 'http://localhost:8788',
  LINK_BASE_URL: 'localhost:8787',
  DATABASE_URL: 'postgres://worker@db/sandbox',
  IDENTITY_DATABASE_URL: 'postgres://worker@db/identity',
  DATABASE_TIMEOUT_MS: '8000',
  REDIS_TIMEOUT_MS: '150',
  API_KEY_PEPPERS: `{"1":"${long('p')}"}`,
  DOOR_SECRETS: `{"1":"${'d'.repeat(43)}"}`,
  SECRETS_KEYS: `{"1":"${encryptionKey}"}`,
  SIGNING_SECRETS: `{"1":"${long('s')}"}`,
  OWN_ZONES: 'spindle.example',
  WEBHOOK_RETENTION_DAYS: '90',
  PAYOUT_COOL_DOWN_HOURS: '24',
  TRANSFER_LIMIT_PER_DAY_MINOR: {},
  REFUND_LIMIT_PER_DAY_MINOR: {},
  FEE_SCHEDULES: [],
  AUTH_SECRETS: `{"1":"${a}"}`,
} satisfies Bindings

const read = (AUTH_SECRETS: string) => readSettings({ ...bindings, AUTH_SECRETS }).authSecrets

test('the database stores plain digests of DOOR_SECRETS: none of them may be guessable', () => {
  const door = (...secrets: string[]) => ({
    ...bindings,
    DOOR_SECRETS: JSON.stringify({ ...secrets }).replace(/"(\d)":/g, (_, at) => `"${Number(at) + 1}":`),
  })
  expect(readSettings(door('d'.repeat(43), 'e'.repeat(43))).doorSecrets.current).toBe('2')
  expect(() => readSettings(door('d'.repeat(43), 'e'.repeat(42)))).toThrow(
    'DOOR_SECRETS has a secret of less than 32 random bytes',
  )
})

describe('versioned secrets', () => {
  const accepted: [what: string, secrets: string, keys: VersionedKeys][] = [
    ['one version', `{"1":"${a}"}`, { current: '1', byVersion: { 1: a } }],
    ['the highest seals', `{"9":"${a}","10":"${b}"}`, { current: '10', byVersion: { 9: a, 10: b } }],
    [
      'or the one that is named',
      `{"current":"1","1":"${a}","2":"${b}"}`,
      { current: '1', byVersion: { 1: a, 2: b } },
    ],
  ]
  test.each(accepted)('%s', (_what, secrets, keys) => {
    expect(read(secrets)).toEqual(keys)
  })

  const refused: [what: string, secrets: string, message: string][] = [
    ['nothing', '', 'AUTH_SECRETS is not set'],
    ['a secret that is not by version', 'hush', 'AUTH_SECRETS is not JSON'],
    ['a text', '"hush"', 'AUTH_SECRETS is not keys by version'],
    ['a list', '["hush"]', 'AUTH_SECRETS is not keys by version'],
    ['a version that is no number', '{"new":"hush"}', 'AUTH_SECRETS is not keys by version'],
    ['an empty key', '{"1":"hush","2":""}', 'AUTH_SECRETS is not keys by version'],
    ['a key that is no text', '{"1":["hush"]}', 'AUTH_SECRETS is not keys by version'],
    ['no key', '{}', 'AUTH_SECRETS has no key of its current version'],
    [
      'a current version that has none',
      '{"1":"hush","current":"hush"}',
      'AUTH_SECRETS has no key of its current version',
    ],
  ]
  test.each(refused)('refuses %s, and repeats none of it', (_what, secrets, message) => {
    expect(() => read(secrets)).toThrow(message)
    expect(() => read(secrets)).not.toThrow(/hush/)
  })

  test('are written alike for peppers, encryption keys and signing secrets', () => {
    const two = `{"current":"1","1":"${a}","2":"${b}"}`
    const keys = `{"current":"1","1":"${encryptionKey}","2":"${Buffer.alloc(32, 8).toString('base64')}"}`
    const settings = readSettings({
      ...bindings,
      AUTH_SECRETS: two,
      API_KEY_PEPPERS: two,
      SECRETS_KEYS: keys,
      SIGNING_SECRETS: two,
    })
    const { peppers, secretsKeys, signingSecrets, authSecrets } = settings
    for (const each of [peppers, signingSecrets, authSecrets])
      expect(each).toEqual({ current: '1', byVersion: { 1: a, 2: b } })
    expect(secretsKeys).toEqual({ current: '1', byVersion: { 1: encryptionKey, 2: expect.any(String) } })
  })
})

describe('settings that could be guessed, or would expose everything', () => {
  const short = 'hush'.repeat(8).slice(1)
  const all = bindings
  const live = {
    ...all,
    ENVIRONMENT: 'live',
    LIVE_BASE_URL: 'https://api.spindle.example',
    DNS_OVER_HTTPS_URL: 'https://dns.example',
  }
  const gateway = 'http://127.0.0.1:9000/sql'
  const ofGateway = 'NEON_FETCH_ENDPOINT is for local use only'
  const refused: [what: string, env: Bindings, message: string][] = [
    ...(['API_KEY_PEPPERS', 'SIGNING_SECRETS', 'AUTH_SECRETS', 'SECRETS_KEYS'] as const).flatMap(
      (name): [string, Bindings, string][] => [
        [`31 bytes in ${name}`, { ...all, [name]: `{"1":"${short}"}` }, `version 1 of ${name} is shorter`],
        [
          `31 bytes beside a good one in ${name}`,
          { ...all, [name]: `{"1":"${short}","2":"${encryptionKey}"}` },
          `version 1 of ${name} is shorter than 32 bytes`,
        ],
      ],
    ),
    [
      'an encryption key of other than 32 bytes',
      { ...all, SECRETS_KEYS: `{"1":"${'hush'.repeat(16)}"}` },
      'version 1 of SECRETS_KEYS is not base64 of 32 bytes',
    ],
    ['a gateway in live', { ...live, NEON_FETCH_ENDPOINT: gateway }, ofGateway],
    [
      'a gateway in a deployed sandbox',
      { ...all, SANDBOX_BASE_URL: 'https://sandbox.spindle.example', NEON_FETCH_ENDPOINT: gateway },
      ofGateway,
    ],
    ['a gateway somewhere else', { ...all, NEON_FETCH_ENDPOINT: 'https://db.example/sql' }, ofGateway],
    [
      'one that only begins like this machine',
      { ...all, NEON_FETCH_ENDPOINT: 'http://localhost.example/sql' },
      ofGateway,
    ],
  ]
  test.each(refused)('refuses %s, and repeats none of it', (_what, env, message) => {
    expect(() => readSettings(env)).toThrow(message)
    expect(() => readSettings(env)).not.toThrow(/hush|example|9000/)
  })

  test('bytes are counted, not characters; the local stack has its gateway in both environments', () => {
    const umlauts = 'ü'.repeat(16)
    expect(readSettings({ ...all, API_KEY_PEPPERS: `{"1":"${umlauts}"}` }).peppers.byVersion['1']).toBe(
      umlauts,
    )
    for (const ENVIRONMENT of ['sandbox', 'live'])
      expect(readSettings({ ...all, ENVIRONMENT, NEON_FETCH_ENDPOINT: gateway }).neonFetchEndpoint).toBe(
        gateway,
      )
  })
})

test('webhooks to our own addresses are known by their zones: one of them has the base address, but for local use', () => {
  const deployed = {
    ...bindings,
    SANDBOX_BASE_URL: 'https://sandbox.cobros.example',
    DNS_OVER_HTTPS_URL: 'https://dns.example',
  }
  const of = (OWN_ZONES: string) => () => readSettings({ ...deployed, OWN_ZONES }).webhooks.ownZones
  expect(of('pagar.example cobros.example')()).toEqual(['pagar.example', 'cobros.example'])
  expect(of('sandbox.cobros.example')()).toEqual(['sandbox.cobros.example'])
  for (const zones of ['spindle.example workers.dev', 'obros.example', 'api.cobros.example'])
    expect(of(zones)).toThrow('OWN_ZONES lacks a base address')
  const { DNS_OVER_HTTPS_URL: _, ...unresolved } = deployed
  expect(() => readSettings({ ...unresolved, OWN_ZONES: 'cobros.example' })).toThrow(
    'DNS_OVER_HTTPS_URL is not set',
  )
})

describe('what a signing secret signed', () => {
  const before: VersionedKeys = { current: '1', byVersion: { 1: 'old' } }
  const both: VersionedKeys = { current: '2', byVersion: { 1: 'old', 2: 'new' } }
  const after: VersionedKeys = { current: '2', byVersion: { 2: 'new' } }

  test('opens as long as the secret is there, and only for its own purpose', async () => {
    const signed = await seal(before, 'cursor', 'text')
    expect(await unseal(both, 'cursor', signed)).toBe('text')
    expect(await unseal(both, 'quote', signed)).toBeNull()
    expect(await unseal(after, 'cursor', signed)).toBeNull()
  })

  test('is signed with the current one', async () => {
    const signed = await seal(both, 'cursor', 'text')
    expect(await unseal(after, 'cursor', signed)).toBe('text')
    expect(await unseal(before, 'cursor', signed)).toBeNull()
    const named = await seal({ ...both, current: '1' }, 'cursor', 'text')
    expect(await unseal(before, 'cursor', named)).toBe('text')
  })
})

describe('the check for persons', () => {
  const keys = { TURNSTILE_SITE_KEY: 'site', TURNSTILE_SECRET_KEY: 'secret' }
  const personCheck = (vars: Partial<Bindings>) => readSettings({ ...bindings, ...vars }).personCheck

  test('is there with both keys, at Cloudflare or on this machine', () => {
    expect(personCheck({})).toBe(null)
    const published = { siteKey: 'site', secretKey: 'secret', base: 'https://challenges.cloudflare.com' }
    expect(personCheck(keys)).toEqual(published)
    const base = 'http://127.0.0.1:4000'
    expect(personCheck({ ...keys, TURNSTILE_BASE: base })).toEqual({ ...published, base })
  })

  test.each([
    [{ TURNSTILE_SITE_KEY: 'site' }, 'TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY belong together'],
    [{ TURNSTILE_SECRET_KEY: 'secret' }, 'TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY belong together'],
    [{ ...keys, TURNSTILE_BASE: 'https://evil.example' }, 'TURNSTILE_BASE is for use on this machine only'],
  ])('%o is refused', (vars, message) => {
    expect(() => personCheck(vars)).toThrow(message)
  })
})
