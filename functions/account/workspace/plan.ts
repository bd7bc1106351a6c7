import type * as z from 'zod'
import { memberships, tenants } from '../../../drizzle/schema/tenants.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, insert, type Plan, refuse } from '../../../src/kernel/plan.ts'
import type * as contracts from './contract.ts'
import { changedDetails, isReviewed } from './plan-details.ts'
import { presentTenant, presentWorkspace, type WorkspaceRow } from './present.ts'

interface Opening {
  readonly tenantId: string
  readonly name: string
  readonly environment: Environment
  readonly owner: { readonly userId: string; readonly email: string; readonly emailVerified: boolean }
}

/** Opens a workspace in this environment, with its owner as its only member. */
export function planCreate({ tenantId, name, environment, owner }: Opening, { now, newId }: Clock) {
  const row = { version: 1, createdAt: now, updatedAt: now }
  const tenant = {
    ...row,
    id: newId(),
    name,
    status: environment === 'live' ? ('pending' as const) : ('active' as const),
    statusReason: null,
    supportEmail: null,
    supportPhone: null,
    websiteUrl: null,
    fiscalProfile: null,
  }
  return {
    writes: [
      insert(tenants, tenant),
      insert(memberships, {
        ...row,
        id: newId(),
        status: 'active',
        userId: owner.userId,
        email: owner.email,
        emailUnconfirmed: !owner.emailVerified,
        role: 'owner',
      }),
    ],
    events: [],
    reply: { ...presentTenant({ ...tenant, tenantId }, environment), role: 'owner' as const },
    subjectId: tenantId,
  } satisfies Plan<unknown>
}

/** Sets the named fields; a key changes none of those that we reviewed. */
export function planUpdate(
  tenant: WorkspaceRow,
  asked: z.output<NonNullable<typeof contracts.update.body>>,
  environment: Environment,
  { now, newId }: Clock,
) {
  const [param] = isReviewed(tenant, environment) ? Object.keys(changedDetails(tenant, asked)) : []
  if (param !== undefined) return refuse('workspace_details_reviewed', { param })
  const columns = {
    name: asked.name,
    supportEmail: asked.support_email,
    supportPhone: asked.support_phone,
    websiteUrl: asked.website_url,
    fiscalProfile: asked.fiscal_profile,
  }
  const named = Object.entries(columns).filter(([, value]) => value !== undefined)
  const set: Partial<WorkspaceRow> = { ...Object.fromEntries(named), updatedAt: now }
  const after = presentWorkspace({ ...tenant, ...set, version: tenant.version + 1 }, environment)
  const before = presentWorkspace(tenant, environment)
  return {
    writes: [change(tenants, tenant, set)],
    events: [event(newId(), 'workspace.updated', { type: 'workspace', id: tenant.id }, after, before)],
    reply: after,
    subjectId: tenant.id,
  } satisfies Plan<unknown>
}
