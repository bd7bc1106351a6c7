import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import type { RedisFaultMode } from '../support/gateways/redis.ts'
import { issueKey, type Keeper, moveKey, newKeeper, proveMove, revokeKey } from '../support/keys.ts'
import { call, type Reply } from '../support/merchant.ts'
import { isWhole } from '../support/share.ts'
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

// When the fault begins: before anything, after the create, after the replay, after the revocation.
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

const long = { notes: Array.from({ length: 5 }, () => 'ñ'.repeat(450)) }

const create = (apiKey: string, key: string, amount: number, metadata: object = long): Promise<Reply> =>
  call('POST', '/v1/payment-links', {
    bearer: apiKey,
    headers: { 'idempotency-key': key },
    body: { manual_amount: amount, currency: 'mxn', metadata },
  })

async function drill(one: Case): Promise<void> {
  await faults.clear()
  // A new isolate: the breaker forgets the case before.
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
  const revoking = randomUUID()
  const proof = await proveMove(keeper, 'revoke', id, revoking)
  expect((await moveKey(keeper, 'revoke', id, revoking, proof)).status).toBe(200)
  await at(3)
  const spent = await moveKey(keeper, 'revoke', id, randomUUID(), proof)
  expect([spent.status, spent.text.includes('step_up_already_used')]).toEqual([401, true])
  for (let times = 0; times < 3; times++) {
    expect((await create(apiKey, randomUUID(), 120_000)).status).toBe(401)
    expect((await create(apiKey, key, 120_000)).status).toBe(401)
    expect((await create(apiKey, key, 130_000)).status).toBe(401)
  }
  expect((await links()).length).toBe(before + 1)
}

test('creates, replays and revocations are the same whatever Redis does', async () => {
  await survivors('Redis in trouble', cases, drill, ({ mode }) => mode)
})

const sizes: [size: string, metadata: object, reads: { redis: number; there: number; gone: number }][] = [
  ['short', {}, { redis: 0, there: 1, gone: 1 }],
  ['long', long, { redis: 1, there: 1, gone: 2 }],
]
test.each(sizes)('a %s reply is replayed by the store that holds it', async (_, metadata, reads) => {
  await control.reconfigure('sandbox')
  const { apiKey } = await issueKey(keeper)
  const key = randomUUID()
  const first = await create(apiKey, key, 120_000, metadata)
  const replay = async () => {
    const { result, calls } = await counts.during(() => create(apiKey, key, 120_000, metadata))
    expect([result.text, result.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    return { neon: calls.neon.length, redis: calls.redis.length }
  }
  // The Worker stores it in Redis after the reply.
  await expect.poll(replay).toEqual({ neon: reads.there, redis: reads.redis })
  const withoutIt = () => control.flushRedis('sandbox').then(replay)
  // What the Worker does after a reply may fall into a count.
  await expect.poll(withoutIt).toEqual({ neon: reads.gone, redis: reads.redis })
})

const setEnd = (column: 'expires_at' | 'grace_ends_at', status: string) => (id: string) =>
  adminSql('sandbox')(
    `update api_keys set ${column} = now() - interval '1 millisecond', status = $2 where id = $1`,
    [id, status],
  )
const ends: [how: string, code: string, end: (id: string) => Promise<unknown>][] = [
  ['was revoked', 'api_key_revoked', (id) => revokeKey(keeper, id)],
  ['has expired', 'api_key_expired', setEnd('expires_at', 'active')],
  ['was rotated out', 'api_key_rotated_out', setEnd('grace_ends_at', 'rotating')],
]
test.each(ends)('a key that %s never gets an earlier reply, in many tries', async (_how, code, end) => {
  await control.reconfigure('sandbox')
  const { id, apiKey } = await issueKey(keeper)
  const key = randomUUID()
  const before = [await create(apiKey, key, 120_000), await create(apiKey, key, 120_000)]
  expect(before.map(({ status }) => status)).toEqual([201, 201])
  // A faulty Redis keeps giving the answer that it remembers.
  await faults.redis({ mode: 'stale', match: { database: 'sandbox' }, always: true })
  await end(id)
  const codes = new Map<string, number>()
  const triesCount = isWhole ? 1_000 : 100
  for (let tries = 0; tries < triesCount; tries += 50) {
    const late = await Promise.all(Array.from({ length: 50 }, () => create(apiKey, key, 120_000)))
    for (const { status, body } of late) {
      const answer = `${status} ${(body.error as { code: string } | undefined)?.code}`
      codes.set(answer, (codes.get(answer) ?? 0) + 1)
    }
  }
  expect([...codes]).toEqual([[`401 ${code}`, triesCount]])
})

test('a breaker stops asking a dead Redis, and asks again later', async () => {
  await control.reconfigure('sandbox')
  const { id } = await issueKey(keeper)
  /** The Worker asks Redis about every proof, even one that never existed. */
  const send = async () => {
    const refused = await moveKey(keeper, 'revoke', id, randomUUID(), randomUUID())
    expect(refused.status, refused.text).toBe(401)
  }
  const callsOf = async (work: () => Promise<unknown>) => (await counts.during(work)).calls.redis.length
  const tenTimes = async () => {
    for (let at = 0; at < 10; at++) await send()
  }
  // The proof that made the key may still be on its way to Redis.
  await expect.poll(() => callsOf(send)).toBe(1)
  await faults.redis({ mode: 'refuse', match: { database: 'sandbox' }, always: true })
  const beganAt = Date.now()
  const opening = await callsOf(tenTimes)
  // Five failures open it; on a busy machine one may have ended before the gateway saw it.
  expect(opening).toBeGreaterThan(0)
  expect(opening).toBeLessThanOrEqual(8)
  const open = await callsOf(tenTimes)
  // It asks once each time its five seconds are over, which ten requests take on a busy machine alone.
  expect(open).toBeLessThanOrEqual(Math.floor((Date.now() - beganAt) / 5_000))
  await faults.clear()
  await expect.poll(() => callsOf(send), { interval: 200 }).toBeGreaterThan(0)
})
