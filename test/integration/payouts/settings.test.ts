import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../src/kernel/json.ts'
import { brokenRules } from '../../support/books.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { accountOf, availableOf, funded, payOut, payoutsOf, release } from '../../support/payouts.ts'
import { eventsOf, paidByCard } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

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

/** Sets them as the customer, with a proof for exactly these settings, or for `proven`. */
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

test('settings can be set and replaced: one for the currency, read with an API key', async () => {
  const merchant = await workspace()
  const first = await set(merchant, wanted)
  expect(first.status, first.text).toBe(200)
  expect(first.body).toMatchObject({ ...wanted, object: 'payout_settings', version: 1 })
  const second = await set(merchant, { ...wanted, interval: 'manual', anchor_day: null })
  expect(second.body).toMatchObject({ id: first.body.id, version: 2, next_payout_on: null })
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toEqual([second.body])
})

test('another account: nothing is paid out to it for a day, and events report the change', async () => {
  const { merchant } = await funded([100_000], '97')
  await join(customer, merchant)
  const before = await availableOf(merchant)
  const byHand = { ...wanted, interval: 'manual', anchor_day: null, minimum: '0' }
  const { body } = await set(merchant, byHand)
  const endsAt = Date.parse((body as { cool_down_ends_at: string }).cool_down_ends_at)
  expect(Math.abs(endsAt - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000)
  const told = await eventsOf(merchant.tenantId, (body as { id: string }).id)
  expect(told.map(({ type }) => type)).toEqual([
    'payout_settings.updated',
    'payout_settings.destination_changed',
  ])

  const early = await payOut(merchant)
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('payout_account_cooling_down')])
  expect(await availableOf(merchant)).toBe(before)
  // Setting the same account again starts no new cool-down.
  const again = await set(merchant, byHand)
  expect(again.body).toMatchObject({ cool_down_ends_at: new Date(endsAt).toISOString() })
  await advance(merchant, 'PT23H')
  expect((await payOut(merchant)).status).toBe(409)
  await advance(merchant, 'PT1H')
  const paid = await payOut(merchant)
  expect(paid.status, paid.text).toBe(201)
  expect(paid.body.destination).toEqual(wanted.destination)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the first account cools down too; a payout day during the cool-down is kept until it is over', async () => {
  const merchant = await workspace()
  await paidByCard(merchant, { amount: 100_000 })
  await release(merchant)
  const daily = { ...wanted, interval: 'daily', anchor_day: null }
  const { id } = (await set(merchant, daily)).body as { id: string }
  // Today is a payout day.
  await adminSql('sandbox')(
    `update payout_settings set next_payout_on = (now() at time zone 'America/Mexico_City')::date where id = $1`,
    [id],
  )
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toEqual([])
  await adminSql('sandbox')('update payout_settings set cool_down_ends_at = now() where id = $1', [id])
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toMatchObject([{ destination: wanted.destination }])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const advance = (merchant: Merchant, by: string) =>
  call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })

test('50 at once for the first time: one row, and each request gets 200 or 409', async () => {
  const merchant = await workspace()
  const replies = await Promise.all(Array.from({ length: 50 }, () => set(merchant, wanted)))
  for (const { status, text } of replies) expect([200, 409], text).toContain(status)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toHaveLength(1)
})

test('a proof for another account is refused for this one', async () => {
  const merchant = await workspace()
  const { destination: _, ...rest } = wanted
  const reply = await set(merchant, wanted, { ...rest, clabe: accountOf('11'), holder: 'Café Azul SA de CV' })
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect((await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })).body.data).toEqual([])
})

test('an API key cannot set where a merchant is paid out', async () => {
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
