import type { tenants } from '../../drizzle/schema/tenants.ts'
import type { Environment } from '../../src/kernel/api-key.ts'
import type { Owned, Row } from '../../src/kernel/plan.ts'

/** Without its branding, which is shown by itself. */
export type TenantRow = Owned<Omit<Row<typeof tenants>, 'branding'>>

/** A workspace as its API keys see it; its members see their role too. */
export const presentWorkspace = (row: TenantRow, environment: Environment) => ({
  id: row.id,
  object: 'workspace' as const,
  tenant_id: row.tenantId,
  name: row.name,
  status: row.status,
  environment,
  support_email: row.supportEmail,
  support_phone: row.supportPhone,
  website_url: row.websiteUrl,
  fiscal_profile: row.fiscalProfile && { ...row.fiscalProfile },
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
