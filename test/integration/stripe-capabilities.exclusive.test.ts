import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { call, type Merchant, newLink, newMerchant } from '../support/merchant.ts'
import { trigger } from '../support/stack.ts'
import { directUrl, liveLink, open, send, server, sql, withStripe } from '../support/stripe-live.ts'
import { other, withOwnAccount } from '../support/stripe-own-accounts.ts'
import { publishableKey } from '../support/stripe-server.ts'

// What an account may take is read once a day, and nothing else is offered.

withStripe({})

const methods = ['card', 'oxxo', 'spei']

/** A day later. */
const nextDay = async () => {
  await sql('update environment_accounts set next_check_at = now()')
  await trigger('live')
}

beforeEach(nextDay)

const inLive = ({ apiKey }: Merchant) => ({ environment: 'live', bearer: apiKey }) as const

const create = async (merchant: Merchant, payment_method_types: readonly string[]) => {
  const body = { manual_amount: 120_000, currency: 'mxn', payment_method_types }
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await call<{ error: object }>('POST', '/v1/payment-links', {
    ...inLive(merchant),
    headers,
    body,
  })
  return { status: reply.status, error: reply.body.error }
}

/** Of the methods that pages offer. */
const standing = async (merchant: Merchant) => {
  const { body } = await call<{ capabilities: { name: string; method: string; reasons: object[] }[] }>(
    'GET',
    '/v1/workspace/limits',
    inLive(merchant),
  )
  const payments = body.capabilities.filter(
    ({ name, method }) => name === 'payments' && methods.includes(method),
  )
  return Object.fromEntries(payments.map(({ method, reasons }) => [method, reasons]))
}

const offered = (html: string) => methods.filter((method) => html.includes(`data-method="${method}"`))

const asked = () => server.seen.filter(({ path }) => path === '/v1/account').length

test('what the account may take is asked once a day', async () => {
  server.seen.length = 0
  await trigger('live')
  expect(asked()).toBe(0)
  await nextDay()
  expect(asked()).toBe(1)
  const [row] = await sql<{ methods: object; later: boolean }>(
    `select methods, next_check_at > now() + interval '23 hours' as later from environment_accounts`,
  )
  expect(row).toEqual({ methods: { card: 'active', oxxo: 'active', spei: 'active' }, later: true })
  // Its publishable key was checked the first time alone.
  expect(server.intents.size).toBe(1)
  expect(server.complaints).toEqual([])
})

test.each([
  ['off', (settings: Settings) => settings.off.add('oxxo'), 'switched off'],
  ['pending', (settings: Settings) => (settings.capabilities.oxxo_payments = 'pending'), 'not finished'],
  ['inactive', (settings: Settings) => (settings.capabilities.oxxo_payments = 'inactive'), 'not allow'],
])('a method that is %s is offered nowhere, and what is missing is said', async (_, change, words) => {
  const { merchant, link } = await liveLink({ payment_method_types: methods, usage: 'multi_use' })
  const byTill = await newLink(merchant, { payment_method_types: ['oxxo'] })
  expect(offered((await open(link)).html)).toEqual(methods)
  const before = await open(link)
  change(server.settings())
  await nextDay()

  expect(offered((await open(link)).html)).toEqual(['card', 'spei'])
  expect((await fetch(`${directUrl}/${byTill.public_id}`)).status).toBe(503)
  // Another merchant: what this one's links were made under is believed for a minute.
  const fresh = await newMerchant({ environment: 'live' })
  expect(await create(fresh, ['card', 'oxxo'])).toMatchObject({
    status: 422,
    error: {
      code: 'payment_method_inactive',
      param: 'payment_method_types.1',
      message: expect.stringContaining(words),
    },
  })
  expect((await create(fresh, ['card', 'spei'])).status).toBe(201)
  expect(await standing(merchant)).toEqual({
    card: [],
    oxxo: [
      {
        code: 'payment_method_inactive',
        source: 'processor_account',
        message: expect.stringContaining(words),
        until: null,
      },
    ],
    spei: [],
  })
  const evaluated = await call<{ reasons: object[] }>('POST', '/v1/payment-policy/evaluations', {
    ...inLive(merchant),
    body: { amount: '120000', currency: 'mxn', method: 'oxxo' },
  })
  expect(evaluated.body.reasons).toMatchObject([{ code: 'payment_method_inactive' }])
  // A form of before is taken: the processor decides.
  const buyer = { method: 'oxxo', name: 'Ana Prueba', email: 'ana@example.com' }
  expect(await send(link, { ...before.form, ...buyer })).toContain(link.public_id)

  server.settings().off.clear()
  server.settings().capabilities.oxxo_payments = 'active'
  await nextDay()
  expect(offered((await open(link)).html)).toEqual(methods)
  expect((await create(fresh, ['oxxo'])).status).toBe(201)
})

type Settings = ReturnType<typeof server.settings>

test('an account that may no longer charge takes nothing; one whose key may not say keeps what it had', async () => {
  const { merchant, link } = await liveLink({ payment_method_types: methods })
  server.failNext(/account$/, '403')
  await nextDay()
  expect(offered((await open(link)).html)).toEqual(methods)
  server.settings().off.add('oxxo')
  await nextDay()
  server.failNext(/account$/, '403')
  await nextDay()
  expect(offered((await open(link)).html)).toEqual(['card', 'spei'])
  const [row] = await sql<{ oxxo: string; soon: boolean }>(
    `select methods->>'oxxo' as oxxo, next_check_at between now() and now() + interval '1 hour' as soon
     from environment_accounts`,
  )
  expect(row).toEqual({ oxxo: 'off', soon: true })
  server.settings().chargesEnabled = false
  await nextDay()
  expect((await fetch(`${directUrl}/${link.public_id}`)).status).toBe(503)
  expect(Object.values(await standing(merchant)).flat()).toHaveLength(3)
})

test('silence changes nothing, and is asked again within the hour', async () => {
  const { link } = await liveLink({ payment_method_types: methods })
  server.settings().off.add('oxxo')
  server.failNext(/account$/, '500')
  await nextDay()
  expect(offered((await open(link)).html)).toEqual(methods)
  await sql(`update environment_accounts set next_check_at = next_check_at - interval '1 hour'`)
  await trigger('live')
  expect(offered((await open(link)).html)).toEqual(['card', 'spei'])
})

test('keys of two accounts of the environment are never taken for one', async () => {
  server.pages.set(publishableKey, 'acct_other')
  await sql('update environment_accounts set publishable_key = null, methods = null')
  await nextDay()
  expect(await sql('select methods, publishable_key from environment_accounts')).toEqual([
    { methods: null, publishable_key: null },
  ])
  server.pages.set(publishableKey, 'acct_environment')
})

test('what an own account may take is asked once a day, of the active one alone, and announced when it changes', async () => {
  const { merchant, set } = await withOwnAccount()
  await set(other)
  const told = () =>
    sql<{ methods: object; before: object }>(
      `select object->'methods' as methods, previous_attributes->'methods' as before from events
       where tenant_id = $1 and type = 'processor_credential.updated' order by created_at`,
      [merchant.tenantId],
    )
  const due = () =>
    sql(
      `update processor_credentials set next_check_at = now() where next_check_at is not null and tenant_id = $1`,
      [merchant.tenantId],
    )
  const asked = async () => {
    server.seen.length = 0
    await trigger('live')
    return server.seen.filter(({ path }) => path === '/v1/account').map(({ account }) => account)
  }
  const before = (await told()).length
  await due()
  expect(await asked()).toEqual([other.secret_key])
  expect(await asked()).toEqual([])
  expect((await told()).length).toBe(before)
  server.settings('acct_other').off.add('oxxo')
  await due()
  server.failNext(/account$/, '500')
  expect(await asked()).toEqual([other.secret_key])
  await due()
  expect(await asked()).toEqual([other.secret_key])
  const active = { card: 'active', oxxo: 'active', spei: 'active' }
  expect((await told()).slice(before)).toEqual([{ methods: { ...active, oxxo: 'off' }, before: active }])
  const link = await newLink(merchant, { payment_method_types: ['card', 'spei'] })
  expect((await open(link)).html).toContain(other.publishable_key)
  const asks = { amount: '100000', currency: 'mxn', method: 'oxxo' }
  expect(
    (await call('POST', '/v1/payment-policy/evaluations', { ...inLive(merchant), body: asks })).body,
  ).toMatchObject({
    allowed: false,
    reasons: [{ code: 'payment_method_inactive' }],
  })
  expect(server.complaints).toEqual([])
})
