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

/** How many pages of what was missed a reading takes. */
const pagesMax = 10

/**
 * The events behind one of them: Stripe stops repeating a notification after three days, and keeps its event for thirty
 * (https://docs.stripe.com/webhooks/process-undelivered-events). Null: nothing was read before. Then the hundred newest
 * events are read, since the account was linked a moment ago, and the next reading goes on from the newest one. An event
 * that Stripe no longer has: all that it keeps, the newest first, in as many readings as that takes. Between them the place
 * names two events: from where to go on once all of it was read, and the oldest one that was.
 */
export async function readEventHints(
  stripe: Stripe,
  after: string | null,
  { accountId, now }: { readonly accountId: string | null; readonly now: Date },
): Promise<EventHints> {
  const hintsOf = (events: readonly Stripe.Event[]) =>
    events.toReversed().flatMap((event) => hintOf(event, { accountId }) ?? [])
  const isSettled = ({ created }: Stripe.Event) => created * 1000 <= now.getTime() - settledMs
  if (after === null) {
    const { data } = await stripe.events.list({ types, limit }, reading)
    return { hints: hintsOf(data), readOnFrom: data[0]?.id ?? '', hasMore: false }
  }
  const [from = '', oldest] = after.split(' ')
  const page = oldest === undefined ? await pageBehind(stripe, from) : null
  if (page) {
    const readOnFrom = page.data.find(isSettled)?.id ?? null
    return { hints: hintsOf(page.data), readOnFrom, hasMore: page.has_more && readOnFrom !== null }
  }
  const { events, hasMore } = await pagesBefore(stripe, oldest)
  const last = events.at(-1)
  const next = oldest === undefined ? (events.find(isSettled) ?? (hasMore ? last : undefined))?.id : from
  return { hints: hintsOf(events), readOnFrom: (hasMore ? `${next} ${last?.id}` : next) ?? null, hasMore }
}

/** Null where Stripe has forgotten it, or it is empty: nothing had happened at the account when it was read first. */
async function pageBehind(stripe: Stripe, after: string) {
  if (after === '') return null
  try {
    return await stripe.events.list({ types, limit, ending_before: after }, reading)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** What is older than an event, or all; the newest first. Of an event that Stripe has forgotten meanwhile nothing is older. */
async function pagesBefore(stripe: Stripe, oldest: string | undefined) {
  const events: Stripe.Event[] = []
  let [hasMore, before] = [true, oldest]
  try {
    for (let pages = 0; hasMore && pages < pagesMax; pages++) {
      const older = before === undefined ? {} : { starting_after: before }
      const page = await stripe.events.list({ types, limit, ...older }, reading)
      events.push(...page.data)
      hasMore = page.has_more
      before = page.data.at(-1)?.id
    }
  } catch (error) {
    if (!isMissing(error)) throw error
    hasMore = false
  }
  return { events, hasMore }
}
