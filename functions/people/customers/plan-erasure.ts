import { customers } from '../../../drizzle/schema/customers.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, changeEach, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { fieldState, noFields } from './apply-fields.ts'
import { about, planChange, refusalOf } from './plan.ts'
import { presentCustomer } from './present.ts'
import type { CustomerRow, OpenBusiness } from './store.ts'

const dayMs = 86_400_000
/** The business may take the request back until then. */
const blockedMs = 15 * dayMs

const openCodes = {
  payments: 'customer_payments_open',
  disputes: 'customer_disputes_open',
  refunds: 'customer_refunds_open',
} as const satisfies Record<OpenBusiness, string>

/** The first step: the customer is blocked, and erased after the wait. */
export function planRequestErasure(customer: CustomerRow, open: OpenBusiness | null, clock: Clock) {
  const closed = refusalOf(customer)
  if (closed) return closed
  if (customer.eraseAt) return refuse('customer_erasure_requested')
  if (open) return refuse(openCodes[open])
  const eraseAt = new Date(clock.now.getTime() + blockedMs)
  return planChange(
    customer,
    { type: 'customer.erasure_requested', set: { status: 'blocked', eraseAt } },
    clock,
  )
}

/** Something came to be under way in between. */
export const planPostpone = (customer: CustomerRow, clock: Clock) =>
  planChange(
    customer,
    { type: 'customer.updated', set: { eraseAt: new Date(clock.now.getTime() + dayMs) } },
    clock,
  )

/** A slice of the second step: the database erases some, and writes how far it came. */
export const planSlice = (customer: CustomerRow, { now }: Clock): Plan<unknown> => ({
  writes: [
    change(customers, customer, {
      erasure: { slices: (customer.erasure?.slices ?? 0) + 1 },
      updatedAt: now,
    }),
  ],
  events: [],
  reply: {},
  subjectId: customer.id,
})

const emptied = {
  ...fieldState(noFields),
  status: 'erased',
  mergedInto: null,
  eraseAt: null,
  erasure: null,
} as const

/**
 * The end of the second step, with all that became part of the customer. The database refuses it while something is left,
 * and empties what the rest was found by.
 */
export function planErase(customer: CustomerRow, merged: readonly CustomerRow[], { now, newId }: Clock) {
  const set = { ...emptied, updatedAt: now }
  const shown = (row: CustomerRow) => presentCustomer({ ...row, ...set, version: row.version + 1 })
  return {
    writes: [
      change(customers, customer, set),
      ...(merged.length > 0 ? [changeEach(customers, merged, set)] : []),
    ] as readonly Write[],
    events: [customer, ...merged].map((row) => event(newId(), 'customer.erased', about(row), shown(row))),
    reply: {},
  } satisfies Plan<unknown>
}
