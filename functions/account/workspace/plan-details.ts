import { type DetailsChange, tenants, unbranded } from '../../../drizzle/schema/tenants.ts'
import type { Environment } from '../../../src/kernel/api-key.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { event } from '../../../src/kernel/events.ts'
import { change, type Plan, refuse } from '../../../src/kernel/plan.ts'
import { noticeToOwners } from '../mails/api-pure.ts'
import { presentWorkspace, type WorkspaceRow } from './present.ts'

type Details = Omit<DetailsChange, 'requested_at'>

/** Whether we know this business by its name, site, brand and fiscal profile: they then change after a review. */
export const isReviewed = ({ status }: Pick<WorkspaceRow, 'status'>, environment: Environment): boolean =>
  environment === 'live' && status !== 'pending'

const detailsOf = (row: WorkspaceRow) => ({
  name: row.name,
  brand_name: row.branding?.brand_name ?? null,
  website_url: row.websiteUrl,
  fiscal_profile: row.fiscalProfile,
})

/** Those of the asked details that are not as they are now. */
export function changedDetails(row: WorkspaceRow, asked: Details): Details {
  const changed = Object.entries(detailsOf(row)).flatMap(([field, now]) => {
    const wanted = asked[field as keyof Details]
    return wanted === undefined || canonicalJson(wanted) === canonicalJson(now) ? [] : [[field, wanted]]
  })
  return Object.fromEntries(changed)
}

const columnsOf = (row: WorkspaceRow, { name, brand_name, website_url, fiscal_profile }: Details) => ({
  ...(name === undefined ? {} : { name }),
  ...(website_url === undefined ? {} : { websiteUrl: website_url }),
  ...(fiscal_profile === undefined ? {} : { fiscalProfile: fiscal_profile }),
  ...(brand_name === undefined ? {} : { branding: { ...unbranded, ...row.branding, brand_name } }),
})

interface Announcement {
  readonly environment: Environment
  readonly decision: 'requested' | 'changed' | 'approved' | 'declined'
  /** Who asked for it; empty where we decided. */
  readonly by: string
  readonly reason: string
}

const eventOf = {
  requested: 'workspace.details_change_requested',
  changed: 'workspace.updated',
  approved: 'workspace.updated',
  declined: 'workspace.details_change_declined',
} as const

function planned(
  tenant: WorkspaceRow,
  { set, details }: { readonly set: Partial<WorkspaceRow>; readonly details: Details },
  { environment, decision, by, reason }: Announcement,
  { now, newId }: Clock,
) {
  const stored = { ...set, updatedAt: now }
  const reply = presentWorkspace({ ...tenant, ...stored, version: tenant.version + 1 }, environment)
  const announced = event(
    newId(),
    eventOf[decision],
    { type: 'workspace', id: tenant.id },
    reply,
    presentWorkspace(tenant, environment),
  )
  const { name = '', brand_name, website_url, fiscal_profile } = details
  const data = {
    environment,
    decision,
    name,
    brand: brand_name ?? '',
    website: website_url ?? '',
    fiscal: fiscal_profile ? `${fiscal_profile.legal_name}, ${fiscal_profile.rfc}` : '',
    by,
    reason,
    at: now.toISOString(),
  }
  return {
    writes: [change(tenants, tenant, stored), noticeToOwners(announced.id, 'workspace_details', data, now)],
    events: [announced],
    reply,
    subjectId: tenant.id,
  } satisfies Plan<unknown>
}

/** An owner changes the details: of a reviewed business they wait for our decision, of any other they hold at once. */
export function planChangeDetails(
  tenant: WorkspaceRow,
  asked: Details,
  { environment, email }: { readonly environment: Environment; readonly email: string },
  clock: Clock,
) {
  const details = changedDetails(tenant, asked)
  if (Object.keys(details).length === 0) return refuse('workspace_details_unchanged')
  if (tenant.status === 'closed') return refuse('workspace_closed')
  const by = { environment, by: email, reason: '' }
  return isReviewed(tenant, environment)
    ? planned(
        tenant,
        { set: { detailsChange: { ...details, requested_at: clock.now.toISOString() } }, details },
        { ...by, decision: 'requested' },
        clock,
      )
    : planned(
        tenant,
        { set: { ...columnsOf(tenant, details), detailsChange: null }, details },
        { ...by, decision: 'changed' },
        clock,
      )
}

/** An operator's decision on the requested details; null where none are. */
export function planDetailsDecision(
  tenant: WorkspaceRow,
  decision: 'approved' | 'declined',
  { environment, reason }: { readonly environment: Environment; readonly reason: string | null },
  clock: Clock,
) {
  const { detailsChange } = tenant
  if (detailsChange === null) return null
  const { requested_at: _, ...details } = detailsChange
  const set = { detailsChange: null, ...(decision === 'approved' ? columnsOf(tenant, details) : {}) }
  return planned(tenant, { set, details }, { environment, decision, by: '', reason: reason ?? '' }, clock)
}
