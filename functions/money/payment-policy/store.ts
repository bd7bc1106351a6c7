import { and, desc, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { locations } from '../../../drizzle/schema/locations.ts'
import { paymentPolicies, paymentPolicyVersions } from '../../../drizzle/schema/payment-policies.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { type MethodStates, processorCredentials } from '../../../drizzle/schema/processors.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import type { PolicySettings } from './policy.ts'

export type VersionRow = Row<typeof paymentPolicyVersions>

/** What the workspace and one of its locations say. Null: nothing yet, or no location is meant. */
export interface Levels {
  readonly workspace: PolicySettings | null
  readonly location: PolicySettings | null
  readonly accounts?: Accounts
}

/** What the accounts that may take the money can take, as they were last asked; null: not known. */
export interface Accounts {
  readonly environment: MethodStates | null
  /** The workspace's own active account; null: it has none. */
  readonly workspace: { readonly methods: MethodStates | null } | null
}

/** In the same trip: a look-up of one row each. */
const accounts = sql`jsonb_build_object('environment', (select door.environment_methods()),
  'workspace', (select jsonb_build_object('methods', ${processorCredentials.methods}) from ${processorCredentials}
    where ${ownTenant(processorCredentials)} and ${processorCredentials.status} = 'active' limit 1))`.mapWith(
  processorCredentials.methods,
) as SQL as SQL<Accounts>

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
export const currentPolicy = select<CurrentPolicy>(
  (has) => {
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
        accounts,
      })
      .from(head)
      .leftJoinLateral(workspace, sql`true`)
      .leftJoinLateral(location, sql`true`)
      .where(ownTenant(head))
  },
  ['', 'locationId'],
)

/** Of what is sold and of payments; see `governed` of the schema. */
type Governed = PgTable & Record<'tenantId' | 'policyVersion' | 'locationId', PgColumn>

/** What the levels said in the version that a row of `table` was made under; the slot `ref` is compared with `by`. */
const levelsBy = (table: Governed, by: PgColumn) =>
  select<Levels>(() => {
    const itsLocation = eq(paymentPolicyVersions.locationId, table.locationId)
    const workspace = saidBy('workspace', ofWorkspace, table.policyVersion)
    const location = saidBy('location', itsLocation, table.policyVersion)
    return build
      .select({ workspace: workspace.settings, location: location.settings, accounts })
      .from(table as PgTable)
      .leftJoinLateral(workspace, sql`true`)
      .leftJoinLateral(location, sql`true`)
      .where(and(ownTenant(table), eq(by, slot('ref'))))
  })

type Sold = Governed & Record<'id' | 'publicId', PgColumn>

/** The policy as it is now, for what is sold: found by the slot `id` or `publicId`. */
export const currentLevelsOf = (table: Sold) =>
  select<Levels & { readonly version: number }>(
    (has) => {
      const head = paymentPolicies
      const itsLocation = eq(paymentPolicyVersions.locationId, table.locationId)
      const workspace = saidBy('workspace', ofWorkspace, head.version)
      const location = saidBy('location', itsLocation, head.version)
      return build
        .select({
          version: head.version,
          workspace: workspace.settings,
          location: location.settings,
          accounts,
        })
        .from(table as PgTable)
        .innerJoin(head, eq(head.tenantId, table.tenantId))
        .leftJoinLateral(workspace, sql`true`)
        .leftJoinLateral(location, sql`true`)
        .where(
          and(
            ownTenant(table),
            has('publicId') ? eq(table.publicId, slot('publicId')) : eq(table.id, slot('id')),
          ),
        )
    },
    ['id', 'publicId'],
  )

/** Of what is sold under a public id. */
export function levelsOfSale(table: Sold) {
  const query = levelsBy(table, table.publicId)
  return (publicId: string) => query({ ref: publicId })
}

const byPayment = levelsBy(payments, payments.id)
export const levelsOfPayment = (paymentId: string) => byPayment({ ref: paymentId })

export const locationById = rowsBy(locations, 'id')

export const versionById = rowsBy(paymentPolicyVersions, 'id')

export const versionsPage = newest(paymentPolicyVersions, ['locationId', 'version'])
