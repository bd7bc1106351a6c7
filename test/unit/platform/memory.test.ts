import { expect, test } from 'vitest'
import { startRedisGateway } from '../../../local/redis-gateway.ts'
import type { Settings, VersionedKeys } from '../../../src/env.ts'
import { memory } from '../../../src/platform/redis.ts'

async function remembering() {
  const gateway = await startRedisGateway({ tokens: { sandbox: 'token' } })
  const redis = { url: gateway.url, token: 'token', timeoutMs: 1_000 }
  const signingSecrets: VersionedKeys = { current: '1', byVersion: { 1: 'secret' } }
  return { gateway, remembered: memory({ redis, signingSecrets } as Settings) }
}

test('a proof is spent for every Idempotency-Key but the one that spent it', async () => {
  const { gateway, remembered } = await remembering()
  expect(await remembered.proofConsumed('digest', 'order-1024')).toBe(false)
  await remembered.rememberProof('digest', 'order-1024')
  expect(await remembered.proofConsumed('digest', 'order-1024')).toBe(false)
  expect(await remembered.proofConsumed('digest', 'order-1025')).toBe(true)
  expect(await remembered.proofConsumed('other', 'order-1025')).toBe(false)
  await gateway.stop()
})

test.each(['nonsense', 'truncated', '5xx'] as const)(
  'a Redis that answers %s knows nothing',
  async (mode) => {
    const { gateway, remembered } = await remembering()
    await remembered.rememberProof('digest', 'order-1024')
    gateway.faults.inject({ mode, always: true })
    expect(await remembered.proofConsumed('digest', 'order-1025')).toBe(false)
    await gateway.stop()
  },
)
