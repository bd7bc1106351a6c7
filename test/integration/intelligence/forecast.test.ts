import { expect, test } from 'vitest'
import { addDays, mexicoCityDate, mexicoCityInstant } from '../../../src/kernel/bank-days.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { settingsFor } from '../../support/payouts.ts'
import { bring } from '../../support/processor-accounts.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

type Forecast = {
  as_of: string
  available: string
  days: {
    day: string
    certain: { amount_released: string; amount_reserve_released: string }
    likely: { p10: string; p50: string; p90: string; weeks_count: number } | null
  }[]
  payouts: { day: string; amount_certain: string; amount_likely: string | null }[]
  errors: { days_ahead: number; amount_mean: string | null; days_count: number }[]
}

const forecast = async (merchant: Merchant, query = '') => {
  const { status, body, text } = await call<Forecast>('GET', `/v1/intelligence/forecasts/cash-flow${query}`, {
    bearer: merchant.apiKey,
  })
  expect(status, text).toBe(200)
  return body
}

const netOf = async ({ tenantId }: Merchant) =>
  (
    await adminSql('sandbox')<{ net: string; on: string; reserve: string }>(
      `select net_minor::text as net, reserve_minor::text as reserve, available_on::text as on from payments where tenant_id = $1`,
      [tenantId],
    )
  )[0]!

test('a captured payment is certain on its day, and nothing is likely of a merchant who began today', async () => {
  const merchant = await newMerchant()
  await paidByCard(merchant)
  const { net, reserve, on } = await netOf(merchant)
  const said = await forecast(merchant)
  expect(said.days).toHaveLength(14)
  expect(said.days[0]!.day).toBe(addDays(said.as_of, 1))
  expect(said.days.filter(({ certain }) => certain.amount_released !== '0')).toEqual([
    {
      day: on,
      certain: { amount_released: String(BigInt(net) - BigInt(reserve)), amount_reserve_released: '0' },
      likely: null,
    },
  ])
  expect(said.errors).toEqual([
    { days_ahead: 7, amount_mean: null, days_count: 0 },
    { days_ahead: 30, amount_mean: null, days_count: 0 },
  ])
  expect(said.payouts).toEqual([])
})

test('weeks of sales: the same days of the weeks say what is likely, and last month how wrong that was', async () => {
  const merchant = await newMerchant()
  const today = mexicoCityDate(new Date())
  const { public_id } = await newLink(merchant, { usage: 'multi_use', manual_amount: 10_000 })
  const weeks = 22
  for (let week = 0; week < weeks; week++) await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  // One sale a week, on the weekday of tomorrow, available on the day after it.
  await adminSql('sandbox')(
    `with numbered as (select id, row_number() over (order by id) as week from payments where tenant_id = $1)
     update payments p set created_at = $2::date + time '18:00' - week * interval '7 days' + interval '1 day',
       succeeded_at = $2::date + time '18:00' - week * interval '7 days' + interval '1 day',
       available_on = $2::date - (week * 7)::int + 2
     from numbered n where p.id = n.id and p.tenant_id = $1`,
    [merchant.tenantId, today],
  )
  const { net, reserve } = await netOf(merchant)
  const each = String(BigInt(net) - BigInt(reserve))
  const said = await forecast(merchant, '?days=45')
  const likely = said.days.filter(({ likely }) => likely?.p50 === each).map(({ day }) => day)
  expect(likely).toEqual([2, 9, 16, 23, 30, 37, 44].map((ahead) => addDays(today, ahead)))
  expect(said.days[1]!.likely).toEqual({ p10: each, p50: each, p90: each, weeks_count: 8 })
  expect(said.errors).toEqual([
    { days_ahead: 7, amount_mean: '0', days_count: 28 },
    { days_ahead: 30, amount_mean: '0', days_count: 28 },
  ])
})

test('what today still brings is likely on its day until it is there, then it is certain', async () => {
  const merchant = await newMerchant()
  const now = new Date()
  const today = mexicoCityDate(now)
  const [begins, ends] = [today, addDays(today, 1)].map((day) => mexicoCityInstant(day, '00:00').getTime())
  const { public_id } = await newLink(merchant, { usage: 'multi_use', manual_amount: 10_000 })
  for (let week = 0; week < 12; week++) await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  /** Twelve sales on today’s day of the week, each at this time of day, available two days later. */
  const soldAt = (todayAt: number, newestWeek: number) =>
    adminSql('sandbox')(
      `with numbered as (select id, row_number() over (order by id) - 1 + $4 as week from payments where tenant_id = $1)
       update payments p set created_at = $3::timestamptz - week * interval '7 days',
         succeeded_at = $3::timestamptz - week * interval '7 days', available_on = $2::date - (week * 7)::int + 2
       from numbered n where p.id = n.id and p.tenant_id = $1`,
      [merchant.tenantId, today, new Date(todayAt), newestWeek],
    )
  const afterTomorrow = async () => {
    const { certain, likely } = (await forecast(merchant)).days[1]!
    return [certain.amount_released, likely?.p50]
  }
  await soldAt((now.getTime() + ends!) / 2, 1)
  const { net, reserve } = await netOf(merchant)
  const each = String(BigInt(net) - BigInt(reserve))
  expect(await afterTomorrow()).toEqual(['0', each])
  await soldAt((begins! + now.getTime()) / 2, 0)
  expect(await afterTomorrow()).toEqual([each, '0'])
})

test('what is due today is in the balance before its job has run, and today’s payout takes it', async () => {
  const merchant = await newMerchant()
  await paidByCard(merchant)
  const { net } = await netOf(merchant)
  const today = mexicoCityDate(new Date())
  await settingsFor(merchant, { interval: 'daily', nextPayoutOn: today })
  await adminSql('sandbox')(
    `update payments set available_on = $2, reserve_minor = 100, reserve_release_on = $2 where tenant_id = $1`,
    [merchant.tenantId, today],
  )
  const said = await forecast(merchant)
  expect([said.available, said.payouts]).toEqual([
    net,
    [{ day: today, amount_certain: net, amount_likely: null }],
  ])
})

/** A merchant with a balance whose payout is due today. */
async function dueToday() {
  const merchant = await newMerchant()
  await paidByCard(merchant)
  const today = mexicoCityDate(new Date())
  await settingsFor(merchant, { interval: 'daily', nextPayoutOn: today })
  await adminSql('sandbox')('update payments set available_on = $2 where tenant_id = $1', [
    merchant.tenantId,
    today,
  ])
  return { merchant, today }
}

test.each([
  ['whose own account its processor pays out', (merchant: Merchant) => bring(merchant, 'acct_own')],
  [
    'whose bank account is disabled',
    ({ tenantId }: Merchant) =>
      adminSql('sandbox')(`update bank_accounts set status = 'disabled' where tenant_id = $1`, [tenantId]),
  ],
  [
    'that is suspended',
    ({ tenantId }: Merchant) =>
      adminSql('sandbox')(`update tenants set status = 'suspended' where tenant_id = $1`, [tenantId]),
  ],
])('no payout is promised to a workspace %s', async (_, become) => {
  const { merchant } = await dueToday()
  expect((await forecast(merchant)).payouts).toHaveLength(1)
  await become(merchant)
  expect((await forecast(merchant)).payouts).toEqual([])
})

test('the first payout is that of the day on which its account is cool', async () => {
  const { merchant, today } = await dueToday()
  const coolOn = addDays(today, 3)
  await adminSql('sandbox')('update bank_accounts set cool_down_ends_at = $2 where tenant_id = $1', [
    merchant.tenantId,
    mexicoCityInstant(coolOn, '15:00'),
  ])
  const { net } = await netOf(merchant)
  expect((await forecast(merchant)).payouts).toEqual([
    { day: coolOn, amount_certain: net, amount_likely: null },
  ])
})

test('what a buyer takes back today is no income of tomorrow, and the payouts take what there is', async () => {
  const merchant = await newMerchant()
  await refund(merchant, { payment_id: await paidByCard(merchant), amount: '5000' })
  const { on } = await netOf(merchant)
  await settingsFor(merchant, { interval: 'daily', nextPayoutOn: on })
  const said = await forecast(merchant, '?days=45')
  const certain = said.days.reduce(
    (sum, day) => sum + BigInt(day.certain.amount_released),
    BigInt(said.available),
  )
  expect(said.payouts).toEqual([{ day: on, amount_certain: String(certain), amount_likely: null }])
})
