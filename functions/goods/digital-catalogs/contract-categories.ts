import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { exampleOf, resource, shown } from '../../../src/http/contract-resource.ts'
import { freeText, listed, uuid } from '../../../src/http/schemas.ts'
import { statusesOf } from '../../../src/kernel/lifecycle.ts'
import { catalogs, exampleCatalog, inCatalogs } from './contract.ts'
import { categoryLifecycle } from './lifecycle.ts'

const fields = {
  name: freeText(80)
    .trim()
    .min(1)
    .describe('Unique among the active ones of its catalog, in any case of letters.'),
  position: z.int().min(0).max(10_000).describe('Categories are listed in this order, the lowest first.'),
}

export const CatalogCategory = shown('catalog_category', {
  catalog_id: uuid.describe('The catalog that it is in.'),
  status: z
    .enum(statusesOf(categoryLifecycle))
    .describe('`archived` ones are kept, and items keep them; their names are free.'),
  ...fields,
}).meta({ id: 'CatalogCategory' })

const body = { name: 'Cursos', position: 1 }
const example = exampleOf('catalog_category', '0190a6d2-7c3e-7b1a-9f00-000000000084', {
  catalog_id: exampleCatalog.id,
  status: 'active',
  ...body,
})

const categories = resource({
  ...inCatalogs,
  path: '/v1/catalog-categories',
  within: { ...catalogs.one, path: `${catalogs.one.path}/categories` },
  tables: ['catalog_categories'],
  notFound: 'catalog_category_not_found',
  versioned: true,
  schema: CatalogCategory,
  example,
})

export const create = categories.create({
  id: 'catalog_categories.create',
  summary: 'Create a category of a catalog',
  body: z.strictObject({ name: fields.name, position: fields.position.default(0) }),
  errors: ['digital_catalog_archived', 'catalog_category_name_taken', 'catalog_categories_too_many'],
  example: body,
})

export const list = contract({
  ...catalogs.reading,
  ...catalogs.one,
  id: 'catalog_categories.list',
  path: '/v1/digital-catalogs/:catalog_id/categories',
  summary: 'List the categories of a catalog',
  description: 'All of them, by their position.',
  ...listed(CatalogCategory, example),
  errors: ['digital_catalog_not_found'],
})

export const get = categories.get({ id: 'catalog_categories.get', summary: 'Get a category of a catalog' })

export const update = categories.update({
  id: 'catalog_categories.update',
  summary: 'Change a category of a catalog',
  description: 'Fields that are left out stay. An archived category does not change.',
  fields,
  errors: ['catalog_category_archived', 'catalog_category_name_taken'],
  example: { position: 2 },
})

export const archive = categories.move('archive', {
  id: 'catalog_categories.archive',
  summary: 'Archive a category of a catalog',
  description: 'Its items stay in the category; another category may take its name.',
  errors: ['catalog_category_archived'],
  example: { status: 'archived', version: 2 },
})

export const restore = categories.move('restore', {
  id: 'catalog_categories.restore',
  summary: 'Restore an archived category of a catalog',
  errors: ['catalog_category_not_archived', 'catalog_category_name_taken'],
  example: { version: 3 },
})
