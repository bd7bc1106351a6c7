import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  pageState,
  paymentsOf,
  settleAttempts,
  survivors,
} from '../support/books.ts'
import { Browser, challenged, otherWay } from '../support/challenge.ts'
import type { FaultOrder } from '../support/gateways/faults.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { createKey, issueKey, moveKey, newKeeper, proveCreate, proveMove } from '../support/keys.ts'
import { noticesAreSent } from '../support/mails.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay, type Reply } from '../support/merchant.ts'
import { adminSql, control, faults } from '../support/stack.ts'

beforeAll(() => control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '3000' } }))
afterAll(() => control.reconfigure('sandbox'))
afterEach(() => faults.clear())

type Case = { mode: NeonFaultMode; executed?: boolean; times: number }

const kinds: Omit<Case, 'times'>[] = [
  { mode: 'refuse' },
  { mode: 'reset-before-send' },
  { mode: 'reset-after-commit' },
  { mode: 'hang' },
  { mode: 'late-commit' },
  { mode: '5xx-html' },
  { mode: '5xx-html', executed: true },
  { mode: '400-without-sqlstate' },
  { mode: '400-without-sqlstate', executed: true },
  { mode: '507' },
  { mode: '507', executed: true },
  { mode: 'rate-limit' },
  { mode: '53300' },
  { mode: 'truncated-json' },
  { mode: 'truncated-json', executed: false },
]

// The Worker repeats once by itself: the same request survives one fault in a row, not two.
const cases: Case[] = kinds.flatMap((kind) => [1, 2].map((times) => ({ ...kind, times })))

/** An answer that is too large is no outcome of a change, but the end of a read: see the last test. */
const readCases = cases.filter(({ mode }) => mode !== '507')

/** Each drill is about one call of the Worker. */
const ofOneCall = () => 'one'

type Failure = { error: { code: string } }

const unknown = ({ status, body, headers }: Reply<unknown>) =>
  status === 503 && (body as Failure).error.code === 'outcome_unknown' && headers.get('retry-after') === '1'

/** Makes the statement fail as ordered while `work` runs; the fault must have struck. */
async function under<T>(one: Case, statement: string, work: () => Promise<T>, skip = 0): Promise<T> {
  const order: FaultOrder<NeonFaultMode> = {
    ...one,
    skip,
    match: { database: 'sandbox', contains: statement },
  }
  const fault = await faults.neon(order)
  const result = await work()
  expect(await fault.hits()).toBe(one.times)
  return result
}

/** Sends, and sends again under the same key when the first reply left the outcome unknown. */
async function insist(one: Case, send: () => Promise<Reply<unknown>>, statement = 'door.publish') {
  const first = await under(one, statement, send)
  if (one.times === 2) expect(unknown(first)).toBe(true)
  const second = await send()
  if (one.times === 1) expect(first.status).toBeLessThan(300)
  return { first, second }
}

async function rows(table: string, { tenantId }: { tenantId: string }): Promise<number> {
  const [row] = await adminSql('sandbox')<{ n: number }>(
    `select count(*)::int n from ${table} where tenant_id = $1`,
    [tenantId],
  )
  return row!.n
}

test('reads under every fault: the answer, or 503', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const read = () => call('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
  const { text } = await read()
  await survivors(
    'reads on a failing Postgres',
    readCases,
    async (one) => {
      const { first, second } = await insist(one, read, 'door.authorize')
      if (one.times === 1) expect(first.text).toBe(text)
      expect(second.text).toBe(text)
    },
    ofOneCall,
  )
})

test('creates under every fault: one link, one reply', async () => {
  await survivors(
    'creates on a failing Postgres',
    cases,
    async (one) => {
      const merchant = await newMerchant()
      const headers = { 'idempotency-key': randomUUID() }
      const body = { manual_amount: 120_000, currency: 'mxn' }
      const create = () => call('POST', '/v1/payment-links', { bearer: merchant.apiKey, headers, body })
      const { first, second } = await insist(one, create)
      expect(second.status).toBe(201)
      if (one.times === 1) expect(second.text).toBe(first.text)
      await control.flushRedis('sandbox')
      expect((await create()).text).toBe(second.text)
      expect([await rows('payment_links', merchant), await rows('events', merchant)]).toEqual([1, 1])
    },
    ofOneCall,
  )
})

test('changes under every fault: changed once, one reply', async () => {
  await survivors(
    'changes on a failing Postgres',
    cases,
    async (one) => {
      const merchant = await newMerchant()
      const link = await newLink(merchant)
      const headers = { 'idempotency-key': randomUUID() }
      const change = () =>
        call<{ version: number }>('POST', `/v1/payment-links/${link.id}/deactivate`, {
          bearer: merchant.apiKey,
          headers,
        })
      const { first, second } = await insist(one, change)
      if (one.times === 1) expect(second.text).toBe(first.text)
      expect(second.body).toMatchObject({ status: 'inactive', version: 2 })
      expect(await rows('events', merchant)).toBe(2)
    },
    ofOneCall,
  )
})

test('key creations under every fault: one key, and its value is that of the key there is', async () => {
  const keeper = await newKeeper()
  await survivors(
    'key creations on a failing Postgres',
    cases,
    async (one) => {
      const before = await rows('api_keys', keeper)
      const key = randomUUID()
      const proof = await proveCreate(keeper, key, 'One')
      await noticesAreSent(keeper)
      const { first, second } = await insist(one, () => createKey(keeper, key, proof, 'One'))
      expect(await rows('api_keys', keeper)).toBe(before + 1)
      await valueWorks([first, second])
    },
    ofOneCall,
  )
})

test('key rotations under every fault, reading and publishing: one successor', async () => {
  const keeper = await newKeeper()
  for (const statement of ['door.publish', 'door.authorize']) {
    await survivors(
      `key rotations on a failing Postgres (${statement})`,
      statement === 'door.publish' ? cases : readCases,
      async (one) => {
        const { id } = await issueKey(keeper)
        const before = await rows('api_keys', keeper)
        const key = randomUUID()
        const proof = await proveMove(keeper, 'rotate', id, key)
        await noticesAreSent(keeper)
        const { first, second } = await insist(
          one,
          () => moveKey(keeper, 'rotate', id, key, proof),
          statement,
        )
        expect(await rows('api_keys', keeper)).toBe(before + 1)
        await valueWorks([first, second])
      },
      ofOneCall,
    )
  }
})

/** At most one reply carries the value; if one does, the value works as a key. */
async function valueWorks(replies: Reply<unknown>[]): Promise<void> {
  const values = replies.flatMap(({ body }) => (body as { one_time_value?: string }).one_time_value ?? [])
  expect(values.length).toBeLessThanOrEqual(1)
  expect(replies.at(-1)!.status).toBeLessThan(300)
  if (replies[0]!.status < 300) expect(values).toHaveLength(1)
  for (const value of values)
    expect((await call('GET', '/v1/payment-links', { bearer: value })).status).toBe(200)
}

const paymentSteps = [
  ['door.publish', 0, 'recording the intent'],
  ['simulator.charge', 0, 'asking the processor'],
  ['door.publish', 1, 'recording the outcome'],
] as const

test.each(paymentSteps)('card payments, %s %i under every fault', async (statement, skip, name) => {
  await survivors(
    `card payments on a failing Postgres (${name})`,
    cases,
    async (one) => {
      const merchant = await newMerchant()
      const link = await newLink(merchant)
      const form = await openLink(link.public_id)
      const submit = () => pay(link.public_id, form, 'tok_sbx_approve')
      const first = await under(one, statement, submit, skip)
      // Only what failed before the processor was asked is answered by an error page, which offers the same form again.
      if (name === 'recording the intent' && one.times === 2) {
        expect(first.status).toBe(503)
        expect(first.html).toContain(form.attempt_key)
      } else expect(first.status).toBe(303)
      const second = await submit()
      expect(second.status).toBe(303)
      await settleAttempts(merchant.tenantId)
      await oneOutcome(merchant, link.public_id, second.location!)
    },
    ofOneCall,
  )
})

test.each(['simulator.fetch', 'simulator.cancel', 'door.publish'])(
  'a challenge that is given up, %s under every fault: closed and free, or 503 and the same form',
  async (statement) => {
    await survivors(
      `challenges given up on a failing Postgres (${statement})`,
      cases,
      async (one) => {
        const buyer = await challenged()
        const { merchant, link, path, reference } = buyer
        const first = await under(one, statement, () => otherWay(buyer))
        if (first.status === 503) expect(first.html).toContain(`action="${path}/cancel"`)
        else expect(first.status).toBe(303)
        // Whatever the reply: where the link is free, the challenge is closed at the processor.
        const charges = async () => (await chargesOf(link.public_id)).map(({ state }) => state)
        const stranger = await new Browser().open(`/${link.public_id}`)
        if (stranger.status === 200) expect(await charges()).toEqual(['canceled'])
        else expect([stranger.status, first.status]).toEqual([409, 503])
        const second = await otherWay(buyer)
        expect([second.status, second.leadsTo]).toEqual([303, `/${link.public_id}?retry=${reference}`])
        expect(await charges()).toEqual(['canceled'])
        const [payment] = await paymentsOf(merchant.tenantId)
        expect(payment!.status).toBe('requires_payment_method')
        expect(await brokenRules(merchant.tenantId)).toEqual([])
      },
      ofOneCall,
    )
  },
)

/** One payment: captured with its journal and the money, or refused without either. */
async function oneOutcome(merchant: Merchant, publicId: string, location: string): Promise<void> {
  const payments = await paymentsOf(merchant.tenantId)
  expect(payments).toHaveLength(1)
  expect(await attemptsOf(merchant.tenantId)).toHaveLength(1)
  const captured = payments[0]!.status === 'succeeded'
  expect((await chargesOf(publicId)).map(({ state }) => state)).toEqual(captured ? ['captured'] : [])
  expect(await journalsOf(merchant.tenantId)).toEqual(captured ? { capture: 1 } : {})
  expect(await pageState(location)).toEqual({ status: 200, state: captured ? 'succeeded' : 'declined' })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

test("buyer's pages under every fault: the page, or 503 and the way to try again", async () => {
  const link = await newLink(await newMerchant())
  const browser = new Browser()
  await survivors(
    "buyer's pages on a failing Postgres",
    readCases,
    async (one) => {
      const first = await under(one, 'door.authorize', () => browser.open(`/${link.public_id}?lang=en`))
      const said = [first.status, first.headers.get('retry-after')]
      expect(said).toEqual(one.times === 2 ? [503, '1'] : [200, null])
      if (one.times === 2) expect(first.html).toContain(`href="/${link.public_id}?lang=en"`)
      expect((await browser.open(`/${link.public_id}`)).status).toBe(200)
    },
    ofOneCall,
  )
})

test('another card for a declined payment, its load under every fault', async () => {
  await survivors(
    'other cards on a failing Postgres',
    readCases,
    async (one) => {
      const merchant = await newMerchant()
      const link = await newLink(merchant)
      const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_decline_funds')
      const reference = /spcs_[a-z0-9]{32}/.exec(location!)![0]
      const form = await openLink(link.public_id, `?retry=${reference}`)
      const submit = () => pay(link.public_id, form, 'tok_sbx_approve')
      const first = await under(one, 'door.enter', submit)
      expect(first.status === 303).toBe(one.times === 1)
      if (one.times === 2) expect(first.html).toContain(form.attempt_key)
      expect((await submit()).location).toContain(reference)
      expect((await attemptsOf(merchant.tenantId)).map(({ number, status }) => [number, status])).toEqual([
        [1, 'declined'],
        [2, 'captured'],
      ])
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    },
    ofOneCall,
  )
})

test.each([{ mode: 'reset-after-commit' }, { mode: 'late-commit' }] as const)(
  'a change without an Idempotency-Key whose answer is lost ($mode) is made once, and its reply shows it',
  async ({ mode }) => {
    const { apiKey: bearer, tenantId } = await newMerchant()
    const { body: made } = await call<{ endpoint: { id: string } }>('POST', '/v1/webhooks/endpoints', {
      bearer,
      body: { url: 'http://127.0.0.1:9/hook', event_types: ['payment.*'] },
    })
    const path = `/v1/webhooks/endpoints/${made.endpoint.id}`
    const change = (description: string, version: number) =>
      under({ mode, times: 1 }, 'door.publish', () =>
        call('PATCH', path, { bearer, headers: { 'if-match': `"${version}"` }, body: { description } }),
      )
    for (const version of [1, 2]) {
      const { status, body } = await change(`the ${version}. one`, version)
      expect([status, body]).toMatchObject([
        200,
        { description: `the ${version}. one`, version: version + 1 },
      ])
    }
    const events = await adminSql('sandbox')<{ type: string }>(
      'select type from events where tenant_id = $1 and resource_id = $2 order by sequence',
      [tenantId, made.endpoint.id],
    )
    expect(events.map(({ type }) => type)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.updated',
      'webhook_endpoint.updated',
    ])
  },
)

test.each([
  ['413', 'door.publish', 'POST'],
  ['413', 'door.authorize', 'GET'],
  ['507', 'door.authorize', 'GET'],
] as const)(
  '%s to %s is not asked twice: 500, nothing happened, and the next request works',
  async (mode, statement, method) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const headers = { 'idempotency-key': randomUUID() }
    const send = () =>
      method === 'GET'
        ? call('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
        : call('POST', `/v1/payment-links/${link.id}/deactivate`, { bearer: merchant.apiKey, headers })
    const first = await under({ mode, times: 1 }, statement, send)
    expect([first.status, (first.body as Failure).error.code]).toEqual([500, 'internal'])
    expect(await rows('events', merchant)).toBe(1)
    expect((await send()).status).toBe(200)
    expect(await rows('events', merchant)).toBe(method === 'GET' ? 1 : 2)
  },
)

test.each(['rate-limit', '53300'] as const)(
  '%s strikes 50 creates at once: made, or 503 and made by the same key, each once',
  async (mode) => {
    const merchant = await newMerchant()
    const create = (key: string) =>
      call('POST', '/v1/payment-links', {
        bearer: merchant.apiKey,
        headers: { 'idempotency-key': key },
        body: { manual_amount: 120_000, currency: 'mxn' },
      })
    const keys = Array.from({ length: 50 }, () => randomUUID())
    const first = await under({ mode, times: 50 }, 'door.publish', () => Promise.all(keys.map(create)))
    expect(first.filter((reply) => reply.status !== 201 && !unknown(reply))).toEqual([])
    const made = (key: string): Promise<number> =>
      create(key).then((reply) => (unknown(reply) ? made(key) : reply.status))
    expect(await Promise.all(keys.map(made))).toEqual(keys.map(() => 201))
    expect([await rows('payment_links', merchant), await rows('events', merchant)]).toEqual([50, 50])
  },
)
