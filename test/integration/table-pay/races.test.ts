import { expect, test } from 'vitest'
import { brokenRules, chargesOf } from '../../support/books.ts'
import { overtaking } from '../../support/gate.ts'
import { call, pay } from '../../support/merchant.ts'
import { isWhole } from '../../support/share.ts'
import { dish, newBill } from '../../support/table-pay.ts'

/** What the page says to who was late. */
const toldOthers = /^(409 Somebody else is paying that|409 It is being paid|410 The bill is paid)$/

type Made = Awaited<ReturnType<typeof newBill>>

test.each([
  ['the same line', (bill: Made) => `line=${bill.lines[0]}`, 1],
  ['the rest', () => 'amount=500', 1],
  ['an equal share', () => 'shares=5', 5],
] as const)('50 guests at once for %s: what is there is paid once', async (_, part, payable) => {
  const bill = await newBill(50_000)
  const forms = await Promise.all(Array.from({ length: 50 }, () => bill.form(part(bill))))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(payable)
  for (const { status, html } of answers.filter((answer) => answer.status !== 303))
    expect(`${status} ${/<h1[^>]*>([^<]*)/.exec(html)?.[1]}`).toMatch(toldOthers)
  expect((await chargesOf(bill.address)).map(({ state }) => state)).toEqual(Array(payable).fill('captured'))
  expect(await bill.now()).toMatchObject({ amount: '50000', amount_held: '0', amount_paid: '50000' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('as many guests as the bill has amounts pay at once: each has one, and they come to the bill', async () => {
  const guests = isWhole ? 500 : 50
  const bill = await newBill(guests * 1_000)
  const forms: Awaited<ReturnType<Made['form']>>[] = []
  for (let at = 0; at < guests; at += 50)
    forms.push(...(await Promise.all(Array.from({ length: 50 }, () => bill.form('amount=10')))))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(guests)
  const charges = await chargesOf(bill.address)
  expect(charges.filter(({ state }) => state === 'captured')).toHaveLength(guests)
  expect(await bill.now()).toMatchObject({
    amount_held: '0',
    amount_paid: String(guests * 1_000),
    amount_due: '0',
  })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('50 guests at once for one line of two: it is paid once, and the other is left', async () => {
  const bill = await newBill(50_000, 50_000)
  const forms = await Promise.all(Array.from({ length: 50 }, () => bill.form(`line=${bill.lines[0]}`)))
  const answers = await Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve')))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect(await bill.now()).toMatchObject({ amount_held: '0', amount_paid: '50000', amount_due: '50000' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('25 guests pay the rest while 25 waiters record cash for it: it is paid once', async () => {
  const bill = await newBill(50_000)
  const forms = await Promise.all(Array.from({ length: 25 }, () => bill.form('amount=500')))
  const answers = await Promise.all([
    ...forms.map((form) => pay(bill.address, form, 'tok_sbx_approve').then(({ status }) => status === 303)),
    ...forms.map(() =>
      bill
        .ask('POST', '/external-payments', { method: 'cash', amount: '50000' })
        .then(({ status }) => status === 201),
    ),
  ])
  expect(answers.filter((isPaid) => isPaid)).toHaveLength(1)
  expect(await bill.now()).toMatchObject({ amount_held: '0', amount_paid: '50000' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a waiter who records cash for a line that a guest begins to pay learns that it is claimed', async () => {
  const bill = await newBill(50_000, 50_000)
  const form = await bill.form(`line=${bill.lines[0]}`)
  const cash = { method: 'cash', amount: '50000', line_ids: [bill.lines[0]] }
  const [paid, recorded] = await overtaking(
    bill.merchant,
    () => pay(bill.address, form, 'tok_sbx_approve'),
    () => bill.ask('POST', '/external-payments', cash),
  )
  expect([paid.status, recorded.status, recorded.body.error?.code]).toEqual([303, 409, 'table_line_claimed'])
  expect(await bill.now()).toMatchObject({ amount_held: '0', amount_paid: '50000' })
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('guests pay the rest while waiters add lines, void one and give a discount: no peso is paid twice', async () => {
  const bill = await newBill(...Array.from({ length: 20 }, (_, at) => 1_000 + at))
  const forms = await Promise.all(bill.lines.slice(0, 15).map((line) => bill.form(`line=${line}`)))
  const [paid, changed] = await Promise.all([
    Promise.all(forms.map((form) => pay(bill.address, form, 'tok_sbx_approve'))),
    Promise.all([
      ...bill.lines.slice(0, 15).map((line) => bill.ask('POST', `/lines/${line}/void`)),
      ...Array.from({ length: 10 }, () => bill.ask('POST', '/lines', { line_items: [dish(700)] })),
      ...Array.from({ length: 10 }, (_, at) => bill.ask('PUT', '/discount', { amount: String(at * 100) })),
    ]),
  ])
  for (const { status } of changed) expect([200, 409]).toContain(status)
  const now = await bill.now()
  const voided = now.line_items.filter(({ status }) => status === 'void').length
  const taken = now.line_items.filter(({ payment_id }) => payment_id !== null).length
  expect(paid.filter(({ status }) => status === 303)).toHaveLength(taken)
  expect(changed.slice(0, 15).filter(({ status }) => status === 200)).toHaveLength(voided)
  const ordered = now.line_items.filter(({ status }) => status === 'ordered')
  const subtotal = ordered.reduce((sum, line) => sum + Number(line.amount_total), 0)
  expect(Number(now.amount)).toBe(subtotal - Number(now.amount_discount))
  expect(now.amount_held).toBe('0')
  const listed = await call<{ data: { status: string; amount: string }[] }>(
    'GET',
    `/v1/payment-operations/payments?table_session_id=${bill.id}&status=succeeded&limit=100`,
    { bearer: bill.merchant.apiKey },
  )
  expect(listed.body.data.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(Number(now.amount_paid))
  expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
})

test('a bill is closed while its last guest pays: closed and paid, or open and paid', async () => {
  const bill = await newBill(10_000)
  const form = await bill.form('amount=100')
  const [paid, closed] = await Promise.all([
    pay(bill.address, form, 'tok_sbx_approve'),
    bill.ask('POST', '/close'),
  ])
  expect(paid.status).toBe(303)
  expect(await bill.now()).toMatchObject({
    status: closed.status === 200 ? 'closed' : 'open',
    payment_status: 'paid',
  })
})

test('a bill is voided while a guest pays: one of both happens', async () => {
  for (let round = 0; round < 10; round++) {
    const bill = await newBill(10_000)
    const form = await bill.form('amount=100')
    const [paid, voided] = await Promise.all([
      pay(bill.address, form, 'tok_sbx_approve'),
      bill.ask('POST', '/void'),
    ])
    expect([paid.status === 303, voided.status === 200].filter((happened) => happened)).toHaveLength(1)
    const { status, amount_paid } = await bill.now()
    expect([status, amount_paid]).toEqual(voided.status === 200 ? ['void', '0'] : ['open', '10000'])
  }
})
