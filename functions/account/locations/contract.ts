import * as z from 'zod'
import { addressFields, addressInput } from '../../../src/http/address.ts'
import { contract, reads } from '../../../src/http/contract.ts'
import { currency, freeText, metadata, paged, phone, timestamp, uuid } from '../../../src/http/schemas.ts'
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
  metadata,
}

export const Location = z
  .strictObject({
    id: uuid,
    object: z.literal('location'),
    status,
    ...fields,
    address: Address.nullable().describe(addressText),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'BusinessLocation' })

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
  metadata: { branch: '7' },
}

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
  object: 'location',
  status: 'active',
  ...body,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const writing = {
  tag: 'Locations',
  access: { api_key: { scopes: ['workspace:write'] } },
  tables: ['locations'],
  rate: 'write',
  versioned: true,
} as const
const reading = { ...reads, tag: 'Locations', access: { api_key: { scopes: ['workspace:read'] } } } as const
const ofLocation = { params: z.strictObject({ id: uuid }), notFound: 'location_not_found' } as const
const reply = { status: 200, schema: Location } as const

export const create = contract({
  ...writing,
  id: 'locations.create',
  method: 'POST',
  path: '/v1/workspace/locations',
  location: '/v1/workspace/locations/:id',
  summary: 'Create a location',
  idempotency: 'required',
  body: z.strictObject({
    name: fields.name,
    address: fields.address.default(null),
    time_zone: fields.time_zone.default('America/Mexico_City'),
    phone: fields.phone.default(null),
    currency: fields.currency.default('mxn'),
    metadata: metadata.default({}),
  }),
  reply: { status: 201, schema: Location },
  errors: ['location_name_taken'],
  example: { body, reply: example },
})

export const list = contract({
  ...reading,
  id: 'locations.list',
  path: '/v1/workspace/locations',
  summary: 'List locations',
  ...paged(Location, example, {
    status: status.optional().describe('Only what has this status.'),
  }),
})

export const get = contract({
  ...reading,
  ...ofLocation,
  id: 'locations.get',
  versioned: true,
  path: '/v1/workspace/locations/:id',
  summary: 'Get a location',
  reply,
  errors: ['location_not_found'],
  example: { reply: example },
})

export const update = contract({
  ...writing,
  ...ofLocation,
  id: 'locations.update',
  method: 'PATCH',
  path: '/v1/workspace/locations/:id',
  summary: 'Change a location',
  description: 'Fields that are left out stay. An archived location does not change.',
  idempotency: 'optional',
  body: z
    .strictObject(fields)
    .partial()
    .refine((changed) => Object.keys(changed).length > 0, 'must name at least one field'),
  reply,
  errors: ['location_not_found', 'location_archived', 'location_name_taken'],
  example: { body: { phone: null }, reply: { ...example, phone: null, version: 2 } },
})

export const archive = contract({
  ...writing,
  ...ofLocation,
  id: 'locations.archive',
  method: 'POST',
  path: '/v1/workspace/locations/:id/archive',
  summary: 'Archive a location',
  description: 'It stays readable and can be restored; another location may take its name.',
  idempotency: 'required',
  reply,
  errors: ['location_not_found', 'location_archived'],
  example: { reply: { ...example, status: 'archived', version: 2 } },
})

export const restore = contract({
  ...writing,
  ...ofLocation,
  id: 'locations.restore',
  method: 'POST',
  path: '/v1/workspace/locations/:id/restore',
  summary: 'Restore an archived location',
  idempotency: 'required',
  reply,
  errors: ['location_not_found', 'location_not_archived', 'location_name_taken'],
  example: { reply: { ...example, version: 3 } },
})
