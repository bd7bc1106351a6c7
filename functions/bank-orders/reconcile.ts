import { onFreshRows, publishPlan } from '../../src/http/publishing.ts'
import { eachDue } from '../../src/http/scheduled.ts'
import type { Services } from '../../src/http/services.ts'
import type { JobRun, SystemCredential } from '../../src/http/system-call.ts'
import { type Clock, clockOf } from '../../src/kernel/clock.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import { log } from '../../src/platform/log.ts'
import { OutcomeUnknown } from '../../src/platform/postgres.ts'

const plansMax = 5

/** The row of an order: its id is our external reference, so sending it twice makes one order. */
export interface OrderRow {
  readonly tenantId: string
  readonly id: string
  /** When the janitor looks next; null when it does not. */
  readonly nextCheckAt: Date | null
}

interface Answered {
  readonly state: string
}

/**
 * Orders of one area to a bank or a processor. `Known` is the order as read, `Answer` the outside's answer: `unknown`
 * says nothing, `not_found` that the order never arrived.
 */
export interface Orders<Known, Answer extends Answered> {
  /** The table, which is also the janitor's job. */
  readonly table: 'refunds' | 'transfers' | 'payouts'
  /** The operation that reads and publishes outcomes. */
  readonly operation: string
  readonly rowOf: (known: Known) => OrderRow
  readonly load: (
    services: Services,
    credential: SystemCredential,
    id: string,
  ) => Promise<Known | null | undefined>
  readonly send: (services: Services, known: Known, requestId: string) => Promise<Answer>
  readonly look: (services: Services, known: Known) => Promise<Answer>
  /** Whether it may be sent: it is in flight, and nothing of it is over. */
  readonly isOnItsWay: (known: Known) => boolean
  /** What an answer changes; null when it changes nothing. */
  readonly planOutcome: (known: Known, answer: Answer, clock: Clock) => Plan<object> | null
  /** The next look, after an answer that changed nothing; null when there is none. */
  readonly planNextPoll: (known: Known, answer: Answer, now: Date) => Plan<object> | null
}

/**
 * Sends a recorded order and records the result. Errors are logged and left to the janitor, since no caller waits. One
 * call outside and one publish.
 */
export async function sendOrder<Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  services: Services,
  known: Known,
  requestId: string,
): Promise<void> {
  try {
    await sendAndRecord(orders, services, known, requestId)
  } catch (error) {
    log('error', { place: `send_${orders.table}`, requestId, id: orders.rowOf(known).id }, error)
  }
}

/** The same for a janitor, which needs the errors. */
export async function sendAndRecord<Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  services: Services,
  known: Known,
  requestId: string,
): Promise<void> {
  const answer = await orders.send(services, known, requestId)
  await record(orders, services, known, answer, requestId)
}

/** Scheduled: asks about every order that was sent and is not over; a paid order is watched for a return. */
export const resolveOrders = <Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  run: JobRun,
): Promise<void> =>
  eachDue(run, orders.table, async ({ services, credential, requestId }, id) => {
    const known = await orders.load(services, credential, id)
    if (known) await resolveOrder(orders, services, known, requestId)
  })

/** Asks about one order, and records the answer. */
export async function resolveOrder<Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  services: Services,
  known: Known,
  requestId: string,
): Promise<void> {
  const answer = await orders.look(services, known)
  // It never arrived: send it again under the same reference.
  if (answer.state === 'not_found' && orders.isOnItsWay(known))
    await sendAndRecord(orders, services, known, requestId)
  else await record(orders, services, known, answer, requestId)
}

/**
 * A bank or a processor notified us about an order. The notification is only a hint: read the order there. A duplicate
 * or late one changes nothing and leaves the janitor's looks as they are. An unknown id finds nothing.
 * @throws OutcomeUnknown when there is no answer and no janitor will ask: the notification must be repeated
 */
export async function handleOrderNotification<Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  services: Services,
  id: string,
  requestId: string,
): Promise<void> {
  const tenantId = await services.db.call('door.owner_of(text,uuid)', [orders.table, id])
  if (tenantId === null) return
  const known = await orders.load(services, { kind: 'system', tenantId }, id)
  if (!known) return
  const answer = await orders.look(services, known)
  if (answer.state === 'unknown' && orders.rowOf(known).nextCheckAt === null)
    throw new OutcomeUnknown(`the bank does not tell of ${orders.table}`)
  await record(orders, services, known, answer, requestId, () => null)
}

/** Records an answer on the order as read, or as read again if it has changed since. */
async function record<Known, Answer extends Answered>(
  orders: Orders<Known, Answer>,
  services: Services,
  first: Known,
  answer: Answer,
  requestId: string,
  otherwise: Orders<Known, Answer>['planNextPoll'] = orders.planNextPoll,
): Promise<void> {
  const { tenantId, id } = orders.rowOf(first)
  const credential = { kind: 'system', tenantId } as const
  let read: Known | null = first
  await onFreshRows(plansMax, async () => {
    const known = read ?? (await orders.load(services, credential, id))
    read = null
    if (!known) return
    const now = new Date()
    const plan = orders.planOutcome(known, answer, clockOf(now)) ?? otherwise(known, answer, now)
    if (plan) await publishPlan(services, { operation: orders.operation, credential, requestId, now }, plan)
  })
}
