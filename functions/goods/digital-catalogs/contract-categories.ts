import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { freeText, listed, timestamp, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { exampleCatalog, ofCatalog, reading, writing } from './contract.ts'
import { categoryLifecycle } from './lifecycle.ts'

const fields = {
  name: freeText(80)
    .trim()
    .min(1)
    .describe('Unique among the active ones of its catalog, in any case of letters.'),
  position: z.int().min(0).max(10_000).describe('Categories are listed in this order, the lowest first.'),
}

export const CatalogCategory = z
  .strictObject({
    id: uuid,
    object: z.literal('catalog_category'),
    catalog_id: uuid.describe('The catalog that it is in.'),
    status: z
      .enum(statusesOf(categoryLifecycle))
      .describe('`archived` ones are kept, and items keep them; their names are free.'),
    ...fields,
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'CatalogCategory' })

const body = { name: 'Cursos', position: 1 }
const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000084',
  object: 'catalog_category',
  catalog_id: exampleCatalog.id,
  status: 'active',
  ...body,
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const ofCategory = { params: z.strictObject({ id: uuid }), notFound: 'catalog_category_not_found' } as const
const reply = { status: 200, schema: CatalogCategory } as const
const changing = {
  ...writing,
  ...ofCategory,
  tables: ['catalog_categories'],
  versioned: true,
  reply,
} as const

export const create = contract({
  ...writing,
  ...ofCatalog,
  id: 'catalog_categories.create',
  tables: ['catalog_categories'],
  versioned: true,
  path: '/v1/digital-catalogs/:catalog_id/categories',
  location: '/v1/catalog-categories/:id',
  summary: 'Create a category of a catalog',
  body: z.strictObject({ name: fields.name, position: fields.position.default(0) }),
  reply: { status: 201, schema: CatalogCategory },
  errors: [
    'digital_catalog_not_found',
    'digital_catalog_archived',
    'catalog_category_name_taken',
    'catalog_categories_too_many',
  ],
  example: { body, reply: example },
})

export const list = contract({
  ...reading,
  ...ofCatalog,
  id: 'catalog_categories.list',
  path: '/v1/digital-catalogs/:catalog_id/categories',
  summary: 'List the categories of a catalog',
  description: 'All of them, by their position.',
  ...listed(CatalogCategory, example),
  errors: ['digital_catalog_not_found'],
})

export const get = contract({
  ...reading,
  ...ofCategory,
  id: 'catalog_categories.get',
  versioned: true,
  path: '/v1/catalog-categories/:id',
  summary: 'Get a category of a catalog',
  reply,
  errors: ['catalog_category_not_found'],
  example: { reply: example },
})

export const update = contract({
  ...changing,
  id: 'catalog_categories.update',
  method: 'PATCH',
  path: '/v1/catalog-categories/:id',
  summary: 'Change a category of a catalog',
  description: 'Fields that are left out stay. An archived category does not change.',
  idempotency: 'optional',
  body: z
    .strictObject(fields)
    .partial()
    .refine((changed) => Object.keys(changed).length > 0, 'must name at least one field'),
  errors: ['catalog_category_not_found', 'catalog_category_archived', 'catalog_category_name_taken'],
  example: { body: { position: 2 }, reply: { ...example, position: 2, version: 2 } },
})

export const archive = contract({
  ...changing,
  id: 'catalog_categories.archive',
  path: '/v1/catalog-categories/:id/archive',
  summary: 'Archive a category of a catalog',
  description: 'Its items stay in the category; another category may take its name.',
  errors: ['catalog_category_not_found', 'catalog_category_archived'],
  example: { reply: { ...example, status: 'archived', version: 2 } },
})

export const restore = contract({
  ...changing,
  id: 'catalog_categories.restore',
  path: '/v1/catalog-categories/:id/restore',
  summary: 'Restore an archived category of a catalog',
  errors: ['catalog_category_not_found', 'catalog_category_not_archived', 'catalog_category_name_taken'],
  example: { reply: { ...example, version: 3 } },
})
