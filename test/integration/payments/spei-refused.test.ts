import { expect, test } from 'vitest'
import { balancesOf, brokenRules } from '../../support/books.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { deposit, lent } from '../../support/spei.ts'

test.each(['0000-01-01', '1899-12-31', '2026-02-30'])('refused as the day of a transfer: %s', async (day) => {
  const merchant = await newMerchant()
  const { clabe } = await lent(merchant)
  const { status, body } = await deposit(merchant, clabe, 100, { operated_on: day })
  expect([status, body]).toMatchObject([422, { error: { code: 'parameter_invalid', param: 'operated_on' } }])
})

test('more than one transfer may bring is refused by name; the maximum is booked, ten times too', async () => {
  const merchant = await newMerchant()
  const clabe = '012914002014112176'
  for (const amount of [1_000_000_000_000, 9_007_199_254_740_991]) {
    const { status, body } = await deposit(merchant, clabe, amount)
    const { error } = body as { error: { code: string; param: string } }
    expect([status, error.code, error.param]).toEqual([422, 'amount_above_maximum', 'amount'])
  }
  for (let sent = 0; sent < 10; sent++)
    expect((await deposit(merchant, clabe, 999_999_999_999)).status).toBe(201)
  expect((await balancesOf(merchant.tenantId))['mxn/unapplied_funds']).toBe(9_999_999_999_990n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('an invalid CLABE is refused by its own name', async () => {
  const merchant = await newMerchant()
  await newLink(merchant)
  const { status, body } = await deposit(merchant, '646180000000000013', 100)
  expect(status).toBe(422)
  expect(body).toMatchObject({ error: { code: 'clabe_invalid', param: 'clabe' } })
})
