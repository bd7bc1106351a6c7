import { firstWatch, nextPoll, type Polls, pollAgain, watchAgain } from '../../../src/kernel/poll-schedule.ts'
import type { BankFailure, BankState } from '../../../src/processors/port.ts'

/** The state of money on its way out: the bank's answer; or `arrived` in another workspace, where nothing returns. */
export type OrderStatus<Failure extends string = BankFailure> =
  | BankState
  | { readonly state: 'arrived' }
  | { readonly state: 'failed'; readonly code: Failure }

type Move = 'send' | 'pay' | 'fail' | 'cancel' | 'return'

/** What a state changes on its order, and the movement to book. */
interface OrderOutcome<Failure> {
  readonly status: 'sent' | 'paid' | 'failed' | 'canceled' | 'returned'
  readonly movement: 'paid' | 'reversed' | 'returned' | null
  readonly set: {
    readonly nextCheckAt: Date | null
    readonly checksCount?: number
    readonly resolvedAt?: Date
    readonly claveRastreo?: string | null
    readonly returnClaveRastreo?: string
    readonly failureCode?: Failure | null
  }
}

/** Null where the state changes nothing, or the order's lifecycle has no such move. */
export function orderOutcome<Failure extends string>(
  state: OrderStatus<Failure>,
  { checksCount }: Polls,
  can: (move: Move) => boolean,
  now: Date,
): OrderOutcome<Failure | BankFailure> | null {
  const over = { nextCheckAt: null, resolvedAt: now }
  const paid = (claveRastreo: string | null, nextCheckAt: Date | null) =>
    ({
      status: 'paid',
      movement: 'paid',
      set: { claveRastreo, resolvedAt: now, nextCheckAt, checksCount: 0 },
    }) as const
  switch (state.state) {
    case 'processing':
      return can('send')
        ? { status: 'sent', movement: null, set: { nextCheckAt: nextPoll(checksCount, now) } }
        : null
    case 'arrived':
      return can('pay') ? paid(null, null) : null
    case 'paid':
      return can('pay') ? paid(state.claveRastreo, firstWatch(now)) : null
    case 'failed':
      return can('fail')
        ? { status: 'failed', movement: 'reversed', set: { ...over, failureCode: state.code } }
        : null
    case 'canceled':
      return can('cancel')
        ? { status: 'canceled', movement: 'reversed', set: { ...over, failureCode: null } }
        : null
    case 'returned': {
      // Returned before we knew that it was paid: record `paid` now, `returned` at the next poll.
      if (can('pay')) return paid(state.claveRastreo, now)
      const { code: failureCode, returnClaveRastreo } = state
      return can('return')
        ? { status: 'returned', movement: 'returned', set: { ...over, failureCode, returnClaveRastreo } }
        : null
    }
    default:
      return null
  }
}

/** The next poll after a state that changed nothing. A paid order is watched for some days; null when polling ended. */
export function pollsAfter(
  { state }: OrderStatus<string>,
  order: Polls & { readonly status: string },
  now: Date,
): Polls | null {
  if (order.nextCheckAt === null) return null
  return order.status === 'paid' ? watchAgain(order, state !== 'unknown', now) : pollAgain(order, now)
}
