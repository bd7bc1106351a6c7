import { Miniflare } from 'miniflare'
import { afterEach, expect, test, vi } from 'vitest'
import type { Bucket } from '../../../src/env/settings.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { filesIn } from '../../../src/platform/files.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { memoryBucket } from '../../support/bucket.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
afterEach(() => vi.useRealTimers())

test.each([
  ['in memory', async (check: (bucket: Bucket) => Promise<void>) => check(memoryBucket())],
  ['of Miniflare', onMiniflare],
])('a bucket %s keeps what is put, replaces it, and deletes it', async (_, on) =>
  on(async (bucket) => {
    const files = filesIn(bucket)
    expect(await files.get('logos/a')).toBeNull()
    const first = await files.put('logos/a', { content: bytesOf('first'), contentType: 'image/png' })
    const second = await files.put('logos/a', { content: bytesOf('second!'), contentType: 'text/csv' })
    expect(second).not.toBe(first)
    const { body, ...kept } = (await files.get('logos/a'))!
    expect(kept).toEqual({ bytes: 7, etag: second, contentType: 'text/csv' })
    expect(await new Response(body).text()).toBe('second!')
    const part = await files.range('logos/a', { offset: 3, length: 10 })
    expect(new TextDecoder().decode(part!)).toBe('ond!')
    for (const _again of [1, 2]) await files.delete('logos/a')
    expect(await files.get('logos/a')).toBeNull()
    for (const key of ['runs/1/a', 'runs/1/b', 'runs/10/a'])
      await files.put(key, { content: bytesOf(key), contentType: 'text/csv' })
    for (const _again of [1, 2]) await files.deleteAll('runs/1/')
    expect(await files.get('runs/1/a')).toBeNull()
    expect(await files.get('runs/1/b')).toBeNull()
    expect(await files.get('runs/10/a')).not.toBeNull()
  }),
)

test('a bucket that fails, or does not answer in time, leaves the outcome unknown', async () => {
  vi.useFakeTimers()
  const failing = { ...memoryBucket(), get: () => Promise.reject(new Error('get: 10001')) }
  await expect(filesIn(failing).get('a')).rejects.toThrow(OutcomeUnknown)
  const silent = { ...memoryBucket(), delete: () => new Promise<void>(() => {}) }
  const late = expect(filesIn(silent).delete('a')).rejects.toThrow(OutcomeUnknown)
  await vi.advanceTimersByTimeAsync(10_000)
  await late
  expect(vi.getTimerCount()).toBe(0)
})

test('a Worker without a bucket says so', () => {
  expect(() => filesIn(undefined)).toThrow(Fault)
})

async function onMiniflare(check: (bucket: Bucket) => Promise<void>): Promise<void> {
  const worker = 'export default { fetch() { return new Response() } }'
  const miniflare = new Miniflare({
    workers: [
      {
        config: {
          name: 'files',
          compatibilityDate: '2026-11-17',
          manifest: { mainModule: 'a.js', modules: { 'a.js': { type: 'esm', contents: worker } } },
          env: { FILES: { type: 'r2', name: 'files' } },
        },
      },
    ],
    cf: false,
    telemetry: { enabled: false },
  })
  try {
    await check((await miniflare.getR2Bucket('FILES')) as unknown as Bucket)
  } finally {
    await miniflare.dispose()
  }
}
