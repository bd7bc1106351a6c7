import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Json } from '../../../src/kernel/json.ts'
import {
  accountNow,
  accountOf,
  addAccount,
  disableAccount,
  newBankAccount,
} from '../../support/bank-accounts.ts'
import { brokenRules } from '../../support/books.ts'
import { type Customer, join, newCustomer, newProof } from '../../support/customer.ts'
import { overtaking } from '../../support/gate.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { availableOf, funded, payOut, payoutOf, payoutsOf, release } from '../../support/payouts.ts'
import { eventsOf, paidByCard } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { endow } from '../../support/transfers.ts'

const path = '/v1/payment-operations/payout-settings'
let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

const wanted = {
  currency: 'mxn',
  interval: 'weekly',
  anchor_day: 5 as number | null,
  amount_min: '10000',
}
const byHand = { ...wanted, interval: 'manual', anchor_day: null, amount_min: '0' }
type Wanted = typeof wanted & { bank_account_id: string }

/** With an account that is verified and cool. */
async function workspace(): Promise<Merchant & { wanted: Wanted }> {
  const merchant = await newMerchant()
  await join(customer, merchant)
  const { id: bank_account_id } = await newBankAccount(merchant, { clabe: accountOf('99') })
  return { ...merchant, wanted: { ...wanted, bank_account_id } }
}

/** Sets them as the customer, with a proof for exactly these settings, or for `proven`. */
async function set(merchant: Merchant, body: Wanted, proven: Json | null = null) {
  const key = randomUUID()
  const { currency, interval, anchor_day, amount_min, bank_account_id } = body
  const proof = await newProof(customer, merchant, {
    action: 'payout_settings.update',
    scope: 'transfers:write',
    key,
    params: proven ?? { currency, interval, anchor_day, amount_min, bank_account_id },
  })
  return call('POST', path, {
    bearer: customer.token,
    headers: { 'idempotency-key': key, 'x-sp-step-up-token': proof },
    body: { tenant_id: merchant.tenantId, ...body },
  })
}

test('settings can be set and replaced: one for the currency, read with an API key', async () => {
  const merchant = await workspace()
  const first = await set(merchant, merchant.wanted)
  expect(first.status, first.text).toBe(200)
  expect(first.body).toMatchObject({
    ...merchant.wanted,
    object: 'payout_settings',
    destination: { clabe_last4: accountOf('99').slice(-4), bank_name: 'BBVA México', status: 'verified' },
    version: 1,
  })
  const second = await set(merchant, { ...merchant.wanted, interval: 'manual', anchor_day: null })
  expect(second.body).toMatchObject({ id: first.body.id, version: 2, next_payout_on: null })
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toEqual([second.body])
})

test('another account: nothing is paid out before its cool-down, which its verification began; events report it', async () => {
  const { merchant } = await funded([100_000], '97')
  await join(customer, merchant)
  const before = await availableOf(merchant)
  const added = await addAccount(customer, merchant, { clabe: accountOf('99'), holder: 'Café Azul' })
  const now = () => accountNow(merchant, added.body.id)
  await expect.poll(async () => (await now()).status).toBe('verified')
  const { cool_down_ends_at } = await now()
  expect(Math.abs(Date.parse(cool_down_ends_at!) - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000)
  const toIt = { ...byHand, bank_account_id: added.body.id }
  const { body } = await set(merchant, toIt)
  expect(body).toMatchObject({ cool_down_ends_at })
  const told = await eventsOf(merchant.tenantId, (body as { id: string }).id)
  expect(told.map(({ type }) => type)).toEqual([
    'payout_settings.updated',
    'payout_settings.destination_changed',
  ])

  const early = await payOut(merchant)
  expect([early.status, early.text]).toEqual([409, expect.stringContaining('payout_account_cooling_down')])
  expect(await availableOf(merchant)).toBe(before)
  // Naming the same account again starts no new cool-down.
  expect((await set(merchant, toIt)).body).toMatchObject({ cool_down_ends_at })
  await advance(merchant, 'PT23H')
  expect((await payOut(merchant)).status).toBe(409)
  await advance(merchant, 'PT1H')
  const paid = await payOut(merchant)
  expect(paid.status, paid.text).toBe(201)
  expect(paid.body.destination.clabe_last4).toBe(accountOf('99').slice(-4))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a disabled account gets nothing more: payouts wait for another one, the made ones keep theirs', async () => {
  const { merchant } = await funded([100_000])
  await join(customer, merchant)
  const made = (await payOut(merchant)).body
  const id = await accountNamed(merchant)
  expect((await disableAccount(customer, merchant, id)).status).toBe(200)
  await endow(merchant, 5_000n)
  const refusal = [409, expect.stringContaining('payout_account_not_verified')]
  const refused = await payOut(merchant)
  expect([refused.status, refused.text]).toEqual(refusal)
  const again = await set(merchant, { ...byHand, bank_account_id: id })
  expect([again.status, again.text]).toEqual(refusal)
  const other = await newBankAccount(merchant)
  expect((await set(merchant, { ...byHand, bank_account_id: other.id })).status).toBe(200)
  expect((await payOut(merchant)).body.destination.clabe_last4).toBe(other.clabe.slice(-4))
  expect((await payoutOf(merchant, made.id)).destination).toEqual(made.destination)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const ends: readonly [what: string, end: (merchant: Merchant, id: string) => Promise<unknown>][] = [
  ['disabled', (merchant, id) => disableAccount(customer, merchant, id)],
  [
    'replaced',
    async (merchant) => {
      const { id } = await newBankAccount(merchant, { clabe: accountOf('4713') })
      return set(merchant, { ...byHand, bank_account_id: id })
    },
  ],
]

test.each(ends)(
  'an account is being %s when a payout begins: the payout is not to it',
  async (_what, end) => {
    const { merchant } = await funded([100_000])
    await join(customer, merchant)
    const id = await accountNamed(merchant)
    await overtaking(
      merchant,
      () => end(merchant, id),
      () => payOut(merchant),
    )
    const to = (await payoutsOf(merchant)).map(({ destination }) => destination.clabe_last4)
    expect(to).not.toContain(accountOf('99').slice(-4))
  },
)

test.each(ends)(
  'an account is %s against 50 payouts: it gets none that is made after that',
  async (_what, end) => {
    const { merchant } = await funded([100_000])
    await join(customer, merchant)
    const toIt = async () =>
      (await payoutsOf(merchant)).filter(
        ({ destination }) => destination.clabe_last4 === accountOf('99').slice(-4),
      ).length
    const ended = end(merchant, await accountNamed(merchant))
    const payouts = Array.from({ length: 50 }, async (_, at) => {
      await endow(merchant, 1_000n)
      if (at % 10 === 9) await ended
      return payOut(merchant)
    })
    await ended
    const made = await toIt()
    const statuses = (await Promise.all(payouts)).map(({ status }) => status)
    expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([])
    expect(await toIt()).toBe(made)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  },
)

const accountNamed = async ({ tenantId }: Merchant): Promise<string> => {
  const [settings] = await adminSql('sandbox')<{ bank_account_id: string }>(
    'select bank_account_id from payout_settings where tenant_id = $1',
    [tenantId],
  )
  return settings!.bank_account_id
}

test('a payout day during the cool-down is kept until it is over', async () => {
  const merchant = await workspace()
  await paidByCard(merchant, { amount: 100_000 })
  await release(merchant)
  const daily = { ...merchant.wanted, interval: 'daily', anchor_day: null }
  const { id } = (await set(merchant, daily)).body as { id: string }
  // Today is a payout day.
  await adminSql('sandbox')(
    `update payout_settings set next_payout_on = (now() at time zone 'America/Mexico_City')::date where id = $1`,
    [id],
  )
  await coolsUntil(merchant, `now() + interval '1 hour'`)
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toEqual([])
  await coolsUntil(merchant, 'now()')
  await trigger('sandbox')
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const coolsUntil = ({ tenantId }: Merchant, time: string) =>
  adminSql('sandbox')(`update bank_accounts set cool_down_ends_at = ${time} where tenant_id = $1`, [tenantId])

const advance = (merchant: Merchant, by: string) =>
  call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })

test('50 at once for the first time: one row, and each request gets 200 or 409', async () => {
  const merchant = await workspace()
  const replies = await Promise.all(Array.from({ length: 50 }, () => set(merchant, merchant.wanted)))
  for (const { status, text } of replies) expect([200, 409], text).toContain(status)
  expect(replies.some(({ status }) => status === 200)).toBe(true)
  const { body } = await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })
  expect(body.data).toHaveLength(1)
})

test('a proof for another account is refused for this one', async () => {
  const merchant = await workspace()
  const { id: bank_account_id } = await newBankAccount(merchant)
  const reply = await set(merchant, merchant.wanted, { ...wanted, bank_account_id })
  expect(reply.status).toBeGreaterThanOrEqual(400)
  expect((await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })).body.data).toEqual([])
})

test('an API key cannot set where a merchant is paid out', async () => {
  const merchant = await workspace()
  const reply = await call('POST', path, {
    bearer: merchant.apiKey,
    body: { tenant_id: merchant.tenantId, ...merchant.wanted },
  })
  expect([401, 403]).toContain(reply.status)
})

test.each<[string, Partial<Record<keyof Wanted, unknown>>, string, string]>([
  [
    'an account that does not exist',
    { bank_account_id: randomUUID() },
    'bank_account_not_found',
    'bank_account_id',
  ],
  ['an account without an id', { bank_account_id: '1' }, 'parameter_invalid', 'bank_account_id'],
  ['dollars', { currency: 'usd' }, 'currency_unsupported', 'currency'],
  ['an unknown currency', { currency: 'MXN' }, 'parameter_invalid', 'currency'],
  ['a negative minimum', { amount_min: '-1' }, 'amount_malformed', 'amount_min'],
  ['half a cent', { amount_min: '0.5' }, 'amount_malformed', 'amount_min'],
  ['a huge minimum', { amount_min: '1'.repeat(19) }, 'amount_malformed', 'amount_min'],
  ['another interval', { interval: 'hourly' }, 'parameter_invalid', 'interval'],
  ['the eighth day of a week', { anchor_day: 8 }, 'parameter_invalid', 'anchor_day'],
  ['half a day', { anchor_day: 1.5 }, 'parameter_invalid', 'anchor_day'],
  ['daily with a day', { interval: 'daily' }, 'parameter_invalid', 'anchor_day'],
])('refuses %s', async (_what, spoiled, code, param) => {
  const merchant = await workspace()
  const { status, body } = await set(merchant, { ...merchant.wanted, ...spoiled } as Wanted)
  expect([status, (body as { error: object }).error]).toMatchObject([expect.any(Number), { code, param }])
  expect((await call<{ data: object[] }>('GET', path, { bearer: merchant.apiKey })).body.data).toEqual([])
})
