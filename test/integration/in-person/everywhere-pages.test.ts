import { describe, expect, test } from 'vitest'
import { display } from '../../../functions/in-person/physical-checkout/words.ts'
import { brokenRules, pageState, paymentsOf, settleAttempts } from '../../support/books.ts'
import { call, type Merchant } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { refund, settleRefunds } from '../../support/refunds.ts'
import {
  atRegisters,
  inCash,
  newCode,
  newCounter,
  newOrder,
  openShift,
  orderNow,
  payOrder,
} from '../../support/registers.ts'
import { newBill } from '../../support/table-pay.ts'
import { eventsOf } from '../payments/story.ts'

type Made = Awaited<ReturnType<typeof newCounter>>
type Order = Awaited<ReturnType<typeof newOrder>>
type Bill = Awaited<ReturnType<typeof newBill>>

const settled = ({ merchant }: { merchant: Merchant }) => settleAttempts(merchant.tenantId)
const refunded = async ({ merchant }: { merchant: Merchant }, amount: string) => {
  const [payment] = await paymentsOf(merchant.tenantId)
  await refund(merchant, { payment_id: payment!.id, amount })
  await settleRefunds(merchant.tenantId)
}

/** The status of the newest payment, its page, its events, whether it has a receipt, and all texts about it. */
async function paymentSaid(merchant: Merchant, publicId: string) {
  const payment = (await paymentsOf(merchant.tenantId)).at(-1)
  if (!payment) return { says: null, texts: [] }
  const path = `/${publicId}/${payment.public_id}`
  const [page, file, { text }] = await Promise.all([
    open(`${path}?lang=en`),
    open(`${path}/receipt.pdf`),
    call('GET', `/v1/payment-operations/payments/${payment.id}`, { bearer: merchant.apiKey }),
  ])
  const { status, refund_status: refundStatus } = JSON.parse(text) as Record<string, string>
  // A page that leads to the form again says nothing itself.
  const state = page.status === 303 ? 'form' : ((await pageState(path)).state ?? '')
  const events = (await eventsOf(merchant, payment.id)).map((type) => type.slice('payment.'.length))
  const paper = file.status === 200 ? 'receipt' : 'no receipt'
  const says = [status, refundStatus, state, paper, events.join(' ')].join(', ')
  return { says, texts: [text.replaceAll(/"\w+":null,?/g, ''), told(await page.text())] }
}

/** What a page says to people. */
const told = (html: string) =>
  html.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, ' ')

const isFailure = (text: string) => /fail|declin|reject/i.test(text)

const unknown = 'processing, none, processing, no receipt, created'
const challenged = 'requires_action, none, requires_action, no receipt, created requires_action'
const mismatch = 'processing, none, under_review, no receipt, created amount_mismatch'
const declined = 'requires_payment_method, none, form, no receipt, created declined'
const paid = 'succeeded, none, succeeded, receipt, created succeeded'
const refundedInPart = 'succeeded, partial, succeeded, receipt, created succeeded refunded'

/** What the display of a register says. */
const said = {
  idle: display.en.idle,
  open: display.en.scan,
  paying: display.en.paying,
  paid: display.en.thanks,
} as const

describe('an order at a register', () => {
  test.each<
    [
      state: string,
      steps: (order: Order, counter: Made) => Promise<unknown>,
      order: string,
      display: keyof typeof said,
      page: string,
      payment: string | null,
    ]
  >([
    ['nobody has paid', async () => {}, 'open unpaid', 'open', '200', null],
    [
      'its bank has not answered',
      (order) => payOrder(order, 'tok_sbx_timeout_then_paid'),
      'open pending',
      'paying',
      '409',
      unknown,
    ],
    [
      'its bank asks the buyer',
      (order) => payOrder(order, 'tok_sbx_3ds_challenge'),
      'open pending',
      'paying',
      '409',
      challenged,
    ],
    [
      'the processor contradicts us',
      (order) => payOrder(order, 'tok_sbx_amount_mismatch'),
      'open pending',
      'paying',
      '409',
      mismatch,
    ],
    [
      'its card was declined',
      (order) => payOrder(order, 'tok_sbx_decline_funds'),
      'open unpaid',
      'open',
      '200',
      declined,
    ],
    [
      'its bank has approved late',
      async (order, counter) => {
        await payOrder(order, 'tok_sbx_timeout_then_paid')
        await settled(counter)
      },
      'paid paid',
      'paid',
      '410',
      paid,
    ],
    [
      'its bank has declined late',
      async (order, counter) => {
        await payOrder(order, 'tok_sbx_timeout_then_failed')
        await settled(counter)
      },
      'open unpaid',
      'open',
      '200',
      declined,
    ],
    ['its buyer has paid', (order) => payOrder(order), 'paid paid', 'paid', '410', paid],
    [
      'its buyer paid in cash',
      async (order, counter) => {
        await openShift(counter)
        await inCash(counter, order)
      },
      'paid paid',
      'paid',
      '410',
      null,
    ],
    [
      'a part of it was refunded',
      async (order, counter) => {
        await payOrder(order)
        await refunded(counter, '800')
      },
      'paid paid',
      'paid',
      '410',
      refundedInPart,
    ],
    [
      'its cashier canceled it',
      ({ id }, { merchant }) => atRegisters(merchant, 'POST', `/orders/${id}/cancel`),
      'canceled unpaid',
      'idle',
      '410',
      null,
    ],
  ])('that %s is said to be that everywhere', async (state, steps, says, shown, page, payment) => {
    const counter = await newCounter()
    const code = await newCode(counter, 'display')
    const order = await newOrder(counter)
    await steps(order, counter)
    const now = await orderNow(counter, order)
    expect(`${now.status} ${now.payment_status}`).toBe(says)
    const at = new URL(code.url).pathname
    const screen = told((await pageOf(`${at}?lang=en`)).html)
    expect(screen).toContain(said[shown])
    const followed = (await (await open(`${at}/state`)).json()) as { followed: string }
    expect(followed.followed.split('.')[0]).toBe(shown)
    const own = await open(`/${order.public_id}?lang=en`)
    expect(String(own.status), await own.text()).toBe(page)
    const { says: paidAs, texts } = await paymentSaid(counter.merchant, order.public_id)
    expect(paidAs).toBe(payment)
    if (!state.includes('declined'))
      expect([screen, JSON.stringify(now), ...texts].filter(isFailure)).toEqual([])
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })
})

describe('a share of a bill', () => {
  const all = (bill: Bill) => `line=${bill.lines[0]}`
  test.each<
    [
      state: string,
      steps: (bill: Bill) => Promise<unknown>,
      bill: string,
      page: string,
      payment: string | null,
    ]
  >([
    ['nobody has paid', async () => {}, 'unpaid 0 0', 'Pay for what is yours', null],
    [
      'its bank has not answered',
      (bill) => bill.pay(all(bill), 'tok_sbx_timeout_then_paid'),
      'unpaid 10000 0',
      'It is being paid',
      unknown,
    ],
    [
      'its bank asks the guest',
      (bill) => bill.pay(all(bill), 'tok_sbx_3ds_challenge'),
      'unpaid 10000 0',
      'It is being paid',
      challenged,
    ],
    [
      'the processor contradicts us',
      (bill) => bill.pay(all(bill), 'tok_sbx_amount_mismatch'),
      'unpaid 10000 0',
      'It is being paid',
      mismatch,
    ],
    [
      'its card was declined',
      (bill) => bill.pay(all(bill), 'tok_sbx_decline_funds'),
      'unpaid 0 0',
      'Pay for what is yours',
      declined,
    ],
    [
      'its bank has approved late',
      async (bill) => {
        await bill.pay(all(bill), 'tok_sbx_timeout_then_paid')
        await settled(bill)
      },
      'paid 0 10000',
      'The bill is paid',
      paid,
    ],
    [
      'its bank has declined late',
      async (bill) => {
        await bill.pay(all(bill), 'tok_sbx_timeout_then_failed')
        await settled(bill)
      },
      'unpaid 0 0',
      'Pay for what is yours',
      declined,
    ],
    ['its guest has paid', (bill) => bill.pay(all(bill)), 'paid 0 10000', 'The bill is paid', paid],
    [
      'was paid in cash',
      (bill) => bill.ask('POST', '/external-payments', { method: 'cash', amount: '10000' }),
      'paid 0 10000',
      'The bill is paid',
      null,
    ],
    [
      'a part of it was refunded',
      async (bill) => {
        await bill.pay(all(bill))
        await refunded(bill, '2000')
      },
      'paid 0 10000',
      'The bill is paid',
      refundedInPart,
    ],
    ['its bill is void', (bill) => bill.ask('POST', '/void'), 'unpaid 0 0', 'This bill was voided', null],
  ])('that %s is said to be that everywhere', async (state, steps, says, page, payment) => {
    const bill = await newBill(10_000)
    await steps(bill)
    const now = await bill.now()
    expect(`${now.payment_status} ${now.amount_held} ${now.amount_paid}`).toBe(says)
    const guests = told((await pageOf(`/${bill.address}?lang=en`)).html)
    expect(guests).toContain(page)
    const { says: paidAs, texts } = await paymentSaid(bill.merchant, bill.address)
    expect(paidAs).toBe(payment)
    if (!state.includes('declined'))
      expect([guests, JSON.stringify(now), ...texts].filter(isFailure)).toEqual([])
    expect(await brokenRules(bill.merchant.tenantId)).toEqual([])
  })
})
