import { describe, expect, test } from 'vitest'
import {
  planCreate,
  planRecovery,
  planRotate,
  planSwitch,
} from '../../../functions/developer/webhooks/plan.ts'
import {
  changesHealth,
  type Failure,
  planOutcome,
  type SendResult,
  type Sent,
} from '../../../functions/developer/webhooks/plan-outcome.ts'
import type { EndpointRow, SecretRow } from '../../../functions/developer/webhooks/store.ts'
import { isRefusal } from '../../../src/kernel/plan.ts'

const now = new Date('2026-06-13T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const hour = 3_600_000
const clock = (random = 0) => ({
  now,
  newId: () => '0190a6d2-7c3e-7b1a-9f00-000000000001',
  random: () => random,
})

const endpoint: EndpointRow = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000020',
  url: 'https://shop.example.com/hooks',
  description: null,
  eventTypes: ['*'],
  status: 'enabled',
  disabledReason: null,
  failingSince: null,
  hastenedAt: null,
  hastenedUntil: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
}

const outcome = (failure: Failure | null, more: Partial<SendResult> = {}): SendResult => ({
  failure,
  responseStatus: failure === null ? 200 : 500,
  responseBody: null,
  retryAfter: null,
  startedAt: now,
  durationMs: 10,
  ...more,
})
const sent = (failure: Failure | null, attemptsCount = 1, more: Partial<SendResult> = {}): Sent => ({
  id: '0190a6d2-7c3e-7b1a-9f00-000000000022',
  version: 2,
  attemptsCount,
  outcome: outcome(failure, more),
})

type Change = { kind: string; set: Record<string, unknown> }
const deliveryAfter = (one: Sent, random = 0) =>
  (planOutcome([one], undefined, clock(random)).writes as unknown as Change[])[0]!.set

describe('the schedule', () => {
  const [second, minute] = [1_000, 60_000]
  test.each([
    [1, 5 * second],
    [2, 5 * minute],
    [3, 30 * minute],
    [4, 2 * hour],
    [5, 5 * hour],
    [6, 10 * hour],
    [7, 10 * hour],
  ])('after attempt %i', (attempts, afterMs) => {
    const at = (random: number) =>
      (deliveryAfter(sent('status', attempts), random).nextAttemptAt as Date).getTime() - now.getTime()
    expect(at(0)).toBe(afterMs)
    expect(at(1)).toBe(afterMs * 1.2)
  })

  test.each([8, 9])('after attempt %i there is no other', (attempts) => {
    expect(deliveryAfter(sent('timeout', attempts))).toMatchObject({
      status: 'exhausted',
      nextAttemptAt: null,
    })
  })

  test.each([
    ['seconds', '120', 120_000],
    ['a date', 'Sat, 13 Jun 2026 12:02:00 GMT', 120_000],
    ['less than the schedule', '1', 5_000],
    ['the past', 'Sat, 13 Jun 2020 12:02:00 GMT', 5_000],
    ['beyond all bounds', '99999999', 10 * hour],
    ['nonsense', 'soon', 5_000],
    ['negative', '-5', 5_000],
  ])('Retry-After: %s', (_what, retryAfter, afterMs) => {
    const { nextAttemptAt } = deliveryAfter(sent('status', 1, { retryAfter }))
    expect((nextAttemptAt as Date).getTime() - now.getTime()).toBe(afterMs)
  })

  test('a success ends it, and so does 410', () => {
    expect(deliveryAfter(sent(null))).toMatchObject({ status: 'succeeded', nextAttemptAt: null })
    expect(deliveryAfter(sent('gone'))).toMatchObject({ status: 'exhausted', nextAttemptAt: null })
    expect(deliveryAfter(sent('secret'))).toMatchObject({ status: 'retrying' })
  })
})

describe('the status of an endpoint', () => {
  const day = 24 * hour
  const cases: [
    what: string,
    EndpointRow,
    (Failure | null)[],
    expected: Partial<EndpointRow> | null,
    type?: string,
  ][] = [
    ['sound and taken', endpoint, [null], null],
    ['first failure', endpoint, ['status'], { failingSince: now, status: 'enabled' }],
    ['fails on', { ...endpoint, failingSince: ago(hour) }, ['status'], null],
    ['one of them taken', { ...endpoint, failingSince: ago(hour) }, ['status', null], { failingSince: null }],
    [
      '12 hours',
      { ...endpoint, failingSince: ago(12 * hour) },
      ['timeout'],
      { status: 'degraded' },
      'degraded',
    ],
    [
      'degraded and taken',
      { ...endpoint, status: 'degraded', failingSince: ago(day) },
      [null],
      { status: 'enabled', failingSince: null },
      'enabled',
    ],
    ['degraded, four days', { ...endpoint, status: 'degraded', failingSince: ago(4 * day) }, ['dns'], null],
    [
      'degraded, five days',
      { ...endpoint, status: 'degraded', failingSince: ago(5 * day) },
      ['connection'],
      { status: 'disabled', disabledReason: 'failing' },
      'disabled',
    ],
    ['gone', endpoint, ['gone'], { status: 'disabled', disabledReason: 'gone' }, 'disabled'],
    [
      'no secret decrypts',
      endpoint,
      ['secret'],
      { status: 'disabled', disabledReason: 'secret' },
      'disabled',
    ],
    ['paused meanwhile', { ...endpoint, status: 'paused' }, ['gone'], null],
    ['disabled meanwhile', { ...endpoint, status: 'disabled', disabledReason: 'by_hand' }, ['status'], null],
  ]
  test.each(cases)('%s', (_what, row, failures, expected, type) => {
    const all = failures.map((failure) => sent(failure))
    expect(changesHealth(row, all, now)).toBe(expected !== null)
    const plan = planOutcome(all, row, clock())
    const [first] = plan.writes as unknown as Change[]
    if (expected === null) expect(plan.writes).toHaveLength(all.length + 1)
    else expect(first!.set).toMatchObject(expected)
    expect(plan.events.map((event) => event.type)).toEqual(type ? [`webhook_endpoint.${type}`] : [])
  })

  test('the event has the former values', () => {
    const degraded = { ...endpoint, status: 'degraded' as const, failingSince: ago(day) }
    const former = (row: EndpointRow, failure: Failure | null) =>
      planOutcome([sent(failure)], row, clock()).events.map(({ previousAttributes }) => previousAttributes)
    expect(former(degraded, null)).toEqual([{ status: 'degraded', failing_since: ago(day).toISOString() }])
    expect(former(endpoint, 'gone')).toEqual([{ status: 'enabled', disabled_reason: null }])
  })
})

describe('by hand', () => {
  test.each([
    ['enabled', 'pause', 'paused'],
    ['degraded', 'pause', 'paused'],
    ['paused', 'enable', 'enabled'],
    ['disabled', 'enable', 'enabled'],
    ['enabled', 'disable', 'disabled'],
    ['paused', 'disable', 'disabled'],
    ['enabled', 'enable', null],
    ['degraded', 'enable', null],
    ['paused', 'pause', null],
    ['disabled', 'pause', null],
    ['disabled', 'disable', null],
  ] as const)('%s, %s: %s', (status, step, after) => {
    const plan = planSwitch({ ...endpoint, status }, step, clock())
    if (after === null) expect(plan).toMatchObject({ refused: 'webhook_endpoint_status_unchanged' })
    else expect(plan).toMatchObject({ reply: { status: after } })
  })

  test('a workspace has at most fifty endpoints', () => {
    const wanted = { id: endpoint.id, url: endpoint.url, description: null, eventTypes: ['*'] }
    const secret = { text: 'whsec_a', ciphertext: '1.x' }
    expect(planCreate(wanted, 49, secret, clock())).toMatchObject({ once: { one_time_value: 'whsec_a' } })
    expect(planCreate(wanted, 50, secret, clock())).toMatchObject({
      refused: 'webhook_endpoint_limit_reached',
    })
  })

  test('the secret is in nothing that is stored', () => {
    const wanted = { id: endpoint.id, url: endpoint.url, description: null, eventTypes: ['*'] }
    const plan = planCreate(wanted, 0, { text: 'whsec_a', ciphertext: '1.x' }, clock())
    if (isRefusal(plan)) throw new Error('refused')
    const kept = plan.writes.map((write) => ('rows' in write ? write.rows : null))
    expect(JSON.stringify([kept, plan.events, plan.reply])).not.toContain('whsec_')
  })

  const secret = (expiresAt: Date | null): SecretRow => ({
    id: '0190a6d2-7c3e-7b1a-9f00-000000000030',
    version: 1,
    expiresAt,
    createdAt: now,
  })
  test.each([
    ['the current one signs for a day', [null], undefined, [24]],
    ['or less', [null], 2, [2]],
    ['or not at all', [null], 0, [0]],
    ['what ends sooner ends then', [null, new Date(now.getTime() + hour)], undefined, [24, 1]],
    [
      'five at once are too many',
      [null, now, now, now].map((each) => each && new Date(now.getTime() + hour)),
      undefined,
      [24, 1, 1, 0],
    ],
  ] as [string, (Date | null)[], number | undefined, number[]][])(
    '%s',
    (_what, expiries, hours, expected) => {
      const plan = planRotate(
        endpoint,
        expiries.map(secret),
        { text: 'whsec_b', ciphertext: '1.y' },
        hours,
        clock(),
      )
      const changes = (plan.writes as unknown as Change[]).filter(
        ({ kind, set }) => kind === 'change' && 'expiresAt' in set,
      )
      const left = changes.map(({ set }) => ((set.expiresAt as Date).getTime() - now.getTime()) / hour)
      expect(left.slice(0, expected.length)).toEqual(expected)
    },
  )

  test.each([
    ['an hour', ago(hour), undefined, false],
    ['thirty days', ago(30 * 24 * hour), undefined, false],
    ['more', ago(30 * 24 * hour + 1), undefined, true],
    ['backwards', ago(hour), ago(2 * hour), true],
    ['nothing', now, undefined, true],
  ])('a window of %s', (_what, since, until, refused) => {
    expect(isRefusal(planRecovery(endpoint, { since, until }, clock()))).toBe(refused)
  })
})
