import { randomBytes } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { sweepWebhooks } from '../../../functions/developer/webhooks/dispatcher.ts'
import { newSecret, secretContext } from '../../../functions/developer/webhooks/signing.ts'
import { readMissed } from '../../../functions/money/notifications/missed.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { encryptSecret } from '../../../src/platform/encryption.ts'

// An invocation has six connections that wait for an answer: five go outside, and one is left for the database.

afterEach(() => vi.restoreAllMocks())

/** Counts calls that are answered after all that could begin has begun, and the time-outs that run meanwhile. */
function outside(reply: (url: string) => object) {
  const seen = { calls: 0, most: 0, mostTimed: 0 }
  let [now, timed] = [0, 0]
  const begin = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    timed += 1
    seen.mostTimed = Math.max(seen.mostTimed, timed)
    return begin(ms)
  })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    seen.calls += 1
    now += 1
    seen.most = Math.max(seen.most, now)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    timed -= 1
    return Response.json(reply(String(input)))
  })
  return seen
}

const runWith = (
  settings: object,
  call: (text: string, values: readonly string[]) => unknown,
): JobRun & { published: number } => {
  const run = { requestId: 'cron_test', now: new Date(), published: 0 }
  const db = {
    call: async (text: string, values: readonly string[]) => JSON.stringify(await call(text, values)),
    publish: async () => {
      run.published += 1
      return { expected: [], tenantId: 'tn_demo', woken: null }
    },
  }
  const wake = () => {}
  return Object.assign(run, { services: { settings, db, wake } }) as never
}

test('a sweep of webhooks sends and looks up five at once, and no time-out runs for what waits', async () => {
  const secretsKeys = { current: '1', byVersion: { 1: randomBytes(32).toString('base64') } }
  const dns = { Status: 0, Answer: [{ type: 1, data: '93.184.215.14' }] }
  const seen = outside((url) => (url.startsWith('https://dns.example/') ? dns : {}))
  const endpoints = Array.from({ length: 8 }, (_, at) => `0190a6d2-7c3e-7b1a-9f00-00000000000${at}`)
  const left = new Set(endpoints)
  const run = runWith(
    {
      secretsKeys,
      webhooks: { ownZones: [], dnsOverHttpsUrl: 'https://dns.example/', toThisMachine: false },
    },
    async (text, [tenantId, endpointId]) => {
      if (text.startsWith('door.waiting_endpoints'))
        return endpoints.map((each) => ({ tenantId: 'tn_demo', endpointId: each }))
      if (!left.delete(endpointId!)) return null
      const secret = await encryptSecret(secretsKeys, secretContext(endpointId!), newSecret())
      const delivery = { version: 1, attemptsCount: 1, body: '{}' }
      const deliveries = [1, 2, 3, 4, 5].map((at) => {
        const id = `${endpointId!.slice(0, -1)}${at}`
        return { ...delivery, id, eventId: id }
      })
      const url = 'https://shop.example.com/hooks'
      return {
        tenantId,
        endpointId,
        url,
        status: 'enabled',
        failingSince: null,
        secrets: [secret],
        deliveries,
      }
    },
  )
  await sweepWebhooks(run)
  expect(seen).toEqual({ calls: 8 * (5 + 2), most: 5, mostTimed: 5 })
  expect(run.published).toBe(8)
})

test('the events of twenty accounts are read five at once', async () => {
  const seen = outside(() => ({ object: 'list', data: [], has_more: false, url: '/v1/events' }))
  const own = { secretKey: 'sk_live_test', webhookSecret: 'whsec_test', publishableKey: 'pk_live_test' }
  const run = runWith(
    { stripe: { own, merchantAccounts: false, apiBase: null, timeoutMs: 1_000 } },
    (text) =>
      text.startsWith('door.accounts_to_read')
        ? Array.from({ length: 20 }, () => ({ processor: 'stripe', account: '', eventId: null }))
        : 0,
  )
  await readMissed(run)
  expect([seen.calls, seen.most]).toEqual([20, 5])
})
