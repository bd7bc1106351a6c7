import { afterEach, expect, test, vi } from 'vitest'
import { startRedisGateway } from '../../../local/redis-gateway.ts'
import type { Settings, VersionedKeys } from '../../../src/env.ts'
import { memory } from '../../../src/platform/redis.ts'

afterEach(() => {
  vi.useRealTimers()
})

const address = { kid: 'kid', digest: 'digest', operation: 'payment_links.create', key: 'order-1024' }
const reply = { status: 201, body: '{}', fingerprint: 'f' }

async function remembering() {
  const gateway = await startRedisGateway({ tokens: { sandbox: 'token' } })
  const redis = { url: gateway.url, token: 'token', timeoutMs: 1_000 }
  const signingSecrets: VersionedKeys = { current: '1', byVersion: { 1: 'secret' } }
  return { gateway, remembered: memory({ redis, signingSecrets } as Settings) }
}

test('a replay needs the reply and a credential that is on record as live', async () => {
  const { gateway, remembered } = await remembering()
  expect(await remembered.replay(address)).toBeNull()
  await remembered.rememberReply(address, reply)
  expect(await remembered.replay(address)).toEqual(reply)
  expect(await remembered.replay({ ...address, digest: 'other' })).toBeNull()
  expect(await remembered.forgetCredential('kid')).toBe(true)
  expect(await remembered.replay(address)).toBeNull()
  // A request that began before the revocation cannot bring the credential back.
  await remembered.rememberReply(address, reply)
  expect(await remembered.replay(address)).toBeNull()
  await gateway.stop()
})

test('a copy that lags behind is believed for half a minute at most', async () => {
  const { gateway, remembered } = await remembering()
  await remembered.rememberReply(address, reply)
  expect(await remembered.replay(address)).toEqual(reply)
  await remembered.forgetCredential('kid')
  gateway.faults.inject({ mode: 'stale', always: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29_000 })
  expect(await remembered.replay(address)).toEqual(reply)
  vi.setSystemTime(Date.now() + 2_000)
  expect(await remembered.replay(address)).toBeNull()
  await gateway.stop()
})
