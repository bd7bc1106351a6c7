import { and, desc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { locations } from '../../drizzle/schema/locations.ts'
import { paymentPolicies, paymentPolicyVersions } from '../../drizzle/schema/payment-policies.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'
import { newest, rowsBy } from '../../src/platform/rows.ts'
import type { PolicySettings } from './policy.ts'

export type VersionRow = Row<typeof paymentPolicyVersions>

/** What the workspace and one of its locations say. Null: nothing yet, or no location is meant. */
export interface Levels {
  readonly workspace: PolicySettings | null
  readonly location: PolicySettings | null
}

/** The workspace's policy as it is now. */
export type CurrentPolicy = Row<typeof paymentPolicies> & Levels

/** What a level said last, up to a version: one look-up in an index. */
function saidBy(level: 'workspace' | 'location', which: SQL, upTo: PgColumn) {
  const versions = paymentPolicyVersions
  return build
    .select({ settings: versions.settings })
    .from(versions)
    .where(and(ownTenant(versions), which, lte(versions.version, upTo)))
    .orderBy(desc(versions.version))
    .limit(1)
    .as(level)
}

const ofWorkspace = isNull(paymentPolicyVersions.locationId)

/** With `locationId`, also what that location says. */
export const currentPolicy = select<CurrentPolicy>((has) => {
  const head = paymentPolicies
  const itsLocation = has('locationId')
    ? eq(paymentPolicyVersions.locationId, slot('locationId'))
    : sql`false`
  const workspace = saidBy('workspace', ofWorkspace, head.version)
  const location = saidBy('location', itsLocation, head.version)
  return build
    .select({
      id: head.id,
      version: head.version,
      createdAt: head.createdAt,
      updatedAt: head.updatedAt,
      workspace: workspace.settings,
      location: location.settings,
    })
    .from(head)
    .leftJoinLateral(workspace, sql`true`)
    .leftJoinLateral(location, sql`true`)
    .where(ownTenant(head))
})

export const locationById = rowsBy(locations, 'id')

export const versionById = rowsBy(paymentPolicyVersions, 'id')

export const versionsPage = newest(paymentPolicyVersions, ['locationId', 'version'])
