import { describe, expect, test } from 'vitest'
import { apiKeys } from '../../../drizzle/schema/api-keys.ts'
import { mailNotices } from '../../../drizzle/schema/mails.ts'
import { planCreate, planRevoke, planRotate, planSweep } from '../../../functions/account/api-keys/plan.ts'
import type { ApiKeyRow } from '../../../functions/account/api-keys/store.ts'
import { isRefusal, type Plan } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-12T18:00:00.000Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)
const minted = {
  id: '00000000-0000-7000-8000-000000000001',
  token: 'sk_sbx_the-value',
  kid: 'a0000000000000001',
  digest: 'digest-of-the-value',
  pepperVersion: 1,
  obfuscatedValue: 'sk_sbx_a0000000000000001…alue',
}
const creator = { userId: 'user', email: 'ana@example.com' }

const key = (changed: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
  id: '00000000-0000-7000-8000-0000000000aa',
  kid: 'a00000000000000aa',
  pepperVersion: 1,
  obfuscatedValue: 'sk_sbx_a00000000000000aa…wxyz',
  description: 'Storefront',
  environment: 'sandbox',
  scopes: ['payment_links:read', 'payment_links:write'],
  status: 'active',
  expiresAt: null,
  graceEndsAt: null,
  rotatedFromId: null,
  transferLimits: {},
  createdByUserId: 'user',
  createdByEmail: 'ana@example.com',
  version: 3,
  createdAt: hours(-100),
  updatedAt: hours(-100),
  ...changed,
})

const asked = {
  description: 'Storefront',
  environment: 'sandbox' as const,
  scopes: ['payment_links:write', 'payment_links:read'],
  expiresAt: null,
  rotatedFromId: null,
  transferLimits: {},
}
const shown = {
  created_at: now.toISOString(),
  created_by_email: 'ana@example.com',
  description: 'Storefront',
  environment: 'sandbox',
  expires_at: null,
  id: minted.id,
  obfuscated_value: minted.obfuscatedValue,
  scopes: ['payment_links:read', 'payment_links:write'],
  status: 'active',
}

/** The notice to the owners. */
const told = (id: string, kind: string, obfuscated: string) => ({
  kind: 'insert',
  table: mailNotices,
  rows: [
    {
      id,
      kind,
      data: {
        environment: 'sandbox',
        description: 'Storefront',
        key: obfuscated,
        by: 'ana@example.com',
        at: now.toISOString(),
      },
      status: 'waiting',
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  ],
})

test('a new key: born provisioning, active in the same publish, its value only in the first reply', () => {
  const plan = planCreate(asked, minted, creator, ['event-1', 'event-2'], now)
  const about = { resourceType: 'api_key', resourceId: minted.id }
  expect(plan).toEqual({
    writes: [
      {
        kind: 'insert',
        table: apiKeys,
        rows: [
          {
            id: minted.id,
            kid: minted.kid,
            digest: minted.digest,
            pepperVersion: 1,
            obfuscatedValue: minted.obfuscatedValue,
            description: 'Storefront',
            environment: 'sandbox',
            scopes: ['payment_links:read', 'payment_links:write'],
            status: 'provisioning',
            expiresAt: null,
            graceEndsAt: null,
            rotatedFromId: null,
            transferLimits: {},
            createdByUserId: 'user',
            createdByEmail: 'ana@example.com',
            version: 1,
            createdAt: now,
            updatedAt: now,
          },
        ],
      },
      {
        kind: 'change',
        table: apiKeys,
        id: minted.id,
        version: 1,
        fromStatus: 'provisioning',
        set: { status: 'active', updatedAt: now },
      },
      told('event-1', 'api_key_created', minted.obfuscatedValue),
    ],
    events: [
      {
        id: 'event-1',
        type: 'api_key.created',
        ...about,
        object: { ...shown, status: 'provisioning' },
        previousAttributes: {},
      },
      {
        id: 'event-2',
        type: 'api_key.activated',
        ...about,
        object: shown,
        previousAttributes: { status: 'provisioning' },
      },
    ],
    reply: { object: 'service.v1.api_key', key: shown },
    once: { one_time_value: minted.token },
    subjectId: minted.id,
  })
})

test('no stored part of a plan holds the value', () => {
  const { once: _, ...create } = planCreate(asked, minted, creator, ['1', '2'], now)
  const rotate = planRotate(key(), minted, creator, ['1', '2', '3'], now) as Plan<unknown>
  for (const { writes, events, reply } of [create, rotate])
    expect(
      JSON.stringify({ writes: writes.map((write) => ({ ...write, table: '' })), events, reply }),
    ).not.toContain(minted.token)
})

test('a rotation: the old key overlaps for a day, its successor has its scopes, environment and expiry', () => {
  const before = key({ expiresAt: hours(48) })
  const plan = planRotate(before, minted, creator, ['1', '2', '3'], now)
  if (isRefusal(plan)) throw new Error(plan.refused)
  expect(plan.writes[0]).toEqual({
    kind: 'change',
    table: apiKeys,
    id: before.id,
    version: 3,
    fromStatus: 'active',
    set: { status: 'rotating', graceEndsAt: hours(24), updatedAt: now },
  })
  expect(plan.writes[1]).toMatchObject({
    kind: 'insert',
    rows: [
      {
        id: minted.id,
        environment: 'sandbox',
        scopes: before.scopes,
        description: 'Storefront',
        expiresAt: hours(48),
        rotatedFromId: before.id,
        status: 'provisioning',
      },
    ],
  })
  expect(plan.events.map(({ type, resourceId }) => [type, resourceId])).toEqual([
    ['api_key.rotated', before.id],
    ['api_key.created', minted.id],
    ['api_key.activated', minted.id],
  ])
  expect(plan.events[0]).toMatchObject({
    object: { status: 'rotating', expires_at: hours(24).toISOString() },
    previousAttributes: { status: 'active', expires_at: hours(48).toISOString() },
  })
  expect(plan.once).toEqual({ one_time_value: minted.token })
})

test('the owners are mailed when a person revokes a key, and not when it expires', () => {
  const revoked = planRevoke(key(), creator, 'event', now) as Plan<unknown>
  expect(revoked.writes.slice(1)).toEqual([told('event', 'api_key_revoked', key().obfuscatedValue)])
  expect(planSweep(key({ expiresAt: hours(-1) }), 'event', now)!.writes).toHaveLength(1)
})

const statuses = ['provisioning', 'active', 'failed', 'rotating', 'revoking', 'revoked'] as const

const result = (
  plan: ReturnType<typeof planRotate> | ReturnType<typeof planSweep> | ReturnType<typeof planRevoke>,
) => {
  if (plan === null) return '-'
  if (isRefusal(plan)) return plan.refused
  return (plan.writes[0] as { set: { status: string } }).set.status
}

describe('status × what is asked', () => {
  const late = { expiresAt: hours(-1) }
  const overlapOver = { graceEndsAt: hours(-1) }
  const table: [string, (row: ApiKeyRow) => string, string[]][] = [
    // provisioning, active, failed, rotating, revoking, revoked
    [
      'rotate',
      (row) => result(planRotate(row, minted, creator, ['1', '2', '3'], now)),
      ['api_key_not_rotatable', 'rotating', ...Array(4).fill('api_key_not_rotatable')],
    ],
    [
      'rotate, expired',
      (row) => result(planRotate({ ...row, ...late }, minted, creator, ['1', '2', '3'], now)),
      Array(6).fill('api_key_not_rotatable'),
    ],
    [
      'revoke',
      (row) => result(planRevoke(row, creator, '1', now)),
      [
        'api_key_not_revocable',
        'revoking',
        'api_key_not_revocable',
        'revoking',
        'api_key_not_revocable',
        'api_key_not_revocable',
      ],
    ],
    ['sweep', (row) => result(planSweep(row, '1', now)), ['failed', '-', '-', '-', 'revoked', '-']],
    [
      'sweep, expired',
      (row) => result(planSweep({ ...row, ...late }, '1', now)),
      ['failed', 'revoking', '-', 'revoking', 'revoked', '-'],
    ],
    [
      'sweep, overlap over',
      (row) => result(planSweep({ ...row, ...overlapOver }, '1', now)),
      ['failed', 'revoking', '-', 'revoking', 'revoked', '-'],
    ],
  ]
  test.each(table)('%s', (_, plan, expected) => {
    expect(statuses.map((status) => plan(key({ status })))).toEqual(expected)
  })
})
