import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../functions/in-person/terminal/present-receipt.ts'
import { printed } from '../../../functions/in-person/terminal/receipt-escpos.ts'
import { receiptRows } from '../../../functions/in-person/terminal/receipt-paper.ts'
import { formatMoney } from '../../../src/kernel/format.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import { codePage850, onPaper } from '../../support/escpos.ts'

const address = {
  line1: 'Orizaba 101',
  line2: null,
  neighborhood: 'Roma Norte',
  city: 'Ciudad de México',
  state: 'CDMX',
  postal_code: '06700',
  country: 'MX',
}

const receipt: Receipt = {
  object: 'in_person_receipt',
  in_person_payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000066',
  payment_id: '0190a6d2-7c3e-7b1a-9f00-000000000002',
  payment_public_id: 'spcs_0123456789abcdefghijklmnopqrstuv',
  folio: '0G4-6M6-F5E',
  mark: null,
  environment: 'live',
  merchant: {
    name: 'Panadería El Ñandú',
    legal_name: 'Panes y Más, S.A. de C.V.',
    rfc: 'PMA010203AB1',
    email: 'hola@nandu.example',
    phone: '+525555550123',
    website_url: null,
  },
  location: {
    id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
    name: 'Sucursal Tijuana',
    address,
    time_zone: 'America/Tijuana',
  },
  device_id: '0190a6d2-7c3e-7b1a-9f00-000000000061',
  approved_at: '2026-06-13T12:00:05.000Z',
  description: '¡Ñoquis, pingüino, acción y café!',
  line_items: [{ name: 'Ñoquis', quantity: 2, amount_total: '120000' }],
  client_reference_id: 'order-1024',
  amount: '132000',
  currency: 'mxn',
  amount_tip: '12000',
  amount_captured: '132000',
  amount_refunded: '0',
  taxes: [{ iva_rate: '16', base: '103448', iva: '16552' }],
  installments: { months: 3 },
  card: {
    brand: 'visa',
    last4: '4242',
    bin6: '424242',
    funding: 'credit',
    reading: {
      entry_mode: 'contact_emv',
      cardholder_verification: 'pin',
      receipt: {
        authorization_code: '482913',
        application_preferred_name: 'VISA CREDITO',
        dedicated_file_name: 'A0000000031010',
        application_cryptogram: '9F2608A1B2C3D4E5',
        terminal_verification_results: '0000040000',
        transaction_status_information: 'E800',
      },
    },
  },
  signature_needed: false,
  refunds: [],
}

function read(of: Receipt, columns: number, locale: Locale = 'es-MX') {
  const paper = onPaper(printed(of, locale, columns))
  return { ...paper, text: paper.lines.map(({ text }) => text.trim()).join('\n') }
}

/** The text of a paper without what a line's end may split. */
const joined = (text: string) => text.replaceAll(/\s/g, '')
/** Those of the code page that are letters or signs: no part of a box, no space. */
const letters = [...codePage850].filter((letter) => !/[\u2500-\u25ff\u2017\s\u00ad]/u.test(letter))
const money = (minor: bigint) => formatMoney(minor, 'mxn', 'es-MX')

describe.each([48, 32])('a receipt on lines of %d letters', (columns) => {
  test('has every fact of it, in Spanish letters, and is cut at its end', () => {
    const { text, lines, codePages, isCut } = read(receipt, columns)
    for (const fact of [
      ...['Panadería El Ñandú', 'Panes y Más, S.A. de C.V.', 'hola@nandu.example', '+525555550123'],
      ...['Comprobante de pago', '0G4-6M6-F5E', 'PMA010203AB1', 'Sucursal Tijuana', '2 × Ñoquis'],
      ...['Orizaba 101, Roma Norte, 06700 Ciudad de México, CDMX', '¡Ñoquis, pingüino, acción y café!'],
      ...['13 de junio de 2026, 5:00 a.m.', 'order-1024', '3 meses sin intereses'],
      ...[money(120_000n), money(12_000n), money(132_000n), money(16_552n), money(103_448n)],
      ...['Visa terminada en 4242', 'Crédito', 'Chip', 'NIP', '482913', 'VISA CREDITO', 'A0000000031010'],
      ...['9F2608A1B2C3D4E5', '0000040000', 'E800', 'Este comprobante no es una factura (CFDI).'],
    ])
      expect(joined(text)).toContain(joined(fact))
    expect(text).not.toMatch(/Firma|_|\?/)
    expect(codePages).toEqual([2])
    expect(isCut).toBe(true)
    expect(lines.filter(({ bold }) => bold).map(({ text }) => joined(text))).toEqual([
      joined('Panadería El Ñandú'),
      joined('Comprobante de pago'),
      joined(`Total ${money(132_000n)}`),
      joined('Autorización 482913'),
    ])
  })

  test('is in English where that is asked', () => {
    const { text } = read(receipt, columns, 'en')
    for (const words of ['Payment receipt', 'Tip', 'Read by', 'PIN', '3 months, interest-free'])
      expect(text).toContain(words)
  })

  test('has a line to sign where a stripe was read, and no line of a chip', () => {
    const { reading } = receipt.card
    const none = Object.fromEntries(Object.keys(reading.receipt).map((name) => [name, null]))
    const swiped = {
      ...receipt,
      signature_needed: true,
      card: {
        ...receipt.card,
        reading: {
          entry_mode: 'magnetic_stripe_fallback',
          cardholder_verification: 'signature',
          receipt: { ...none, authorization_code: '000042' },
        },
      },
    } as unknown as Receipt
    const { text } = read(swiped, columns)
    expect(text).toMatch(new RegExp(`\n\n\n_{${columns}}\n\\s*Firma\n`))
    for (const mark of ['canceled', 'refunded'] as const)
      expect(read({ ...swiped, mark }, columns).text).not.toContain('____')
    expect(text).toContain('000042')
    expect(text).not.toMatch(/AID|ARQC|TVR|TSI|Aplicación|null/)
  })

  test.each([
    ['canceled', 'CANCELADO'],
    ['refunded', 'REEMBOLSADO'],
    ['partially_refunded', 'REEMBOLSADO EN PARTE'],
    ['refund_pending', 'REEMBOLSO EN PROCESO'],
    ['authorized', 'AUTORIZADO'],
  ] as const)('says that it is %s', (mark, words) => {
    const { lines } = read({ ...receipt, mark }, columns)
    const bold = lines.filter(({ bold }) => bold).map(({ text }) => text)
    expect(joined(bold.join(''))).toContain(joined(`Comprobante de pago: ${words}`))
  })

  test('says each refund, what went back and what remains', () => {
    const refund = { id: receipt.payment_id, status: 'succeeded' } as const
    const { text } = read(
      {
        ...receipt,
        mark: 'partially_refunded',
        amount_refunded: '30000',
        refunds: [
          { ...refund, amount: '10000', created_at: '2026-06-14T12:00:00.000Z' },
          { ...refund, status: 'processing', amount: '20000', created_at: '2026-06-15T12:00:00.000Z' },
        ],
      },
      columns,
    )
    for (const fact of [
      `Reembolso del 14 jun 2026 ${money(10_000n)}`,
      `Reembolso del 15 jun 2026 ${money(20_000n)} (en proceso)`,
      `Reembolso ${money(30_000n)}`,
      `Queda pagado ${money(102_000n)}`,
    ])
      expect(joined(text)).toContain(joined(fact))
    expect(text).not.toContain('IVA')
  })

  test('says what was charged where that is less than was authorized', () => {
    const { text } = read({ ...receipt, amount_captured: '50000' }, columns)
    expect(joined(text)).toContain(joined(`Cobrado ${money(50_000n)}`))
    expect(joined(text)).toContain(joined(`Autorizado ${money(132_000n)}`))
    expect(text).not.toContain('IVA')
  })

  test('replaces an emoji by one question mark, and lets nobody command the printer', () => {
    const { text } = read(
      { ...receipt, description: 'Café ☕ y 👩‍👩‍👧 pan 🥐', client_reference_id: 'a\u001b@\u001dV\u0000b' },
      columns,
    )
    expect(text).toMatch(/Café \? y \? pan \?$/m)
    expect(text).toMatch(/a\?@\?V\?b$/m)
  })

  test('keeps within the lines, and has all amounts and letters, whatever is written', () => {
    const letter = fc.oneof(fc.constantFrom(...'aZ 09.ñÑáéíóúüÁÉÍÓÚ¿¡'), fc.constantFrom(...letters))
    const words = fc.string({ unit: letter, minLength: 1, maxLength: 200 }).map((text) => `x${text.trim()}`)
    const minor = fc.bigInt(1n, 999_999_999_999n)
    fc.assert(
      fc.property(words, words, words, minor, minor, (name, description, city, amount, part) => {
        const [tip, rest] = [part % amount, amount - (part % amount)]
        const made: Receipt = {
          ...receipt,
          merchant: { ...receipt.merchant, name },
          location: { ...receipt.location!, address: { ...address, city } },
          description,
          amount: amount.toString(),
          amount_captured: amount.toString(),
          amount_tip: tip.toString(),
        }
        const { lines, text } = read(made, columns)
        for (const line of lines) expect(line.text.length).toBeLessThanOrEqual(columns)
        const all = joined(text)
        for (const each of [name, description, city, money(amount)]) expect(all).toContain(joined(each))
        if (tip > 0n) for (const each of [tip, rest]) expect(all).toContain(joined(money(each)))
        for (const { term, value } of receiptRows(made, 'es-MX')) expect(all).toContain(joined(term + value))
      }),
      { numRuns: 100 },
    )
  })
})
