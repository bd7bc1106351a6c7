import { expect, test } from 'vitest'
import type { Settings, VersionedKeys } from '../../../src/env/settings.ts'
import { memory } from '../../../src/platform/redis.ts'
import { startControlledRedis } from '../../support/gateways/redis.ts'

async function remembering() {
  const gateway = await startControlledRedis({ tokens: { sandbox: 'token' } })
  const redis = { url: gateway.url, token: 'token', timeoutMs: 1_000 }
  const signingSecrets: VersionedKeys = { current: '1', byVersion: { 1: 'secret' } }
  return { gateway, remembered: memory({ redis, signingSecrets } as Settings) }
}

test('a proof is spent for every Idempotency-Key except the one that spent it', async () => {
  const { gateway, remembered } = await remembering()
  expect(await remembered.proofConsumed('digest', 'order-1024')).toBe(false)
  await remembered.rememberProof('digest', 'order-1024')
  expect(await remembered.proofConsumed('digest', 'order-1024')).toBe(false)
  expect(await remembered.proofConsumed('digest', 'order-1025')).toBe(true)
  expect(await remembered.proofConsumed('other', 'order-1025')).toBe(false)
  await gateway.stop()
})

test('only a reply too long for Postgres is stored: more than 2,048 characters', async () => {
  const { gateway, remembered } = await remembering()
  const bodies = ['ñ'.repeat(2_048), 'ñ'.repeat(2_049)]
  await Promise.all(bodies.map((body, at) => remembered.rememberReply(`publish-${at}`, body)))
  const stored = await Promise.all(bodies.map((_, at) => remembered.reply(`publish-${at}`)))
  expect(stored).toEqual([null, bodies[1]])
  expect(await remembered.reply('another')).toBeNull()
  await gateway.stop()
})

test.concurrent.each(['nonsense', 'truncated', '5xx'] as const)(
  'a Redis that answers %s counts as knowing nothing',
  async (mode) => {
    const { gateway, remembered } = await remembering()
    await remembered.rememberProof('digest', 'order-1024')
    await remembered.rememberReply('first', 'x'.repeat(3_000))
    gateway.faults.inject({ mode, always: true })
    expect(await remembered.proofConsumed('digest', 'order-1025')).toBe(false)
    expect(await remembered.reply('first')).toBeNull()
    await gateway.stop()
  },
)

test('what is stored under another name is not trusted', async () => {
  const { gateway, remembered } = await remembering()
  for (const [publishId, letter] of [
    ['first', 'x'],
    ['second', 'y'],
  ] as const) {
    await remembered.rememberReply(publishId, letter.repeat(3_000))
    expect(await remembered.reply(publishId)).toBe(letter.repeat(3_000))
  }
  gateway.faults.inject({ mode: 'swapped', always: true })
  expect(await remembered.reply('first')).toBeNull()
  await gateway.stop()
})
