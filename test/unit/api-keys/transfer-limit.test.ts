import { describe, expect, test } from 'vitest'
import { planRotate, planTransferLimit } from '../../../functions/account/api-keys/plan.ts'
import { presentLimits, transferLimitOf } from '../../../functions/account/api-keys/present.ts'
import type { ApiKeyRow } from '../../../functions/account/api-keys/store.ts'

const now = new Date('2026-06-13T12:00:00Z')
const defaults = { mxn: 5_000_000n, usd: 250_000n }

const keyWith = (transferLimits: Record<string, string>): ApiKeyRow => ({
  id: '0190a6d2-7c3e-7b1a-9f00-000000000001',
  kid: 'kid',
  pepperVersion: 1,
  obfuscatedValue: 'sk_sbx_…a1b2',
  description: 'Storefront',
  environment: 'sandbox',
  scopes: ['transfers:write'],
  status: 'active',
  expiresAt: null,
  graceEndsAt: null,
  rotatedFromId: null,
  transferLimits,
  createdByUserId: 'ana',
  createdByEmail: 'ana@example.com',
  version: 3,
  createdAt: now,
  updatedAt: now,
})

describe('above which amount transfers of a key wait', () => {
  const table: [what: string, own: Record<string, string>, currency: string, limit: bigint][] = [
    ["the environment's", {}, 'mxn', 5_000_000n],
    ["the key's own", { mxn: '100' }, 'mxn', 100n],
    ['of its own, nothing', { mxn: '0' }, 'mxn', 0n],
    ['of another currency', { usd: '100' }, 'mxn', 5_000_000n],
    ['more than the environment', { mxn: '999999999999999999' }, 'mxn', 999_999_999_999_999_999n],
    ['a currency without a default: everything waits', {}, 'eur', 0n],
  ]
  test.each(table)('%s', (_what, own, currency, limit) => {
    expect(transferLimitOf(keyWith(own), currency, defaults)).toBe(limit)
  })

  test('listed by currency, with where each comes from', () => {
    const { data } = presentLimits(keyWith({ usd: '7', eur: '1' }), defaults)
    expect(data.map(({ currency, amount, source }) => [currency, amount, source])).toEqual([
      ['eur', '1', 'key'],
      ['mxn', '5000000', 'default'],
      ['usd', '7', 'key'],
    ])
  })
})

describe('setting a limit', () => {
  type Own = Record<string, string>
  const table: [
    what: string,
    own: Own,
    currency: string,
    amount: string | null,
    after: Own,
    shown: string,
    told: object,
  ][] = [
    ['a first one', {}, 'mxn', '100', { mxn: '100' }, '100 key', { amount: '5000000', source: 'default' }],
    ['another', { mxn: '100', usd: '5' }, 'mxn', '7', { mxn: '7', usd: '5' }, '7 key', { amount: '100' }],
    [
      'without zeros in front',
      {},
      'mxn',
      '007',
      { mxn: '7' },
      '7 key',
      { amount: '5000000', source: 'default' },
    ],
    ['to nothing', {}, 'mxn', '0', { mxn: '0' }, '0 key', { amount: '5000000', source: 'default' }],
    [
      'the default back',
      { mxn: '100', usd: '5' },
      'mxn',
      null,
      { usd: '5' },
      '5000000 default',
      { amount: '100', source: 'key' },
    ],
    ['the default back where it is', {}, 'mxn', null, {}, '5000000 default', {}],
  ]
  test.each(table)('%s', (_what, own, currency, amount, after, shown, told) => {
    const plan = planTransferLimit(keyWith(own), currency, amount, defaults, 'event', now)
    expect(plan.writes).toMatchObject([{ kind: 'change', set: { transferLimits: after } }])
    expect(`${plan.reply.amount} ${plan.reply.source}`).toBe(shown)
    expect(plan.events.map(({ type, previousAttributes }) => ({ type, previousAttributes }))).toEqual([
      { type: 'api_key.transfer_limit_set', previousAttributes: told },
    ])
  })
})

test('a rotation hands the limits on to the successor', () => {
  const minted = { id: 'new', token: 't', kid: 'k', digest: 'd', pepperVersion: 1, obfuscatedValue: 'o' }
  const creator = { userId: 'ana', email: 'ana@example.com' }
  const plan = planRotate(keyWith({ mxn: '100' }), minted, creator, ['1', '2', '3'], now)
  expect(plan).toMatchObject({
    writes: [{}, { kind: 'insert', rows: [{ transferLimits: { mxn: '100' } }] }, {}, {}],
  })
})
