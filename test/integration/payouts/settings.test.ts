import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../src/kernel/json.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { accountOf } from '../../support/payouts.ts'

const path = '/v1/payment-operations/payout-settings'
let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

const wanted = {
  currency: 'mxn',
  interval: 'weekly',
  anchor_day: 5 as number | null,
  minimum: '10000',
  destination: { clabe: accountOf('99'), holder: 'Café Azul SA de CV' },
}

async function workspace(): Promise<Merchant> {
  const merchant = await newMerchant()
  await join(customer, merchant)
  return merchant
}

/** Sets them as the customer, with a proof for exactly this, or for what `proven` says. */
async function set(merchant: Merchant, body: typeof wanted, proven: Json | null = null) {
  const key = randomUUID()
  const { clabe, holder } = body.destination
  const { currency, interval, anchor_day, minimum } = body
  const proof = await newProof(customer, merchant, {
    action: 'payout_settings.update',
    scope: 'transfers:write',
    key,
    params: proven ?? { currency, interval, anchor_day, minimum, clabe, holder },
  })
  return call('POST', path, {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...body },
  })
}

test('set, and set anew: one for the currency, read with an API key', async () => {
  const merchant = await workspace()
  const first = await set(merchant, wanted)
  expect(first.status, first.text).toBe(200)
  expect(first.body).toMatchObject({ ...wanted, object: 'payout_settings', version: 1 })
  const second = await set(merchant, { ...wanted, interval: 'manual', anchor_day: null })
  expect(second.body).toMatchObject({ id: first.body.id, version: 2, next_payout_on: null })
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toEqual([second.body])
})

test('50 at once for the first time: one row, and every one was told', async () => {
  const merchant = await workspace()
  const replies = await Promise.all(Array.from({ length: 50 }, () => set(merchant, wanted)))
  for (const { status, text } of replies) expect([200, 409], text).toContain(status)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toHaveLength(1)
})

test('a proof for another account is none for this one', async () => {
  const merchant = await workspace()
  const { destination: _, ...rest } = wanted
  const reply = await set(merchant, wanted, { ...rest, clabe: accountOf('11'), holder: 'Café Azul SA de CV' })
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect((await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })).body.data).toEqual([])
})

test('no API key sets where a merchant is paid out', async () => {
  const merchant = await workspace()
  const reply = await call('POST', path, {
    bearer: merchant.apiKey,
    body: { tenant_id: merchant.tenantId, ...wanted },
  })
  expect([401, 403]).toContain(reply.status)
})

test.each<[string, Partial<Record<keyof typeof wanted, unknown>>, string, string]>([
  [
    'a CLABE with a wrong check digit',
    { destination: { ...wanted.destination, clabe: '032180000118359718' } },
    'clabe_invalid',
    'destination.clabe',
  ],
  [
    'a CLABE of 17 digits',
    { destination: { ...wanted.destination, clabe: '03218000011835971' } },
    'clabe_invalid',
    'destination.clabe',
  ],
  [
    'no holder',
    { destination: { ...wanted.destination, holder: '' } },
    'parameter_invalid',
    'destination.holder',
  ],
  ['dollars', { currency: 'usd' }, 'currency_unsupported', 'currency'],
  ['an unknown currency', { currency: 'MXN' }, 'parameter_invalid', 'currency'],
  ['a negative minimum', { minimum: '-1' }, 'parameter_invalid', 'minimum'],
  ['half a cent', { minimum: '0.5' }, 'amount_malformed', 'minimum'],
  ['a huge minimum', { minimum: '1'.repeat(19) }, 'amount_malformed', 'minimum'],
  ['another interval', { interval: 'hourly' }, 'parameter_invalid', 'interval'],
  ['the eighth day of a week', { anchor_day: 8 }, 'parameter_invalid', 'anchor_day'],
  ['half a day', { anchor_day: 1.5 }, 'parameter_invalid', 'anchor_day'],
  ['daily with a day', { interval: 'daily' }, 'parameter_invalid', 'anchor_day'],
])('refuses %s', async (_what, spoiled, code, param) => {
  const merchant = await workspace()
  const { status, body } = await set(merchant, { ...wanted, ...spoiled } as typeof wanted)
  expect([status, (body as { error: object }).error]).toMatchObject([expect.any(Number), { code, param }])
  expect((await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })).body.data).toEqual([])
})
