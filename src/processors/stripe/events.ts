import type Stripe from 'stripe'
import type { Notification } from '../port.ts'
import { isMissing, readTimeoutMs } from './client.ts'
import { hintOf, notifyingTypes } from './notifications.ts'

/** What events of an account refer to, the oldest first. */
export interface EventHints {
  readonly hints: readonly Notification[]
  /** Where the next reading goes on: null where it begins at the same place. */
  readonly readOnFrom: string | null
  readonly hasMore: boolean
}

/** Stripe's longest page. */
const limit = 100

/** Stripe orders events by the second, and may show one late: those of the last minutes are read once more. */
const settledMs = 10 * 60_000

const types: string[] = [...notifyingTypes]
const reading = { timeout: readTimeoutMs }

/**
 * The events behind one of them: Stripe stops repeating a notification after three days, and keeps its event for thirty
 * (https://docs.stripe.com/webhooks/process-undelivered-events). Null: nothing was read before. Then the hundred newest
 * events are read, since the account was linked a moment ago, and the next reading goes on from the newest one. An event
 * that Stripe no longer has: all that it keeps.
 */
export async function readEventHints(
  stripe: Stripe,
  after: string | null,
  { accountId, now }: { readonly accountId: string | null; readonly now: Date },
): Promise<EventHints> {
  if (after === null) {
    const { data } = await stripe.events.list({ types, limit }, reading)
    const hints = data.toReversed().flatMap((event) => hintOf(event, { accountId }) ?? [])
    return { hints, readOnFrom: data[0]?.id ?? '', hasMore: false }
  }
  const page = await pageBehind(stripe, after)
  const settled = page.events.filter(({ created }) => created * 1000 <= now.getTime() - settledMs)
  return {
    hints: page.events.flatMap((event) => hintOf(event, { accountId }) ?? []),
    readOnFrom: (page.hasMore ? page.events : settled).at(-1)?.id ?? null,
    hasMore: page.hasMore,
  }
}

/** The oldest first. An empty id: nothing had happened at the account when it was read first. */
async function pageBehind(stripe: Stripe, after: string) {
  try {
    if (after !== '') {
      const page = await stripe.events.list({ types, limit, ending_before: after }, reading)
      return { events: page.data.toReversed(), hasMore: page.has_more }
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  const events: Stripe.Event[] = []
  for await (const event of stripe.events.list({ types, limit }, reading)) events.unshift(event)
  return { events, hasMore: false }
}
