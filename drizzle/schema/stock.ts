import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { reservationLifecycle } from '../../functions/goods/inventory/lifecycle.ts'
import { changes, createdAt, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { catalogItems } from './digital-catalogs.ts'
import { locations } from './locations.ts'
import { ofTenant } from './tenants.ts'

/** Where something lies: at a location, or at none in particular. */
const place = { itemId: uuid('item_id').notNull(), locationId: uuid('location_id') }

export const quantityMax = 1_000_000_000

/** What there is of an item at a place. Triggers keep both counts (drizzle/sql/059_inventory.sql). */
export const stockLevels = pgTable(
  'stock_levels',
  {
    ...tenantRow,
    ...place,
    /** The sum of its movements. */
    onHand: integer('on_hand').notNull(),
    /** What its held reservations hold together. */
    reserved: integer('reserved').notNull(),
    /** From how many available ones on it is low; null: never. */
    lowQuantity: integer('low_quantity'),
    /** Since when it is low, and when the event of that was published. */
    lowSince: instant('low_since'),
    lowAnnouncedAt: instant('low_announced_at'),
    countedAt: instant('counted_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('stock_levels', t.tenantId),
      refersTo('stock_levels_item', t, t.itemId, catalogItems),
      refersTo('stock_levels_location', t, t.locationId, locations),
      unique('stock_levels_place').on(t.tenantId, t.itemId, t.locationId).nullsNotDistinct(),
      check('stock_levels_reserved_counted', sql`${t.reserved} >= 0`),
      check('stock_levels_available', sql`${t.reserved} <= ${t.onHand}`),
      check('stock_levels_bounded', sql`${t.onHand} <= 1000000000`),
      check('stock_levels_low_quantity', sql`${t.lowQuantity} between 0 and 1000000000`),
      index('stock_levels_list').on(t.tenantId, t.createdAt, t.id),
      index('stock_levels_list_by_location').on(t.tenantId, t.locationId, t.createdAt, t.id),
      index('stock_levels_list_low').on(t.tenantId, t.createdAt, t.id).where(sql`low_since is not null`),
      index('stock_levels_due').on(t.lowSince).where(sql`low_since is not null and low_announced_at is null`),
    ]
  },
)

export const movementKinds = [
  'received',
  'returned',
  'damaged',
  'lost',
  'correction',
  'count',
  'transfer_out',
  'transfer_in',
  'sold',
] as const

/** The stock ledger: what came and what went. Rows are never changed. */
export const stockMovements = pgTable(
  'stock_movements',
  {
    ...tenantRow,
    levelId: uuid('level_id').notNull(),
    ...place,
    kind: text('kind', { enum: movementKinds }).notNull(),
    /** Positive adds to what is on hand. */
    quantity: integer('quantity').notNull(),
    note: text('note'),
    /** What was sold was reserved first. */
    reservationId: uuid('reservation_id'),
    /** Shared by both movements of a transfer. */
    transferId: uuid('transfer_id'),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('stock_movements_level', t, t.levelId, stockLevels),
      refersTo('stock_movements_reservation', t, t.reservationId, stockReservations),
      check('stock_movements_kind_known', known(t.kind)),
      check(
        'stock_movements_direction',
        sql`case when ${t.kind} in ('received', 'returned', 'transfer_in') then ${t.quantity} > 0
        when ${t.kind} in ('damaged', 'lost', 'transfer_out', 'sold') then ${t.quantity} < 0
        when ${t.kind} = 'correction' then ${t.quantity} <> 0 else true end`,
      ),
      check('stock_movements_sold', sql`(${t.kind} = 'sold') = (${t.reservationId} is not null)`),
      check(
        'stock_movements_transfer',
        sql`(${t.kind} in ('transfer_in', 'transfer_out')) = (${t.transferId} is not null)`,
      ),
      index('stock_movements_list').on(t.tenantId, t.createdAt, t.id),
      index('stock_movements_list_by_item').on(t.tenantId, t.itemId, t.createdAt, t.id),
      index('stock_movements_list_by_kind').on(t.tenantId, t.kind, t.createdAt, t.id),
      index('stock_movements_list_by_location').on(t.tenantId, t.locationId, t.createdAt, t.id),
      index('stock_movements_of_level').on(t.tenantId, t.levelId),
      index('stock_movements_list_by_reservation')
        .on(t.tenantId, t.reservationId, t.createdAt, t.id)
        .where(sql`reservation_id is not null`),
    ]
  },
)

/** Each item once. */
export interface ReservedLine {
  item_id: string
  quantity: number
}

/** What an attempt to pay takes from the stock: the column `stock` of what is sold. */
export interface TakenStock {
  location_id: string | null
  lines: ReservedLine[]
}

/** What is kept for a buyer until it is sold or given up. */
export const stockReservations = pgTable(
  'stock_reservations',
  {
    ...tenantRow,
    status: statusOf(reservationLifecycle),
    locationId: uuid('location_id'),
    lines: jsonb('lines').$type<readonly ReservedLine[]>().notNull(),
    /** What was missing when it was paid after the reservation had ended. */
    shortages: jsonb('shortages').$type<readonly ReservedLine[]>().notNull(),
    /** The attempt to pay that holds it, and ends it; null: the merchant's backend does, before `expiresAt`. */
    attemptId: uuid('attempt_id'),
    note: text('note'),
    expiresAt: instant('expires_at'),
    resolvedAt: instant('resolved_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('stock_reservations_location', t, t.locationId, locations),
      check('stock_reservations_status_known', known(t.status)),
      check('stock_reservations_lines_some', sql`jsonb_array_length(${t.lines}) between 1 and 2000`),
      check('stock_reservations_ends', sql`(${t.attemptId} is null) = (${t.expiresAt} is not null)`),
      check('stock_reservations_resolved', sql`(${t.status} = 'held') = (${t.resolvedAt} is null)`),
      uniqueIndex('stock_reservations_attempt')
        .on(t.tenantId, t.attemptId)
        .where(sql`attempt_id is not null`),
      index('stock_reservations_list').on(t.tenantId, t.createdAt, t.id),
      index('stock_reservations_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('stock_reservations_due').on(t.expiresAt).where(sql`status = 'held' and expires_at is not null`),
    ]
  },
)
