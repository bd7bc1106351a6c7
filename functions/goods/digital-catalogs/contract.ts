import * as z from 'zod'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import {
  currency,
  freeLines,
  freeText,
  metadata,
  metadataFilter,
  publicRef,
  uuid,
} from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { pageMethods } from '../../../src/kernel/payment-methods.ts'
import { catalogLifecycle } from './lifecycle.ts'

export const tagName = 'Digital catalogs'

const status = z
  .enum(statusesOf(catalogLifecycle))
  .describe('What is in a `published` one is for sale; `archived` ones are kept.')

const fields = {
  name: freeText(120).trim().min(1).describe('What the catalog is called.'),
  description: freeLines(2000).nullable().describe('What it offers.'),
  payment_method_types: z
    .array(z.enum(pageMethods))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'must not name a method twice')
    .meta({ uniqueItems: true })
    .nullable()
    .describe('How orders from its page are paid; null: by all that your payment policy offers.'),
  installment_options: z
    .array(z.strictObject({ months: z.int().min(2).max(60).describe('How many monthly payments.') }))
    .max(12)
    .refine(
      (list) => new Set(list.map(({ months }) => months)).size === list.length,
      'must not name a term twice',
    )
    .describe('The terms that buyers on its page may choose from. You bear their cost.'),
  location_id: uuid
    .nullable()
    .describe('The location whose stock, prices and payment policy its page sells by; null for none.'),
  listed_in_search: z.boolean().describe('Whether search engines may list its page.'),
  metadata,
}
const ownCurrency = currency.describe(
  'The currency in which its items show their price: three lowercase letters, as ISO 4217 has them.',
)

export const DigitalCatalog = shown('digital_catalog', {
  public_id: z
    .string()
    .regex(/^scat_[a-z0-9]{32}$/)
    .describe('Its id for the public, which names it without a credential.'),
  url: z
    .string()
    .regex(/^https:\/\/[^/]+\/k\/scat_[a-z0-9]{32}$/)
    .nullable()
    .describe('The address of its page, from which buyers order; null while it is not published.'),
  status,
  ...fields,
  currency: ownCurrency,
}).meta({ id: 'DigitalCatalog' })

const body = {
  name: 'Café Azul en línea',
  description: 'Café de Chiapas, cursos y tarjetas de regalo.',
  currency: 'mxn',
  payment_method_types: ['card', 'oxxo'],
  installment_options: [{ months: 3 }],
  location_id: null,
  listed_in_search: true,
  metadata: { season: 'spring' },
}

export const exampleCatalog = exampleOf('digital_catalog', '0190a6d2-7c3e-7b1a-9f00-000000000081', {
  public_id: 'scat_4k7m2q9x1c5v8b3n6h0j4d7f2g5s8a1l',
  url: null,
  status: 'draft',
  ...body,
})

/** Who reads and changes catalogs and what is in them. */
export const inCatalogs = {
  tag: tagName,
  reads: { api_key: { scopes: ['digital_catalog:read'] } },
  writes: { api_key: { scopes: ['digital_catalog:write'] } },
} as const

const path = '/v1/digital-catalogs'
export const catalogs = resource({
  ...inCatalogs,
  path,
  one: {
    path: `${path}/:catalog_id`,
    params: z.strictObject({
      catalog_id: publicRef('scat', 'a digital catalog').describe(
        'Id of the digital catalog: its `id` or its `public_id`.',
      ),
    }),
  },
  tables: ['digital_catalogs'],
  notFound: 'digital_catalog_not_found',
  versioned: true,
  schema: DigitalCatalog,
  example: exampleCatalog,
})

export const create = catalogs.create({
  id: 'digital_catalogs.create',
  summary: 'Create a digital catalog',
  description: 'It is a draft until it is published.',
  body: z.strictObject({
    name: fields.name,
    description: fields.description.default(null),
    currency: ownCurrency.default('mxn'),
    payment_method_types: fields.payment_method_types.default(null),
    installment_options: fields.installment_options.default([]),
    location_id: fields.location_id.default(null),
    listed_in_search: fields.listed_in_search.default(false),
    metadata: metadata.default({}),
  }),
  errors: ['location_not_found', 'payment_method_unavailable'],
  example: body,
})

export const list = catalogs.list({
  id: 'digital_catalogs.list',
  summary: 'List digital catalogs',
  filters: {
    status: status.optional().describe('Only what has this status.'),
    metadata: metadataFilter,
  },
})

export const get = catalogs.get({ id: 'digital_catalogs.get', summary: 'Get a digital catalog' })

export const update = catalogs.update({
  id: 'digital_catalogs.update',
  summary: 'Change a digital catalog',
  description: 'Fields that are left out stay. The currency does not change, nor does an archived catalog.',
  fields,
  errors: ['digital_catalog_archived', 'location_not_found', 'payment_method_unavailable'],
  example: { description: null },
})

export const publish = catalogs.move('publish', {
  id: 'digital_catalogs.publish',
  summary: 'Publish a digital catalog',
  description: 'Its active items are for sale, at `url` too.',
  errors: ['digital_catalog_published', 'digital_catalog_archived'],
  example: {
    url: `https://pay.spindle.example/k/${exampleCatalog.public_id}`,
    status: 'published',
    version: 2,
  },
})

export const unpublish = catalogs.move('unpublish', {
  id: 'digital_catalogs.unpublish',
  summary: 'Take a digital catalog back to draft',
  description: 'Nothing in it is for sale until it is published again. What was sold stays sold.',
  errors: ['digital_catalog_not_published', 'digital_catalog_archived'],
  example: { version: 3 },
})

export const archive = catalogs.move('archive', {
  id: 'digital_catalogs.archive',
  summary: 'Archive a digital catalog',
  description: 'It stays readable and can be restored. Nothing in it is for sale.',
  errors: ['digital_catalog_archived'],
  example: { status: 'archived', version: 2 },
})

export const restore = catalogs.move('restore', {
  id: 'digital_catalogs.restore',
  summary: 'Restore an archived digital catalog',
  description: 'It is a draft again.',
  errors: ['digital_catalog_not_archived'],
  example: { version: 3 },
})
