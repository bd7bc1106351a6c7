import { and, eq, isNotNull, type SQLWrapper, sql } from 'drizzle-orm'
import { catalogItems } from '../../../drizzle/schema/digital-catalogs.ts'
import { stockLevels, stockMovements, stockReservations } from '../../../drizzle/schema/stock.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, inWindow, ownTenant, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest, rowsBy } from '../../../src/platform/rows.ts'

export type LevelRow = Row<typeof stockLevels>
export type MovementRow = Row<typeof stockMovements>
export type ReservationRow = Row<typeof stockReservations>

const { id, status, tracksStock } = catalogItems
export type StockedItem = Pick<Row<typeof catalogItems>, 'id' | 'status' | 'tracksStock'>

export const itemsById = select<StockedItem>(() =>
  build
    .select({ id, status, tracksStock })
    .from(catalogItems)
    .where(and(ownTenant(catalogItems), sql`${id} = any(${slot('ids')}::uuid[])`)),
)

export const levelById = rowsBy(stockLevels, 'id')

/** The level of an item at a place. */
export const levelAt = select<LevelRow>(() =>
  build
    .select()
    .from(stockLevels)
    .where(
      and(
        ownTenant(stockLevels),
        eq(stockLevels.itemId, slot('itemId')),
        sql`${stockLevels.locationId} is not distinct from ${slot('locationId')}`,
      ),
    ),
)

export const levelsPage = select<LevelRow>((has) =>
  build
    .select()
    .from(stockLevels)
    .where(
      and(
        ...inWindow(stockLevels, has),
        ...filtered(stockLevels, has, ['itemId', 'locationId']),
        has('low') ? isNotNull(stockLevels.lowSince) : undefined,
      ),
    )
    .orderBy(sql`${stockLevels.createdAt} desc, ${stockLevels.id} desc`)
    .limit(rowsLimit),
)

export const movementById = rowsBy(stockMovements, 'id')

export const movementsPage = newest(stockMovements, ['itemId', 'kind', 'locationId', 'reservationId'])

export const reservationById = rowsBy(stockReservations, 'id')

export const reservationsPage = newest(stockReservations, ['status'])

/** How many are left of each item that a sale takes, by item: `stock` is its column of that. Null: nothing is taken. */
export const leftFor = (stock: SQLWrapper) =>
  sql`(select jsonb_object_agg(n.item_id, coalesce(${stockLevels.onHand} - ${stockLevels.reserved}, 0))
  from jsonb_to_recordset(${stock}->'lines') n (item_id uuid)
  left join ${stockLevels} on ${ownTenant(stockLevels)} and ${stockLevels.itemId} = n.item_id
    and ${stockLevels.locationId} is not distinct from (${stock}->>'location_id')::uuid)`
