import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Json } from '../../src/kernel/json.ts'
import type { Method } from '../../src/kernel/payment-methods.ts'
import { changes, createdAt, ownKey, refersTo, tenantRow } from './columns.ts'
import { locations } from './locations.ts'
import { ofTenant } from './tenants.ts'

type ByCurrency = { readonly [currency: string]: string }

/**
 * What one level of the policy says, in the form in which it is stored and shown: amounts are minor units as strings.
 * A field that is absent narrows nothing.
 */
export type PolicySettings = {
  readonly methods?: { readonly [M in Method]?: MethodSettings | undefined } | undefined
  readonly msi?:
    | {
        readonly terms?: number[] | undefined
        /** The least amount by the number of months; pesos. */
        readonly amount_min?: { readonly [months: string]: string } | undefined
        readonly fee_allocations?: ('absorb' | 'pass_to_buyer')[] | undefined
        readonly markup_cap_bps?: number | undefined
      }
    | undefined
  readonly capture?: { readonly manual_allowed?: boolean | undefined } | undefined
  readonly three_ds?: { readonly required_from?: ByCurrency | undefined } | undefined
  readonly unpaid_holds?: { readonly share_bps?: number | undefined } | undefined
  readonly refunds?: { readonly window_days?: number | undefined } | undefined
}

type MethodSettings = {
  readonly enabled?: boolean | undefined
  readonly amount_min?: ByCurrency | undefined
  readonly amount_max?: ByCurrency | undefined
  readonly expires_days?: number | undefined
}

/** A field's value in two levels of the policy, where it is not the same. Null: the level does not name it. */
export type PolicyChange = {
  readonly field: string
  readonly from: Json
  readonly to: Json
}

/** Counts the changes of a workspace's policy, its locations' included. A trigger on tenants begins it. */
export const paymentPolicies = pgTable(
  'payment_policies',
  {
    ...tenantRow,
    /** The number of the newest version, begun or not. */
    lastVersion: integer('last_version').notNull(),
    /** At the last change, a version was still to begin. Where none was, the newest version is the one that holds. */
    hasPlanned: boolean('has_planned').notNull().default(false),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('payment_policies', t.tenantId),
      uniqueIndex('payment_policies_one').on(t.tenantId),
    ]
  },
)

/**
 * What one level says from `startsAt` on. Of all levels' versions, the one that began last holds; of two that begin at
 * one moment, the newer. Under a version, a level says what its own last row up to that version's beginning says.
 */
export const paymentPolicyVersions = pgTable(
  'payment_policy_versions',
  {
    ...tenantRow,
    version: integer('version').notNull(),
    /** Null: the workspace's own level. */
    locationId: uuid('location_id'),
    settings: jsonb('settings').$type<PolicySettings>().notNull(),
    changes: jsonb('changes').$type<readonly PolicyChange[]>().notNull(),
    /** It begins at a time that its author named; any other begins when it is made. */
    isPlanned: boolean('is_planned').notNull().default(false),
    startsAt: timestamp('starts_at', { withTimezone: true, precision: 3 }).notNull(),
    /** Null: the first version, which a workspace begins with. */
    createdByUserId: text('created_by_user_id'),
    createdByEmail: text('created_by_email'),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('payment_policy_versions', t.tenantId),
      refersTo('payment_policy_versions_location', t, t.locationId, locations),
      unique('payment_policy_versions_one').on(t.tenantId, t.version),
      index('payment_policy_versions_by_start').on(t.tenantId, t.startsAt, t.version),
      index('payment_policy_versions_of_level').on(t.tenantId, t.locationId, t.startsAt, t.version),
      index('payment_policy_versions_list').on(t.tenantId, t.createdAt, t.id),
      check('payment_policy_versions_counted', sql`${t.version} >= 1`),
      check('payment_policy_versions_author', sql`(${t.createdByUserId} is null) = (${t.version} = 1)`),
      check('payment_policy_versions_settings_form', sql`jsonb_typeof(${t.settings}) = 'object'`),
    ]
  },
)

/** Of what is sold, and of a payment: the version of the policy that it was made under, and the location, if any. */
export const governed = {
  policyVersion: integer('policy_version').notNull().default(1),
  locationId: uuid('location_id'),
}

/** Their foreign keys. */
export const governedBy = (
  table: string,
  t: {
    readonly tenantId: AnyPgColumn & ExtraConfigColumn
    readonly policyVersion: AnyPgColumn & ExtraConfigColumn
    readonly locationId: AnyPgColumn & ExtraConfigColumn
  },
) => [
  foreignKey({
    name: `${table}_policy_version`,
    columns: [t.tenantId, t.policyVersion],
    foreignColumns: [paymentPolicyVersions.tenantId, paymentPolicyVersions.version],
  }),
  refersTo(`${table}_location`, t, t.locationId, locations),
]
