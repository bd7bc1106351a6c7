import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { RedisFaultMode } from '../../local/redis-gateway.ts'
import { survivors } from '../support/books.ts'
import { issueKey, type Keeper, newKeeper, revokeKey } from '../support/keys.ts'
import { call, newMerchant, type Reply } from '../support/merchant.ts'
import { adminSql, control, counts, faults } from '../support/stack.ts'

let keeper: Keeper
beforeAll(async () => {
  keeper = await newKeeper()
})
afterEach(() => faults.clear())
afterAll(() => control.reconfigure('sandbox'))

type Trouble = { mode: RedisFaultMode | 'absent' | 'emptied'; executed?: boolean }

const troubles: Trouble[] = [
  { mode: 'absent' },
  { mode: 'emptied' },
  { mode: 'refuse' },
  { mode: 'hang' },
  { mode: 'reset' },
  { mode: 'reset', executed: false },
  { mode: '5xx' },
  { mode: '5xx', executed: true },
  { mode: 'nonsense' },
  { mode: 'nonsense', executed: true },
  { mode: 'stale' },
  { mode: 'swapped' },
  { mode: 'truncated' },
]

// When it begins: before anything, after the create, after the replay, after the revocation.
const moments = [0, 1, 2, 3]
const cases = troubles.flatMap((trouble) =>
  (trouble.mode === 'absent' ? [0] : moments).map((moment) => ({ ...trouble, moment })),
)
type Case = (typeof cases)[number]

async function begin({ mode, executed }: Case): Promise<void> {
  if (mode === 'emptied') return control.flushRedis('sandbox')
  if (mode === 'absent') return
  const match = { database: 'sandbox' }
  await faults.redis({ mode, match, always: true, ...(executed === undefined ? {} : { executed }) })
}

const create = (apiKey: string, key: string, amount: number): Promise<Reply> =>
  call('POST', '/v1/payment-links', {
    bearer: apiKey,
    headers: { 'idempotency-key': key },
    body: { manual_amount: amount, currency: 'mxn' },
  })

async function drill(one: Case): Promise<void> {
  await faults.clear()
  // A new isolate: what the breaker learnt in the case before is forgotten.
  await control.reconfigure(
    'sandbox',
    one.mode === 'absent' ? { vars: { UPSTASH_REDIS_REST_URL: null } } : {},
  )
  const { id, apiKey } = await issueKey(keeper)
  const key = randomUUID()
  const links = () =>
    adminSql('sandbox')('select id from payment_links where tenant_id = $1', [keeper.tenantId])
  const before = (await links()).length
  const at = async (moment: number) => {
    if (one.moment === moment) await begin(one)
  }

  await at(0)
  const first = await create(apiKey, key, 120_000)
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
  await at(1)
  for (let times = 0; times < 3; times++) {
    const replay = await create(apiKey, key, 120_000)
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    expect(replay.text).toBe(first.text)
  }
  expect((await create(apiKey, key, 130_000)).status).toBe(422)
  await at(2)
  expect(await revokeKey(keeper, id)).toBe(200)
  await at(3)
  for (let times = 0; times < 3; times++) {
    expect((await create(apiKey, randomUUID(), 120_000)).status).toBe(401)
    const late = await create(apiKey, key, 120_000)
    // A copy that lags behind may give the credential its own reply once more, for half a minute; never a new effect.
    if (one.mode === 'stale' && late.status === 201) expect(late.text).toBe(first.text)
    else expect(late.status).toBe(401)
    expect((await create(apiKey, key, 130_000)).status).toBe(401)
  }
  expect((await links()).length).toBe(before + 1)
}

test('creates, replays and revocations are the same whatever Redis does', async () => {
  await survivors('Redis in trouble', cases, drill)
})

test('a breaker leaves a dead Redis alone, and comes back', async () => {
  await control.reconfigure('sandbox')
  const merchant = await newMerchant()
  const send = () => create(merchant.apiKey, randomUUID(), 120_000)
  const callsOf = async (work: () => Promise<unknown>) => (await counts.during(work)).calls.redis.length
  await send()
  await faults.redis({ mode: 'refuse', match: { database: 'sandbox' }, always: true })
  const opening = await callsOf(async () => {
    for (let at = 0; at < 10; at++) expect((await send()).status).toBe(201)
  })
  // Five failures open it; on a busy machine one may have ended before the gateway saw it.
  expect(opening).toBeGreaterThan(0)
  expect(opening).toBeLessThanOrEqual(8)
  const open = await callsOf(async () => {
    for (let at = 0; at < 10; at++) expect((await send()).status).toBe(201)
  })
  expect(open).toBe(0)
  await faults.clear()
  await expect.poll(() => callsOf(send), { timeout: 20_000, interval: 200 }).toBeGreaterThan(0)
  const key = randomUUID()
  const first = await create(merchant.apiKey, key, 120_000)
  const closed = await callsOf(async () =>
    expect((await create(merchant.apiKey, key, 120_000)).text).toBe(first.text),
  )
  expect(closed).toBeGreaterThan(0)
})
