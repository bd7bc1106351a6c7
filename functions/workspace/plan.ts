import { memberships, tenants } from '../../drizzle/schema/tenants.ts'
import { insert, type Plan } from '../../src/kernel/plan.ts'
import { presentWorkspace } from './present.ts'

interface Opening {
  readonly tenantId: string
  readonly name: string
  readonly environment: 'sandbox' | 'live'
  readonly owner: { readonly userId: string; readonly email: string }
  readonly now: Date
}

/** Opens a workspace in this environment, with its owner as its only member. */
export function planCreate({ tenantId, name, environment, owner, now }: Opening) {
  const row = { status: 'active', createdAt: now, updatedAt: now } as const
  const shown = {
    tenant_id: tenantId,
    name,
    status: 'active',
    role: 'owner',
    created_at: now.toISOString(),
  } as const
  return {
    writes: [
      insert(tenants, { ...row, name }),
      insert(memberships, { ...row, userId: owner.userId, email: owner.email, role: 'owner' }),
    ],
    events: [],
    reply: presentWorkspace(shown, environment),
    subjectId: tenantId,
  } satisfies Plan<unknown>
}
