import * as z from 'zod'
import { addressFields, addressInput } from '../../../src/http/address.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { currency, freeText, metadata, phone, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { locationLifecycle } from './lifecycle.ts'
import { isTimeZone } from './time-zone.ts'

const status = z
  .enum(statusesOf(locationLifecycle))
  .describe('`archived` ones are kept; their names are free.')

const addressText = 'Where it is.'
const Address = z.strictObject(addressFields).meta({ id: 'LocationAddress' })

const fields = {
  name: freeText(120).trim().min(1).describe('Unique among the active locations, in any case of letters.'),
  address: z.strictObject(addressInput).nullable().describe(addressText),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone of the IANA list, like America/Mexico_City')
    .describe('Its time zone, by the name that the IANA list has.'),
  phone: phone
    .nullable()
    .describe('Its number as E.164 has it: a plus sign, country code and number, at most 15 digits.'),
  currency: currency.describe('The currency it sells in: three lowercase letters, as ISO 4217 has them.'),
  terminal_configuration_id: uuid
    .nullable()
    .describe(
      'The configuration that its readers and phones get, where they name none themselves; null: none.',
    ),
  metadata,
}

export const Location = shown('location', {
  status,
  ...fields,
  address: Address.nullable().describe(addressText),
}).meta({ id: 'BusinessLocation' })

const body = {
  name: 'Café Azul, Roma Norte',
  address: {
    line1: 'Orizaba 101',
    line2: null,
    neighborhood: 'Roma Norte',
    city: 'Ciudad de México',
    state: 'CDMX',
    postal_code: '06700',
    country: 'MX',
  },
  time_zone: 'America/Mexico_City',
  phone: '+525512345678',
  currency: 'mxn',
  terminal_configuration_id: null,
  metadata: { branch: '7' },
}

const locations = resource({
  tag: 'Locations',
  path: '/v1/workspace/locations',
  reads: { api_key: { scopes: ['workspace:read'] } },
  writes: { api_key: { scopes: ['workspace:write'] } },
  tables: ['locations'],
  notFound: 'location_not_found',
  versioned: true,
  schema: Location,
  example: exampleOf('location', '0190a6d2-7c3e-7b1a-9f00-000000000031', { status: 'active', ...body }),
})

export const create = locations.create({
  id: 'locations.create',
  summary: 'Create a location',
  body: z.strictObject({
    name: fields.name,
    address: fields.address.default(null),
    time_zone: fields.time_zone.default('America/Mexico_City'),
    phone: fields.phone.default(null),
    currency: fields.currency.default('mxn'),
    terminal_configuration_id: fields.terminal_configuration_id.default(null),
    metadata: metadata.default({}),
  }),
  errors: ['location_name_taken', 'terminal_configuration_not_found', 'terminal_configuration_archived'],
  example: body,
})

export const list = locations.list({
  id: 'locations.list',
  summary: 'List locations',
  filters: { status: status.optional().describe('Only what has this status.') },
})

export const get = locations.get({ id: 'locations.get', summary: 'Get a location' })

export const update = locations.update({
  id: 'locations.update',
  summary: 'Change a location',
  description: 'Fields that are left out stay. An archived location does not change.',
  fields,
  errors: [
    'location_archived',
    'location_name_taken',
    'terminal_configuration_not_found',
    'terminal_configuration_archived',
  ],
  example: { phone: null },
})

export const archive = locations.move('archive', {
  id: 'locations.archive',
  summary: 'Archive a location',
  description: 'It stays readable and can be restored; another location may take its name.',
  errors: ['location_archived'],
  example: { status: 'archived', version: 2 },
})

export const restore = locations.move('restore', {
  id: 'locations.restore',
  summary: 'Restore an archived location',
  errors: ['location_not_archived', 'location_name_taken'],
  example: { version: 3 },
})
