import { onFreshRows, Stale } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { type BackgroundWork, type SystemCall, systemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { workspaceOfKey } from '../../../src/kernel/ids.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { type Plan, rowWithId } from '../../../src/kernel/plan.ts'
import type { Published, RowsOf } from '../../../src/platform/postgres.ts'
import type { ProcessorState } from '../../../src/processors/port.ts'
import * as contracts from './contract.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { originOfPayment, type PaymentOrigin, type PaymentOrigins, soldBy } from './payment-origin.ts'
import type { Submission } from './plan.ts'
import type { BankTransfer } from './plan-bank-transfer.ts'
import { planContradicted, planOutcome, planUnexplained } from './plan-outcome.ts'
import { planLate } from './plan-push-end.ts'
import { scheduleOf } from './settings.ts'
import {
  type AppliedFunds,
  type AttemptRow,
  appliedFunds,
  attemptById,
  type ClabeRow,
  clabeOfAttempt,
  countedDeposits,
  type DepositRow,
  type PaymentRow,
  paymentOfAttempt,
  voucherOfAttempt,
} from './store.ts'

/** Many buyers of one sale may pay at once, and each success changes its row: as often as an operation tries. */
export const plansMax = 40

/** A submission as just published, and the processor's answer to it. */
export interface Submitted {
  readonly submission: Submission
  readonly expected: Published['expected']
  readonly answer: ProcessorState
  readonly schedule: FeeSchedule
}

/** Applies the answer to the rows just written, or to fresh rows if they have changed since. */
export async function applyFirstResult(
  work: BackgroundWork,
  origin: PaymentOrigin,
  { submission, expected, answer, schedule }: Submitted,
): Promise<void> {
  const { attempt, payment } = submission
  const attemptId = attempt.id
  const record = rowWithId(expected, payment.originId)
  const tenantId = record?.tenant_id ? workspaceOfKey(record.tenant_id) : await requireTenant(work, attemptId)
  const call = systemCall(work, tenantId)
  if (record) {
    const clock = clockOf(new Date())
    const onSuccess = soldBy(origin, origin.read(record), clock, work.services.settings)
    const plan = planOutcome(submission, answer, schedule, onSuccess, clock)
    if (!plan) return
    try {
      await call.publish(contracts.outcome, plan, clock)
      return
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
  await applyResult(call, { [origin.kind]: origin }, { attemptId, answer })
}

async function requireTenant({ services }: BackgroundWork, attemptId: string): Promise<string> {
  const tenantId = await tenantOfAttempt(services, attemptId)
  if (!tenantId) throw new Fault('an attempt that was published is not there')
  return tenantId
}

export const tenantOfAttempt = (services: Services, attemptId: string): Promise<string | null> =>
  services.db.call('door.attempt_tenant(uuid)', [attemptId])

export interface AttemptResult {
  readonly attemptId: string
  readonly answer: ProcessorState
  /** The plan for an answer that moves nothing; null when there is nothing to write. A poll schedules the next one. */
  readonly otherwise?: (attempt: AttemptRow, answer: ProcessorState, now: Date) => Plan<object> | null
  /** All transfers that paid the attempt are booked: if it is not complete now, the answer contradicts us. */
  readonly transfersBooked?: boolean
}

/**
 * Applies a processor's answer to the attempt as it now is. Late and repeated answers write nothing, however many arrive
 * at once.
 */
export const applyResult = (
  call: SystemCall,
  origins: PaymentOrigins,
  { attemptId, answer, otherwise = planContradicted, transfersBooked = false }: AttemptResult,
): Promise<void> =>
  onFreshRows(plansMax, async () => {
    const { settings } = call.services
    const clock = clockOf(new Date())
    const submission = await readSubmission(call, attemptId)
    if (!submission) return
    const { payment, attempt } = submission
    const port = originOfPayment(origins, payment)
    const origin = answer.state === 'captured' ? await loadOrigin(call, port, payment) : null
    const onSuccess = soldBy(port, origin, clock, settings)
    const schedule = scheduleOf(settings, payment.feeScheduleVersion)
    const plan =
      planOutcome(submission, answer, schedule, onSuccess, clock) ??
      (transfersBooked ? planUnexplained(submission, answer, clock) : null) ??
      planLate(submission, answer, clock) ??
      otherwise(attempt, answer, clock.now)
    if (plan) await call.publish(contracts.outcome, plan, clock)
  })

export async function readSubmission({ read }: SystemCall, id: string): Promise<Submission | null> {
  const [[attempt], [payment], [voucher = null]] = await read(
    contracts.outcome,
    attemptById({ id }),
    paymentOfAttempt({ id }),
    voucherOfAttempt({ attemptId: id }),
  )
  if (!attempt || !payment) return null
  // A CLABE and what was counted on it are read after the payment: any change since makes the plan stale.
  const bankTransfer =
    flowOf(attempt.method) === 'bank_transfer'
      ? bankTransferOf(await read(contracts.outcome, ...bankTransferQueries(id)))
      : null
  return { payment, attempt, voucher, bankTransfer }
}

export const bankTransferQueries = (attemptId: string) =>
  [clabeOfAttempt({ attemptId }), countedDeposits({ attemptId }), appliedFunds({ attemptId })] as const

export const bankTransferOf = ([[clabe], counted, applied]: RowsOf<
  [ClabeRow, DepositRow, AppliedFunds]
>): BankTransfer => ({ clabe: clabe ?? null, counted, applied })

export async function loadOrigin(
  { read }: SystemCall,
  origin: PaymentOrigin,
  payment: PaymentRow,
): Promise<unknown> {
  const [[row = null]] = await read(contracts.outcome, origin.load(payment.originId))
  return row
}
