import { describe, expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newPaired } from '../../support/devices.ts'
import { newCatalog, newItem, asked as ofCatalogs } from '../../support/digital-catalogs.ts'
import { onPaper } from '../../support/escpos.ts'
import { call } from '../../support/merchant.ts'
import { wordsIn } from '../../support/pdf.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { refund } from '../../support/refunds.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { newWaiter, tablePay, tipped } from '../../support/table-pay.ts'
import {
  type Action,
  answerOf,
  booksOf,
  type Counter,
  choosesTip,
  inPerson,
  newCounter,
  newPhoneCounter,
  paymentOf,
  present,
  process,
  refusal,
} from '../../support/terminal.ts'

const coffee = { name: 'Café', unit_amount: '5800', quantity: 2 }
const book = { name: 'Libro', unit_amount: '20000', iva_rate: '0' }
const lines = { amount: '31600', line_items: [coffee, book] }

const receiptOf = ({ merchant }: Counter, action: Action, suffix = '') =>
  fetch(`${stack.sandbox.baseUrl}/v1/in-person-payments/${action.in_person_payment_id}/receipt${suffix}`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  })

const refused = async (counter: Counter, body: object) => refusal(await process(counter, body))

type Tip = { amount: string; amount_returned: string; payment_id: string; table_session_id: string | null }
const tipsOf = async ({ merchant }: Counter, waiter: { id: string }) =>
  (await tablePay<{ data: Tip[] }>(merchant, 'GET', `/waiters/${waiter.id}/tips`)).body.data
const owedTo = async ({ merchant }: Counter, waiter: { id: string }) =>
  (await tablePay<{ amount_owed: string }>(merchant, 'GET', `/waiters/${waiter.id}/tip-report`)).body
    .amount_owed

describe('what a device takes', () => {
  test.each([
    ['a reader', newCounter],
    ['a phone', newPhoneCounter],
  ])('%s: has its lines, its IVA and its tip, on the payment and on every receipt', async (_of, newOne) => {
    const counter: Counter = await newOne()
    const { body: action } = await process(counter, { ...lines, amount_tip: '3160' })
    await present(counter)
    expect(await paymentOf(counter, action)).toMatchObject({
      status: 'succeeded',
      amount: '34760',
      amount_tip: '3160',
      taxes: [
        { iva_rate: '16', base: '10000', iva: '1600' },
        { iva_rate: '0', base: '20000', iva: '0' },
      ],
      order: {
        line_items: [
          { name: 'Café', quantity: 2, amount_total: '11600', iva_rate: '16' },
          { name: 'Libro', quantity: 1, amount_total: '20000', iva_rate: '0' },
        ],
      },
    })
    expect((await inPerson(counter, action)).body).toMatchObject({ amount: '34760', amount_tip: '3160' })
    const { receipt_url } = (await paymentOf(counter, action)) as { receipt_url: string }
    const page = await call('GET', new URL(receipt_url).pathname)
    expect(page.text).toMatch(/2 ×<\/b> <bdi>Café[\s\S]*Propina/)
    const receipt = (await (await receiptOf(counter, action)).json()) as object
    expect(receipt).toMatchObject({
      amount: '34760',
      amount_tip: '3160',
      line_items: [
        { name: 'Café', quantity: 2, amount_total: '11600' },
        { name: 'Libro', quantity: 1, amount_total: '20000' },
      ],
    })
    const bytes = async (suffix: string) =>
      new Uint8Array(await (await receiptOf(counter, action, suffix)).arrayBuffer())
    const printed = onPaper(await bytes('.escpos')).lines.map(({ text }) => text.replace(/\s+/g, ' ').trim())
    for (const row of [
      '2 × Café $116.00 MXN',
      'Libro $200.00 MXN',
      'Importe $316.00 MXN',
      'Propina $31.60 MXN',
    ])
      expect(printed).toContain(row)
    expect(printed.join('\n')).toMatch(/Total \$347\.60[\s\S]*IVA 16 %/)
    expect((await wordsIn(await bytes('.pdf'))).join(' ')).toMatch(/2 × Café[\s\S]*Libro[\s\S]*Propina/)
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })

  test('is refused, with the field, where its lines do not come to its amount or its tip is more', async () => {
    const counter = await newCounter()
    expect(await refused(counter, { ...lines, amount: '31601' })).toBe('422 parameter_invalid amount')
    expect(await refused(counter, { amount: '1000', amount_tip: '1001' })).toBe(
      '422 parameter_invalid amount_tip',
    )
    expect(await refused(counter, { amount: '999999999999', amount_tip: '1' })).toBe(
      '422 amount_above_maximum amount_tip',
    )
    const chosen = { ...coffee, quantity_min: 1, quantity_max: 2 }
    expect(await refused(counter, { amount: '11600', line_items: [chosen] })).toBe(
      '422 parameter_unknown line_items.0.quantity_min',
    )
    const nobody = '0190a6d2-7c3e-7b1a-9f00-0000000000ff'
    expect(await refused(counter, { waiter_id: nobody })).toBe('404 waiter_not_found waiter_id')
    const { merchant } = await newCounter()
    expect(await refused(counter, { waiter_id: (await newWaiter(merchant)).id })).toBe(
      '404 waiter_not_found waiter_id',
    )
    expect(answerOf(await process(counter, { amount: '1000', amount_tip: '1000' }))).toBe('201 in_progress')
  })

  test('is refused for its tip where that alone is above the maximum', async () => {
    const governed = await newGoverned()
    const settings = { methods: { card_present: { amount_max: { mxn: '50000' } } } }
    expect((await setPolicy(governed, settings)).status).toBe(200)
    const counter = { merchant: governed.merchant, reader: await newPaired(governed.merchant) }
    const sold = { amount: '45000' }
    const above = '422 amount_above_maximum'
    expect(await refused(counter, { ...sold, amount_tip: '5001' })).toBe(`${above} amount_tip`)
    expect(await refused(counter, { amount: '50001', amount_tip: '1' })).toBe(`${above} amount`)
    const { id } = await choosesTip(counter, { preset: 1 })
    expect(await refused(counter, { ...sold, tip_action_id: id })).toBe(`${above} tip_action_id`)
    expect(answerOf(await process(counter, { ...sold, amount_tip: '5000' }))).toBe('201 in_progress')
  })

  test('may be an item of a catalog; one that has stock or delivers is refused', async () => {
    const counter = await newCounter()
    const catalog = await newCatalog(counter.merchant)
    const price = { price: { amount: '4500' } }
    const item = (fields: object) => newItem(counter.merchant, catalog.id, { ...price, ...fields })
    const latte = await item({ kind: 'service', name: 'Latte' })
    const cup = await item({ kind: 'physical_count', name: 'Taza' })
    await ofCatalogs(counter.merchant, 'POST', `/${catalog.id}/publish`)
    const asking = (item_id: string) => ({ amount: '9000', line_items: [{ item_id, quantity: 2 }] })
    expect(await refused(counter, asking(cup.id))).toBe('422 in_person_item_not_sold line_items.0.item_id')
    expect(await refused(counter, asking(catalog.id))).toBe('404 catalog_item_not_found line_items.0.item_id')
    const { body } = await process(counter, asking(latte.id))
    await present(counter)
    expect(await paymentOf(counter, body)).toMatchObject({
      order: { line_items: [{ item_id: latte.id, name: 'Latte', amount_total: '9000' }] },
    })
    const back = { payment_id: body.payment_id, amount: '4500', line_items: [{ id: latte.id, quantity: 1 }] }
    expect((await refund(counter.merchant, back)).status).toBe(201)
  })

  test('is one sale by its name: the same lines, tip and waiter get the first, others are refused', async () => {
    const counter = await newCounter()
    const waiter = await newWaiter(counter.merchant)
    const named = { ...lines, amount_tip: '500', waiter_id: waiter.id, client_reference_id: 'mesa-4' }
    const first = await process(counter, named)
    expect((await process(counter, named)).body.id).toBe(first.body.id)
    for (const other of [
      { amount_tip: '501' },
      { waiter_id: null },
      { line_items: [book, coffee] },
      { line_items: [{ ...coffee, iva_rate: '8' }, book] },
      {
        line_items: [
          { ...coffee, unit_amount: '5000' },
          { ...book, unit_amount: '21600' },
        ],
      },
      { line_items: undefined },
    ])
      expect(await refused(counter, { ...named, ...other })).toBe(
        '409 client_reference_id_used client_reference_id',
      )
  })
})

describe('the tip of a payment at a device', () => {
  test('is owed to who served once it is paid, and a refund takes it back last', async () => {
    const counter = await newCounter()
    const waiter = await newWaiter(counter.merchant)
    const { body } = await process(counter, { amount: '10000', amount_tip: '1500', waiter_id: waiter.id })
    expect(await tipsOf(counter, waiter)).toEqual([])
    await present(counter)
    const tip = { payment_id: body.payment_id, table_session_id: null, amount: '1500' }
    expect(await tipsOf(counter, waiter)).toMatchObject([{ ...tip, amount_returned: '0' }])
    expect(await owedTo(counter, waiter)).toBe('1500')
    await refund(counter.merchant, { payment_id: body.payment_id, amount: '10000' })
    expect(await owedTo(counter, waiter)).toBe('1500')
    await refund(counter.merchant, { payment_id: body.payment_id, amount: '1000' })
    expect(await tipsOf(counter, waiter)).toMatchObject([{ ...tip, amount_returned: '1000' }])
    expect(await owedTo(counter, waiter)).toBe('500')
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })

  test('of a card that is declined, or of what is released, is owed to nobody', async () => {
    const counter = await newCounter()
    const waiter = await newWaiter(counter.merchant)
    const asked = { amount: '10000', amount_tip: '1500', waiter_id: waiter.id }
    await process(counter, asked)
    await present(counter, { card: 'tok_sbx_decline_funds' })
    const { body } = await process(counter, { ...asked, capture_method: 'manual' })
    await present(counter)
    expect((await inPerson(counter, body, 'cancel')).status).toBe(200)
    expect(await tipsOf(counter, waiter)).toEqual([])
    expect((await booksOf(counter.merchant)).map(({ journals }) => journals)).toEqual([0, 0])
  })

  test('is whole where the rest is captured in part, and never more than what is captured', async () => {
    const counter = await newCounter()
    const waiter = await newWaiter(counter.merchant)
    for (const [amount, owed] of [
      ['6000', '1500'],
      ['1000', '2500'],
    ] as const) {
      const { body } = await process(counter, {
        amount: '10000',
        amount_tip: '1500',
        waiter_id: waiter.id,
        capture_method: 'manual',
      })
      await present(counter)
      expect((await inPerson(counter, body, 'capture', { body: { amount } })).status).toBe(200)
      expect(await owedTo(counter, waiter)).toBe(owed)
      await refund(counter.merchant, { payment_id: body.payment_id, amount: '100' })
    }
    expect(await owedTo(counter, waiter)).toBe('2400')
    expect(await brokenRules(counter.merchant.tenantId)).toEqual([])
  })

  test('is owed in pesos alone, and is at most the rest of its payment', async () => {
    const counter = await newCounter()
    const waiter_id = (await newWaiter(counter.merchant)).id
    const tip = { amount: '10000', amount_tip: '1500', waiter_id }
    expect(await refused(counter, { ...tip, currency: 'usd' })).toBe('422 parameter_invalid waiter_id')
    const { body } = await process(counter, tip)
    await present(counter)
    const rewrite = (table: string, set: string, id: string) =>
      adminSql('sandbox')(`update ${table} set ${set} where id = $1`, [id])
    const inDollars = "currency = 'usd'"
    await expect(rewrite('in_person_payments', inDollars, body.in_person_payment_id)).rejects.toThrow(
      /in_person_payments_tips_in_pesos/,
    )
    await expect(rewrite('table_tips', inDollars, body.payment_id)).rejects.toThrow(/table_tips_currency/)
    await expect(rewrite('payments', 'tip_amount_minor = 5751', body.payment_id)).rejects.toThrow(
      /payments_presented_tip/,
    )
  })

  test('names no bill, and the tip of a bill does', async () => {
    const counter = await newCounter()
    const { id: waiter_id } = await newWaiter(counter.merchant)
    const { body } = await process(counter, { amount: '10000', amount_tip: '1500', waiter_id })
    await present(counter)
    await tipped(counter.merchant, waiter_id)
    const sql = adminSql('sandbox')
    const [bill] = await sql<{ id: string }>('select id from table_sessions where tenant_id = $1', [
      counter.merchant.tenantId,
    ])
    await expect(
      sql('update table_tips set session_id = $2 where id = $1', [body.payment_id, bill!.id]),
    ).rejects.toThrow(/a tip of a bill names it, and no other/)
    const none = 'update table_tips set session_id = null where session_id = $1'
    await expect(sql(none, [bill!.id])).rejects.toThrow(/a tip of a bill names it, and no other/)
  })

  test('is not for a waiter who is archived', async () => {
    const counter = await newCounter()
    const { id } = await newWaiter(counter.merchant)
    await tablePay(counter.merchant, 'POST', `/waiters/${id}/archive`)
    expect(await refused(counter, { amount_tip: '100', waiter_id: id })).toBe('409 waiter_archived waiter_id')
  })
})
