import type { SystemCall } from '../../../../src/http/system-call.ts'
import { refuse } from '../../../../src/kernel/plan.ts'
import { type ReadAccount, readCustomers, readEvents } from '../../../../src/processors/stripe/index.ts'
import { connecting } from '../contract-stripe.ts'
import { type Slice, SliceFailed, type SourceKind } from '../kinds.ts'
import { planReadFrom } from '../plan-stripe.ts'
import { readOf } from './answers.ts'
import { recordsOf } from './record.ts'
import { accountOf } from './secrets.ts'
import { connectionById } from './store.ts'

/** Where a full pull is: the last customer that it read, and the time of what it says. */
interface Cursor {
  readonly after: string | null
  readonly at: string | null
}

export const beginning = { cursor: { after: null, at: null } }

/** Stripe keeps events for as long. */
const eventsKeptMs = 30 * 86_400_000

/**
 * All customers of a Stripe account, page by page. Stripe's customers do not say when they changed. What a pull says
 * counts as of the last event before it: what happened since is an event of its own, and later.
 */
export const stripe: SourceKind = {
  begin: async ({ readAll }, { id }) => {
    const [[connection]] = await readAll(connectionById({ id }))
    return connection ? beginning : refuse('stripe_not_connected')
  },
  slice: async (call, { source, run }): Promise<Slice> => {
    const { after, at } = run.cursor as unknown as Cursor
    const account = await accountOf(call.services, source.id)
    if (!account) throw new SliceFailed('stripe_not_connected', 'The source has no key.', { isFinal: true })
    const since = at === null ? await lastEventOf(call, account, source.id) : new Date(at)
    const answer = await readCustomers(account, after)
    // The customer behind which the pull goes on was deleted meanwhile: what was read is skipped when it comes again.
    if (answer.state === 'gone' && after !== null)
      return { records: [], cursor: { after: null, at: since.toISOString() }, isDone: false }
    const { customers, hasMore } = readOf(answer)
    return {
      records: customers.flatMap((customer) => recordsOf(customer, since)),
      cursor: { after: customers.at(-1)?.id ?? after, at: since.toISOString() },
      isDone: !hasMore,
    }
  },
}

/** The time of the last event that was read, or that there is: events are read from there on. */
async function lastEventOf(call: SystemCall, account: ReadAccount, id: string): Promise<Date> {
  const [[connection]] = await call.read(connecting, connectionById({ id }))
  if (connection?.lastEventAt) return connection.lastEventAt
  const [last] = readOf(await readEvents(account, null)).events
  const at = last?.at ?? new Date(call.now.getTime() - eventsKeptMs)
  await call.publish(connecting, planReadFrom(connection!, last?.id ?? '', at, call.now))
  return at
}
