import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import {
  catalogCategories,
  catalogImages,
  catalogItems,
  catalogItemTerms,
  catalogPrices,
  digitalCatalogs,
} from '../../../drizzle/schema/digital-catalogs.ts'
import { isPublicId } from '../../../src/kernel/ids.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { newestPage } from '../../../src/platform/listing.ts'
import {
  afterTime,
  type BoundQuery,
  build,
  foundFirst,
  inWindow,
  ownTenant,
  pages,
  rowsLimit,
  type Selectable,
  select,
  slot,
} from '../../../src/platform/query.ts'
import { filtered, rowsBy } from '../../../src/platform/rows.ts'
import { searchedPage } from '../../../src/platform/searching.ts'
import { barcodeKey } from './sale.ts'

export type CatalogRow = Row<typeof digitalCatalogs>
export type ItemRow = Row<typeof catalogItems>
export type PriceRow = Row<typeof catalogPrices>
export type CategoryRow = Row<typeof catalogCategories>
export type ImageRow = Row<typeof catalogImages>
/** With the price in effect in the currency of its catalog. */
export type PricedItem = ItemRow & { readonly price: PriceRow | null }
/** What a sale reads of an item. */
export type ItemForSale = PricedItem & {
  readonly catalogStatus: CatalogRow['status']
  /** Whether it is active in a published catalog, no parent of variants, and all that it relies on is active too. */
  readonly isForSale: boolean
}
/** What an import reads of an item. `pricesAlive`: how many are in effect at no location, or may yet be. */
export type ItemByCode = PricedItem & { readonly pricesAlive: number }
/** What a price is set for. */
export type SoldItem = Pick<ItemRow, 'id' | 'status' | 'options'> & { readonly catalogCurrency: string }

const catalogById = rowsBy(digitalCatalogs, 'id')
const catalogByPublicId = rowsBy(digitalCatalogs, 'publicId')

/** A catalog by the reference in a path: its id or its public id. */
export const catalogAt = (ref: string) =>
  isPublicId(ref) ? catalogByPublicId({ publicId: ref }) : catalogById({ id: ref })

export const catalogsPage = select<CatalogRow>(
  (has) =>
    newestPage(digitalCatalogs, 'digital_catalog', has, filtered(digitalCatalogs, has, ['status']), false),
  pages,
)

/** A table's columns, or a subquery's of the same names, each by its name after a prefix. */
const columnsOf = (table: typeof catalogItems | typeof catalogPrices, from: object, prefix = '') =>
  Object.fromEntries(
    Object.keys(getTableColumns(table)).map((name) => [
      prefix + name,
      (from as Record<string, typeof catalogItems.id>)[name]!,
    ]),
  )

/** An item of the own tenant by its id, looked up for each outer row: Postgres does not flatten a limit. */
const lookedUpItem = (id: string) =>
  sql.raw(`(select other.status, other.variant_of from catalog_items other
    where other.tenant_id = (select door.pinned_tenant()) and other.id = ${id} limit 1)`)

const componentIds = sql`(select (part->>'item_id')::uuid as id from jsonb_array_elements(item.components) part) component`

/** The statuses of an item's parent, a bundle's parts and the parents of those: what must be active for it to be for sale. */
const reliedOn = sql`(select parent.status from ${lookedUpItem('item.variant_of')} parent
  union all select part.status from ${componentIds} cross join lateral ${lookedUpItem('component.id')} part
  union all select parent.status from ${componentIds} cross join lateral ${lookedUpItem('component.id')} part
    cross join lateral ${lookedUpItem('part.variant_of')} parent)`

const saleColumns = {
  catalogStatus: digitalCatalogs.status,
  isForSale:
    sql<boolean>`(item.status = 'active' and item.options = '[]' and ${digitalCatalogs.status} = 'published'
    and not exists (select from ${reliedOn} other where other.status <> 'active'))`.mapWith(
      (cell: string) => cell === 't',
    ),
}

/** The prices of an item in effect at the time in the slot `at`, at a place: the one that started last. */
const priceIn = (place: SQL) =>
  build
    .select()
    .from(catalogPrices)
    .where(
      and(
        ownTenant(catalogPrices),
        sql`${catalogPrices.itemId} = item.id`,
        sql`${catalogPrices.currency} = ${digitalCatalogs.currency}`,
        sql`${catalogPrices.locationId} ${place}`,
        sql`${catalogPrices.startsAt} <= ${slot('at')}::timestamptz`,
        sql`(${catalogPrices.endsAt} is null or ${catalogPrices.endsAt} > ${slot('at')}::timestamptz)`,
      ),
    )
    .orderBy(desc(catalogPrices.startsAt), desc(catalogPrices.id))
    .limit(1)

const ofNoPlace = () => priceIn(sql`is null`)

/** One of the place comes before one of none. */
const ofPlaceFirst = (place: SQL) =>
  priceIn(sql`= ${place}`).unionAll(ofNoPlace()).orderBy(asc(catalogPrices.locationId)).limit(1)

/** The price of a row: of the location in the slot `location`, of the catalog's own where `own` is set, or of none. */
const priceOf = (has: (slot: string) => boolean) =>
  has('location')
    ? ofPlaceFirst(sql`${slot('location')}::uuid`)
    : has('own')
      ? ofPlaceFirst(sql`${digitalCatalogs.locationId}`)
      : ofNoPlace()

/** Items as they were found, each with its price at the time in the slot `at`. */
function withPrices(
  found: Selectable<ItemRow>,
  has: (slot: string) => boolean,
  more: object,
  first: readonly SQL[],
) {
  const item = (found as unknown as ReturnType<typeof itemOf>).as('item')
  const price = (priceOf(has) as ReturnType<typeof ofNoPlace>).as('price')
  return build
    .select({ ...columnsOf(catalogItems, item), ...columnsOf(catalogPrices, price, 'price.'), ...more })
    .from(item)
    .innerJoin(digitalCatalogs, and(ownTenant(digitalCatalogs), eq(digitalCatalogs.id, item.catalogId)))
    .leftJoinLateral(price, sql`true`)
    .orderBy(...first, desc(item.createdAt), desc(item.id))
}

const itemOf = () =>
  build
    .select()
    .from(catalogItems)
    .where(and(ownTenant(catalogItems), eq(catalogItems.id, slot('id'))))

/** A query of items whose rows have their price in one piece. */
function priced<Item extends PricedItem = PricedItem>(
  write: (has: (slot: string) => boolean) => Selectable<ItemRow>,
  more = {},
  firstOf: (has: (slot: string) => boolean) => readonly SQL[] = () => [],
) {
  const query = select<Readonly<Record<string, unknown>>>((has) =>
    withPrices(write(has), has, more, firstOf(has)),
  )
  return (values: Readonly<Record<string, unknown>>): BoundQuery<Item> => {
    const bound = query(values)
    return { ...bound, rows: (cells) => bound.rows(cells).map((row) => inOnePiece(row) as Item) }
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

export const imageById = rowsBy(catalogImages, 'id')

/** The item of an image, at the time `at`. */
export const itemOfImage = priced(() =>
  build
    .select()
    .from(catalogItems)
    .where(
      and(
        ownTenant(catalogItems),
        sql`${catalogItems.id} = (${build
          .select({ itemId: catalogImages.itemId })
          .from(catalogImages)
          .where(and(ownTenant(catalogImages), eq(catalogImages.id, slot('image'))))})`,
      ),
    ),
)

const named = (has: (slot: string) => boolean) =>
  has('barcodes')
    ? sql`(select unnest(${slot('ids')}::uuid[]) union all select coded.id from unnest(${slot('barcodes')}::text[]) scanned (code)
        cross join lateral (select ${catalogItems.id} from ${catalogItems} where ${ownTenant(catalogItems)}
          and ${catalogItems.barcodeKey} = scanned.code and status <> 'archived' limit 1) coded) wanted (id)`
    : sql`unnest(${slot('ids')}::uuid[]) wanted (id)`

/** The items that are named, each with the price in effect at the time `at` and whether it is for sale. */
const itemsNamed = priced<ItemForSale>((has) => {
  // Each is looked up by itself: Postgres does not flatten a limit.
  const found = build
    .select()
    .from(catalogItems)
    .where(and(ownTenant(catalogItems), sql`${catalogItems.id} = wanted.id`))
    .limit(1)
    .as('found')
  const all = build.select(columnsOf(catalogItems, found)).from(named(has)).innerJoinLateral(found, sql`true`)
  return all as unknown as Selectable<ItemRow>
}, saleColumns)

/** Where something is sold, which decides its price: at a location, or at that of its catalog's page. */
type SoldAt = { readonly location?: string; readonly own?: true }

export const itemsForSale = (
  ids: readonly string[],
  at: Date,
  { barcodes, ...soldAt }: SoldAt & { readonly barcodes?: readonly string[] } = {},
) => itemsNamed({ ids, at, ...soldAt, ...(barcodes?.length ? { barcodes: barcodes.map(barcodeKey) } : {}) })

/** The active variants of these items, the newest first. */
const variantsOfIds = priced<ItemForSale>(
  () =>
    build
      .select()
      .from(catalogItems)
      .where(
        and(
          ownTenant(catalogItems),
          eq(catalogItems.catalogId, slot('catalogId')),
          eq(catalogItems.status, 'active'),
          sql`${catalogItems.variantOf} = any(${slot('ids')}::uuid[])`,
        ),
      ),
  saleColumns,
)
export const variantsForSale = (catalogId: string, ids: readonly string[], at: Date) =>
  variantsOfIds({ catalogId, ids, at, own: true })

const isSearch = (has: (slot: string) => boolean) => has('term0')

/**
 * A page of what a catalog shows to buyers, by position and then newest first; of a search, newest first. Variants
 * stand with their parents.
 */
export const shownItems = priced<ItemForSale>(
  (has) => {
    const filters = [
      eq(catalogItems.catalogId, catalogOfList(has)),
      // As the index says it: Postgres does not know the values of parameters.
      sql`${catalogItems.status} = 'active' and ${catalogItems.variantOf} is null`,
      ...filtered(catalogItems, has, ['categoryId']),
    ]
    if (isSearch(has))
      return searchedPage({
        table: catalogItems,
        terms: catalogItemTerms,
        resource: 'catalog_item',
        has,
        filters,
        among: eq(catalogItemTerms.catalogId, catalogOfList(has)),
        few: false,
      })
    // Two ranges of one index: what stands at the cursor's position, and what comes after that position.
    const inOrder = [asc(catalogItems.position), desc(catalogItems.createdAt), desc(catalogItems.id)] as const
    const among = (range?: SQL) =>
      build
        .select()
        .from(catalogItems)
        .where(and(ownTenant(catalogItems), ...filters, range))
        .orderBy(...inOrder)
        .limit(rowsLimit)
        .$dynamic()
    if (!has('afterId')) return among()
    const position = sql`${slot('afterPosition')}::integer`
    return among(and(eq(catalogItems.position, position), afterTime(catalogItems)))
      .unionAll(among(gt(catalogItems.position, position)))
      .orderBy(...inOrder)
      .limit(rowsLimit)
  },
  saleColumns,
  (has) => (isSearch(has) ? [] : [sql`item.position`]),
)

/** The items that have these skus or barcodes, in whatever catalog, each with the price in effect at the time `at`. */
const itemsCoded = priced<ItemByCode>(
  () =>
    build
      .select()
      .from(catalogItems)
      .where(
        and(
          ownTenant(catalogItems),
          sql`(${catalogItems.sku} = any(${slot('skus')}::text[]) or ${catalogItems.barcodeKey} = any(${slot('barcodes')}::text[]))`,
          sql`${catalogItems.status} <> 'archived'`,
        ),
      ),
  {
    pricesAlive: sql`door.prices_alive(item.tenant_id, item.id, null, ${slot('at')}::timestamptz)`.mapWith(
      catalogItems.position,
    ),
  },
)
export const itemsByCode = (skus: readonly string[], barcodes: readonly string[], at: Date) =>
  itemsCoded({ skus, barcodes: barcodes.map(barcodeKey), at })

export const soldItem = select<SoldItem>(() =>
  build
    .select({
      id: catalogItems.id,
      status: catalogItems.status,
      options: catalogItems.options,
      catalogCurrency: digitalCatalogs.currency,
    })
    .from(catalogItems)
    .innerJoin(
      digitalCatalogs,
      and(ownTenant(digitalCatalogs), eq(digitalCatalogs.id, catalogItems.catalogId)),
    )
    .where(and(ownTenant(catalogItems), eq(catalogItems.id, slot('id')))),
)

export const priceById = rowsBy(catalogPrices, 'id')

export const pricesPage = select<PriceRow>((has) =>
  build
    .select()
    .from(catalogPrices)
    .where(
      and(
        ...inWindow(catalogPrices, has),
        eq(catalogPrices.itemId, slot('ofItem')),
        ...filtered(catalogPrices, has, ['currency', 'locationId']),
        has('at')
          ? sql`${catalogPrices.startsAt} <= ${slot('at')}::timestamptz and (${catalogPrices.endsAt} is null or ${catalogPrices.endsAt} > ${slot('at')}::timestamptz)`
          : undefined,
      ),
    )
    .orderBy(desc(catalogPrices.createdAt), desc(catalogPrices.id))
    .limit(rowsLimit),
)

export const categoryById = rowsBy(catalogCategories, 'id')

/** All categories of a catalog: at most 200. */
const categoriesIn = select<CategoryRow>((has) =>
  build
    .select()
    .from(catalogCategories)
    .where(and(ownTenant(catalogCategories), eq(catalogCategories.catalogId, catalogOfList(has))))
    .orderBy(asc(catalogCategories.position), asc(catalogCategories.createdAt), asc(catalogCategories.id)),
)
export const categoriesOf = (ref: string) => categoriesIn(ofCatalogAt(ref))

/** The catalog of a list, from the slot `ofCatalog` or `ofPublicId`. */
export const ofCatalogAt = (ref: string) => (isPublicId(ref) ? { ofPublicId: ref } : { ofCatalog: ref })

const catalogOfList = (has: (slot: string) => boolean) =>
  has('ofCatalog')
    ? slot('ofCatalog')
    : foundFirst(digitalCatalogs.id, eq(digitalCatalogs.publicId, slot('ofPublicId')))

export const itemsPage = priced((has) =>
  searchedPage({
    table: catalogItems,
    terms: catalogItemTerms,
    resource: 'catalog_item',
    has,
    filters: [
      eq(catalogItems.catalogId, catalogOfList(has)),
      ...filtered(catalogItems, has, ['status', 'kind', 'categoryId', 'variantOf', 'sku', 'barcodeKey']),
    ],
    among: eq(catalogItemTerms.catalogId, catalogOfList(has)),
    few: has('sku') || has('variantOf') || has('barcodeKey'),
  }),
)
