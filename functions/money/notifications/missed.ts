import type { JobRun } from '../../../src/http/system-call.ts'
import { gateOf } from '../../../src/platform/gate.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { stripeEventsBehind } from '../payments/api.ts'

/** An account whose events are to be read; empty: the environment's own. */
interface Account {
  readonly processor: string
  readonly account: string
  /** The event from which the reading goes on. */
  readonly eventId: string | null
}

const accountsMax = 20
/** Of an invocation's six connections one stays free. */
const readAtOnce = 5

/**
 * Scheduled: reads the events of each account behind those read before and stores what they refer to, so that what a
 * notification did not tell is handled like it. An event that was notified is stored already: nothing happens twice.
 */
export async function readMissed(run: JobRun): Promise<boolean> {
  const { db, settings } = run.services
  const hasOwn = Boolean(settings.stripe?.own)
  const found = await db.call('door.accounts_to_read(timestamptz,boolean,int)', [
    run.now.toISOString(),
    hasOwn,
    accountsMax,
  ])
  const accounts = settings.stripe ? (JSON.parse(found ?? '[]') as Account[]) : []
  const gate = gateOf(readAtOnce)
  const counts = await Promise.all(
    accounts.map((each) =>
      gate(() => readOne(run, each)).catch((error: unknown) => {
        logFailure('processor_events', run, each.account)(error)
        return 0
      }),
    ),
  )
  return counts.some((count) => count > 0)
}

/** How many events were new. */
async function readOne({ services, now }: JobRun, { processor, account, eventId }: Account): Promise<number> {
  const { hints, readOnFrom, hasMore } = await stripeEventsBehind(services, account || null, { eventId, now })
  const values = [processor, account, JSON.stringify(hints), readOnFrom, hasMore, now.toISOString()]
  return Number(await services.db.call('door.keep_events(text,text,jsonb,text,boolean,timestamptz)', values))
}
