import { describe, expect, test } from 'vitest'
import { type Bindings, readSettings, type VersionedKeys } from '../../../src/env.ts'
import { seal, unseal } from '../../../src/platform/crypto.ts'

const bindings = {
  ENVIRONMENT: 'sandbox',
  SANDBOX_BASE_URL: 'http://localhost:8787',
  LIVE_BASE_URL: 'http://localhost:8788',
  LINK_BASE_URL: 'localhost:8787',
  DATABASE_URL: 'postgres://worker@db/sandbox',
  IDENTITY_DATABASE_URL: 'postgres://worker@db/identity',
  DATABASE_TIMEOUT_MS: '8000',
  REDIS_TIMEOUT_MS: '150',
  API_KEY_PEPPERS: '{"1":"p"}',
  DOOR_SECRETS: `{"1":"${'d'.repeat(43)}"}`,
  SECRETS_KEYS: '{"1":"k"}',
  SIGNING_SECRETS: '{"1":"s"}',
  OWN_ZONES: 'spindle.example',
  WEBHOOK_RETENTION_DAYS: '90',
  PAYOUT_COOL_DOWN_HOURS: '24',
  TRANSFER_LIMIT_PER_DAY_MINOR: {},
  REFUND_LIMIT_PER_DAY_MINOR: {},
  FEE_SCHEDULES: [],
} satisfies Bindings

type Secrets = { AUTH_SECRETS?: string; AUTH_SECRET?: string }
const read = (secrets: Secrets) => readSettings({ ...bindings, ...secrets }).authSecrets

test('the database keeps plain digests of DOOR_SECRETS: none of them may be guessable', () => {
  const door = (...secrets: string[]) => ({
    ...bindings,
    AUTH_SECRET: 'a',
    DOOR_SECRETS: JSON.stringify({ ...secrets }).replace(/"(\d)":/g, (_, at) => `"${Number(at) + 1}":`),
  })
  expect(readSettings(door('d'.repeat(43), 'e'.repeat(43))).doorSecrets.current).toBe('2')
  expect(() => readSettings(door('d'.repeat(43), 'e'.repeat(42)))).toThrow(
    'DOOR_SECRETS has a secret of less than 32 random bytes',
  )
})

describe('versioned secrets', () => {
  const accepted: [what: string, secrets: Secrets, keys: VersionedKeys][] = [
    ['one version', { AUTH_SECRETS: '{"1":"a"}' }, { current: '1', byVersion: { 1: 'a' } }],
    [
      'the highest seals',
      { AUTH_SECRETS: '{"9":"a","10":"b"}' },
      { current: '10', byVersion: { 9: 'a', 10: 'b' } },
    ],
    [
      'or the one that is named',
      { AUTH_SECRETS: '{"current":"1","1":"a","2":"b"}' },
      { current: '1', byVersion: { 1: 'a', 2: 'b' } },
    ],
    ['a secret without versions is the first', { AUTH_SECRET: 'a' }, { current: '1', byVersion: { 1: 'a' } }],
    [
      'and stays it beside others',
      { AUTH_SECRET: 'a', AUTH_SECRETS: '{"2":"b"}' },
      { current: '2', byVersion: { 1: 'a', 2: 'b' } },
    ],
    [
      'also written twice',
      { AUTH_SECRET: 'a', AUTH_SECRETS: '{"1":"a","2":"b"}' },
      { current: '2', byVersion: { 1: 'a', 2: 'b' } },
    ],
  ]
  test.each(accepted)('%s', (_what, secrets, keys) => {
    expect(read(secrets)).toEqual(keys)
  })

  const refused: [what: string, secrets: Secrets, message: string][] = [
    ['none', {}, 'AUTH_SECRETS is not set'],
    ['nothing', { AUTH_SECRETS: '', AUTH_SECRET: '' }, 'AUTH_SECRETS is not set'],
    ['a secret that is not by version', { AUTH_SECRETS: 'hush' }, 'AUTH_SECRETS is not JSON'],
    ['a text', { AUTH_SECRETS: '"hush"' }, 'AUTH_SECRETS is not keys by version'],
    ['a list', { AUTH_SECRETS: '["hush"]' }, 'AUTH_SECRETS is not keys by version'],
    [
      'a version that is no number',
      { AUTH_SECRETS: '{"new":"hush"}' },
      'AUTH_SECRETS is not keys by version',
    ],
    ['an empty key', { AUTH_SECRETS: '{"1":"hush","2":""}' }, 'AUTH_SECRETS is not keys by version'],
    ['a key that is no text', { AUTH_SECRETS: '{"1":["hush"]}' }, 'AUTH_SECRETS is not keys by version'],
    ['no key', { AUTH_SECRETS: '{}' }, 'AUTH_SECRETS has no key of its current version'],
    [
      'a current version that has none',
      { AUTH_SECRETS: '{"1":"hush","current":"hush"}' },
      'AUTH_SECRETS has no key of its current version',
    ],
    [
      'two first versions',
      { AUTH_SECRETS: '{"1":"hush"}', AUTH_SECRET: 'another hush' },
      'AUTH_SECRET is not version 1 of AUTH_SECRETS',
    ],
  ]
  test.each(refused)('refuses %s, and repeats none of it', (_what, secrets, message) => {
    expect(() => read(secrets)).toThrow(message)
    expect(() => read(secrets)).not.toThrow(/hush/)
  })

  test('are written alike for peppers, keys of sealing and signing secrets', () => {
    const two = '{"current":"1","1":"a","2":"b"}'
    const settings = readSettings({
      ...bindings,
      AUTH_SECRETS: two,
      API_KEY_PEPPERS: two,
      SECRETS_KEYS: two,
      SIGNING_SECRETS: two,
    })
    const { peppers, secretsKeys, signingSecrets, authSecrets } = settings
    for (const keys of [peppers, secretsKeys, signingSecrets, authSecrets])
      expect(keys).toEqual({ current: '1', byVersion: { 1: 'a', 2: 'b' } })
  })
})

describe('what a signing secret signed', () => {
  const before: VersionedKeys = { current: '1', byVersion: { 1: 'old' } }
  const both: VersionedKeys = { current: '2', byVersion: { 1: 'old', 2: 'new' } }
  const after: VersionedKeys = { current: '2', byVersion: { 2: 'new' } }

  test('opens for as long as the secret is there, and for nothing else than it was signed for', async () => {
    const signed = await seal(before, 'cursor', 'text')
    expect(await unseal(both, 'cursor', signed)).toBe('text')
    expect(await unseal(both, 'offer', signed)).toBeNull()
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
