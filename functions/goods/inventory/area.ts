import type { Declaration } from '../../../src/http/declaration.ts'
import { announcement, expiry, reservationLinesMax } from './contract.ts'
import { errors } from './errors.ts'
import { reservationLifecycle } from './lifecycle.ts'

const scopes = ['digital_catalog.inventory:read'] as const

export const area: Declaration = {
  routes: [{ at: ['/v1/inventory'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 49,
      name: 'Inventory',
      description:
        'What there is of the items whose stock is tracked. Movements are a ledger: what is on hand is their sum. A reservation is `held` until it is `committed`, `released` or `expired`; what it holds is for one buyer.',
    },
  ],
  nouns: { levels: 'stock level', movements: 'movement of stock', reservations: 'reservation' },
  publishes: [expiry, announcement],
  jobs: {
    stock_reservations: {
      at: 142,
      runs: 'operations.ts#expireReservations',
      table: 'stock_reservations',
      due: `d.status = 'held' and d.expires_at <= $1`,
      firstBy: 'expires_at',
    },
    stock_levels: {
      at: 144,
      runs: 'operations.ts#announceLow',
      table: 'stock_levels',
      due: 'd.low_since is not null and d.low_announced_at is null',
      firstBy: 'low_since',
    },
  },
  appendOnly: ['stock_movements'],
  lookedUp: ['stock_reservations', 'stock_levels'],
  deadlines: [{ table: 'stock_reservations', columns: ['expires_at'], while: `status = 'held'` }],
  lifecycles: [reservationLifecycle],
  events: {
    stock_level: {
      scopes,
      shownBy: 'inventory.get_level',
      types: {
        updated: 'The quantity at which a stock level counts as low was set.',
        low: 'A stock level has become low.',
      },
    },
    stock_movement: {
      scopes,
      shownBy: 'inventory.get_movement',
      types: {
        created: 'Stock was received, returned, lost, damaged, corrected, counted or transferred.',
      },
    },
    stock_reservation: {
      scopes,
      shownBy: 'inventory.get_reservation',
      types: {
        created: 'Stock was reserved.',
        extended: 'A reservation holds longer.',
        committed: 'A reservation was sold.',
        released: 'A reservation was released.',
        expired: 'The time of a reservation has passed.',
      },
    },
  },
  errors,
  limits: {
    stock_reservation_lines: {
      most: reservationLinesMax,
      unit: 'count',
      says: 'How many lines a reservation of yours has.',
    },
  },
  samples: {
    'inventory.adjust': { other: { quantity: 7 } },
    'inventory.count': { other: { counted: 7 } },
    'inventory.transfer': { other: { quantity: 7 } },
    'inventory.reserve': { other: { note: 'Otra' } },
  },
  constraints: {
    stock_levels_available: { code: 'stock_insufficient' },
    stock_levels_bounded: { code: 'parameter_invalid', param: 'quantity' },
    stock_levels_place: 'stale',
    stock_levels_location: { code: 'location_not_found', param: 'location_id' },
    stock_reservations_location: { code: 'location_not_found', param: 'location_id' },
  },
}
