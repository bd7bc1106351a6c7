import { tenants } from '../../../drizzle/schema/tenants.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { EventType } from '../../../src/kernel/event-types.ts'
import { event } from '../../../src/kernel/events.ts'
import { type EventOf, move } from '../../../src/kernel/lifecycle.ts'
import { change, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../mails/api-pure.ts'
import { workspaceLifecycle } from './lifecycle.ts'
import { presentWorkspace, requirementsOf, type WorkspaceRow } from './present.ts'

type Move = EventOf<typeof workspaceLifecycle>

/** What an operator decides of a workspace. */
export type Decision = Exclude<Move, 'request_review'>

const eventOf = {
  request_review: 'workspace.review_requested',
  approve: 'workspace.activated',
  decline: 'workspace.review_declined',
  suspend: 'workspace.suspended',
  reinstate: 'workspace.reinstated',
  close: 'workspace.closed',
} as const satisfies Readonly<Record<Move, EventType>>

interface Why {
  readonly environment: Environment
  /** For the owners. */
  readonly reason: string | null
}

function planMove(
  tenant: WorkspaceRow,
  asked: Move,
  { reason: statusReason, environment }: Why,
  { now, newId }: Clock,
) {
  const moved = move(workspaceLifecycle, tenant, asked)
  if (!moved.ok) return null
  const set = { status: moved.status, statusReason, updatedAt: now }
  const reply = presentWorkspace({ ...tenant, ...set, version: tenant.version + 1 }, environment)
  const about = { type: 'workspace', id: tenant.id }
  return {
    writes: [change(tenants, tenant, set)],
    events: [event(newId(), eventOf[asked], about, reply, presentWorkspace(tenant, environment))],
    reply,
    subjectId: tenant.id,
  } satisfies Plan<unknown>
}

/** Hands a workspace that has all that a review needs over to it. */
export function planGoLive(
  tenant: WorkspaceRow,
  ownerIsConfirmed: boolean,
  environment: Environment,
  clock: Clock,
) {
  const plan = planMove(tenant, 'request_review', { reason: null, environment }, clock)
  if (!plan) return refuse('workspace_not_pending')
  if (!ownerIsConfirmed) return refuse('email_not_confirmed')
  const unmet = requirementsOf(tenant).filter(({ satisfied }) => !satisfied)
  return unmet.length === 0
    ? plan
    : refuse('workspace_requirements_unmet', {
        message: `These requirements are not met: ${unmet.map(({ code }) => code).join(', ')}.`,
      })
}

/** An operator's decision, with the reason that its owners read; null where the status does not allow it. */
export function planDecision(tenant: WorkspaceRow, decision: Decision, why: Why, clock: Clock) {
  const plan = planMove(tenant, decision, why, clock)
  if (!plan) return null
  const data = {
    environment: why.environment,
    decision,
    reason: why.reason ?? '',
    at: clock.now.toISOString(),
  }
  const notice = noticeToOwners(plan.events[0]!.id, 'workspace_decided', data, clock.now)
  return { ...plan, writes: [...plan.writes, notice] } satisfies Plan<unknown>
}
