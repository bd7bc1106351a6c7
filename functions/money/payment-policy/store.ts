import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { locations } from '../../../drizzle/schema/locations.ts'
import { paymentPolicies, paymentPolicyVersions } from '../../../drizzle/schema/payment-policies.ts'
import { payments } from '../../../drizzle/schema/payments.ts'
import { type MethodStates, processorCredentials } from '../../../drizzle/schema/processors.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import type { PolicySettings } from './policy.ts'
import type { Upcoming } from './timeline.ts'

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

/** A version that is still to begin, of whatever level. */
export type Planned = Upcoming & { readonly locationId: string | null }

/** The workspace's policy as it is now. */
export type CurrentPolicy = Row<typeof paymentPolicies> &
  Levels & {
    /** The version that holds. */
    readonly policyVersion: number
    readonly effectiveAt: Date
    /** Those of the workspace's own level and of the location that is meant. */
    readonly upcoming: readonly Planned[]
    /** Of any level, a version is still to begin. */
    readonly isAnyToBegin: boolean
  }

const versions = paymentPolicyVersions

/** A version that was made while a read began holds already: only one that was planned can be still to begin. */
const isToBegin = sql`(${versions.isPlanned} and ${versions.startsAt} > now())`

/** The version that holds now: of those that have begun, the last. */
const inForce = () =>
  build
    .select({
      version: versions.version,
      startsAt: versions.startsAt,
      isPlanned: versions.isPlanned,
      createdAt: versions.createdAt,
    })
    .from(versions)
    .where(and(ownTenant(versions), sql`not ${isToBegin}`))
    .orderBy(desc(versions.startsAt), desc(versions.version))
    .limit(1)
    .as('in_force')

const beganAt = (version: ReturnType<typeof inForce>) =>
  sql`case when ${version.isPlanned} then ${version.startsAt} else ${version.createdAt} end`.mapWith(
    versions.startsAt,
  ) as SQL as SQL<Date>

type Began = { readonly startsAt: PgColumn; readonly version: PgColumn }

/** What a level said last, up to the beginning of a version: one look-up in an index. */
function saidBy(level: 'workspace' | 'location', which: SQL, upTo: Began) {
  return build
    .select({ settings: versions.settings })
    .from(versions)
    .where(
      and(
        ownTenant(versions),
        which,
        sql`(${versions.startsAt}, ${versions.version}) <= (${upTo.startsAt}, ${upTo.version})`,
      ),
    )
    .orderBy(desc(versions.startsAt), desc(versions.version))
    .limit(1)
    .as(level)
}

const ofWorkspace = isNull(versions.locationId)

/** What is still to begin, in the same trip: a look-up in an index. */
const upcomingOf = (itsLocation: SQL) =>
  sql<string>`(select coalesce(jsonb_agg(jsonb_build_object('version', ${versions.version},
      'locationId', ${versions.locationId}, 'settings', ${versions.settings}, 'startsAt', ${versions.startsAt})), '[]')
    from ${versions} where ${ownTenant(versions)} and ${isToBegin} and (${ofWorkspace} or ${itsLocation}))`.mapWith(
    (text: string) =>
      (JSON.parse(text) as Planned[]).map((row) => ({ ...row, startsAt: new Date(row.startsAt) })),
  ) as SQL as SQL<Planned[]>

const isAnyToBegin =
  sql`exists (select from ${versions} where ${ownTenant(versions)} and ${isToBegin})`.mapWith(
    paymentPolicies.hasPlanned,
  ) as SQL as SQL<boolean>

/** With `locationId`, also what that location says. */
export const currentPolicy = select<CurrentPolicy>(
  (has) => {
    const head = paymentPolicies
    const itsLocation = has('locationId') ? eq(versions.locationId, slot('locationId')) : sql`false`
    const now = inForce()
    const workspace = saidBy('workspace', ofWorkspace, now)
    const location = saidBy('location', itsLocation, now)
    return build
      .select({
        id: head.id,
        version: head.version,
        lastVersion: head.lastVersion,
        hasPlanned: head.hasPlanned,
        createdAt: head.createdAt,
        updatedAt: head.updatedAt,
        policyVersion: now.version,
        effectiveAt: beganAt(now),
        workspace: workspace.settings,
        location: location.settings,
        upcoming: upcomingOf(itsLocation),
        isAnyToBegin,
        accounts,
      })
      .from(head)
      .innerJoinLateral(now, sql`true`)
      .leftJoinLateral(workspace, sql`true`)
      .leftJoinLateral(location, sql`true`)
      .where(ownTenant(head))
  },
  ['', 'locationId'],
)

/** Of what is sold and of payments; see `governed` of the schema. */
type Governed = PgTable & Record<'tenantId' | 'policyVersion' | 'locationId', PgColumn>

/**
 * What the levels said in the version that a row of `table` was made under, beside that row: `made` is joined, then both
 * levels. A limit keeps the order: no plan begins with all versions of the workspace.
 */
export function levelsBeside(table: Governed) {
  const made = build
    .select({ startsAt: versions.startsAt, version: versions.version })
    .from(versions)
    .where(and(ownTenant(versions), eq(versions.version, table.policyVersion)))
    .limit(1)
    .as('made')
  const workspace = saidBy('workspace', ofWorkspace, made)
  const location = saidBy('location', eq(versions.locationId, table.locationId), made)
  const columns = { workspace: workspace.settings, location: location.settings, accounts }
  return { made, workspace, location, columns }
}

/** The same by itself; the slot `ref` is compared with `by`. */
const levelsBy = (table: Governed, by: PgColumn) =>
  select<Levels>(() => {
    const { made, workspace, location, columns } = levelsBeside(table)
    return build
      .select(columns)
      .from(table as PgTable)
      .innerJoinLateral(made, sql`true`)
      .leftJoinLateral(workspace, sql`true`)
      .leftJoinLateral(location, sql`true`)
      .where(and(ownTenant(table), eq(by, slot('ref'))))
  })

type Sold = Governed & Record<'id' | 'publicId', PgColumn>

/** The policy as it is now, for what is sold: found by the slot `id` or `publicId`. */
export const currentLevelsOf = (table: Sold) =>
  select<Levels & Pick<CurrentPolicy, 'policyVersion'>>(
    (has) => {
      const itsLocation = eq(versions.locationId, table.locationId)
      const now = inForce()
      const workspace = saidBy('workspace', ofWorkspace, now)
      const location = saidBy('location', itsLocation, now)
      return build
        .select({
          policyVersion: now.version,
          workspace: workspace.settings,
          location: location.settings,
          accounts,
        })
        .from(table as PgTable)
        .innerJoinLateral(now, sql`true`)
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

/** Of what is sold, by its id. */
export function levelsOfSale(table: Sold) {
  const byId = levelsBy(table, table.id)
  return (id: string) => byId({ ref: id })
}

const byPayment = levelsBy(payments, payments.id)
export const levelsOfPayment = (paymentId: string) => byPayment({ ref: paymentId })

export const locationById = rowsBy(locations, 'id')

export const versionById = rowsBy(paymentPolicyVersions, 'id')

export const versionsPage = newest(paymentPolicyVersions, ['locationId', 'version'])
