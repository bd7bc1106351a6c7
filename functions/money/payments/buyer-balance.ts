import { onFreshRows } from '../../../src/http/publishing.ts'
import { type BackgroundWork, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { log } from '../../../src/platform/log.ts'
import { OutcomeUnknown } from '../../../src/platform/postgres.ts'
import type { BalanceMovement } from '../../../src/processors/port.ts'
import { readSubmission, tenantOfAttempt } from './apply-result.ts'
import * as contracts from './contract-deposits.ts'
import { isNews, planMovement } from './plan-buyer-balance.ts'
import { type AttemptRow, fundsOfAttempt, movementByRef } from './store.ts'

/** Other movements, transfers and ends of the payment make a plan stale; one of them wins each time. */
const plansMax = 20

/**
 * Books what moved in a buyer's balance, once, whenever and however often it is reported. Where the books
 * have less than what left, every transfer of the attempt is booked first (`receive`); if that does not
 * explain it, the log tells the operator and the movement is tried again.
 */
export async function bookMovement(
  work: BackgroundWork,
  movement: BalanceMovement,
  receive: (attempt: AttemptRow) => Promise<void>,
): Promise<void> {
  const { attemptReference: id, kind, changeMinor } = movement
  const tenantId = await tenantOfAttempt(work.services, id)
  if (tenantId !== null) {
    const call = systemCall(work, tenantId)
    const { isBooked, attempt } = await book(call, movement)
    if (isBooked) return
    if (attempt) await receive(attempt)
    if ((await book(call, movement)).isBooked) return
  }
  const { requestId } = work
  log('error', { place: 'deposit_movement', requestId, id, what: `${kind} ${changeMinor}` })
  throw new OutcomeUnknown('the books do not explain a movement of a buyer’s balance yet')
}

interface Tried {
  readonly isBooked: boolean
  readonly attempt: AttemptRow | null
}

const book = (call: SystemCall, movement: BalanceMovement): Promise<Tried> =>
  onFreshRows(plansMax, async () => {
    const { attemptReference: attemptId, movementRef } = movement
    const submission = await readSubmission(call, attemptId)
    const [[twin], funds] = await call.read(
      contracts.movement,
      movementByRef({ movementRef }),
      fundsOfAttempt({ attemptId }),
    )
    const attempt = submission?.attempt ?? null
    if (twin) return { isBooked: true, attempt }
    const clock = clockOf(new Date())
    const plan = submission && planMovement(movement, { ...submission, funds }, clock)
    if (!plan) return { isBooked: false, attempt }
    if (isNews(movement)) await call.publish(contracts.movement, plan, clock)
    return { isBooked: true, attempt }
  })
