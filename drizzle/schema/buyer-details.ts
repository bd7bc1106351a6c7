import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, ownKey, refersTo, tenantRow } from './columns.ts'
import type { Address } from './locations.ts'
import { payments } from './payments.ts'

/** A question of the merchant's own. */
export interface CustomField {
  key: string
  label: string
  type: 'text' | 'number' | 'dropdown'
  required: boolean
  /** What a dropdown offers; empty elsewhere. */
  options: readonly { value: string; label: string }[]
}

/** A box that the buyer ticks. */
export interface ConsentBox {
  key: string
  text: string
  url: string | null
  version: string
  required: boolean
}

/** What a sale asks of its buyer. */
export interface Collects {
  name: 'no' | 'optional' | 'required'
  email: 'no' | 'optional' | 'required'
  phone: 'no' | 'optional' | 'required'
  /** The countries that are sent to; empty: no address is asked for. */
  shipping_countries: readonly string[]
  tax_data: 'no' | 'optional' | 'required'
  custom_fields: readonly CustomField[]
  consents: readonly ConsentBox[]
}

/** What a buyer gave. */
export interface CollectedDetails {
  name: string | null
  /** As `normalizeEmail` makes it. */
  email: string | null
  phone: string | null
  shipping: { name: string; address: Address } | null
  tax_data: {
    rfc: string
    legal_name: string
    tax_regime: string
    cfdi_use: string
    postal_code: string
  } | null
  custom_fields: readonly { key: string; label: string; value: string }[]
  consents: readonly {
    key: string
    text: string
    url: string | null
    version: string
    given_at: string | null
  }[]
}

/** What a buyer's CFDI needs. */
export type TaxData = NonNullable<CollectedDetails['tax_data']>

/**
 * What a buyer gave with an attempt to pay, or with an order that cost nothing, written with it. The newest row of what
 * was sold counts.
 */
export const buyerDetails = pgTable(
  'buyer_details',
  {
    ...tenantRow,
    /** Null: of an order that cost nothing. */
    paymentId: uuid('payment_id'),
    /** What was sold: the payment's. */
    originId: uuid('origin_id').notNull(),
    details: jsonb('details').$type<CollectedDetails>().notNull(),
    /** The address in the details, by which lists find the row: Postgres uses no index of a field of JSON here. */
    email: text('email'),
    /**
     * Inserted as the e-mail addresses that were given beside the details. The database keeps digests of these and of
     * those in answers, by which the row is found when the person is erased.
     */
    emailDigests: text('email_digests').array().notNull().default(sql`'{}'`),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('buyer_details_payment', t, t.paymentId, payments),
      index('buyer_details_origin').on(t.tenantId, t.originId, t.createdAt, t.id),
      index('buyer_details_payment').on(t.tenantId, t.paymentId),
      check('buyer_details_email_given', sql`${t.email} is not distinct from ${t.details}->>'email'`),
      index('buyer_details_list_by_email').on(t.tenantId, t.email).where(sql`email is not null`),
      index('buyer_details_by_email').using('gin', t.emailDigests).where(sql`email_digests <> '{}'`),
    ]
  },
)
