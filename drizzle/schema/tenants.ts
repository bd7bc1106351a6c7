import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  type ExtraConfigColumn,
  foreignKey,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { membershipLifecycle } from '../../functions/account/members/lifecycle.ts'
import { workspaceLifecycle } from '../../functions/account/workspace/lifecycle.ts'
import type { Look } from '../../src/kernel/look.ts'
import { changes, known, statusOf, workspaceKey } from './columns.ts'

/** Whom invoices are from, as SAT knows the business. */
export type FiscalProfile = {
  readonly rfc: string
  readonly legal_name: string
  readonly tax_regime: string
  readonly postal_code: string
}

/** What buyers see of the business. */
export interface Branding extends Look {
  /** Null: the workspace's own name. */
  readonly brand_name: string | null
  readonly logo: (NonNullable<Look['logo']> & { readonly bytes: number }) | null
}

export const unbranded: Branding = {
  brand_name: null,
  primary_color: null,
  button_text_color: null,
  background_color: null,
  accent_color: null,
  logo: null,
}

/** What an owner asks to change of what we reviewed; fields that stay are left out. */
export type DetailsChange = {
  readonly name?: string | undefined
  readonly brand_name?: string | null | undefined
  readonly website_url?: string | null | undefined
  readonly fiscal_profile?: FiscalProfile | null | undefined
  readonly requested_at: string
}

/** A merchant's workspace in this environment. The tenant table is its own tenant: `tenant_id` is the id. */
export const tenants = pgTable(
  'tenants',
  {
    /** The first byte is the ASCII of the pod that holds it. */
    tenantId: workspaceKey('tenant_id').primaryKey(),
    /** What its events are of. */
    id: uuid('id').notNull().defaultRandom(),
    name: text('name').notNull(),
    status: statusOf(workspaceLifecycle),
    /** Why an operator declined, suspended or closed it; its owners read it. */
    statusReason: text('status_reason'),
    supportEmail: text('support_email'),
    supportPhone: text('support_phone'),
    websiteUrl: text('website_url'),
    fiscalProfile: jsonb('fiscal_profile').$type<FiscalProfile>(),
    branding: jsonb('branding').$type<Branding>(),
    /** Waits for an operator's decision. */
    detailsChange: jsonb('details_change').$type<DetailsChange>(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      check('tenants_id_form', sql`${t.tenantId}::text ~ '^(3[0-9]|6[1-9a-f]|7[0-9a])'`),
      check('tenants_status_known', known(t.status)),
      check('tenants_status_reason_length', sql`char_length(${t.statusReason}) between 1 and 500`),
      check('tenants_name_length', sql`char_length(${t.name}) between 1 and 120`),
      unique('tenants_events_of').on(t.tenantId, t.id),
      check(
        'tenants_support_email_form',
        sql`${t.supportEmail} ~ '^[^@]+@[^@]+$' and char_length(${t.supportEmail}) <= 254`,
      ),
      check('tenants_support_phone_form', sql`${t.supportPhone} ~ '^\\+[1-9][0-9]{6,14}$'`),
      check('tenants_website_form', sql`${t.websiteUrl} ~ '^https://'`),
      check(
        'tenants_fiscal_profile_form',
        sql`${t.fiscalProfile} is null or (${t.fiscalProfile}->>'rfc' ~ '^[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{2}[A0-9]$' and ${t.fiscalProfile}->>'tax_regime' ~ '^6[0-9]{2}$' and ${t.fiscalProfile}->>'postal_code' ~ '^[0-9]{5}$' and char_length(${t.fiscalProfile}->>'legal_name') between 1 and 254) is true`,
      ),
      // Colors are written into the pages' styles, the address into an image's.
      check(
        'tenants_branding_form',
        sql`${t.branding} is null or (char_length(coalesce(${t.branding}->>'brand_name', 'x')) between 1 and 120 and concat_ws(',', ${t.branding}->>'primary_color', ${t.branding}->>'button_text_color', ${t.branding}->>'background_color', ${t.branding}->>'accent_color') ~ '^(#[0-9a-f]{6}(,|$))*$' and coalesce(${t.branding}->'logo'->>'address', repeat('0', 32)) ~ '^[a-z0-9]{32}$') is true`,
      ),
    ]
  },
)

/**
 * The foreign key of a tenant table. Tables of what comes in with each sale have none: it would lock the workspace's row
 * once more for each of their rows, which costs much where many sell at once. Only a publish writes them, and it moves the
 * workspace's audit head on, which has the key (door.append_audit). A workspace stays (workspace_stays).
 */
export const ofTenant = (table: string, tenantId: ExtraConfigColumn) =>
  foreignKey({ name: `${table}_tenant`, columns: [tenantId], foreignColumns: [tenants.tenantId] })

export const memberRoles = ['owner', 'admin', 'member'] as const

/** Who may act for a tenant in this environment. The user's row is in the identity database. */
export const memberships = pgTable(
  'memberships',
  {
    tenantId: workspaceKey('tenant_id').notNull(),
    /** The membership's own, of a person in this workspace. */
    id: uuid('id').notNull().defaultRandom(),
    userId: text('user_id').notNull(),
    email: text('email').notNull(),
    /** They opened the workspace before they confirmed their address; cleared once we see that they have. */
    emailUnconfirmed: boolean('email_unconfirmed').notNull().default(false),
    role: text('role', { enum: memberRoles }).notNull(),
    status: statusOf(membershipLifecycle),
    /** The invitation by which they joined last; null for the customer who opened the workspace. */
    invitationId: uuid('invitation_id'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.userId] }),
      ofTenant('memberships', t.tenantId),
      check('memberships_role_known', known(t.role)),
      check('memberships_status_known', known(t.status)),
      unique('memberships_id').on(t.tenantId, t.id),
      index('memberships_by_user').on(t.userId),
      index('memberships_by_email').on(t.tenantId, t.email),
      index('memberships_list').on(t.tenantId, t.createdAt, t.id),
    ]
  },
)
