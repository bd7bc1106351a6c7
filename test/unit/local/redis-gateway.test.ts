import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startControlledRedis } from '../../support/gateways/redis.ts'

const installed = spawnSync('redis-server', ['--version']).status === 0
const kinds = [
  { kind: 'in process', url: 'memory:' },
  ...(installed ? [{ kind: 'redis-server', url: undefined }] : []),
]

type Send = (...command: readonly (string | number)[]) => Promise<unknown>

/** Sends single commands, as Upstash's client does. */
const clientOf =
  (url: string, token: string, timeoutMs: number): Send =>
  async (...command) => {
    const headers = { authorization: `Bearer ${token}` }
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(command), signal })
    if (!response.ok) throw new Error(`Redis answered ${response.status}`)
    return ((await response.json()) as { result?: unknown }).result
  }

describe.each(kinds)('before a Redis: $kind', ({ kind, url }) => {
  let gateway: Awaited<ReturnType<typeof startControlledRedis>>
  let send: Send

  const client = (token: string, timeoutMs = 5_000) => clientOf(gateway.url, token, timeoutMs)

  beforeAll(async () => {
    gateway = await startControlledRedis({ tokens: { sandbox: 'tok-s', live: 'tok-l' }, ...(url && { url }) })
    send = client('tok-s')
  })
  afterAll(() => gateway?.stop())
  beforeEach(() => gateway.flush('sandbox'))
  afterEach(() => gateway.faults.clear())

  test('is the kind that was asked for', () => expect(gateway.kind).toBe(kind))

  test('a command and its result', async () => {
    expect(await send('set', 'k', 'válue "1"', 'ex', 60)).toBe('OK')
    expect(await send('get', 'k')).toBe('válue "1"')
    expect(await send('get', 'missing')).toBeNull()
    expect(await send('set', 'k', 'other', 'nx')).toBeNull()
    expect(await send('incr', 'n')).toBe(1)
    expect(await send('del', 'k')).toBe(1)
    await expect(send('nonsense')).rejects.toThrow('400')
  })

  test('the databases are separate, and the token decides which one', async () => {
    await send('set', 'k', 'sandbox')
    expect(await client('tok-l')('get', 'k')).toBeNull()
    await expect(client('tok-x')('get', 'k')).rejects.toThrow('401')
  })

  test('calls are counted with the command and its key, never its value', async () => {
    const before = gateway.log.total
    await send('set', 'k', 'secret')
    await send('get', 'k')
    const calls = gateway.log.since(before)
    expect(calls.map(({ database, statements }) => ({ database, statements }))).toEqual([
      { database: 'sandbox', statements: ['set k'] },
      { database: 'sandbox', statements: ['get k'] },
    ])
  })

  test.each([
    ['refuse', null],
    ['reset', 'v'],
    ['5xx', null],
    ['truncated', 'v'],
  ] as const)('%s fails the call', async (mode, stored) => {
    gateway.faults.inject({ mode })
    await expect(send('set', 'k', 'v')).rejects.toThrow()
    expect(await send('get', 'k')).toBe(stored)
  })

  test('hang never answers', async () => {
    gateway.faults.inject({ mode: 'hang' })
    const impatient = client('tok-s', 60)
    await expect(impatient('get', 'k')).rejects.toThrow(/abort|timeout/i)
  })

  test('nonsense is JSON, but no reply to the command', async () => {
    gateway.faults.inject({ mode: 'nonsense', times: 12 })
    const answers = []
    for (let n = 0; n < 12; n++) answers.push(await send('get', 'k').catch((error) => error))
    expect(answers).not.toContain('v')
    expect(new Set(answers.map((answer) => typeof answer)).size).toBeGreaterThan(2)
  })

  test('stale repeats its earlier answer, and lets NX through', async () => {
    expect(await send('get', 'k')).toBeNull()
    await send('set', 'k', 'v')
    gateway.faults.inject({ mode: 'stale', times: 2 })
    expect(await send('get', 'k')).toBeNull()
    expect(await send('set', 'k', 'w', 'nx')).toBe('OK')
    expect(await send('get', 'k')).toBe('v')
    await send('del', 'k')
    gateway.faults.inject({ mode: 'stale' })
    expect(await send('get', 'k')).toBe('v')
  })

  test("swapped answers with another key's value", async () => {
    await send('mset', 'a', 'of a', 'b', 'of b')
    await send('get', 'a')
    await send('get', 'b')
    gateway.faults.inject({ mode: 'swapped' })
    expect(await send('get', 'a')).toBe('of b')
    expect(await send('get', 'a')).toBe('of a')
  })
})
