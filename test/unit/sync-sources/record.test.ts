import { expect, test } from 'vitest'
import { suggestedFields } from '../../../functions/people/sync-sources/csv/fields.ts'
import { incomingOfRow } from '../../../functions/people/sync-sources/csv/kind.ts'
import { recordOf } from '../../../functions/people/sync-sources/csv/record.ts'

const at = new Date('2026-06-13T12:00:00.000Z')

test.each<[header: string, fields: (string | null)[]]>([
  [
    'Id Cliente|Nombre|Apellidos|Correo electrónico|Teléfono',
    ['external_id', 'name', 'name', 'email', 'phone'],
  ],
  ['Customer ID|First name|Last name|E-mail|Phone number', ['external_id', 'name', 'name', 'email', 'phone']],
  ['Nombre completo|CELULAR|Celular|Notas', ['name', 'phone', null, null]],
  [
    'Calle y número|Colonia|Ciudad|Estado|C.P.|País',
    ['line1', 'neighborhood', 'city', 'state', 'postal_code', 'country'].map((part) => `address.${part}`),
  ],
  [
    'RFC|Razón social|Régimen fiscal|Uso CFDI',
    ['rfc', 'legal_name', 'tax_regime', 'cfdi_use'].map((part) => `tax_profile.${part}`),
  ],
  ['Etiquetas|Idioma|Última modificación|', ['tags', 'locale', 'updated_at', null]],
])('%s', (header, fields) => {
  expect(suggestedFields(header.split('|'))).toEqual(fields)
})

test.each<[what: string, fields: (string | null)[], cells: string[], record: object]>([
  [
    'a name of several columns',
    ['external_id', 'name', 'name'],
    ['7', ' Ana ', 'Torres'],
    { external_id: '7', customer: { name: 'Ana Torres' } },
  ],
  [
    'an empty cell says nothing',
    ['external_id', 'name', 'email'],
    ['7', '', ' '],
    { external_id: '7', customer: {} },
  ],
  [
    'an address is the id where no column is',
    ['email', 'name'],
    ['ANA@example.com', 'Ana'],
    { external_id: 'ana@example.com', customer: { email: 'ANA@example.com', name: 'Ana' } },
  ],
  ['no id', ['external_id', 'name'], ['', 'Ana'], { customer: { name: 'Ana' } }],
  [
    'tags of several columns',
    ['external_id', 'tags', 'tags'],
    ['7', 'vip; new', 'vip,gdl'],
    { external_id: '7', customer: { tags: ['vip', 'new', 'gdl'] } },
  ],
  [
    'an address',
    ['external_id', 'address.line1', 'address.country'],
    ['7', 'Orizaba 101', 'México'],
    { external_id: '7', customer: { addresses: [{ line1: 'Orizaba 101', country: 'MX' }] } },
  ],
  [
    'metadata',
    ['external_id', 'metadata.branch'],
    ['7', 'Roma'],
    { external_id: '7', customer: { metadata: { branch: 'Roma' } } },
  ],
  [
    'a formula stays',
    ['external_id', 'name'],
    ['7', '=1+1'],
    { external_id: '7', customer: { name: '=1+1' } },
  ],
])('%s', (_, fields, cells, record) => {
  expect(recordOf(cells, fields, at)).toEqual({ updated_at: at.toISOString(), ...record })
})

test.each([
  ['2026-01-31', '2026-01-31T00:00:00-06:00'],
  ['2026-01-31 9:05', '2026-01-31T09:05:00-06:00'],
  ['31/01/2026', '2026-01-31T00:00:00-06:00'],
  ['31/1/2026 14:05:09', '2026-01-31T14:05:09-06:00'],
  ['2026-01-31T09:05:00Z', '2026-01-31T09:05:00Z'],
  ['yesterday', 'yesterday'],
])('the time %s', (text, time) => {
  expect(recordOf([text], ['updated_at'], at)).toMatchObject({ updated_at: time })
})

test.each<[what: string, cells: string[] | null, code: string | undefined, param?: string]>([
  ['as many cells as the header', ['7', 'ana@example.com'], undefined],
  ['more cells, all empty', ['7', 'ana@example.com', '', ' '], undefined],
  ['more cells', ['7', 'ana@example.com', 'x'], 'sync_row_cells_count'],
  ['fewer cells', ['7'], 'sync_row_cells_count'],
  ['an open quote', null, 'sync_row_quote_open'],
  ['no id', ['', 'ana@example.com'], 'parameter_missing', 'external_id'],
  ['no address', ['7', 'ana'], 'parameter_invalid', 'customer.email'],
  ['a NUL', ['7\0', 'ana@example.com'], 'parameter_invalid', 'external_id'],
])('a row with %s', (_, cells, code, param) => {
  const incoming = incomingOfRow({ cells, start: 0, end: 0 }, 2, {
    fields: ['external_id', 'email'],
    saidAt: at.toISOString(),
  })
  expect('fault' in incoming ? [incoming.fault.code, incoming.fault.param] : [undefined]).toEqual(
    param === undefined ? [code, ...(code ? [undefined] : [])] : [code, param],
  )
})
