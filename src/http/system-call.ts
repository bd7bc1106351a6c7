import type { Plan, Refusal } from '../kernel/plan.ts'
import { OutcomeUnknown, type Queries, Refused, type RowsOf } from '../platform/postgres.ts'
import { others } from './access/kinds.ts'
import type { Publishing } from './contract.ts'
import { Problem, type ProblemCode } from './problems.ts'
import { publishPlan } from './publishing.ts'
import type { Services } from './services.ts'

/** Background work whose tenant is not known yet: a notification, a scheduled job, the rest of a request. */
export interface BackgroundWork {
  readonly services: Services
  readonly requestId: string
}

/** One run of the scheduled jobs. */
export interface JobRun extends BackgroundWork {
  readonly now: Date
  /** Has more invocations work on the same job. Absent where this one was called as such. */
  readonly callHelpers?: (job: string, helpers: number) => void
}

/** What background work gets for one tenant: as a handler's Call, with the rights that `operation` gives the service. */
export interface SystemCall extends JobRun {
  readonly tenantId: string
  /** One round trip. */
  readonly read: <Rows extends readonly unknown[]>(
    operation: Publishing,
    ...queries: Queries<Rows>
  ) => Promise<RowsOf<Rows>>
  /**
   * Answers the plan's reply. `at`: the clock of a plan that was made later than the call.
   * @throws Stale, Problem
   */
  readonly publish: <Reply>(
    operation: Publishing,
    plan: Plan<Reply> | Refusal<ProblemCode>,
    at?: { readonly now: Date },
  ) => Promise<Reply>
}

export function systemCall(
  { services, requestId, now = new Date() }: BackgroundWork & Partial<JobRun>,
  tenantId: string,
): SystemCall {
  const credential = others.system(tenantId)
  return {
    services,
    requestId,
    now,
    tenantId,
    read: async ({ id }, ...queries) => (await services.db.read(id, credential, queries)).rows,
    publish: async ({ id: operation }, plan, at = { now }) =>
      (await publishPlan(services, { operation, credential, requestId, now: at.now }, plan)).reply,
  }
}

/** What the database said of a publish; a caller's Problem holds it as its cause. */
const causeOf = (error: unknown): unknown => (error instanceof Problem ? error.cause : error)

/** Whether the database refused by this constraint, or by one with such a name. */
export function isRefusedBy(constraint: string | RegExp, error: unknown): boolean {
  const cause = causeOf(error)
  if (!(cause instanceof Refused)) return false
  return typeof constraint === 'string'
    ? cause.constraint === constraint
    : constraint.test(cause.constraint ?? '')
}

export const isOutcomeUnknown = (error: unknown): boolean => causeOf(error) instanceof OutcomeUnknown
