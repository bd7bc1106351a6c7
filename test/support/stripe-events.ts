import Stripe from 'stripe'
import { type Answer, nowSeconds, refused } from './stripe-answers.ts'
import type { Fields } from './stripe-checks.ts'

interface Kept {
  readonly owner: string
  readonly event: Stripe.Event
  delivered: boolean
}

export interface EventFields {
  readonly id?: string
  readonly livemode?: boolean
  readonly created?: number
}

export const eventOf = (type: string, object: object, fields: EventFields & { readonly id: string }) =>
  ({
    id: fields.id,
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: fields.created ?? nowSeconds(),
    data: { object },
    livemode: fields.livemode ?? true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }) as unknown as Stripe.Event

/** What happened in the accounts, which Stripe lists for 30 days whether or not it could be delivered. */
export class StripeEvents {
  /** The newest first. */
  readonly all: Kept[] = []
  #made = 0

  add(type: string, object: object, owner: string, livemode: boolean): Stripe.Event {
    const event = eventOf(type, object, { id: `evt_${++this.#made}x${Date.now()}`, livemode })
    this.all.unshift({ owner, event, delivered: false })
    return event
  }

  delivered(id: string): void {
    for (const each of this.all) if (each.event.id === id) each.delivered = true
  }

  /** https://docs.stripe.com/api/events/list */
  page(fields: Fields, owner: string, pageMax: number): Answer {
    const types = Object.keys(fields).flatMap((name) => (/^types\[/.test(name) ? [fields[name]!] : []))
    const fits = ({ event, delivered }: Kept) =>
      (types.length === 0 || types.includes(event.type)) &&
      (fields.type === undefined || fields.type === event.type) &&
      (fields['created[gte]'] === undefined || event.created >= Number(fields['created[gte]'])) &&
      (fields.delivery_success === undefined || String(delivered) === fields.delivery_success)
    const own = this.all.filter((each) => each.owner === owner)
    const cursor = fields.ending_before ?? fields.starting_after
    if (cursor !== undefined && !own.some(({ event }) => event.id === cursor))
      return refused('resource_missing', `No such event: '${cursor}'`, 'ending_before')
    const at = own.findIndex(({ event }) => event.id === cursor)
    const rest = (fields.ending_before === undefined ? own.slice(at + 1) : own.slice(0, at)).filter(fits)
    const limit = Math.min(Number(fields.limit ?? 10), pageMax)
    const page = fields.ending_before === undefined ? rest.slice(0, limit) : rest.slice(-limit)
    return {
      status: 200,
      body: {
        object: 'list',
        data: page.map(({ event }) => event),
        has_more: rest.length > limit,
        url: '/v1/events',
      },
    }
  }
}
