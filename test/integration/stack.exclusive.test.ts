import { afterEach, beforeAll, expect, test } from 'vitest'
import { createApiKey, openAccount, openWorkspace, send } from '../../local/merchant.ts'
import { newEmail } from '../support/customer.ts'
import { adminSql, control, counts, faults, latency, stack, trigger, workerSql } from '../support/stack.ts'

const { directUrl } = stack.sandbox
let apiKey: string

beforeAll(async () => {
  const account = await openAccount(directUrl, 'Ana', newEmail())
  const tenantId = await openWorkspace(directUrl, account, 'Stack')
  const scopes = ['payment_links:read']
  apiKey = await createApiKey(directUrl, account, {
    tenantId,
    environment: 'sandbox',
    description: 'Stack',
    scopes,
  })
})

afterEach(async () => {
  await faults.clear()
  await latency.set({})
})

const list = (baseUrl = directUrl) => send(baseUrl, '/v1/payment-links', { method: 'GET', bearer: apiKey })

test('people and tests reach the same Worker', async () => {
  expect([(await list()).status, (await list(stack.sandbox.baseUrl)).status]).toEqual([200, 200])
  expect((await list(stack.live.directUrl)).status).toBe(401)
})

test('calls are counted, and the trips among them', async () => {
  await latency.set({ neonMs: 20, redisMs: 20 })
  // Mails about the account and the key may still be on their way.
  await expect
    .poll(async () => {
      const { result, calls, trips } = await counts.during(list)
      return [result.status, calls.neon.map(({ database, role }) => `${database} ${role}`), trips]
    })
    .toEqual([200, ['sandbox spindle_worker'], 1])
})

test('a killed Worker comes back at the same address', async () => {
  const before = await control.workerPid('sandbox')
  const hang = await faults.neon({ mode: 'hang', match: { database: 'sandbox' } })
  const unanswered = list().catch((error) => error)
  await hang.hit()
  await control.crash('sandbox')
  expect(await unanswered).toBeInstanceOf(Error)
  expect((await list()).status).toBe(200)
  expect(await control.workerPid('sandbox')).not.toBe(before)
})

test('a Worker can be given other limits and variables for a while', async () => {
  await control.reconfigure('sandbox', { rateLimits: { RATE_READ: { limit: 2, period: 60 } } })
  const limited = [await list(), await list(), await list()].map(({ status }) => status)
  await control.reconfigure('sandbox', { vars: { UPSTASH_REDIS_REST_URL: null } })
  const { result, calls } = await counts.during(list)
  await control.reconfigure('sandbox')
  expect(limited).toEqual([200, 200, 429])
  expect([result.status, calls.redis]).toEqual([200, []])
  expect((await list()).status).toBe(200)
})

test('the scheduled work runs on request', async () => {
  const { calls } = await counts.during(() => trigger('live'))
  expect(calls.neon.map(({ database }) => database)).toContain('live')
})

test('each role is the one it should be', async () => {
  const who = 'SELECT current_user AS role, current_database() AS database'
  expect(await workerSql('live')(who)).toEqual([{ role: 'spindle_worker', database: 'spindle_live' }])
  expect(await workerSql('identity')(who)).toEqual([
    { role: 'spindle_identity', database: 'spindle_identity' },
  ])
  const [admin] = await adminSql('sandbox')('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')
  expect(admin).toEqual({ rolsuper: true })
})
