import * as z from 'zod'
import { movementKinds, quantityMax } from '../../../drizzle/schema/stock.ts'
import { contract, reads, writes } from '../../../src/http/contract.ts'
import { freeText, one, paged, timestamp, uuid } from '../../../src/http/schemas.ts'

const path = '/v1/inventory'
const tag = 'Inventory'
const reading = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['digital_catalog.inventory:read'] } },
} as const
const writing = {
  ...writes,
  tag,
  access: { api_key: { scopes: ['digital_catalog.inventory:write'] } },
} as const

const quantity = z.int().min(0).max(quantityMax)
const itemId = uuid.describe('The item; a variant is an item of its own.')
const locationId = uuid.nullable().describe('The location where it lies; null for none in particular.')
const note = freeText(500).nullable().describe('A note of yours.')
const times = { version: z.int().min(1), created_at: timestamp, updated_at: timestamp }

const Level = z
  .strictObject({
    id: uuid,
    object: z.literal('stock_level'),
    item_id: itemId,
    location_id: locationId,
    on_hand: quantity.describe('How many there are: the sum of the movements.'),
    reserved: quantity.describe('How many of them reservations hold.'),
    available: quantity.describe('How many can be sold: `on_hand` less `reserved`.'),
    low_quantity: quantity
      .nullable()
      .describe('The level counts as low while `available` is at most this number; null: never.'),
    low: z.boolean().describe('Whether it is low now.'),
    counted_at: timestamp.nullable().describe('When it was last counted.'),
    ...times,
  })
  .meta({ id: 'StockLevel' })

const Movement = z
  .strictObject({
    id: uuid,
    object: z.literal('stock_movement'),
    item_id: itemId,
    location_id: locationId,
    kind: z.enum(movementKinds).describe('Why it came or went.'),
    quantity: z.int().describe('How many: positive came, negative went.'),
    note,
    reservation_id: uuid.nullable().describe('The reservation that was sold.'),
    transfer_id: uuid.nullable().describe('The same for both movements of a transfer.'),
    created_at: timestamp,
  })
  .meta({ id: 'StockMovement' })

const Line = z.strictObject({ item_id: itemId, quantity: quantity.min(1).describe('How many of the item.') })

const Reservation = z
  .strictObject({
    id: uuid,
    object: z.literal('stock_reservation'),
    status: z
      .enum(['held', 'committed', 'released', 'expired'])
      .describe('`held` until it is `committed` (sold), `released` or `expired`.'),
    location_id: locationId,
    lines: z.array(Line).describe('What it holds.'),
    shortages: z
      .array(Line)
      .describe('What was missing when a payment came after the reservation had ended; empty otherwise.'),
    attempt_id: uuid.nullable().describe('The payment attempt that holds and ends it; null: you end it.'),
    note,
    expires_at: timestamp.nullable().describe('When it ends by itself; null where a payment holds it.'),
    resolved_at: timestamp.nullable().describe('When it ended.'),
    ...times,
  })
  .meta({ id: 'StockReservation' })

const ids = {
  item_id: '0190a6d2-7c3e-7b1a-9f00-000000000071',
  location_id: null,
} as const
const at = { created_at: '2026-06-13T12:00:00.000Z', updated_at: '2026-06-13T12:00:00.000Z' } as const

const exampleLevel = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000072',
  object: 'stock_level',
  ...ids,
  on_hand: 24,
  reserved: 2,
  available: 22,
  low_quantity: 5,
  low: false,
  counted_at: null,
  version: 3,
  ...at,
} as const

const exampleMovement = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000073',
  object: 'stock_movement',
  ...ids,
  kind: 'received',
  quantity: 24,
  note: 'Pedido 118',
  reservation_id: null,
  transfer_id: null,
  created_at: at.created_at,
} as const

const exampleReservation = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000074',
  object: 'stock_reservation',
  status: 'held',
  location_id: null,
  lines: [{ item_id: ids.item_id, quantity: 2 }],
  shortages: [],
  attempt_id: null,
  note: null,
  expires_at: '2026-06-13T12:15:00.000Z',
  resolved_at: null,
  version: 1,
  ...at,
} as const

export const listLevels = contract({
  ...reading,
  id: 'inventory.list_levels',
  path: `${path}/levels`,
  summary: 'List stock levels',
  description: 'What there is of each item, at each place where some of it came or was counted.',
  ...paged(Level, exampleLevel, {
    item_id: uuid.optional().describe('Only of this item.'),
    location_id: uuid.optional().describe('Only at this location.'),
    low: z.literal('true').optional().describe('Only what is low.'),
  }),
})

const ofLevel = { ...one(Level, exampleLevel, 'stock_level_not_found'), versioned: true } as const

export const getLevel = contract({
  ...reading,
  ...ofLevel,
  id: 'inventory.get_level',
  path: `${path}/levels/:id`,
  summary: 'Get a stock level',
})

export const updateLevel = contract({
  ...writing,
  ...ofLevel,
  id: 'inventory.update_level',
  method: 'PATCH',
  path: `${path}/levels/:id`,
  summary: 'Set from where on a stock level is low',
  description: 'The event `stock_level.low` comes each time it becomes low, within a minute.',
  tables: ['stock_levels'],
  idempotency: 'optional',
  body: z.strictObject({ low_quantity: quantity.nullable().describe('This many available or fewer.') }),
  example: { body: { low_quantity: 5 }, reply: exampleLevel },
})

const moving = {
  ...writing,
  tables: ['stock_levels', 'stock_movements'],
  errors: ['catalog_item_not_found', 'stock_not_tracked', 'location_not_found', 'stock_insufficient'],
} as const
const oneMovement = {
  location: `${path}/movements/:id`,
  reply: { status: 201, schema: Movement },
} as const
const asked = { item_id: itemId, location_id: locationId.default(null), note: note.default(null) }

export const adjust = contract({
  ...moving,
  id: 'inventory.adjust',
  path: `${path}/adjustments`,
  summary: 'Add to a stock level, or take from it',
  description: 'What is on hand cannot fall below what is reserved.',
  body: z.strictObject({
    ...asked,
    kind: z
      .enum(['received', 'returned', 'damaged', 'lost', 'correction'])
      .default('correction')
      .describe('Why it came or went.'),
    quantity: z
      .int()
      .min(-quantityMax)
      .max(quantityMax)
      .refine((value) => value !== 0, 'must not be 0')
      .describe(
        'Positive adds: `received`, `returned`; negative takes: `damaged`, `lost`; `correction` is either.',
      ),
  }),
  ...oneMovement,
  example: {
    body: { item_id: ids.item_id, kind: 'received', quantity: 24, note: 'Pedido 118' },
    reply: exampleMovement,
  },
})

export const count = contract({
  ...moving,
  id: 'inventory.count',
  path: `${path}/counts`,
  summary: 'Set a stock level to what was counted',
  description:
    'Count what is there, with what is reserved. The movement has the difference to what was known. Fewer than are reserved is refused: end reservations first.',
  body: z.strictObject({ ...asked, counted: quantity.describe('How many are there.') }),
  ...oneMovement,
  example: {
    body: { item_id: ids.item_id, counted: 24 },
    reply: { ...exampleMovement, kind: 'count', quantity: -1, note: null },
  },
})

export const transfer = contract({
  ...moving,
  id: 'inventory.transfer',
  path: `${path}/transfers`,
  summary: 'Move stock from one place to another',
  tables: ['stock_levels', 'stock_movements'],
  body: z
    .strictObject({
      item_id: itemId,
      from_location_id: locationId,
      to_location_id: locationId,
      quantity: quantity.min(1).describe('How many of it go.'),
      note: note.default(null),
    })
    .refine((body) => body.from_location_id !== body.to_location_id, {
      path: ['to_location_id'],
      message: 'must be another place than from_location_id',
    }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        id: uuid,
        object: z.literal('stock_transfer'),
        movements: z.array(Movement).describe('What went there, and what came here.'),
      })
      .meta({ id: 'StockTransfer' }),
  },
  example: {
    body: {
      item_id: ids.item_id,
      from_location_id: null,
      to_location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
      quantity: 4,
    },
    reply: {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000075',
      object: 'stock_transfer',
      movements: [
        {
          ...exampleMovement,
          kind: 'transfer_out',
          quantity: -4,
          note: null,
          transfer_id: '0190a6d2-7c3e-7b1a-9f00-000000000075',
        },
        {
          ...exampleMovement,
          id: '0190a6d2-7c3e-7b1a-9f00-000000000076',
          location_id: '0190a6d2-7c3e-7b1a-9f00-000000000031',
          kind: 'transfer_in',
          quantity: 4,
          note: null,
          transfer_id: '0190a6d2-7c3e-7b1a-9f00-000000000075',
        },
      ],
    },
  },
})

export const listMovements = contract({
  ...reading,
  id: 'inventory.list_movements',
  path: `${path}/movements`,
  summary: 'List movements of stock',
  description: 'All that came and went, sales included: the ledger of the stock.',
  ...paged(Movement, exampleMovement, {
    item_id: uuid.optional().describe('Only of this item.'),
    location_id: uuid.optional().describe('Only at this location.'),
    kind: z.enum(movementKinds).optional().describe('Only of this kind.'),
    reservation_id: uuid.optional().describe('Only what this reservation sold.'),
  }),
})

export const getMovement = contract({
  ...reading,
  ...one(Movement, exampleMovement, 'stock_movement_not_found'),
  id: 'inventory.get_movement',
  path: `${path}/movements/:id`,
  summary: 'Get a movement of stock',
})

export const reservationLinesMax = 50
export const reservationDaysMax = 30
export const reservationMinutes = 15

export const reserve = contract({
  ...writing,
  id: 'inventory.reserve',
  versioned: true,
  path: `${path}/reservations`,
  location: `${path}/reservations/:id`,
  summary: 'Reserve stock',
  description:
    'All lines or none. Lines of one item count together. It ends when you commit or release it, and at its time. Payments reserve what they sell by themselves.',
  tables: ['stock_reservations'],
  body: z.strictObject({
    lines: z.array(Line).min(1).max(reservationLinesMax).describe('What to hold.'),
    location_id: locationId.default(null),
    expires_at: timestamp
      .optional()
      .describe(
        `When it ends by itself: at most ${reservationDaysMax} days ahead; ${reservationMinutes} minutes where it is left out.`,
      ),
    note: note.default(null),
  }),
  reply: { status: 201, schema: Reservation },
  errors: ['catalog_item_not_found', 'stock_not_tracked', 'location_not_found', 'stock_insufficient'],
  example: { body: { lines: exampleReservation.lines }, reply: exampleReservation },
})

export const listReservations = contract({
  ...reading,
  id: 'inventory.list_reservations',
  path: `${path}/reservations`,
  summary: 'List reservations',
  ...paged(Reservation, exampleReservation, {
    status: Reservation.shape.status.optional().describe('Only what has this status.'),
  }),
})

const ofReservation = {
  ...one(Reservation, exampleReservation, 'stock_reservation_not_found'),
  versioned: true,
} as const

export const getReservation = contract({
  ...reading,
  ...ofReservation,
  id: 'inventory.get_reservation',
  path: `${path}/reservations/:id`,
  summary: 'Get a reservation',
})

const ending = {
  ...writing,
  ...ofReservation,
  tables: ['stock_reservations'],
  errors: ['stock_reservation_not_found', 'stock_reservation_ended', 'stock_reservation_of_payment'],
} as const
const ended = { ...exampleReservation, resolved_at: '2026-06-13T12:05:00.000Z', version: 2 }

export const extend = contract({
  ...ending,
  id: 'inventory.extend_reservation',
  path: `${path}/reservations/:id/extend`,
  summary: 'Hold a reservation longer',
  body: z.strictObject({ expires_at: timestamp.describe('When it ends now.') }),
  example: {
    body: { expires_at: '2026-06-13T12:30:00.000Z' },
    reply: { ...exampleReservation, expires_at: '2026-06-13T12:30:00.000Z', version: 2 },
  },
})

export const commit = contract({
  ...ending,
  id: 'inventory.commit_reservation',
  path: `${path}/reservations/:id/commit`,
  summary: 'Commit a reservation',
  description: 'What the reservation held is sold: one movement of the kind `sold` for each line.',
  example: { reply: { ...ended, status: 'committed' } },
})

export const release = contract({
  ...ending,
  id: 'inventory.release_reservation',
  path: `${path}/reservations/:id/release`,
  summary: 'Release a reservation',
  description: 'What the reservation held can be sold again.',
  example: { reply: { ...ended, status: 'released' } },
})

/** Ends reservations at their time, and announces levels that became low. */
export const expiry = {
  id: 'inventory.expire',
  access: { system: {} },
  tables: ['stock_reservations'],
} as const
export const announcement = {
  id: 'inventory.announce',
  access: { system: {} },
  tables: ['stock_levels'],
} as const
