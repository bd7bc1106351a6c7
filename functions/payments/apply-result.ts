import { onFreshRows, type PublishRequest, publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { clockOf } from '../../src/kernel/clock.ts'
import { Fault } from '../../src/kernel/fault.ts'
import { flowOf } from '../../src/kernel/payment-methods.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import type { Credential, Published, RowsOf } from '../../src/platform/postgres.ts'
import type { ProcessorState } from '../../src/processors/port.ts'
import * as contracts from './contract.ts'
import type { FeeSchedule } from './fee-schedule.ts'
import { originOfPayment, type PaymentOrigin, type PaymentOrigins, soldBy } from './payment-origin.ts'
import type { Submission } from './plan.ts'
import { planContradicted, planOutcome } from './plan-outcome.ts'
import { planLate } from './plan-push-end.ts'
import type { Spei } from './plan-spei.ts'
import { scheduleOf } from './settings.ts'
import {
  type ApplicationRow,
  type AttemptRow,
  applicationsOfAttempt,
  attemptById,
  type ClabeRow,
  clabeOfAttempt,
  countedDeposits,
  type DepositRow,
  type PaymentRow,
  paymentOfAttempt,
  voucherOfAttempt,
} from './store.ts'

export const plansMax = 3

export interface Answered {
  readonly submission: Submission
  readonly expected: Published['expected']
  readonly answer: ProcessorState
}

/** Records the answer on the rows just written, or on fresh rows if they have changed since. */
export async function recordFresh(
  services: Services,
  origin: PaymentOrigin,
  { submission, expected, answer }: Answered,
  schedule: FeeSchedule,
  publishing: PublishRequest,
): Promise<void> {
  const [record] = expected
  const { claim: _, ...unclaimed } = { ...publishing, operation: contracts.outcome.id, now: new Date() }
  const credential = await systemOf(services, submission.attempt.id, expected)
  if (record) {
    const clock = clockOf(unclaimed.now)
    const onSuccess = soldBy(origin, origin.read(record), clock, services.settings)
    const plan = planOutcome(submission, answer, schedule, onSuccess, clock)
    if (!plan) return
    try {
      await publishPlan(services, { ...unclaimed, credential }, plan)
      return
    } catch (error) {
      if (!(error instanceof Stale)) throw error
    }
  }
  const origins = { [origin.kind]: origin }
  await recordAnswer(services, origins, credential, submission.attempt.id, answer, unclaimed)
}

async function systemOf(
  services: Services,
  attemptId: string,
  expected: Published['expected'],
): Promise<Credential> {
  const tenantId = expected[0]?.tenant_id ?? (await tenantOfAttempt(services, attemptId))
  if (!tenantId) throw new Fault('an attempt that was published is not there')
  return { kind: 'system', tenantId }
}

export const tenantOfAttempt = (services: Services, attemptId: string): Promise<string | null> =>
  services.db.call('door.attempt_tenant(uuid)', [attemptId])

/** The plan for an answer that moves nothing; null when there is nothing to write. */
type Otherwise = (attempt: AttemptRow, answer: ProcessorState, now: Date) => Plan<object> | null

/**
 * Records an answer of the processor on the attempt as it now is. Late and repeated answers write nothing, however many
 * arrive at once; for a janitor's look, `otherwise` schedules the next look.
 */
export const recordAnswer = (
  services: Services,
  origins: PaymentOrigins,
  credential: Credential,
  attemptId: string,
  answer: ProcessorState,
  { requestId }: { readonly requestId: string },
  otherwise: Otherwise = planContradicted,
): Promise<void> =>
  onFreshRows(plansMax, async () => {
    const now = new Date()
    const clock = clockOf(now)
    const submission = await readSubmission(services, credential, attemptId)
    if (!submission) return
    const { payment, attempt } = submission
    const port = originOfPayment(origins, payment)
    const origin = answer.state === 'captured' ? await originOf(services, credential, port, payment) : null
    const onSuccess = soldBy(port, origin, clock, services.settings)
    const schedule = scheduleOf(services.settings, payment.feeScheduleVersion)
    const plan =
      planOutcome(submission, answer, schedule, onSuccess, clock) ??
      planLate(submission, answer, clock) ??
      otherwise(attempt, answer, now)
    if (plan)
      await publishPlan(services, { operation: contracts.outcome.id, credential, requestId, now }, plan)
  })

export async function readSubmission(
  services: Services,
  credential: Credential,
  attemptId: string,
): Promise<Submission | null> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [
    attemptById({ id: attemptId }),
    paymentOfAttempt({ id: attemptId }),
    voucherOfAttempt({ id: attemptId }),
  ])
  const [[attempt], [payment], [voucher = null]] = rows
  if (!attempt || !payment) return null
  const spei =
    flowOf(attempt.method) === 'bank_transfer' ? await readSpei(services, credential, attemptId) : null
  return { payment, attempt, voucher, spei }
}

/** A CLABE and what was counted on it. Read after the payment: any change since makes the plan stale. */
async function readSpei(services: Services, credential: Credential, attemptId: string): Promise<Spei> {
  return speiOf((await services.db.read(contracts.outcome.id, credential, speiQueries(attemptId))).rows)
}

export const speiQueries = (attemptId: string) =>
  [
    clabeOfAttempt({ id: attemptId }),
    countedDeposits({ id: attemptId }),
    applicationsOfAttempt({ id: attemptId }),
  ] as const

export const speiOf = ([[clabe], counted, applied]: RowsOf<
  [ClabeRow, DepositRow, ApplicationRow]
>): Spei => ({ clabe: clabe ?? null, counted, applied })

export async function originOf(
  services: Services,
  credential: Credential,
  origin: PaymentOrigin,
  payment: PaymentRow,
) {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [origin.load(payment.originId)])
  return rows[0]![0] ?? null
}
