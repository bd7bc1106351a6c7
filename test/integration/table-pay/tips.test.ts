import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { call, openLink, pay } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { dish, newBill, tablePay } from '../../support/table-pay.ts'

const tips = { presets_bps: [1_000, 1_500] }

/** A bill of 100.00, 50.00 and 30.00 whose guests may give a tip. */
async function tippedBill() {
  const bill = await newBill()
  await bill.ask('POST', '/void')
  const line_items = [dish(10_000), dish(5_000), dish(3_000)]
  const { body } = await tablePay(bill.merchant, 'POST', `/tables/${bill.table.id}/sessions`, {
    tips,
    line_items,
  })
  return {
    merchant: bill.merchant,
    id: body.id,
    address: body.public_id,
    lines: body.line_items.map(({ id }) => id),
    now: async () => (await tablePay(bill.merchant, 'GET', `/sessions/${body.id}`)).body,
    pays: async (part: string, token = 'tok_sbx_approve') =>
      pay(body.public_id, await openLink(body.public_id, `?${part}`), token),
    payments: async () =>
      (
        await call<{ data: { amount: string; amount_tip: string; status: string; order: object | null }[] }>(
          'GET',
          `/v1/payment-operations/payments?table_session_id=${body.id}`,
          { bearer: bill.merchant.apiKey },
        )
      ).body.data,
  }
}

test.each([
  ['a line', (lines: readonly string[]) => `line=${lines[0]}&tip=1000`, '11000', '1000', '10000'],
  ['an equal share', () => 'shares=4&tip=1500', '5175', '675', '4500'],
  ['an amount', () => 'amount=20&tip=1000', '2200', '200', '2000'],
  ['the rest', () => 'amount=180&tip=own&tip_own=25', '20500', '2500', '18000'],
  ['a part without one', () => 'amount=20&tip=', '2000', '0', '2000'],
] as const)(
  '%s with a tip: it comes on top, and is no part of the bill',
  async (_, part, amount, tip, paid) => {
    const bill = await tippedBill()
    expect((await bill.pays(part(bill.lines))).status).toBe(303)
    expect(await bill.payments()).toMatchObject([{ status: 'succeeded', amount, amount_tip: tip }])
    expect(await bill.now()).toMatchObject({ amount: '18000', amount_paid: paid, amount_tips: tip })
    expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
  },
)

test('the page offers the tips of a part in money, and says what is chosen', async () => {
  const bill = await tippedBill()
  const { html } = await pageOf(`/${bill.address}?line=${bill.lines[1]}&tip=1000&lang=en`)
  for (const shown of ['$5.00', '$7.50', '$55.00']) expect(html).toContain(shown)
})

test.each([
  ['more than the part', 'tip=own&tip_own=100.01'],
  ['no amount', 'tip=own&tip_own=much'],
])('a tip of %s has no form that pays it', async (_, tip) => {
  const bill = await tippedBill()
  const { html } = await pageOf(`/${bill.address}?line=${bill.lines[0]}&${tip}&lang=en`)
  expect(html).toContain('id="tip_own"')
  expect(html).toMatch(/<input id="tip_own"[^>]*aria-invalid="true"/)
})

test('a tip that is chosen on the page leaves the lines that were chosen before', async () => {
  const bill = await tippedBill()
  const query = bill.lines.map((line) => `line=${line}`).join('&')
  const body = new URLSearchParams({ ...(await openLink(bill.address, `?${query}`)), tip: '1000' })
  const adjusted = await open(`/${bill.address}/order?${query}`, { method: 'POST', body })
  const to = new URL(adjusted.headers.get('location')!, 'https://pay.test').searchParams
  expect([to.getAll('line'), to.get('tip')]).toEqual([bill.lines, '1000'])
  expect((await bill.pays(String(to))).status).toBe(303)
  expect(await bill.payments()).toMatchObject([{ amount: '19800', amount_tip: '1800' }])
})

test('a declined card is tried again with the same tip', async () => {
  const bill = await tippedBill()
  const declined = await bill.pays(`line=${bill.lines[0]}&tip=1500`, 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(declined.location ?? '')![0]
  expect((await bill.pays(`retry=${reference}`)).status).toBe(303)
  expect(await bill.payments()).toMatchObject([{ status: 'succeeded', amount: '11500', amount_tip: '1500' }])
  expect(await bill.now()).toMatchObject({ amount_paid: '10000', amount_held: '0', amount_tips: '1500' })
})

test('an amount that was declined is tried again with the same tip', async () => {
  const bill = await tippedBill()
  const declined = await bill.pays('amount=40&tip=own&tip_own=7', 'tok_sbx_decline_funds')
  const reference = /spcs_[a-z0-9]{32}/.exec(declined.location ?? '')![0]
  expect((await bill.pays(`retry=${reference}`)).status).toBe(303)
  expect(await bill.payments()).toMatchObject([{ status: 'succeeded', amount: '4700', amount_tip: '700' }])
  expect(await bill.now()).toMatchObject({ amount_paid: '4000', amount_tips: '700' })
})
