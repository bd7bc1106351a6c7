import { expect, test } from 'vitest'
import { brokenRules, chargesOf, settleAttempts } from '../../support/books.ts'
import { pay } from '../../support/merchant.ts'
import { trigger } from '../../support/stack.ts'
import { dish, newBill } from '../../support/table-pay.ts'
import { many, times } from '../../support/terminal.ts'

type Bill = Awaited<ReturnType<typeof newBill>>

/** A bill of one dish of 1,000.03 that is split into 50 parts, and two dishes beside it. */
async function sharedDish() {
  const bill = await newBill(100_003, 30_000, 20_000)
  const split = await bill.ask('POST', `/lines/${bill.lines[0]}/split`, { parts_count: many })
  const parts = split.body.line_items.filter(({ split_from }) => split_from === bill.lines[0])
  expect(parts).toHaveLength(many)
  return { bill, parts }
}

/** What is claimed and paid lies within the total, and a dish is what its parts come to. */
async function isWhole(bill: Bill): Promise<void> {
  const now = await bill.now()
  const [total, held, paid, due] = [now.amount, now.amount_held, now.amount_paid, now.amount_due].map(Number)
  expect(held! + paid! + due!).toBe(total)
  expect(due).toBeGreaterThanOrEqual(0)
  const sumOf = (lines: typeof now.line_items) =>
    lines.reduce((sum, { amount_total }) => sum + Number(amount_total), 0)
  expect(
    sumOf(now.line_items.filter(({ status }) => status === 'ordered')) - Number(now.amount_discount),
  ).toBe(total)
  const claimed = now.line_items.filter(
    ({ payment_id, external_payment_id }) => payment_id ?? external_payment_id,
  )
  expect(sumOf(claimed)).toBeLessThanOrEqual(held! + paid!)
  for (const dish of now.line_items.filter(({ status }) => status === 'split'))
    expect(sumOf(now.line_items.filter(({ split_from }) => split_from === dish.id))).toBe(
      Number(dish.amount_total),
    )
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
}

test('50 guests pay a part of a dish each at once: together they pay it to the centavo', async () => {
  const { bill, parts } = await sharedDish()
  const forms = await Promise.all(parts.map(({ id }) => bill.form(`line=${id}`)))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.map(({ status }) => status)).toEqual(Array(many).fill(303))
  expect(await bill.now()).toMatchObject({ amount_paid: '100003', amount_held: '0', amount_due: '50000' })
  await isWhole(bill)
})

test.each<[what: string, change: (bill: Bill, at: number, part: string) => Promise<{ status: number }>]>([
  ['add lines', (bill) => bill.ask('POST', '/lines', { line_items: [dish(700)] })],
  ['void the parts', (bill, _, part) => bill.ask('POST', `/lines/${part}/void`)],
  ['split the parts again', (bill, _, part) => bill.ask('POST', `/lines/${part}/split`, { parts_count: 3 })],
  ['give discounts', (bill, at) => bill.ask('PUT', '/discount', { amount: String(at * 3_000) })],
])('50 guests pay a part each while waiters %s', async (_, change) => {
  const { bill, parts } = await sharedDish()
  const forms = await Promise.all(parts.map(({ id }) => bill.form(`line=${id}`)))
  const [answers, changes] = await Promise.all([
    Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve'))),
    Promise.all(parts.slice(0, 25).map(({ id }, at) => change(bill, at, id))),
  ])
  for (const { status } of changes) expect([200, 409]).toContain(status)
  const paid = answers.filter(({ status }) => status === 303).length
  const charges = await chargesOf(bill.address)
  expect(charges.filter(({ state }) => state === 'captured')).toHaveLength(paid)
  const sum = charges.reduce(
    (all, { state, amount_minor }) => all + (state === 'captured' ? Number(amount_minor) : 0),
    0,
  )
  expect(await bill.now()).toMatchObject({ amount_held: '0', amount_paid: String(sum) })
  await isWhole(bill)
})

test('a share whose bank has not answered is held: 50 others pay only what is left, and its late approval counts once', async () => {
  const bill = await newBill(30_000, 20_000)
  expect((await bill.pay(`line=${bill.lines[0]}`, 'tok_sbx_timeout_then_paid')).status).toBe(303)
  const forms = await times(() => bill.form('amount=200'))
  const [answers] = await Promise.all([
    Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve'))),
    settleAttempts(bill.merchant.tenantId, 3),
    bill.ask('POST', `/lines/${bill.lines[0]}/void`).then(({ status }) => expect(status).toBe(409)),
    bill.ask('POST', '/void').then(({ status }) => expect(status).toBe(409)),
  ])
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  await settleAttempts(bill.merchant.tenantId)
  await trigger('sandbox')
  expect(await bill.now()).toMatchObject({ payment_status: 'paid', amount_held: '0', amount_paid: '50000' })
  expect((await chargesOf(bill.address)).filter(({ state }) => state === 'captured')).toHaveLength(2)
  await isWhole(bill)
})
