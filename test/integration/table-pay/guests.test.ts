import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { Browser } from '../../support/challenge.ts'
import { call, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { billOf, newWaiter, tablePay } from '../../support/table-pay.ts'

/* What one guest can do to the bill of all. */

type Made = Awaited<ReturnType<typeof billOf>>

const paymentsOf = async ({ merchant, id }: Made) =>
  (
    await call<{ data: { id: string; status: string; client_reference_id: string | null }[] }>(
      'GET',
      `/v1/payment-operations/payments?table_session_id=${id}`,
      { bearer: merchant.apiKey },
    )
  ).body.data

/** A guest who pays this part by card is asked by the bank. */
async function atTheBank(bill: Made, part: string) {
  const browser = new Browser()
  const form = await openLink(bill.address, `?${part}`)
  const sent = await browser.send(`/${bill.address}/attempts`, {
    ...form,
    card_token: 'tok_sbx_3ds_challenge',
  })
  return { browser, path: sent.leadsTo!.replace(/\?.*/, '') }
}

test('who pays all that is left leaves the bank’s question, and pays another way', async () => {
  const bill = await billOf(await newMerchant(), [10_000])
  const { browser, path } = await atTheBank(bill, 'amount=100')
  expect(await bill.now()).toMatchObject({ amount_held: '10000', amount_due: '0' })
  expect((await browser.open(`${path}?lang=en`)).html).toContain(`${path}/cancel`)
  const left = await browser.send(`${path}/cancel`, { attempt: '1' })
  const reference = path.split('/').at(-1)!
  expect([left.status, left.leadsTo]).toEqual([303, `/${bill.address}?retry=${reference}`])
  expect(await bill.now()).toMatchObject({ amount_held: '0', amount_due: '10000' })
  const again = await openLink(bill.address, `?retry=${reference}`)
  expect((await pay(bill.address, again, 'tok_sbx_approve')).status).toBe(303)
  expect(await bill.now()).toMatchObject({ payment_status: 'paid' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a payment that is over leads to no form while another guest pays all that is left', async () => {
  const bill = await billOf(await newMerchant(), [10_000])
  const { browser, path } = await atTheBank(bill, 'amount=100')
  await browser.send(`${path}/cancel`, { attempt: '1' })
  const other = await atTheBank(bill, 'amount=100')
  const late = await browser.send(`${path}/cancel`, { attempt: '1' })
  expect([late.status, late.leadsTo]).toEqual([303, path])
  expect(await bill.now()).toMatchObject({ amount_held: '10000' })
  expect((await other.browser.open(`${other.path}?lang=en`)).html).toContain(`${other.path}/cancel`)
})

test.each(['oxxo', 'spei'] as const)(
  'all that is left is held by %s until the end of the next day, or until the merchant cancels it',
  async (method) => {
    const bill = await billOf(await newMerchant(), [10_000], {
      payment_method_types: ['card', 'oxxo', 'spei'],
    })
    const form = await openLink(bill.address, `?amount=100&method=${method}`)
    expect((await payInCash(bill.address, form, method)).status).toBe(303)
    const [held] = await adminSql('sandbox')<{ is_brief: boolean }>(
      `select expires_at < now() + interval '48 hours' as is_brief from payment_attempts where tenant_id = $1`,
      [bill.merchant.tenantId],
    )
    expect(held).toEqual({ is_brief: true })
    expect((await bill.ask('POST', '/void')).status).toBe(409)
    const [payment] = await paymentsOf(bill)
    const canceled = await call('POST', `/v1/payments/${payment!.id}/cancel`, {
      bearer: bill.merchant.apiKey,
    })
    expect(canceled.status).toBe(200)
    expect(await bill.now()).toMatchObject({ amount_held: '0', amount_due: '10000' })
    expect((await bill.ask('POST', '/void')).status).toBe(200)
  },
)

test('a guest gives the payment of a bill no reference: it has the bill’s', async () => {
  const bill = await billOf(await newMerchant(), [10_000], { client_reference_id: 'cuenta-118' })
  for (const part of ['amount=50&client_reference_id=otra', 'amount=50'])
    expect((await bill.pay(part)).status).toBe(303)
  expect((await paymentsOf(bill)).map(({ client_reference_id }) => client_reference_id)).toEqual([
    'cuenta-118',
    'cuenta-118',
  ])
})

test.each(['?begins_on=0000-01-01&ends_on=0000-01-05', '?begins_on=1899-12-31&ends_on=1900-01-01'])(
  'a report of tips %s is refused',
  async (query) => {
    const merchant = await newMerchant()
    const { id } = await newWaiter(merchant)
    const refused = await tablePay(merchant, 'GET', `/waiters/${id}/tip-report${query}`)
    expect([refused.status, refused.body.error]).toMatchObject([
      422,
      { code: 'parameter_invalid', param: 'begins_on' },
    ])
  },
)
