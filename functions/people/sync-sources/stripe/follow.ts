import { onFreshRows } from '../../../../src/http/publishing.ts'
import { eachDue } from '../../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../../src/http/system-call.ts'
import { uuidv7 } from '../../../../src/kernel/ids.ts'
import { type CustomerEvent, type ReadAccount, readEvents } from '../../../../src/processors/stripe/index.ts'
import { following } from '../contract-stripe.ts'
import { whole } from '../incoming.ts'
import { SliceFailed } from '../kinds.ts'
import type { Incoming } from '../plan-records.ts'
import { keyOfId, keysOf } from '../plan-records.ts'
import { planEvents, planFailed, planNextCheck, planPullAnew } from '../plan-stripe.ts'
import { matchedContacts, matchedCustomers, matches, openRunOf, sourceById } from '../store.ts'
import { readOf } from './answers.ts'
import { beginning } from './kind.ts'
import { recordsOf } from './record.ts'
import { accountOf } from './secrets.ts'
import { connectionById } from './store.ts'

/** Scheduled: reads what happened to the customers of each connected Stripe account. */
export const followStripe = (run: JobRun): Promise<void> => eachDue(run, 'stripe_connections', follow)

const pagesMax = 20
const plansMax = 10
/** After events the list is read again this soon: webhooks that came meanwhile started no reading of their own. */
const soonMs = 60_000
/** The longest wait between two readings: a webhook may be lost, or no endpoint be set up at Stripe. */
const laterMs = 600_000

/** Reads an account's events since the last one, page by page. A webhook and the job may do so at the same time. */
export async function follow(call: SystemCall, id: string): Promise<void> {
  const account = await accountOf(call.services, id)
  if (!account) return
  for (let pages = 0; pages < pagesMax; pages++)
    if (!(await onFreshRows(plansMax, () => followPage(call, account, id)))) return
}

/** Applies a page of events with the place from which to read on, by one publish. Resolves to whether more follow. */
async function followPage(call: SystemCall, account: ReadAccount, id: string): Promise<boolean> {
  const now = new Date()
  const clock = { now, newId: () => uuidv7(now.getTime()) }
  const [[connection], [source], [open]] = await call.read(
    following,
    connectionById({ id }),
    sourceById({ id }),
    openRunOf({ sourceId: id }),
  )
  if (!connection || source?.status !== 'active') return false
  const { lastEventId, lastEventAt } = connection
  const answer = lastEventId === null ? ({ state: 'gone' } as const) : await readEvents(account, lastEventId)
  if (answer.state === 'gone') {
    // Stripe keeps events for 30 days: what happened since is not known.
    await call.publish(following, planPullAnew({ connection, source, open }, beginning, clock), clock)
    return false
  }
  try {
    const { events, hasMore } = readOf(answer)
    if (events.length === 0) {
      await call.publish(following, planNextCheck(connection, laterMs, clock), clock)
      return false
    }
    // Of a customer that is not known here, an event says all that it has.
    const most = sayingOf(events, lastEventAt!, () => false)
    const keys = { keys: JSON.stringify(keysOf(id, most.incoming)) }
    const [found, customers, contacts] = await call.read(
      following,
      matches(keys),
      matchedCustomers(keys),
      matchedContacts(keys),
    )
    const known = new Set(found.map(({ key }) => key))
    const { incoming, last } = sayingOf(events, lastEventAt!, (customer) => known.has(keyOfId(id, customer)))
    const read = { lastEventId: events.at(-1)!.id, lastEventAt: last, waitMs: hasMore ? 0 : soonMs }
    const all = { connection, source, ...whole(found, customers, contacts) }
    const plan = planEvents(all, incoming, read, clock)
    await call.publish(following, plan, clock)
    return hasMore
  } catch (error) {
    if (!(error instanceof SliceFailed)) throw error
    const { code, message, isFinal, retryAfterMs } = error
    if (!isFinal && retryAfterMs === 0) throw error
    const plan = isFinal
      ? planFailed(source, { code, message }, clock)
      : planNextCheck(connection, Math.max(retryAfterMs, soonMs), clock)
    await call.publish(following, plan, clock)
    return false
  }
}

/**
 * What events say, the oldest first. Stripe's times are whole seconds: of events in one second the order of its list
 * counts, by a millisecond each. A customer that was deleted says nothing. The first event of one that is not known says
 * all that it has.
 */
export function sayingOf(
  events: readonly CustomerEvent[],
  after: Date,
  isKnown: (customerId: string) => boolean,
) {
  const deleted = new Set(
    events.filter(({ type }) => type === 'customer.deleted').map(({ customer }) => customer.id),
  )
  const incoming: Incoming[] = []
  const said = new Set<string>()
  let last = after
  for (const { type, at, customer, changed } of events) {
    last = new Date(Math.max(at.getTime(), last.getTime() + 1))
    if (deleted.has(customer.id)) continue
    const isPart = type === 'customer.updated' && (said.has(customer.id) || isKnown(customer.id))
    incoming.push(...recordsOf(customer, last, isPart ? changed : null))
    said.add(customer.id)
  }
  return { incoming, last }
}
