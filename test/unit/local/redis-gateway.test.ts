import { spawnSync } from 'node:child_process'
import { Redis } from '@upstash/redis/cloudflare'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type RedisGateway, startRedisGateway } from '../../../local/redis-gateway.ts'

const installed = spawnSync('redis-server', ['--version']).status === 0
const kinds = [
  { kind: 'in process', url: 'memory:' },
  ...(installed ? [{ kind: 'redis-server', url: undefined }] : []),
]

describe.each(kinds)('before a Redis: $kind', ({ kind, url }) => {
  let gateway: RedisGateway
  let redis: Redis

  const client = (token: string, extra: object = {}) =>
    new Redis({
      url: gateway.url,
      token,
      retry: { retries: 0 },
      enableAutoPipelining: false,
      automaticDeserialization: false,
      enableTelemetry: false,
      ...extra,
    })

  beforeAll(async () => {
    gateway = await startRedisGateway({ tokens: { sandbox: 'tok-s', live: 'tok-l' }, ...(url && { url }) })
    redis = client('tok-s')
  })
  afterAll(() => gateway?.stop())
  beforeEach(() => gateway.flush('sandbox'))
  afterEach(() => gateway.faults.clear())

  test('is the kind that was asked for', () => expect(gateway.kind).toBe(kind))

  test('single commands', async () => {
    expect(await redis.set('k', 'válue "1"', { ex: 60 })).toBe('OK')
    expect(await redis.get('k')).toBe('válue "1"')
    expect(await redis.get('missing')).toBeNull()
    expect(await redis.set('k', 'other', { nx: true })).toBeNull()
    expect(await redis.mget('k', 'missing')).toEqual(['válue "1"', null])
    expect(await redis.incr('n')).toBe(1)
    expect(await redis.del('k')).toBe(1)
    expect(await redis.hset('h', { a: '1', b: '2' })).toBe(2)
    expect(await client('tok-s', { automaticDeserialization: true }).hgetall('h')).toEqual({ a: 1, b: 2 })
  })

  test('answers without base64 where it is not asked for', async () => {
    await redis.set('k', 'plain')
    expect(await client('tok-s', { responseEncoding: false }).get('k')).toBe('plain')
  })

  test('pipelines and transactions keep their order', async () => {
    expect(await redis.pipeline().set('p', '1').get('p').incr('p').exec()).toEqual(['OK', '1', 2])
    expect(await redis.multi().set('m', '1').incr('m').get('m').exec()).toEqual(['OK', 2, '2'])
  })

  test('one command of a pipeline may fail alone', async () => {
    const replies = await redis
      .pipeline()
      .set('k', 'v')
      .eval('return nonsense(', [], [])
      .get('k')
      .exec({ keepErrors: true })
    expect(replies.map((reply) => typeof reply.error)).toEqual(['undefined', 'string', 'undefined'])
  })

  test('the databases are separate, and the token decides which one', async () => {
    await redis.set('k', 'sandbox')
    expect(await client('tok-l').get('k')).toBeNull()
    await expect(client('tok-x').get('k')).rejects.toThrow('WRONGPASS')
  })

  test('calls are counted with the command and its key, never its value', async () => {
    const before = gateway.log.counts()
    await redis.pipeline().set('k', 'secret').get('k').exec()
    const calls = gateway.log.since(before.total)
    expect(calls.map(({ database, statements }) => ({ database, statements }))).toEqual([
      { database: 'sandbox', statements: ['set k', 'get k'] },
    ])
  })

  test.each([
    ['refuse', null],
    ['reset', 'v'],
    ['5xx', null],
    ['truncated', 'v'],
  ] as const)('%s fails the call', async (mode, stored) => {
    gateway.faults.inject({ mode })
    await expect(redis.set('k', 'v')).rejects.toThrow()
    expect(await redis.get('k')).toBe(stored)
  })

  test('hang never answers', async () => {
    gateway.faults.inject({ mode: 'hang' })
    const impatient = client('tok-s', { signal: () => AbortSignal.timeout(60) })
    await expect(impatient.get('k')).rejects.toThrow(/abort|timeout/i)
  })

  test('nonsense is JSON, but no reply to the command', async () => {
    gateway.faults.inject({ mode: 'nonsense', times: 12 })
    const answers = []
    for (let n = 0; n < 12; n++) answers.push(await redis.get('k').catch((error) => error))
    expect(answers).not.toContain('v')
    expect(new Set(answers.map((answer) => typeof answer)).size).toBeGreaterThan(2)
  })

  test('stale repeats its earlier answer, and lets NX through', async () => {
    expect(await redis.get('k')).toBeNull()
    await redis.set('k', 'v')
    gateway.faults.inject({ mode: 'stale', times: 2 })
    expect(await redis.get('k')).toBeNull()
    expect(await redis.set('k', 'w', { nx: true })).toBe('OK')
    expect(await redis.get('k')).toBe('v')
    await redis.del('k')
    gateway.faults.inject({ mode: 'stale' })
    expect(await redis.get('k')).toBe('v')
  })

  test("swapped answers with another key's value", async () => {
    await redis.mset({ a: 'of a', b: 'of b' })
    await redis.get('a')
    await redis.get('b')
    gateway.faults.inject({ mode: 'swapped' })
    expect(await redis.get('a')).toBe('of b')
    expect(await redis.get('a')).toBe('of a')
  })
})
