import { describe, expect, test } from 'vitest'
import { onPaper } from '../../support/escpos.ts'
import { wordsIn } from '../../support/pdf.ts'
import { adminSql, stack } from '../../support/stack.ts'
import {
  type Action,
  answerOf,
  ask,
  type Counter,
  inPerson,
  newCounter,
  present,
  process,
} from '../../support/terminal.ts'

interface Receipt {
  status: string
  mark: string | null
  payment_public_id: string
  folio: string
  amount: string
  amount_captured: string
  amount_refunded: string
  installments: { months: number } | null
  card: object
  signature_needed: boolean
  refunds: { amount: string; status: string }[]
  error?: { code: string; param: string | null }
}

/** A counter with a legal name, at a place with an address, and a card that was presented there. */
async function sold(card: object = { presented_as: 'insert_with_pin' }, asked: object = {}) {
  const counter = await newCounter()
  const sql = adminSql('sandbox')
  await sql(
    `update tenants set fiscal_profile = $2, support_phone = '+525555550123' where tenant_id = $1 returning id`,
    [
      counter.merchant.tenantId,
      { rfc: 'CAZ010203AB1', legal_name: 'Cafés Azules', tax_regime: '601', postal_code: '06700' },
    ],
  )
  const address = { line1: 'Avenida Ñ 8', line2: null, neighborhood: null, city: 'Tijuana', country: 'MX' }
  await sql(
    `update locations set name = $2, address = $3, time_zone = 'America/Tijuana' where id = $1 returning id`,
    [counter.reader.location_id, 'Mostrador Niño', { ...address, state: 'BC', postal_code: '22000' }],
  )
  const { body: action } = await process(counter, {
    description: 'Café',
    client_reference_id: 'o-7',
    ...asked,
  })
  await present(counter, card)
  return { counter, action }
}

const pathOf = ({ in_person_payment_id: id }: Action) => `/v1/in-person-payments/${id}/receipt`

const receiptOf = ({ merchant }: Counter, action: Action) => ask<Receipt>(merchant, 'GET', pathOf(action))

async function fileOf({ merchant }: Counter, action: Action, suffix: string) {
  const reply = await fetch(`${stack.sandbox.baseUrl}${pathOf(action)}${suffix}`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  })
  const bytes = new Uint8Array(await reply.arrayBuffer())
  return { status: reply.status, headers: reply.headers, bytes }
}

async function printedOf(counter: Counter, action: Action, query = '') {
  const file = await fileOf(counter, action, `.escpos${query}`)
  expect(file.status, new TextDecoder().decode(file.bytes)).toBe(200)
  const { lines, isCut } = onPaper(file.bytes)
  return { ...file, lines, isCut, text: lines.map(({ text }) => text.trim()).join(' ') }
}

const refund = async ({ merchant }: Counter, { payment_id }: Action, amount: string) =>
  ask(merchant, 'POST', '/v1/refunds', { payment_id, amount, reason: 'requested_by_customer' })

describe('the receipt of a payment in person', () => {
  test('says all of it as data', async () => {
    const { counter, action } = await sold(
      { card: 'tok_sbx_msi_3_6_9_12', presented_as: 'insert_with_pin' },
      { installment_months: 6 },
    )
    const { body: sale } = await inPerson(counter, action)
    const { body: read } = await ask<{ ended_at: string }>(
      counter.merchant,
      'GET',
      `/v1/terminal/actions/${action.id}`,
    )
    const { body } = await receiptOf(counter, action)
    expect(body).toEqual({
      object: 'in_person_receipt',
      in_person_payment_id: sale.id,
      payment_id: sale.payment_id,
      payment_public_id: expect.stringMatching(/^spcs_/),
      folio: expect.stringMatching(/^[0-9A-Z]{3}(-[0-9A-Z]{3}){2}$/),
      mark: null,
      environment: 'sandbox',
      merchant: {
        name: 'Café Azul',
        legal_name: 'Cafés Azules',
        rfc: 'CAZ010203AB1',
        email: null,
        phone: '+525555550123',
        website_url: null,
      },
      location: {
        id: counter.reader.location_id,
        name: 'Mostrador Niño',
        address: {
          line1: 'Avenida Ñ 8',
          line2: null,
          neighborhood: null,
          city: 'Tijuana',
          state: 'BC',
          postal_code: '22000',
          country: 'MX',
        },
        time_zone: 'America/Tijuana',
      },
      device_id: counter.reader.id,
      approved_at: read.ended_at,
      description: 'Café',
      line_items: [],
      client_reference_id: 'o-7',
      amount: '120000',
      currency: 'mxn',
      amount_tip: '0',
      amount_captured: '120000',
      amount_refunded: '0',
      taxes: [],
      installments: { months: 6 },
      card: sale.card,
      signature_needed: false,
      refunds: [],
    })
  })

  test.each([
    ['', 48, 'Comprobante de pago', 'Sin contacto'],
    ['?paper=58mm&locale=es-MX', 32, 'Comprobante de pago', 'Sin contacto'],
    ['?paper=80mm&locale=en', 48, 'Payment receipt', 'Contactless'],
  ])('is printed%s on lines of %d letters', async (query, columns, title, entry) => {
    const { counter, action } = await sold({ presented_as: 'tap' })
    const { body } = await receiptOf(counter, action)
    const { headers, lines, isCut, text } = await printedOf(counter, action, query)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toBe('attachment; filename="receipt.bin"')
    expect(Math.max(...lines.map(({ text }) => text.length))).toBe(columns)
    expect(isCut).toBe(true)
    for (const fact of [
      'Café Azul',
      'CAZ010203AB1',
      'Mostrador Niño',
      '$1,200.00 MXN',
      body.folio,
      title,
      entry,
    ])
      expect(text).toContain(fact)
  })

  test('is drawn as a PDF', async () => {
    const { counter, action } = await sold()
    const { status, headers, bytes } = await fileOf(counter, action, '.pdf?locale=en')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
    const words = wordsIn(bytes)
    const { body } = await receiptOf(counter, action)
    for (const word of ['Café Azul', 'Payment receipt', '$1,200.00 MXN', 'A0000000031010', 'Mostrador Niño'])
      expect(words).toContain(word)
    expect(words).toContain(`Receipt number ${body.folio}`)
    expect(words).not.toContain('Signature')
  })

  test('has a line to sign where the card was swiped alone', async () => {
    const { counter, action } = await sold({ presented_as: 'swipe_with_signature' })
    expect((await receiptOf(counter, action)).body.signature_needed).toBe(true)
    expect((await printedOf(counter, action)).text).toMatch(/_{48}\s+Firma/)
    expect(wordsIn((await fileOf(counter, action, '.pdf')).bytes)).toContain('_'.repeat(36))
  })

  test('says each refund so far, and is marked by them', async () => {
    const { counter, action } = await sold()
    await refund(counter, action, '20000')
    const marked = (mark: string) =>
      expect.poll(async () => (await receiptOf(counter, action)).body.mark, { timeout: 60_000 }).toBe(mark)
    await marked('partially_refunded')
    const part = (await receiptOf(counter, action)).body
    expect(part.amount_refunded).toBe('20000')
    expect(part.refunds.map(({ amount }) => amount)).toEqual(['20000'])
    expect((await printedOf(counter, action)).text).toContain('REEMBOLSADO EN PARTE')
    await refund(counter, action, '100000')
    await marked('refunded')
    const whole = (await receiptOf(counter, action)).body
    expect(whole.amount_refunded).toBe('120000')
    expect(whole.refunds.map(({ amount }) => amount)).toEqual(['20000', '100000'])
    const { text } = await printedOf(counter, action)
    for (const words of ['REEMBOLSADO', '$200.00 MXN', '$1,000.00 MXN', '$0.00 MXN'])
      expect(text).toContain(words)
    expect(text).not.toContain('EN PARTE')
  })

  test('leaves out a refund that failed', async () => {
    const { counter, action } = await sold({ card: 'tok_sbx_refund_fails' })
    await refund(counter, action, '20000')
    await expect
      .poll(async () => (await receiptOf(counter, action)).body)
      .toMatchObject({ mark: null, amount_refunded: '0', refunds: [] })
  })

  test('is there while the card is authorized, and stays when that is released', async () => {
    const { counter, action } = await sold({}, { capture_method: 'manual' })
    expect((await receiptOf(counter, action)).body).toMatchObject({
      mark: 'authorized',
      amount_captured: '0',
    })
    await inPerson(counter, action, 'cancel')
    expect((await receiptOf(counter, action)).body).toMatchObject({ mark: 'canceled', amount: '120000' })
    expect((await printedOf(counter, action)).text).toContain('CANCELADO')
  })

  test('says what was taken where that is less', async () => {
    const { counter, action } = await sold({}, { capture_method: 'manual' })
    await inPerson(counter, action, 'capture', { body: { amount: '50000' } })
    expect((await receiptOf(counter, action)).body).toMatchObject({ mark: null, amount_captured: '50000' })
    expect((await printedOf(counter, action)).text).toMatch(
      /Autorizado +\$1,200\.00 MXN +Cobrado +\$500\.00 MXN/,
    )
  })

  test.each([
    ['waits', null],
    ['was declined', { card: 'tok_sbx_decline_funds' }],
    ['contradicts us', { card: 'tok_sbx_amount_mismatch' }],
    ['was not read in time', { answer: 'late' }],
  ])('is not there of a card that %s', async (_what, card) => {
    const counter = await newCounter()
    const { body: action } = await process(counter)
    if (card) await present(counter, card)
    expect(answerOf(await receiptOf(counter, action))).toBe('409 receipt_not_available')
    for (const suffix of ['.escpos', '.pdf']) expect((await fileOf(counter, action, suffix)).status).toBe(409)
  })

  test('is nobody else’s', async () => {
    const { action } = await sold()
    const stranger = await newCounter()
    expect(answerOf(await receiptOf(stranger, action))).toBe('404 in_person_payment_not_found')
    for (const suffix of ['.escpos', '.pdf'])
      expect((await fileOf(stranger, action, suffix)).status).toBe(404)
  })
})
