import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sessionLifecycle } from '../../functions/hosted-checkout/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import type { ivaRates } from './digital-catalogs.ts'
import { governed, governedBy } from './payment-policies.ts'
import { checksOfTerms, saleTerms } from './sale-terms.ts'
import type { TakenStock } from './stock.ts'
import { ofTenant } from './tenants.ts'

/** What a line sells, as it was when the session's lines were set. Amounts are minor units as text. */
export interface SessionLine {
  /** The item of a catalogue; null for a line that the merchant wrote. */
  item_id: string | null
  name: string
  unit_amount: string
  quantity: number
  iva_rate: (typeof ivaRates)[number]
  price_includes_tax: boolean
  amount_subtotal: string
  amount_tax: string
  amount_total: string
}

export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(sessionLifecycle),
    lines: jsonb('lines').$type<readonly SessionLine[]>().notNull(),
    /** What an attempt to pay takes from the stock; null: nothing. */
    stock: jsonb('stock').$type<TakenStock>(),
    /** The amount: the sum of the lines, where there are any. */
    ...saleTerms,
    description: text('description'),
    successUrl: text('success_url'),
    cancelUrl: text('cancel_url'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    clientReferenceId: text('client_reference_id'),
    customerId: uuid('customer_id'),
    /** The payment that completed it. */
    paymentId: uuid('payment_id'),
    expiresAt: instant('expires_at').notNull(),
    completedAt: instant('completed_at'),
    /** Changes with amount, methods or installment terms; a buyer's page is bound to it. */
    termsVersion: integer('terms_version').notNull(),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('checkout_sessions_public_id').on(t.publicId),
      ofTenant('checkout_sessions', t.tenantId),
      refersTo('checkout_sessions_customer', t, t.customerId, customers),
      ...governedBy('checkout_sessions', t),
      ...checksOfTerms('checkout_sessions', t),
      check('checkout_sessions_public_id_form', sql`${t.publicId} ~ '^spcs_[a-z0-9]{32}$'`),
      check('checkout_sessions_status_known', known(t.status)),
      check(
        'checkout_sessions_completed',
        sql`(${t.status} = 'complete') = (${t.paymentId} is not null) and (${t.status} = 'complete') = (${t.completedAt} is not null)`,
      ),
      check('checkout_sessions_lines_bounded', sql`jsonb_array_length(${t.lines}) <= 100`),
      index('checkout_sessions_list').on(t.tenantId, t.createdAt, t.id),
      index('checkout_sessions_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('checkout_sessions_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
      index('checkout_sessions_list_by_customer')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`customer_id is not null`),
      index('checkout_sessions_due').on(t.expiresAt).where(sql`status = 'open'`),
    ]
  },
)

/** How the workspace's checkouts behave: at most one row of a workspace. */
export const checkoutSettings = pgTable(
  'checkout_settings',
  {
    ...tenantRow,
    /** Where buyers may be sent back to: `https://tienda.example`. */
    returnOrigins: text('return_origins').array().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('checkout_settings', t.tenantId),
      uniqueIndex('checkout_settings_one').on(t.tenantId),
      check('checkout_settings_return_origins_bounded', sql`cardinality(${t.returnOrigins}) <= 50`),
    ]
  },
)
