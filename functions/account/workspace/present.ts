import type { tenants } from '../../../drizzle/schema/tenants.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import type { Owned, Row } from '../../../src/kernel/plan.ts'

/** Without its branding, which is shown by itself. */
export type TenantRow = Owned<Omit<Row<typeof tenants>, 'branding' | 'detailsChange'>>

/** With a verified bank account, if it has one. */
export type WorkspaceRow = Owned<Row<typeof tenants>> & { readonly bankAccountId: string | null }

/** What a review needs to know of a business. */
export const requirementsOf = (row: WorkspaceRow) => [
  { code: 'support_contact' as const, satisfied: row.supportEmail !== null || row.supportPhone !== null },
  { code: 'fiscal_profile' as const, satisfied: row.fiscalProfile !== null },
  { code: 'bank_account' as const, satisfied: row.bankAccountId !== null },
]

function onboardingOf(row: WorkspaceRow) {
  const requirements = requirementsOf(row)
  const isReady = requirements.every(({ satisfied }) => satisfied)
  if (row.status === 'pending')
    return { status: isReady ? ('ready' as const) : ('incomplete' as const), requirements }
  return { status: row.status === 'in_review' ? row.status : ('complete' as const), requirements }
}

/** A workspace as its API keys see it. */
export const presentWorkspace = (row: WorkspaceRow, environment: Environment) => ({
  ...presentTenant(row, environment),
  details_change: row.detailsChange && { ...row.detailsChange },
  onboarding: onboardingOf(row),
})

/** A workspace in the list of a customer's own. */
export const presentTenant = (row: TenantRow, environment: Environment) => ({
  id: row.id,
  object: 'workspace' as const,
  tenant_id: row.tenantId,
  name: row.name,
  status: row.status,
  status_reason: row.statusReason,
  environment,
  support_email: row.supportEmail,
  support_phone: row.supportPhone,
  website_url: row.websiteUrl,
  fiscal_profile: row.fiscalProfile && { ...row.fiscalProfile },
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})
