import { sql } from 'drizzle-orm'
import {
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  consentLifecycle,
  contactLifecycle,
  customerLifecycle,
  noteLifecycle,
} from '../../functions/people/customers/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import {
  byteText,
  changes,
  createdAt,
  instant,
  known,
  ownKey,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import type { Address } from './locations.ts'
import { ofTenant } from './tenants.ts'

export interface CustomerAddress extends Address {
  label: string | null
}

/** What an invoice (CFDI 4.0) says of its receiver. */
export interface TaxProfile {
  rfc: string
  legal_name: string
  tax_regime: string
  postal_code: string
  cfdi_use: string
}

/** When each field was last set, in milliseconds of its source's time, and by which source. */
export type FieldStamps = Readonly<Record<string, readonly [at: number, source: string]>>

/** Fields and their stamps as a source would set them. */
export interface OwnFields {
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly locale: string | null
  readonly addresses: readonly CustomerAddress[]
  readonly tags: string[]
  readonly taxProfile: TaxProfile | null
  readonly externalId: string | null
  readonly metadata: Readonly<Record<string, Json>>
  readonly fieldStamps: FieldStamps
}

export interface Erasure {
  readonly slices: number
  /** Whether the last slice left something. */
  readonly left?: boolean
  /** The publishes whose replies it emptied: Redis may have them. */
  readonly forget?: readonly string[]
}

/** What a timeline says of a resource; the rest is read from the resource itself. */
export interface TimelineSummary {
  status?: string
  amount?: string
  currency?: string
}

/** A person or company that buys from the business. */
export const customers = pgTable(
  'customers',
  {
    ...tenantRow,
    status: statusOf(customerLifecycle),
    name: text('name'),
    /** The address to write to first; every address stands in the contacts. */
    email: text('email'),
    phone: text('phone'),
    locale: text('locale'),
    addresses: jsonb('addresses').$type<readonly CustomerAddress[]>().notNull(),
    tags: text('tags').array().notNull(),
    taxProfile: jsonb('tax_profile').$type<TaxProfile>(),
    /** The business's own id of this customer. */
    externalId: text('external_id'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    fieldStamps: jsonb('field_stamps').$type<FieldStamps>().notNull(),
    /** Its name's words (`n:`) and tags (`t:`) as searches compare them; a trigger keeps `customer_terms` in step. */
    terms: text('terms').array().notNull(),
    mergedInto: uuid('merged_into'),
    /** Its fields without those of the customers that became part of it; null where none did. */
    ownFields: jsonb('own_fields').$type<OwnFields>(),
    /** When the person's data is to be deleted; null where no erasure was asked for. */
    eraseAt: instant('erase_at'),
    /** How far its erasure has come; null before the first slice and after the last. The database writes it. */
    erasure: jsonb('erasure').$type<Erasure>(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      check('customers_erase_at', sql`${t.eraseAt} is null or ${t.status} = 'blocked'`),
      check('customers_erasure', sql`${t.erasure} is null or ${t.status} in ('blocked', 'merged')`),
      check(
        'customers_erased_is_empty',
        sql`${t.status} <> 'erased' or num_nonnulls(${t.name}, ${t.email}, ${t.phone}, ${t.locale}, ${t.taxProfile}, ${t.externalId}, ${t.ownFields}, ${t.erasure}) = 0 and ${t.addresses} = '[]' and ${t.metadata} = '{}' and ${t.fieldStamps} = '{}' and ${t.tags} = '{}' and ${t.terms} = '{}'`,
      ),
      index('customers_to_erase').on(t.eraseAt).where(sql`erase_at is not null`),
      refersTo('customers_survivor', t, t.mergedInto, t),
      check('customers_status_known', known(t.status)),
      check('customers_merged_into', sql`(${t.status} = 'merged') = (${t.mergedInto} is not null)`),
      check('customers_not_into_itself', sql`${t.mergedInto} <> ${t.id}`),
      uniqueIndex('customers_external_id')
        .on(t.tenantId, t.externalId)
        .where(sql`external_id is not null and status in ('active', 'blocked')`),
      index('customers_list').on(t.tenantId, t.createdAt, t.id).where(sql`status in ('active', 'blocked')`),
      index('customers_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('customers_merged').on(t.tenantId, t.mergedInto).where(sql`merged_into is not null`),
    ]
  },
)

/**
 * What a customer is found by, in the order of the customers' list: words of the name `n:`, tags `t:`, e-mail addresses
 * `e:`, digits of phone numbers `p:`. Triggers maintain the rows; `id` is the customer's.
 */
export const customerTerms = pgTable(
  'customer_terms',
  { ...tenantRow, term: byteText('term').notNull(), ...createdAt },
  (t) => {
    CONSTRAINTS: return [
      primaryKey({ columns: [t.tenantId, t.term, t.createdAt, t.id] }),
      ofTenant('customer_terms', t.tenantId),
    ]
  },
)

/** An e-mail address or a phone number of a customer, in its normal form. */
export const customerContacts = pgTable(
  'customer_contacts',
  {
    ...tenantRow,
    customerId: uuid('customer_id').notNull(),
    kind: text('kind', { enum: ['email', 'phone'] }).notNull(),
    value: text('value').notNull(),
    /** Of a verified address: the mailbox that it leads to (`door.mailbox_of`). A trigger writes it. */
    mailbox: text('mailbox'),
    label: text('label'),
    status: statusOf(contactLifecycle),
    verifiedAt: instant('verified_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_contacts_customer', t, t.customerId, customers),
      check('customer_contacts_kind_known', known(t.kind)),
      check('customer_contacts_status_known', known(t.status)),
      check(
        'customer_contacts_value_form',
        sql`${t.status} = 'removed' or case ${t.kind} when 'phone' then ${t.value} ~ '^\\+[1-9][0-9]{6,14}$' else ${t.value} ~ '^[^A-Z@ ]+@[^A-Z@ ]+$' end`,
      ),
      check(
        'customer_contacts_mailbox_known',
        sql`${t.kind} <> 'email' or ${t.status} = 'removed' or ${t.verifiedAt} is null or ${t.mailbox} is not null`,
      ),
      uniqueIndex('customer_contacts_own')
        .on(t.tenantId, t.customerId, t.kind, t.value)
        .where(sql`status = 'active'`),
      uniqueIndex('customer_contacts_verified')
        .on(t.tenantId, t.kind, t.value)
        .where(sql`status = 'active' and verified_at is not null`),
      index('customer_contacts_mailbox')
        .on(t.tenantId, t.mailbox)
        .where(sql`status = 'active' and verified_at is not null and mailbox is not null`),
      index('customer_contacts_list').on(t.tenantId, t.customerId, t.createdAt, t.id),
    ]
  },
)

export const consentChannels = ['email', 'sms', 'whatsapp', 'call'] as const

/** A person's consent to be written to or called, with its proof. */
export const customerConsents = pgTable(
  'customer_consents',
  {
    ...tenantRow,
    customerId: uuid('customer_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    channel: text('channel', { enum: consentChannels }).notNull(),
    purpose: text('purpose', { enum: ['marketing', 'surveys', 'profiling'] }).notNull(),
    status: statusOf(consentLifecycle),
    givenAt: instant('given_at').notNull(),
    method: text('method', {
      enum: ['web_form', 'message', 'call', 'in_person', 'paper', 'import'],
    }).notNull(),
    textVersion: text('text_version').notNull(),
    ip: text('ip'),
    withdrawnAt: instant('withdrawn_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_consents_customer', t, t.customerId, customers),
      refersTo('customer_consents_contact', t, t.contactId, customerContacts),
      check('customer_consents_channel_known', known(t.channel)),
      check('customer_consents_purpose_known', known(t.purpose)),
      check('customer_consents_method_known', known(t.method)),
      check('customer_consents_status_known', known(t.status)),
      check(
        'customer_consents_withdrawn',
        sql`(${t.status} = 'withdrawn') = (${t.withdrawnAt} is not null) and ${t.withdrawnAt} >= ${t.givenAt} is not false`,
      ),
      uniqueIndex('customer_consents_given')
        .on(t.tenantId, t.contactId, t.channel, t.purpose)
        .where(sql`status = 'given'`),
      index('customer_consents_list').on(t.tenantId, t.customerId, t.createdAt, t.id),
    ]
  },
)

/**
 * What happened to a customer, in any area and at any source: types, ids and amounts, no data of the person. A trigger on
 * events writes ours; the others come with a synchronisation, perhaps years later.
 */
export const customerTimeline = pgTable(
  'customer_timeline',
  {
    ...tenantRow,
    customerId: uuid('customer_id').notNull(),
    /** `spindle`, or the source of a synchronisation. */
    source: text('source').notNull(),
    /** The source's own id of the event. */
    eventKey: text('event_key').notNull(),
    /** `payment` of `payment.succeeded`. */
    resourceType: text('resource_type').notNull(),
    type: text('type').notNull(),
    resourceId: text('resource_id').notNull(),
    summary: jsonb('summary').$type<TimelineSummary>().notNull(),
    /** When it happened. The list runs by it, as every list by its `createdAt`. */
    createdAt: instant('occurred_at').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_timeline_customer', t, t.customerId, customers),
      unique('customer_timeline_event_key').on(t.tenantId, t.source, t.eventKey),
      index('customer_timeline_list').on(t.tenantId, t.customerId, t.createdAt, t.id),
      index('customer_timeline_list_by_resource_type').on(
        t.tenantId,
        t.customerId,
        t.resourceType,
        t.createdAt,
        t.id,
      ),
    ]
  },
)

/** What the business noted about a customer. A deleted note has no text. */
export const customerNotes = pgTable(
  'customer_notes',
  {
    ...tenantRow,
    customerId: uuid('customer_id').notNull(),
    status: statusOf(noteLifecycle),
    text: text('text').notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('customer_notes_customer', t, t.customerId, customers),
      check('customer_notes_status_known', known(t.status)),
      check('customer_notes_deleted', sql`${t.status} = 'active' or ${t.text} = ''`),
      index('customer_notes_list')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`status = 'active'`),
    ]
  },
)
