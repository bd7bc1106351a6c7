import type { Plan } from '../kernel/plan.ts'
import type { Credential, Queries, RowsOf } from '../platform/postgres.ts'
import type { Publishing } from './contract.ts'
import { publishPlan } from './publishing.ts'
import type { Services } from './services.ts'

export type SystemCredential = Extract<Credential, { kind: 'system' }>

/** One run of the scheduled jobs. */
export interface JobRun {
  readonly services: Services
  readonly requestId: string
  readonly now: Date
}

/** What background work gets for one tenant: as a handler's Call, with the rights that `operation` gives the service. */
export interface SystemCall extends JobRun {
  readonly credential: SystemCredential
  /** One round trip. */
  readonly read: <Rows extends readonly unknown[]>(
    operation: Publishing,
    ...queries: Queries<Rows>
  ) => Promise<RowsOf<Rows>>
  /** @throws Stale, Problem */
  readonly publish: (operation: Publishing, plan: Plan<unknown>) => Promise<void>
}

export function systemCall(run: JobRun, tenantId: string): SystemCall {
  const { services, requestId, now } = run
  const credential = { kind: 'system', tenantId } as const
  return {
    ...run,
    credential,
    read: async ({ id }, ...queries) => (await services.db.read(id, credential, queries)).rows,
    async publish({ id: operation }, plan) {
      await publishPlan(services, { operation, credential, requestId, now }, plan)
    },
  }
}
