import { describe, expect, test } from 'vitest'
import { dataOf } from '../../../functions/account/mails/receipt.ts'
import type { Paid } from '../../../functions/account/mails/store.ts'
import { renderMail } from '../../../functions/account/mails/template.ts'
import { mails } from '../../../src/generated/mails.ts'
import type { DeclaredMail } from '../../../src/kernel/declared-mail.ts'
import { oneLine } from '../../../src/platform/mail.ts'

const end = 'https://pay.spindle.example/reminders/token'
const locales = ['es-MX', 'en'] as const
const link = 'https://api.spindle.example/account/confirm/token'
const cases = locales.flatMap((locale) =>
  Object.entries(mails).map(([kind, declared]) => ({ locale, kind, declared })),
)

const hasLink = (declared: DeclaredMail) => declared.to === 'buyer' || 'opens' in declared
const isReminder = (declared: DeclaredMail) => declared.to === 'buyer' && declared.isReminder === true

const render = (
  { declared, locale }: (typeof cases)[number],
  name: string,
  value: (field: string) => string,
) =>
  renderMail(
    declared,
    {
      locale,
      name,
      data: Object.fromEntries(
        ['workspace', 'environment', 'merchant', 'reference', ...declared.data].map((field) => [
          field,
          value(field),
        ]),
      ),
    },
    { link: hasLink(declared) ? link : null, end: isReminder(declared) ? end : null },
  )

describe.each(cases)('$kind in $locale', (one) => {
  const plain = render(one, 'Ana', (field) => `the ${field}`)

  test('says the same in text and HTML, in its language, with its link', () => {
    expect(plain.html).toContain(`<html lang="${one.locale}">`)
    expect(plain.text).toMatch(one.locale === 'en' ? /^Hello Ana,/ : /^Hola, Ana:/)
    expect(render(one, '', () => '').text).toMatch(one.locale === 'en' ? /^Hello,\n/ : /^Hola:\n/)
    for (const line of plain.text.split('\n').filter((text) => !/^(--|Spindle|http|.*:$|$)/.test(text)))
      for (const part of line.split(/: (?=the )/)) expect(plain.html).toContain(part)
    expect(plain.text.includes(link)).toBe(plain.html.includes(link))
    expect(plain.text.includes(link)).toBe(hasLink(one.declared))
    expect(plain.text.includes(end)).toBe(isReminder(one.declared))
    expect(plain.text + plain.html).not.toContain('undefined')
    expect(plain).toEqual(render(one, 'Ana', (field) => `the ${field}`))
  })

  test('times are written in its language, with their zone', () => {
    const { text, html } = render(one, 'Ana', (field) =>
      /(^|_)at$/.test(field) ? '2026-06-20T18:30:00.000Z' : field,
    )
    const written =
      one.locale === 'en'
        ? 'June 20, 2026, 12:30\u00a0PM (Mexico City time)'
        : '20 de junio de 2026, 12:30\u00a0p.m. (hora de la Ciudad de México)'
    const hasTime = one.declared.data.some((field) => /(^|_)at$/.test(field))
    for (const part of [text, html]) {
      expect(part).not.toMatch(/\d{4}-\d\d-\d\d|UTC/)
      expect(part.includes(written)).toBe(hasTime)
    }
  })

  test('no field ends a line, begins a header or becomes markup', () => {
    const hostile = 'x\r\nBcc: eve@example.com\n\n<script>alert(1)</script>"\'&\u2028\u202e\u0000'
    const { subject, text, html } = render(one, hostile, () => hostile)
    const lines = plain.text.split('\n').length
    expect(text.split(/\r|\n|\u2028/).length).toBe(lines)
    for (const part of [subject, text, html]) {
      expect(part).not.toMatch(/^Bcc:/m)
      for (const character of ['\r', '\u0000', '\u2028', '\u202e']) expect(part).not.toContain(character)
    }
    // The name of the merchant is all that a subject has of them.
    expect(subject.replace(oneLine(hostile), 'the merchant')).toBe(plain.subject)
    expect(subject).not.toContain('\n')
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    expect(html.match(/<[a-z]+/g)).toEqual(plain.html.match(/<[a-z]+/g))
  })
})

test.each(locales)(
  'a link that sets a password may remove second factors: its mail promises none, in %s',
  (locale) => {
    const { text, html } = renderMail(mails.reset_password, { locale, name: 'Ana', data: {} }, { link })
    for (const part of [text, html]) expect(part).not.toMatch(/factor/i)
  },
)

test.each(locales)('a buyer’s mail of the sandbox says first that no money moves, in %s', (locale) => {
  const mail = (isTest: boolean) =>
    renderMail(mails.payment_receipt, { locale, name: '', data: {} }, { link, isTest })
  const said = locale === 'en' ? 'Test mode: ' : 'Modo de prueba: '
  expect([mail(true).text.indexOf(said), mail(true).html.includes(said)]).toEqual([0, true])
  expect([mail(false).text.includes(said), mail(false).html.includes(said)]).toEqual([false, false])
})

test.each(
  locales.flatMap((locale) =>
    ['approve', 'decline', 'suspend', 'reinstate', 'close'].map((decision) => ({ locale, decision })),
  ),
)('the mail about a workspace says what $decision means, in $locale', ({ locale, decision }) => {
  const mail = (one: string) =>
    renderMail(mails.workspace_decided, { locale, name: 'Ana', data: { decision: one } }).text
  expect(mail(decision).length).toBeGreaterThan(mail('none').length + 40)
})

test.each([
  ['spei', '646180000000000012', 'CLABE: 646 180 0000 0000 0012'],
  ['oxxo', '98012345678904', 'Referencia: 9801 2345 6789 04'],
])('what the buyer types or reads out is grouped as on the page: %s', (method, number, line) => {
  const { subject, text } = renderMail(mails.payment_instructions, {
    locale: 'es-MX',
    name: '',
    data: { method, number, merchant: 'Café Azul' },
  })
  expect(text).toContain(line)
  expect(subject).toContain('Café Azul')
})

test.each([
  [
    'es-MX',
    [
      '2 × Taza: $500.00 MXN',
      'Descuento VERANO: −$50.00 MXN',
      'Envío: Paquetería: $99.00 MXN',
      'Propina: $10.00 MXN',
      'Incluye IVA 16 %: $75.72 MXN (sobre $473.28 MXN)',
      'Exento de IVA: $10.00 MXN',
      'Tarjeta: Visa terminada en 4242',
    ],
  ],
  [
    'en',
    [
      '2 × Taza: $500.00 MXN',
      'Discount VERANO: −$50.00 MXN',
      'Shipping: Paquetería: $99.00 MXN',
      'Tip: $10.00 MXN',
      'Includes IVA 16 %: $75.72 MXN (on $473.28 MXN)',
      'Exempt from IVA: $10.00 MXN',
      'Card: Visa ending in 4242',
    ],
  ],
] as const)('a receipt has the lines, the IVA and the card, in %s', (locale, lines) => {
  const paid = {
    mailId: 'm',
    status: 'succeeded',
    amountRefundedMinor: 0n,
    taxes: [
      { iva_rate: '16', base: '47328', iva: '7572' },
      { iva_rate: 'exempt', base: '1000', iva: '0' },
      { iva_rate: '8', base: '0', iva: '0' },
    ],
    method: 'card',
    methodDetails: { brand: 'visa', last4: '4242', bin6: '424242', funding: 'credit' },
    order: {
      lines: [{ item_id: null, name: 'Taza', quantity: 2, total: '50000', iva_rate: '16' }],
      parts: [
        { kind: 'discount', name: 'VERANO', amount: '-5000' },
        { kind: 'shipping', name: 'Paquetería', amount: '9900' },
      ],
    },
    tipAmountMinor: 1_000n,
  } as unknown as Paid
  const written = (one: Paid) =>
    [mails.payment_receipt, mails.payment_receipt_copy].map((receipt) =>
      renderMail(receipt, {
        locale,
        name: '',
        data: { currency: 'mxn', merchant: 'Café Azul', ...dataOf(one) },
      }).text.replaceAll('\u00a0', ' '),
    )
  for (const text of written(paid)) for (const line of lines) expect(text).toContain(`${line}\n`)
  // What was given back in part no longer has the IVA of the whole; a link has no lines.
  const bare = { order: null, tipAmountMinor: 0n, method: 'oxxo', amountRefundedMinor: 1n } as const
  for (const text of written({ ...paid, ...bare })) expect(text).not.toMatch(/IVA|Taza|VERANO|4242/)
})

test('a line’s name ends no line of the mail', () => {
  const rows = JSON.stringify([['line', 'Taza\r\nBcc: eve@example.com', '100']])
  const { text } = renderMail(mails.payment_receipt, {
    locale: 'en',
    name: '',
    data: { currency: 'mxn', rows },
  })
  expect(text).not.toMatch(/^Bcc:/m)
  expect(text).toContain('Taza Bcc: eve@example.com: $1.00')
})
