import * as z from 'zod'
import { customers } from '../../../drizzle/schema/customers.ts'
import { addressFields, addressInput } from '../../../src/http/address.ts'
import { resource } from '../../../src/http/contract-resource.ts'
import { fiscalFields, fiscalInput, regimeFits, regimeMisfit } from '../../../src/http/fiscal.ts'
import {
  emailAddress,
  freeText,
  metadata,
  metadataFilter,
  normalized,
  timestamp,
  uuid,
} from '../../../src/http/schemas.ts'
import { cfdiUses } from '../../../src/kernel/cfdi.ts'
import { personOfRfc } from '../../../src/kernel/rfc.ts'
import { normalizePhone } from './contact.ts'
import { searchOf } from './search.ts'

export const customerEmail = emailAddress
export const customerPhone = normalized(
  normalizePhone,
  40,
  'must be a phone number; one without a country code is taken as Mexican',
)

const label = freeText(40).trim().min(1).nullable()
const tag = freeText(40).trim().min(1)

const shown = {
  name: z.string().nullable().describe('What the customer is called.'),
  email: z
    .string()
    .nullable()
    .describe('The e-mail address to write to first, in small letters; null where none is known.'),
  phone: z
    .string()
    .nullable()
    .describe('The number to call first, as E.164 has it; null where none is known.'),
  locale: z.string().nullable().describe('The language to write in, as BCP 47 has it: `es-MX`.'),
  addresses: z
    .array(
      z
        .strictObject({ label: z.string().nullable().describe('Your own name for it.'), ...addressFields })
        .meta({ id: 'CustomerAddress' }),
    )
    .describe('Where to send things.'),
  tags: z.array(z.string()).describe('Your own words to group customers by.'),
  tax_profile: z
    .strictObject({
      ...fiscalFields,
      cfdi_use: z.string().describe('The uso de CFDI: a code of SAT’s catalog c_UsoCFDI.'),
    })
    .meta({ id: 'CustomerTaxProfile' })
    .nullable()
    .describe('Whom an invoice (CFDI 4.0) names as its receiver.'),
  external_id: z.string().nullable().describe('Your own id of this customer.'),
  metadata: z.record(z.string(), z.unknown()).describe('Your own data, as you sent it.'),
}

export const Customer = z
  .strictObject({
    id: uuid,
    object: z.literal('customer'),
    status: z
      .enum(customers.status.enumValues)
      .describe(
        '`blocked`: gets no new payment links. `merged`: became part of the customer in `merged_into`, which answers in its place. `erased`: the person’s data is gone.',
      ),
    ...shown,
    merged_into: uuid.nullable().describe('The customer that this one became part of.'),
    erases_at: timestamp
      .nullable()
      .describe('When the person’s data is deleted; null where no erasure was asked for.'),
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Customer' })

const taxProfile = z
  .strictObject({
    ...fiscalInput(
      (rfc) => personOfRfc(rfc) !== null,
      'must be an RFC with its check digit; XAXX010101000 and XEXX010101000 stand for the public and for foreigners',
    ),
    cfdi_use: z
      .string()
      .refine((code) => cfdiUses.has(code), 'must be a code of c_UsoCFDI')
      .describe('The uso de CFDI: a code of SAT’s catalog c_UsoCFDI.'),
  })
  .refine(regimeFits, regimeMisfit)
  .refine(({ cfdi_use, tax_regime }) => cfdiUses.get(cfdi_use)?.includes(tax_regime) ?? true, {
    path: ['cfdi_use'],
    error: 'must be a use that SAT has for this tax_regime',
  })

const localeMessage = 'must be a language as BCP 47 has it, like es-MX'
const canonicalLocale = (text: string) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? ''
  } catch {
    return ''
  }
}

const fields = {
  name: freeText(200).trim().min(1).nullable().describe('What the customer is called.'),
  email: customerEmail
    .nullable()
    .describe(
      'The e-mail address to write to first. It is kept in small letters, its domain in Punycode, and becomes one of the contacts.',
    ),
  phone: customerPhone
    .nullable()
    .describe(
      'The number to call first. It is kept as E.164 has it (a number without a country code is Mexican, the former +52 1 becomes +52), and becomes one of the contacts.',
    ),
  locale: freeText(35)
    .overwrite(canonicalLocale)
    .refine((text) => text !== '', localeMessage)
    .nullable()
    .describe('The language to write in, as BCP 47 has it: `es-MX`.'),
  addresses: z
    .array(
      z.strictObject({
        label: label.default(null).describe('Your own name for it: `office`.'),
        ...addressInput,
      }),
    )
    .max(10)
    .describe('Where to send things: up to 10.'),
  tags: z
    .array(tag)
    .max(50)
    .refine((list) => new Set(list).size === list.length, 'must not name a tag twice')
    .describe('Your own words to group customers by: up to 50.'),
  tax_profile: taxProfile.nullable().describe('Whom an invoice (CFDI 4.0) names as its receiver.'),
  external_id: freeText(200)
    .min(1)
    .nullable()
    .describe('Your own id of this customer: no two customers share one.'),
  metadata,
}

/** What a change may name of a customer. */
export const customerFields = z.strictObject(fields).partial()

export const exampleBody = {
  name: 'Ana Torres',
  email: 'ana@example.com',
  phone: '+525512345678',
  locale: 'es-MX',
  addresses: [
    {
      label: 'home',
      line1: 'Orizaba 101',
      line2: null,
      neighborhood: 'Roma Norte',
      city: 'Ciudad de México',
      state: 'CDMX',
      postal_code: '06700',
      country: 'MX',
    },
  ],
  tags: ['vip'],
  tax_profile: {
    rfc: 'XAXX010101000',
    legal_name: 'PUBLICO EN GENERAL',
    tax_regime: '616',
    postal_code: '06700',
    cfdi_use: 'S01',
  },
  external_id: 'crm-1024',
  metadata: { newsletter: true },
}

export const exampleCustomer = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
  object: 'customer',
  status: 'active',
  ...exampleBody,
  merged_into: null,
  erases_at: null,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

export const tagName = 'Customers'

const people = resource({
  tag: tagName,
  path: '/v1/customer-hub/customers',
  reads: { api_key: { scopes: ['customer_hub:read'] } },
  writes: { api_key: { scopes: ['customer_hub:write'] } },
  tables: ['customers'],
  notFound: 'customer_not_found',
  versioned: true,
  schema: Customer,
  example: exampleCustomer,
})
export const { reading, one: ofCustomer } = people

const followsMerges =
  'The id of a merged customer answers as the customer that it became part of: compare `id` with the one you sent.'

export const create = people.create({
  id: 'customers.create',
  tables: ['customers', 'customer_contacts'],
  summary: 'Create a customer',
  description:
    'Every field is optional. An e-mail address or a phone number that another customer has too is taken: only verified contacts belong to one customer.',
  body: z.strictObject({
    name: fields.name.default(null),
    email: fields.email.default(null),
    phone: fields.phone.default(null),
    locale: fields.locale.default(null),
    addresses: fields.addresses.default([]),
    tags: fields.tags.default([]),
    tax_profile: fields.tax_profile.default(null),
    external_id: fields.external_id.default(null),
    metadata: metadata.default({}),
  }),
  errors: ['customer_external_id_taken'],
  example: exampleBody,
})

export const list = people.list({
  id: 'customers.list',
  summary: 'List and search customers',
  description:
    'Merged and erased customers are listed only where `status` asks for them. `query` finds by words of the name in any order, whatever their accents (one or two letters are a whole word, more the beginning of one), by the beginning of an e-mail address, or by the first digits of a phone number.',
  filters: {
    status: z.enum(customers.status.enumValues).optional(),
    query: freeText(200)
      .refine((text) => searchOf(text).length > 0, 'must have a letter or a digit')
      .optional()
      .describe(
        'A search: up to five words of the name, an e-mail address or a phone number, or its beginning.',
      ),
    email: customerEmail.optional().describe('Only customers with this e-mail address among their contacts.'),
    phone: customerPhone.optional().describe('Only customers with this phone number among their contacts.'),
    tag: tag.optional().describe('Only customers with this tag.'),
    external_id: freeText(200).optional().describe('Only the customer with this `external_id`.'),
    metadata: metadataFilter,
  },
})

export const get = people.get({ id: 'customers.get', summary: 'Get a customer', description: followsMerges })

export const update = people.update({
  id: 'customers.update',
  tables: ['customers', 'customer_contacts'],
  summary: 'Change a customer',
  description:
    'Fields that are left out stay. A former `email` or `phone` stays among the contacts. A merged or erased customer does not change, and a blocked one takes no new `email` or `phone`.',
  fields,
  errors: [
    'customer_merged',
    'customer_erased',
    'customer_blocked',
    'customer_external_id_taken',
    'customer_contacts_too_many',
  ],
  example: { tags: [] },
})

export const block = people.move('block', {
  id: 'customers.block',
  summary: 'Block a customer',
  description: 'A blocked customer gets no new payment links and no new contacts, and stays readable.',
  errors: ['customer_merged', 'customer_erased', 'customer_blocked'],
  example: { status: 'blocked', version: 2 },
})

export const unblock = people.move('unblock', {
  id: 'customers.unblock',
  summary: 'Unblock a customer',
  description: 'Takes back the request to erase it, too.',
  errors: ['customer_merged', 'customer_erased', 'customer_not_blocked'],
  example: { version: 3 },
})
