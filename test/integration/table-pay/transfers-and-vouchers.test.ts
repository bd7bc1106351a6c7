import { expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf, pageState } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { call, newMerchant, pay } from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { settleRefunds } from '../../support/refunds.ts'
import { deposit, fundsOf, lentNow, standing, unappliedFundsOf } from '../../support/spei.ts'
import { trigger } from '../../support/stack.ts'
import { billOf, dish } from '../../support/table-pay.ts'
import { expire, till } from '../payments/voucher-story.ts'

/** An open bill that takes cards, vouchers and transfers, with lines of these amounts. */
const anyWay = async (...amounts: readonly number[]) =>
  billOf(await newMerchant(), amounts, { payment_method_types: ['card', 'oxxo', 'spei'] })
type Bill = Awaited<ReturnType<typeof anyWay>>

/** A guest orders a part and is told how to pay it. Answers the path of the page that says so. */
async function orders(bill: Bill, method: 'oxxo' | 'spei', part: string): Promise<string> {
  const sent = await payInCash(bill.address, await bill.form(`method=${method}&${part}`), method)
  expect(sent.status, sent.html).toBe(303)
  return sent.location!.replace(/\?.*/, '')
}

async function byVoucher(bill: Bill, part: string) {
  const page = await orders(bill, 'oxxo', part)
  const { reference, payment_id: paymentId } = (await vouchersOf(bill.merchant.tenantId)).at(-1)!
  return { page, reference, paymentId }
}

async function byTransfer(bill: Bill, part: string) {
  const page = await orders(bill, 'spei', part)
  return { page, ...(await lentNow(bill.merchant, bill)) }
}

/** What the bill comes to, is held, is paid and is due. */
async function sumsOf(bill: Bill): Promise<string> {
  const { amount, amount_held, amount_paid, amount_due } = await bill.now()
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
  return [amount, amount_held, amount_paid, amount_due].join(' ')
}

/** The time of a voucher or a CLABE passes, and the bank days after it. */
async function passes({ merchant }: Bill): Promise<void> {
  await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P14D' } })
  await trigger('sandbox')
}

/** What the merchant does with the unapplied funds: all of them. */
async function funds(bill: Bill, what: 'apply' | 'refund', body: object) {
  const [first, ...others] = (await fundsOf(bill.merchant)).map(({ id }) => id)
  return call<{ error?: { code: string } }>(
    'POST',
    `/v1/payment-operations/unapplied-funds/${first}/${what}`,
    {
      bearer: bill.merchant.apiKey,
      body: { ...body, ...(others.length > 0 ? { together_with: others } : {}) },
    },
  )
}
const applying = async (bill: Bill, payment_id: string) => {
  const { status, body } = await funds(bill, 'apply', { payment_id })
  return body.error ? `${status} ${body.error.code}` : String(status)
}

/** The bill becomes a part of another table's. */
async function mergedAway({ merchant, id }: Bill): Promise<void> {
  const other = await billOf(merchant, [5_000])
  expect((await other.ask('POST', '/merge', { from_id: id })).status).toBe(200)
}

const offers = async (bill: Bill, at: number) =>
  (await pageOf(`/${bill.address}?lang=en`)).html.includes(`value="${bill.lines[at]}"`)

test('one guest pays at OXXO, one by SPEI, one by card: each part is held until its money comes', async () => {
  const bill = await anyWay(30_000, 20_000, 10_000)
  const voucher = await byVoucher(bill, `line=${bill.lines[0]}`)
  const transfer = await byTransfer(bill, `line=${bill.lines[1]}`)
  expect(await sumsOf(bill)).toBe('60000 50000 0 10000')
  expect([await offers(bill, 0), await offers(bill, 1), await offers(bill, 2)]).toEqual([false, false, true])
  expect((await bill.pay(`line=${bill.lines[2]}`)).status).toBe(303)
  const { title, html } = await pageOf(`/${bill.address}?lang=en`)
  expect([title, html]).toEqual([
    expect.stringContaining('It is being paid'),
    expect.stringContaining('<p>Other guests are paying what is left.</p>'),
  ])
  for (const [end, code] of [
    ['close', 'table_session_unpaid'],
    ['void', 'table_session_being_paid'],
  ] as const)
    expect((await bill.ask('POST', `/${end}`)).body.error?.code).toBe(code)
  expect((await till(bill.merchant, voucher.reference)).status).toBe(200)
  expect(await sumsOf(bill)).toBe('60000 20000 40000 0')
  await deposit(bill.merchant, transfer.clabe, 20_000)
  expect(await sumsOf(bill)).toBe('60000 0 60000 0')
  for (const { page } of [voucher, transfer]) expect((await pageState(page)).state).toBe('succeeded')
  expect((await bill.ask('POST', '/close')).body.status).toBe('closed')
  expect(await journalsOf(bill.merchant.tenantId)).toEqual({ capture: 3, deposit: 1 })
})

test('a voucher that nobody paid frees its share: another guest pays it', async () => {
  const bill = await anyWay(30_000, 20_000)
  const voucher = await byVoucher(bill, `line=${bill.lines[0]}`)
  expect(await offers(bill, 0)).toBe(false)
  await passes(bill)
  expect((await pageState(voucher.page)).state).toBe('expired')
  expect([await sumsOf(bill), await offers(bill, 0)]).toEqual(['50000 0 0 50000', true])
  expect((await bill.pay(`line=${bill.lines[0]}`)).status).toBe(303)
  expect(await sumsOf(bill)).toBe('50000 0 30000 20000')
})

test('50 tills take a voucher while 50 guests pay the other line: each is paid once', async () => {
  const bill = await anyWay(30_000, 20_000)
  const { reference } = await byVoucher(bill, `line=${bill.lines[0]}`)
  const forms = await Promise.all(Array.from({ length: 50 }, () => bill.form(`line=${bill.lines[1]}`)))
  const [cash, cards] = await Promise.all([
    Promise.all(forms.map(() => till(bill.merchant, reference))),
    Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve'))),
  ])
  expect(new Set(cash.map(({ status }) => status))).toEqual(new Set([200]))
  expect(cards.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await sumsOf(bill)).toBe('50000 0 50000 0')
  expect(await journalsOf(bill.merchant.tenantId)).toEqual({ capture: 2 })
})

test('cash that comes after others paid and the bill was closed is sent back, and the bill stays as it was', async () => {
  const bill = await anyWay(30_000)
  const { reference, page, paymentId } = await byVoucher(bill, `line=${bill.lines[0]}`)
  await expire(bill.merchant, reference)
  expect((await bill.pay(`line=${bill.lines[0]}`)).status).toBe(303)
  expect((await bill.ask('POST', '/close')).status).toBe(200)
  const late = await Promise.all(
    Array.from({ length: 50 }, () => till(bill.merchant, reference, { late: true })),
  )
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await sumsOf(bill)).toBe('30000 0 30000 0')
  expect(await standing(bill.merchant, paymentId)).toBe('expired 0 none')
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['paid_late 30000/30000'])
  expect((await pageOf(`${page}?lang=en`)).html).toContain('kept as unapplied funds')
  expect(await applying(bill, paymentId)).toBe('409 origin_no_longer_available')
  expect(await sumsOf(bill)).toBe('30000 0 30000 0')
  const destination = { clabe: '646180111805034237', holder: 'Ana Torres' }
  expect((await funds(bill, 'refund', { destination })).status).toBe(201)
  await settleRefunds(bill.merchant.tenantId)
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['paid_late 0/30000'])
  expect((await balancesOf(bill.merchant.tenantId))['mxn/unapplied_funds']).toBe(0n)
  expect(await sumsOf(bill)).toBe('30000 0 30000 0')
})

test('cash that comes late while its share is still free pays nothing by itself', async () => {
  const bill = await anyWay(30_000)
  const { reference } = await byVoucher(bill, `line=${bill.lines[0]}`)
  await expire(bill.merchant, reference)
  await till(bill.merchant, reference, { late: true })
  expect([await sumsOf(bill), await offers(bill, 0)]).toEqual(['30000 0 0 30000', true])
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['paid_late 30000/30000'])
})

test('a transfer of a part of the share holds all of it, and its rest pays', async () => {
  const bill = await anyWay(20_000, 10_000)
  const { page, clabe, paymentId } = await byTransfer(bill, `line=${bill.lines[0]}`)
  await deposit(bill.merchant, clabe, 12_000)
  expect(await sumsOf(bill)).toBe('30000 20000 0 10000')
  expect(await standing(bill.merchant, paymentId)).toBe('requires_action 12000 assigned')
  expect([(await pageState(page)).state, await offers(bill, 0)]).toEqual(['awaits_payment', false])
  const voided = await bill.ask('POST', `/lines/${bill.lines[0]}/void`)
  expect(voided.body.error?.code).toBe('table_line_claimed')
  await bill.ask('POST', '/lines', { line_items: [dish(5_000)] })
  await deposit(bill.merchant, clabe, 8_000)
  expect(await sumsOf(bill)).toBe('35000 0 20000 15000')
  expect((await bill.now()).line_items[0]).toMatchObject({ payment_id: paymentId })
})

test('a transfer of more than the share pays the share, and the rest is sent back', async () => {
  const bill = await anyWay(20_000, 10_000)
  const { clabe } = await byTransfer(bill, 'shares=2')
  await deposit(bill.merchant, clabe, 25_000)
  expect(await sumsOf(bill)).toBe('30000 0 15000 15000')
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['overpaid 10000/10000'])
})

test('a transfer that never became the share frees it: what came and what comes later is sent back', async () => {
  const bill = await anyWay(20_000)
  const { page, clabe, paymentId } = await byTransfer(bill, `line=${bill.lines[0]}`)
  await deposit(bill.merchant, clabe, 12_000)
  await passes(bill)
  expect((await pageState(page)).state).toBe('expired')
  expect([await sumsOf(bill), await offers(bill, 0)]).toEqual(['20000 0 0 20000', true])
  expect((await bill.pay(`line=${bill.lines[0]}`)).status).toBe(303)
  expect((await bill.ask('POST', '/close')).status).toBe(200)
  await deposit(bill.merchant, clabe, 8_000)
  expect(await standing(bill.merchant, paymentId)).toBe('expired 0 quarantined')
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['incomplete 12000/12000', 'paid_late 8000/8000'])
  expect(await applying(bill, paymentId)).toBe('409 origin_no_longer_available')
  expect(await sumsOf(bill)).toBe('20000 0 20000 0')
})

const lateAtTheTill = async (bill: Bill, part: string) => {
  const voucher = await byVoucher(bill, part)
  await expire(bill.merchant, voucher.reference)
  await till(bill.merchant, voucher.reference, { late: true })
  return voucher
}

test('late money pays its share after all where the merchant says so, and its line is taken again', async () => {
  const bill = await anyWay(30_000, 20_000)
  const { paymentId } = await lateAtTheTill(bill, `line=${bill.lines[0]}`)
  expect(await applying(bill, paymentId)).toBe('200')
  expect([await sumsOf(bill), await offers(bill, 0)]).toEqual(['50000 0 30000 20000', false])
  expect((await bill.now()).line_items.map(({ payment_id }) => payment_id)).toEqual([paymentId, null])
  expect((await bill.pay(`line=${bill.lines[1]}`)).status).toBe(303)
  expect((await bill.ask('POST', '/close')).body.status).toBe('closed')
})

test.each([
  ['another guest has paid its line', (bill: Bill) => bill.pay(`line=${bill.lines[0]}`)],
  ['its line is void', (bill: Bill) => bill.ask('POST', `/lines/${bill.lines[0]}/void`)],
  ['others have paid more than it leaves', (bill: Bill) => bill.pay('amount=300')],
  ['its bill is void', (bill: Bill) => bill.ask('POST', '/void')],
  ['its bill is a part of another one', mergedAway],
])('late money does not where %s', async (_, happens) => {
  const bill = await anyWay(30_000, 20_000)
  const { paymentId } = await lateAtTheTill(bill, `line=${bill.lines[0]}`)
  await happens(bill)
  const before = await sumsOf(bill)
  expect(await applying(bill, paymentId)).toBe('409 origin_no_longer_available')
  expect(await sumsOf(bill)).toBe(before)
  expect(await unappliedFundsOf(bill.merchant)).toEqual(['paid_late 30000/30000'])
})

test('50 guests pay the line while its late money is applied: one of them all', async () => {
  const bill = await anyWay(30_000, 20_000)
  const { paymentId } = await lateAtTheTill(bill, `line=${bill.lines[0]}`)
  const forms = await Promise.all(Array.from({ length: 50 }, () => bill.form(`line=${bill.lines[0]}`)))
  const [applied, cards] = await Promise.all([
    applying(bill, paymentId),
    Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve'))),
  ])
  const paid = cards.filter(({ status }) => status === 303).length
  expect(['200 0', '409 origin_no_longer_available 1']).toContain(`${applied} ${paid}`)
  expect(await sumsOf(bill)).toBe('50000 0 30000 20000')
})
