import { expect, test } from 'vitest'
import * as contracts from '../../../functions/in-person/devices/contract-device.ts'
import { serve } from '../../../src/http/areas.ts'
import { operation } from '../../../src/http/operation.ts'
import type { Services } from '../../../src/http/services.ts'
import { mintDeviceKey } from '../../../src/kernel/api-key.ts'

test('a pairing code counts against the address that sends it, a credential against itself', async () => {
  const counted: string[] = []
  const counter = (name: string) => ({
    limit: async ({ key }: { key: string }) => {
      counted.push(`${name} ${key}`)
      return { success: false }
    },
  })
  const services = {
    settings: { environment: 'sandbox', peppers: { current: '1', byVersion: { 1: 'p'.repeat(32) } } },
  } as unknown as Services
  const never = () => Promise.reject(new Error('it was limited'))
  const operations = [operation(contracts.pair, never), operation(contracts.rotate, never)]
  const app = serve([{ at: ['/v1/device'], load: async () => ({ operations }) }], () => services)
  const send = async (path: string, bearer: string) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      'cf-connecting-ip': '203.0.113.7',
      'content-type': 'application/json',
    }
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} }
    const env = { RATE_AUTH: counter('auth'), RATE_WRITE: counter('write') }
    const request = new Request(`https://x.test/v1/device/${path}`, { method: 'POST', headers, body: '{}' })
    return (await app.fetch(request, env as never, context)).status
  }
  expect(await send('pair', 'A7K2-9QXM')).toBe(429)
  expect(await send('pair', 'A7K2-9QXN')).toBe(429)
  expect(await send('rotate-credential', mintDeviceKey({ environment: 'sandbox' }).token)).toBe(429)
  expect(counted).toEqual([
    'auth 203.0.113.7',
    'auth 203.0.113.7',
    expect.stringMatching(/^write [0-9a-f]{64}$/),
  ])
})
