import type { Publishing } from '../../../src/http/contract.ts'
import { onFreshRows } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { Services } from '../../../src/http/services.ts'
import {
  type BackgroundWork,
  type JobRun,
  type SystemCall,
  systemCall,
} from '../../../src/http/system-call.ts'
import { type Clock, clockOf } from '../../../src/kernel/clock.ts'
import type { Plan } from '../../../src/kernel/plan.ts'
import { logFailure } from '../../../src/platform/log.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import { workspaceStatus } from './store.ts'

const plansMax = 5

/** The row of an order: its id is our external reference, so sending it twice makes one order. */
export interface OrderRow {
  readonly tenantId: string
  readonly id: string
  /** When the reconciler polls next; null when it does not. */
  readonly nextCheckAt: Date | null
}

interface Answer {
  readonly state: string
}

/**
 * Orders of one area to a bank or a processor. `Order` is the order as read, `Result` its state outside: `unknown`
 * says nothing, `not_found` that the order never arrived.
 */
export interface Orders<Order, Result extends Answer> {
  /** The table, which is also the reconciler's job. */
  readonly table: 'refunds' | 'transfers' | 'payouts' | 'bank_accounts'
  /** The operation that reads and publishes results. */
  readonly operation: Publishing
  readonly rowOf: (order: Order) => OrderRow
  readonly load: (call: SystemCall, id: string) => Promise<Order | null | undefined>
  readonly send: (call: SystemCall, order: Order) => Promise<Result>
  readonly poll: (services: Services, order: Order) => Promise<Result>
  /** Whether it stays here while its workspace is suspended, unless the bank has it already. */
  readonly isHeldBySuspension?: true
  /** Whether it may be sent: it is in flight, and nothing of it is over. */
  readonly isOnItsWay: (order: Order) => boolean
  /** What a result changes; null when it changes nothing. */
  readonly planOutcome: (order: Order, result: Result, clock: Clock) => Plan<object> | null
  /** The next poll, after a result that changed nothing; null when there is none. */
  readonly planNextPoll: (order: Order, result: Result, now: Date) => Plan<object> | null
}

/**
 * Sends a recorded order and applies the result. Errors are logged and left to the reconciler, since no caller waits. One
 * call outside and one publish.
 */
export function sendOrder<Order, Result extends Answer>(
  work: BackgroundWork,
  orders: Orders<Order, Result>,
  order: Order,
): Promise<void> {
  const { tenantId, id } = orders.rowOf(order)
  return sendAndApply(systemCall(work, tenantId), orders, order).catch(
    logFailure(`send_${orders.table}`, work, id),
  )
}

/** The same for a reconciler, which needs the errors. */
export async function sendAndApply<Order, Result extends Answer>(
  call: SystemCall,
  orders: Orders<Order, Result>,
  order: Order,
): Promise<void> {
  await applyResult(call, orders, order, await orders.send(call, order))
}

/** Scheduled: asks about every order that was sent and is not over; a paid order is watched for a return. */
export const resolveOrders = <Order, Result extends Answer>(
  run: JobRun,
  orders: Orders<Order, Result>,
): Promise<void> =>
  eachDue(run, orders.table, async (call, id) => {
    const order = await orders.load(call, id)
    if (order) await resolveOrder(call, orders, order)
  })

/** Asks about one order, and applies the result. */
export async function resolveOrder<Order, Result extends Answer>(
  call: SystemCall,
  orders: Orders<Order, Result>,
  order: Order,
): Promise<void> {
  const result = await orders.poll(call.services, order)
  // It never arrived: send it again under the same reference.
  if (result.state === 'not_found' && orders.isOnItsWay(order) && !(await isHeld(call, orders)))
    await sendAndApply(call, orders, order)
  else await applyResult(call, orders, order, result)
}

async function isHeld<Order, Result extends Answer>(
  { read }: SystemCall,
  { operation, isHeldBySuspension }: Orders<Order, Result>,
): Promise<boolean> {
  if (!isHeldBySuspension) return false
  const [[workspace]] = await read(operation, workspaceStatus())
  return workspace?.status === 'suspended'
}

/**
 * A bank or a processor notified us about an order. The notification is only a hint: read the order there. A duplicate
 * or late one changes nothing and leaves the poll schedule as it is. An unknown id finds nothing.
 * @throws OutcomeUnknown when there is no answer and no reconciler will ask: the notification must be repeated
 */
export async function handleOrderNotification<Order, Result extends Answer>(
  work: BackgroundWork,
  orders: Orders<Order, Result>,
  id: string,
): Promise<void> {
  const tenantId = await work.services.db.call('door.owner_of(text,uuid)', [orders.table, id])
  if (tenantId === null) return
  const call = systemCall(work, tenantId)
  const order = await orders.load(call, id)
  if (!order) return
  const result = await orders.poll(call.services, order)
  if (result.state === 'unknown' && orders.rowOf(order).nextCheckAt === null)
    throw new OutcomeUnknown(`the bank did not answer about ${orders.table}`)
  await applyResult(call, { ...orders, planNextPoll: () => null }, order, result)
}

/** Records a result on the order as read, or as read again if it has changed since. */
async function applyResult<Order, Result extends Answer>(
  call: SystemCall,
  orders: Orders<Order, Result>,
  first: Order,
  result: Result,
): Promise<void> {
  await onFreshRows(plansMax, async (tries) => {
    const order = tries === 1 ? first : await orders.load(call, orders.rowOf(first).id)
    if (!order) return
    const clock = clockOf(new Date())
    const plan = orders.planOutcome(order, result, clock) ?? orders.planNextPoll(order, result, clock.now)
    if (plan) await call.publish(orders.operation, plan, clock)
  })
}
