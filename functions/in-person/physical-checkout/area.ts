import type { Declaration } from '../../../src/http/declaration.ts'
import { codesMost, view } from './contract-codes.ts'
import { sweep } from './contract-orders.ts'
import { errors } from './errors.ts'
import { codeLifecycle, orderLifecycle, shiftLifecycle } from './lifecycle.ts'

const scopes = ['physical_checkout:read'] as const

export const area: Declaration = {
  // The operations of registers as devices too: a path belongs to one area.
  routes: [
    { at: ['/v1/physical-checkout'], by: 'operations.ts#operations' },
    { at: ['/r'], by: 'pages/routes.ts#registerPages' },
  ],
  nouns: {
    codes: 'code',
    'physical-checkout/orders': 'order',
    shifts: 'shift',
    'cash-movements': 'cash movement',
  },
  publishes: [sweep, view],
  jobs: {
    register_orders: {
      at: 147,
      runs: 'operations.ts#expireOrders',
      table: 'register_orders',
      due: `d.status = 'open' and d.expires_at <= $1 and not door.is_being_paid(d.tenant_id, 'register_order', d.id)`,
      firstBy: 'expires_at',
    },
  },
  appendOnly: ['cash_movements'],
  lookedUp: ['register_orders'],
  personalData: {
    // Employees of the merchant, who are nobody's customers here.
    register_shifts: { columns: [], impersonal: 'cashier_name note' },
    cash_movements: { columns: [], impersonal: 'note' },
    register_orders: {
      columns: [],
      impersonal:
        'public_id lines stock delivers tip_options payment_method_types description client_reference_id metadata',
    },
  },
  kinds: {
    register_code: { table: 'register_codes', hasPublicIds: true },
    register_order: {
      table: 'register_orders',
      hasPublicIds: true,
      hasMetadata: true,
      holds: ['stock'],
      origin: 'origin.ts#registerOrderOrigin',
      facts: 'facts.ts#registerOrder',
    },
  },
  deadlines: [{ table: 'register_orders', columns: ['expires_at'], while: `status = 'open'` }],
  lifecycles: [codeLifecycle, orderLifecycle, shiftLifecycle],
  events: {
    register_code: {
      scopes,
      shownBy: 'register_codes.get',
      types: {
        created: 'A code of a register was made.',
        revoked: 'A code of a register was revoked.',
      },
    },
    register_order: {
      scopes,
      shownBy: 'register_orders.get',
      types: {
        created: 'An order was made at a register.',
        paid: 'An order at a register was paid, by a payment or in cash: hand it over.',
        canceled: 'An order at a register was canceled, or another one took its place.',
        detached: 'A register shows an open order no longer, which goes on by itself.',
        expired: 'The time of an order at a register has passed.',
        cash_returned: 'Cash of an order that was paid in cash was given back.',
      },
    },
    register_shift: {
      scopes,
      shownBy: 'register_shifts.get',
      types: {
        opened: 'A shift of a register was opened.',
        closed: 'A shift of a register was counted and closed.',
      },
    },
    cash_movement: {
      scopes,
      shownBy: 'cash_movements.get',
      types: { recorded: 'Cash went into a drawer or out of it beside sales.' },
    },
  },
  errors,
  limits: {
    register_codes: { most: codesMost, unit: 'count', says: 'Active codes of registers.' },
  },
  constraints: {
    register_codes_limit: { code: 'register_code_limit_reached' },
    // Another order was first: who made this one decides again.
    register_orders_current: 'stale',
    register_orders_reference: 'stale',
    register_orders_being_paid: { code: 'register_order_being_paid' },
    register_orders_cash_returned: { code: 'cash_return_above_paid', param: 'amount' },
    register_shifts_open: { code: 'register_shift_open' },
    register_shifts_bounded: { code: 'amount_above_maximum', param: 'amount' },
    register_shifts_drawer: { code: 'register_cash_short', param: 'amount' },
    cash_movements_shift_open: 'stale',
  },
  samples: {
    'register_codes.create': { other: { purpose: 'display' } },
    'register_orders.pay_in_cash': { other: { amount_tendered: '30000' } },
    'register_shifts.close': { other: { amount_counted: '0' } },
  },
}
