import Stripe from 'stripe'
import { connect, isMissing, readTimeoutMs, type StripeAccount } from './client.ts'

export { verifiedEvent } from './client.ts'

/** What is read of a customer at Stripe. */
export type StripeCustomer = Pick<
  Stripe.Customer,
  'id' | 'name' | 'email' | 'phone' | 'address' | 'shipping' | 'preferred_locales' | 'metadata'
>

/** An event about a customer. */
export interface CustomerEvent {
  readonly id: string
  readonly type: (typeof customerEvents)[number]
  readonly at: Date
  /** As it was after the event. */
  readonly customer: StripeCustomer
  /** Stripe's names of the fields that the event changed. */
  readonly changed: readonly string[]
}

/**
 * What Stripe answers to a reading. `refused`: it does not know the key, or the key may not read this. `gone`: it no
 * longer knows the place from which to read on. `silent`: it did not answer, or asked us to wait.
 */
export type Answer<Read> =
  | ({ readonly state: 'read' } & Read)
  | { readonly state: 'refused'; readonly reason: 'key' | 'right' }
  | { readonly state: 'gone' }
  /** How long it asks us to wait: 0 where it does not say. */
  | { readonly state: 'silent'; readonly retryAfterMs: number }

export interface CustomersPage {
  readonly customers: readonly StripeCustomer[]
  readonly hasMore: boolean
}

export interface EventsPage {
  /** The oldest first. */
  readonly events: readonly CustomerEvent[]
  readonly hasMore: boolean
}

/** An account whose customers are read. */
export type ReadAccount = Pick<StripeAccount, 'name' | 'secretKey' | 'apiBase'> & {
  readonly timeoutMs?: number
}

export const customerEvents = ['customer.created', 'customer.updated', 'customer.deleted'] as const
const types: string[] = [...customerEvents]

/** Stripe's longest page. */
const limit = 100

const at = (account: ReadAccount) =>
  connect({ timeoutMs: readTimeoutMs, ...account, id: null, tenantId: null }, { triesMax: 1 })

/** The customers behind one of them, the newest first; null: from the newest on. */
export const readCustomers = (account: ReadAccount, after: string | null): Promise<Answer<CustomersPage>> =>
  answered(async () => {
    const page = await at(account).customers.list({
      limit,
      ...(after === null ? {} : { starting_after: after }),
    })
    return { customers: page.data, hasMore: page.has_more }
  })

/**
 * The next events about customers since one of them: an empty id for all that there are, where they fit into one page;
 * null for the last one alone.
 */
export async function readEvents(account: ReadAccount, since: string | null): Promise<Answer<EventsPage>> {
  const read = await answered(async () => {
    const page = await at(account).events.list({
      types,
      limit: since === null ? 1 : limit,
      ...(since ? { ending_before: since } : {}),
    })
    return { events: page.data.toReversed().map(eventOf), hasMore: page.has_more }
  })
  return since === '' && read.state === 'read' && read.hasMore ? { state: 'gone' } : read
}

function eventOf({ id, type, created, data }: Stripe.Event): CustomerEvent {
  return {
    id,
    type: type as CustomerEvent['type'],
    at: new Date(created * 1000),
    customer: data.object as Stripe.Customer,
    changed: Object.keys(data.previous_attributes ?? {}),
  }
}

async function answered<Read>(read: () => Promise<Read>): Promise<Answer<Read>> {
  try {
    return { state: 'read', ...(await read()) }
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return { state: 'refused', reason: 'key' }
    if (error instanceof Stripe.errors.StripePermissionError) return { state: 'refused', reason: 'right' }
    if (isMissing(error)) return { state: 'gone' }
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const seconds = Number(error.headers?.['retry-after'] ?? Number.NaN)
    return { state: 'silent', retryAfterMs: seconds > 0 ? seconds * 1000 : 0 }
  }
}
