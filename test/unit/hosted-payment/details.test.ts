import { describe, expect, test } from 'vitest'
import type { Collects } from '../../../drizzle/schema/buyer-details.ts'
import { readDetails } from '../../../functions/page/hosted-payment/details.ts'

const nothing: Collects = {
  name: 'no',
  email: 'no',
  phone: 'no',
  shipping_countries: [],
  tax_data: 'no',
  custom_fields: [],
  consents: [],
}
const now = new Date('2026-11-24T12:00:00.000Z')
const read = (collects: Partial<Collects>, typed: Record<string, string>, email: string | null = null) => {
  const found = readDetails({ ...nothing, ...collects }, typed, now, email)
  return 'wrong' in found ? Object.fromEntries(found.wrong) : found.details
}
const home = {
  'ship.name': 'Ana Ruiz',
  'ship.line1': 'Orizaba 101',
  'ship.neighborhood': 'Roma Norte',
  'ship.city': 'Ciudad de México',
  'ship.state': 'CDMX',
  'ship.postal_code': '06700',
}
const tax = {
  'tax.rfc': 'XAXX010101000',
  'tax.legal_name': 'PÚBLICO EN GENERAL',
  'tax.regime': '616',
  'tax.cfdi_use': 'S01',
  'tax.postal_code': '06700',
}

describe('what a buyer gives', () => {
  test('nothing where nothing is asked, whatever is sent', () => {
    expect(read({}, { 'detail.name': 'Ana', 'detail.phone': 'x', ...tax }, 'ana@example.com')).toEqual({
      name: null,
      email: null,
      phone: null,
      shipping: null,
      tax_data: null,
      custom_fields: [],
      consents: [],
    })
  })

  test('a name and an address, each where it is asked for', () => {
    const typed = { 'detail.name': ' Ana Ruiz ' }
    expect(read({ name: 'required' }, typed, 'ana@example.com')).toMatchObject({
      name: 'Ana Ruiz',
      email: null,
    })
    expect(read({ email: 'optional' }, typed, 'ana@example.com')).toMatchObject({
      name: null,
      email: 'ana@example.com',
    })
    expect(read({ name: 'required' }, {})).toEqual({ 'detail.name': 'missing' })
  })

  test.each([
    ['55 1234 5678', '+525512345678'],
    ['+34 600 123 456', '+34600123456'],
  ])('a phone number: %s', (typed, phone) => {
    expect(read({ phone: 'required' }, { 'detail.phone': typed })).toMatchObject({ phone })
  })

  test('an address at home needs its colonia, one of the states and five digits; abroad it does not', () => {
    const where = { shipping_countries: ['MX'] }
    expect(read(where, home)).toMatchObject({
      shipping: {
        name: 'Ana Ruiz',
        address: {
          line2: null,
          neighborhood: 'Roma Norte',
          state: 'Ciudad de México',
          postal_code: '06700',
          country: 'MX',
        },
      },
    })
    expect(read(where, { ...home, 'ship.state': '', 'ship.postal_code': '670' })).toEqual({
      'ship.state': 'missing',
      'ship.postal_code': 'postal_code',
    })
    expect(read(where, { ...home, 'ship.neighborhood': ' ', 'ship.state': 'Texas' })).toEqual({
      'ship.neighborhood': 'missing',
      'ship.state': 'option',
    })
    for (const [typed, state] of [
      ['edomex', 'Estado de México'],
      ['MICHOACAN', 'Michoacán'],
      ['D.F.', 'Ciudad de México'],
    ])
      expect(read(where, { ...home, 'ship.state': typed! })).toMatchObject({
        shipping: { address: { state } },
      })
    const both = { shipping_countries: ['MX', 'GT'] }
    const abroad = {
      ...home,
      'ship.state': '',
      'ship.postal_code': '',
      'ship.neighborhood': '',
      'ship.country': 'GT',
    }
    expect(read(both, abroad)).toMatchObject({
      shipping: { address: { country: 'GT', state: null, neighborhood: null } },
    })
    expect(read(both, { ...home, 'ship.country': 'US' })).toEqual({ 'ship.country': 'option' })
  })

  test.each([
    ['a wrong check digit', { 'tax.rfc': 'GODE561231GR9' }, { 'tax.rfc': 'rfc' }],
    ['no RFC', { 'tax.rfc': '' }, { 'tax.rfc': 'missing' }],
    ['a régimen of companies', { 'tax.regime': '601' }, { 'tax.regime': 'regime' }],
    ['a use that does not go with it', { 'tax.cfdi_use': 'G01' }, { 'tax.cfdi_use': 'cfdi_use' }],
    [
      'a name with its kind of company',
      {
        'tax.rfc': 'EKU9003173C9',
        'tax.regime': '601',
        'tax.cfdi_use': 'G03',
        'tax.legal_name': 'Escuela Kemper Urgate, S.A. de C.V.',
      },
      { 'tax.legal_name': 'company_kind' },
    ],
    ['a postal code of four digits', { 'tax.postal_code': '0670' }, { 'tax.postal_code': 'postal_code' }],
  ])('tax data: %s', (_what, fields, wrong) => {
    expect(read({ tax_data: 'required' }, { ...tax, ...fields })).toEqual(wrong)
  })

  test('an invoice that is not wanted is not asked for', () => {
    expect(read({ tax_data: 'optional' }, {})).toMatchObject({ tax_data: null })
    expect(read({ tax_data: 'optional' }, { 'tax.wanted': 'yes', ...tax })).toMatchObject({
      tax_data: { rfc: 'XAXX010101000', cfdi_use: 'S01' },
    })
  })

  test('questions of the merchant, and boxes with their text, version and time', () => {
    const asked: Partial<Collects> = {
      custom_fields: [
        {
          key: 'size',
          label: 'Talla',
          type: 'dropdown',
          required: true,
          options: [{ value: 'm', label: 'M' }],
        },
        { key: 'weight', label: 'Peso', type: 'number', required: false, options: [] },
      ],
      consents: [
        { key: 'terms', text: 'Acepto', url: null, version: '1', required: true },
        { key: 'news', text: 'Noticias', url: null, version: '2', required: false },
      ],
    }
    expect(read(asked, { 'field.size': 'm', 'field.weight': '12.5', 'consent.terms': 'yes' })).toMatchObject({
      custom_fields: [
        { key: 'size', label: 'Talla', value: 'm' },
        { key: 'weight', value: '12.5' },
      ],
      consents: [
        { key: 'terms', text: 'Acepto', version: '1', given_at: now.toISOString() },
        { key: 'news', version: '2', given_at: null },
      ],
    })
    expect(read(asked, { 'field.size': 'x', 'field.weight': 'doce' })).toEqual({
      'field.size': 'option',
      'field.weight': 'number',
      'consent.terms': 'consent',
    })
  })

  test('no card number, and nothing longer than a field holds', () => {
    const asked: Partial<Collects> = {
      custom_fields: [{ key: 'note', label: 'Nota', type: 'text', required: false, options: [] }],
    }
    expect(read(asked, { 'field.note': '4242 4242 4242 4242' })).toEqual({ 'field.note': 'card_number' })
    expect(read(asked, { 'field.note': 'a'.repeat(255) })).toEqual({ 'field.note': 'too_long' })
  })
})
