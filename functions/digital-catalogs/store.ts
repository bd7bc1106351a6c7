import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { catalogItems, catalogPrices, digitalCatalogs } from '../../drizzle/schema/digital-catalogs.ts'
import { isPublicId } from '../../src/kernel/ids.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { newestPage } from '../../src/platform/listing.ts'
import { type BoundQuery, build, ownTenant, type Selectable, select, slot } from '../../src/platform/query.ts'
import { filtered, rowsBy } from '../../src/platform/rows.ts'

export type CatalogRow = Row<typeof digitalCatalogs>
export type ItemRow = Row<typeof catalogItems>
export type PriceRow = Row<typeof catalogPrices>
/** With the price in effect in the currency of its catalogue. */
export type PricedItem = ItemRow & { readonly price: PriceRow | null }

const catalogById = rowsBy(digitalCatalogs, 'id')
const catalogByPublicId = rowsBy(digitalCatalogs, 'publicId')

/** A catalogue by the reference in a path: its id or its public id. */
export const catalogAt = (ref: string) =>
  isPublicId(ref) ? catalogByPublicId({ publicId: ref }) : catalogById({ id: ref })

export const catalogsPage = select<CatalogRow>((has) =>
  newestPage(digitalCatalogs, 'digital_catalog', has, filtered(digitalCatalogs, has, ['status']), false),
)

/** A table's columns, or a subquery's of the same names, each by its name after a prefix. */
const columnsOf = (table: typeof catalogItems | typeof catalogPrices, from: object, prefix = '') =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map((name) => [
      prefix + name,
      (from as Record<string, typeof catalogItems.id>)[name]!,
    ]),
  )

/** Items as they were found, each with its price at the time in the slot `at`. */
function withPrices(found: Selectable<ItemRow>) {
  const item = (found as unknown as ReturnType<typeof itemOf>).as('item')
  const prices = catalogPrices
  const price = build
    .select()
    .from(prices)
    .where(
      and(
        ownTenant(prices),
        sql`${prices.itemId} = item.id`,
        sql`${prices.currency} = ${digitalCatalogs.currency}`,
        sql`${prices.startsAt} <= ${slot('at')}::timestamptz`,
        sql`(${prices.endsAt} is null or ${prices.endsAt} > ${slot('at')}::timestamptz)`,
      ),
    )
    .orderBy(desc(prices.startsAt), desc(prices.id))
    .limit(1)
    .as('price')
  return build
    .select({ ...columnsOf(catalogItems, item), ...columnsOf(prices, price, 'price.') })
    .from(item)
    .innerJoin(digitalCatalogs, and(ownTenant(digitalCatalogs), eq(digitalCatalogs.id, item.catalogId)))
    .leftJoinLateral(price, sql`true`)
    .orderBy(desc(item.createdAt), desc(item.id))
}

const itemOf = () =>
  build
    .select()
    .from(catalogItems)
    .where(and(ownTenant(catalogItems), eq(catalogItems.id, slot('id'))))

/** A query of items whose rows have their price in one piece. */
function priced(write: (has: (slot: string) => boolean) => Selectable<ItemRow>) {
  const query = select<Readonly<Record<string, unknown>>>((has) => withPrices(write(has)))
  return (values: Readonly<Record<string, unknown>>): BoundQuery<PricedItem> => {
    const bound = query(values)
    return { ...bound, rows: (cells) => bound.rows(cells).map(inOnePiece) }
  }
}

function inOnePiece(row: Readonly<Record<string, unknown>>): PricedItem {
  const price = Object.entries(row).filter(([name]) => name.startsWith('price.'))
  const own = Object.entries(row).filter(([name]) => !name.startsWith('price.'))
  return {
    ...Object.fromEntries(own),
    price:
      row['price.id'] === null
        ? null
        : Object.fromEntries(price.map(([name, value]) => [name.slice('price.'.length), value])),
  } as unknown as PricedItem
}

/** An item by its id, at the time `at`. */
export const itemById = priced(itemOf)

/** The catalogue of a list, from the slot `ofCatalog` or `ofPublicId`. */
export const ofCatalogAt = (ref: string) => (isPublicId(ref) ? { ofPublicId: ref } : { ofCatalog: ref })

const catalogOfList = (has: (slot: string) => boolean) =>
  has('ofCatalog')
    ? slot('ofCatalog')
    : sql`(${build
        .select({ id: digitalCatalogs.id })
        .from(digitalCatalogs)
        .where(and(ownTenant(digitalCatalogs), eq(digitalCatalogs.publicId, slot('ofPublicId'))))})`

export const itemsPage = priced((has) =>
  newestPage(
    catalogItems,
    'catalog_item',
    has,
    [
      eq(catalogItems.catalogId, catalogOfList(has)),
      ...filtered(catalogItems, has, ['status', 'kind', 'categoryId', 'variantOf', 'sku']),
    ],
    has('sku') || has('variantOf'),
  ),
)
