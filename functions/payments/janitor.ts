import { publishPlan, Stale } from '../../src/http/publishing.ts'
import type { Services } from '../../src/http/services.ts'
import { uuidv7 } from '../../src/kernel/ids.ts'
import type { Plan } from '../../src/kernel/plan.ts'
import type { Credential } from '../../src/platform/postgres.ts'
import type { Processor } from '../../src/processors/port.ts'
import * as contracts from './contract.ts'
import { type Clock, challengeMs, planExpire, planRelease } from './plan.ts'
import { processorOf } from './settings.ts'
import { type AttemptRow, attemptById, type PaymentRow, paymentById } from './store.ts'
import { recordAnswer, type Surfaces, tenantOfAttempt } from './submit.ts'

const batch = 100

/** Asks the processor about every attempt that did not end: after a time-out, a dead Worker, an unanswered challenge. */
export async function resolveAttempts(
  services: Services,
  surfaces: Surfaces,
  requestId: string,
  now: Date,
): Promise<void> {
  const processor = processorOf(services)
  if (!processor) return
  for (const { tenantId, id } of await services.db.due('attempts', now, batch)) {
    await byItself('attempts', id, requestId, () =>
      resolveAttempt(services, processor, surfaces, { kind: 'system', tenantId }, id, requestId),
    )
  }
}

/** One that fails keeps no other waiting, and is due again. */
async function byItself(job: string, id: string, requestId: string, work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    // Somebody else moved it meanwhile.
    if (error instanceof Stale) return
    const told = { request_id: requestId, job, id, message: String(error) }
    console.error(JSON.stringify({ level: 'error', ...told }))
  }
}

async function resolveAttempt(
  services: Services,
  processor: Processor,
  surfaces: Surfaces,
  credential: Credential,
  id: string,
  requestId: string,
): Promise<void> {
  const { rows } = await services.db.read(contracts.outcome.id, credential, [attemptById({ id })])
  const [attempt] = rows[0] as AttemptRow[]
  if (!attempt) return
  let answer = await processor.fetchAttempt(id)
  const abandoned =
    answer.state === 'pending_customer' && attempt.createdAt.getTime() + challengeMs <= Date.now()
  // A reference that never arrived is closed at the processor first, so that it cannot arrive later.
  if (answer.state === 'not_found' || abandoned) answer = await processor.cancel(id)
  await recordAnswer(services, surfaces, credential, id, answer, { requestId })
}

/** A processor says that something happened to an attempt: a hint to go and read it there. */
export async function heardOf(
  services: Services,
  surfaces: Surfaces,
  attemptId: string,
  requestId: string,
): Promise<void> {
  const processor = processorOf(services)
  const tenantId = await tenantOfAttempt(services, attemptId)
  if (!processor || !tenantId) return
  const answer = await processor.fetchAttempt(attemptId)
  if (answer.state === 'not_found') return
  await recordAnswer(services, surfaces, { kind: 'system', tenantId }, attemptId, answer, { requestId })
}

/** Makes pending funds available when their bank day has come. */
export const releaseFunds = (services: Services, requestId: string, now: Date) =>
  eachDue(services, 'funds', requestId, now, planRelease)

/** Ends declined payments that nobody came back to. */
export const expirePayments = (services: Services, requestId: string, now: Date) =>
  eachDue(services, 'payments', requestId, now, planExpire)

async function eachDue(
  services: Services,
  job: string,
  requestId: string,
  now: Date,
  planFor: (payment: PaymentRow, clock: Clock) => Plan<object> | null,
): Promise<void> {
  for (const { tenantId, id } of await services.db.due(job, now, batch)) {
    await byItself(job, id, requestId, async () => {
      const credential = { kind: 'system', tenantId } as const
      const { rows } = await services.db.read(contracts.settle.id, credential, [paymentById({ id })])
      const [payment] = rows[0] as PaymentRow[]
      const plan = payment && planFor(payment, { now, newId: () => uuidv7(now.getTime()) })
      if (!plan) return
      await publishPlan(services, { operation: contracts.settle.id, credential, requestId, now }, plan)
    })
  }
}
