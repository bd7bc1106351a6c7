import { and, eq, sql } from 'drizzle-orm'
import { workspaceInvitations } from '../../../drizzle/schema/members.ts'
import { memberships } from '../../../drizzle/schema/tenants.ts'
import type { Owned, Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'

export type MemberRow = Owned<Row<typeof memberships>>
export type InvitationRow = Owned<Row<typeof workspaceInvitations>>

export const memberById = rowsBy(memberships, 'id')
export const memberByUser = rowsBy(memberships, 'userId')
export const membersByEmail = rowsBy(memberships, 'email')
export const membersPage = newest(memberships, ['role'], sql`${memberships.status} = 'active'`)

export const owners = select<MemberRow>(() =>
  build
    .select()
    .from(memberships)
    .where(and(ownTenant(memberships), eq(memberships.role, 'owner'), eq(memberships.status, 'active'))),
)

export const invitationById = rowsBy(workspaceInvitations, 'id')
/** The member who sent an invitation, or was one. */
export const inviterOf = select<MemberRow>(() =>
  build
    .select()
    .from(memberships)
    .where(
      and(
        ownTenant(memberships),
        eq(
          memberships.userId,
          sql`(select ${workspaceInvitations.invitedBy} from ${workspaceInvitations}
            where ${ownTenant(workspaceInvitations)} and ${workspaceInvitations.id} = ${slot('id')})`,
        ),
      ),
    ),
)

export const invitationsPage = newest(workspaceInvitations, ['status'])
