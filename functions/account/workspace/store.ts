import { and, eq, getTableColumns } from 'drizzle-orm'
import { bankAccounts } from '../../../drizzle/schema/bank-accounts.ts'
import { tenants } from '../../../drizzle/schema/tenants.ts'
import { build, ownTenant, select } from '../../../src/platform/query.ts'
import type { TenantRow, WorkspaceRow } from './present.ts'

/** The workspace that the caller belongs to. */
export const ownWorkspace = select<WorkspaceRow>(() =>
  build
    .select({ ...getTableColumns(tenants), bankAccountId: bankAccounts.id })
    .from(tenants)
    .leftJoin(
      bankAccounts,
      and(eq(bankAccounts.tenantId, tenants.tenantId), eq(bankAccounts.status, 'verified')),
    )
    .where(ownTenant(tenants))
    .limit(1),
)

/** A workspace and a member's role in it, as door.workspaces_of returns them. */
export interface MemberRow {
  readonly tenant_id: string
  readonly id: string
  readonly name: string
  readonly status: TenantRow['status']
  readonly status_reason: string | null
  readonly support_email: string | null
  readonly support_phone: string | null
  readonly website_url: string | null
  readonly fiscal_profile: TenantRow['fiscalProfile']
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
  readonly role: 'owner' | 'admin' | 'member'
}

export const tenantOf = (row: MemberRow): TenantRow => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  status: row.status,
  statusReason: row.status_reason,
  supportEmail: row.support_email,
  supportPhone: row.support_phone,
  websiteUrl: row.website_url,
  fiscalProfile: row.fiscal_profile,
  version: row.version,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
})
