import { sql } from 'drizzle-orm'
import { check, foreignKey, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { sessionLifecycle } from '../../functions/selling/hosted-checkout/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import type { Collects } from './buyer-details.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { digitalCatalogs } from './digital-catalogs.ts'
import { checksOfOrder, ordered } from './order.ts'
import { governed, governedBy } from './payment-policies.ts'
import { checksOfKnownBuyer, checksOfTerms, knownBuyer, saleTerms } from './sale-terms.ts'
import { ofTenant } from './tenants.ts'

/** Whether and when a buyer is mailed whose session ended unpaid, and how long the mail's address is good for. */
export interface RecoveryOptions {
  delay_minutes: number
  valid_hours: number
}

export const checkoutSessions = pgTable(
  'checkout_sessions',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(sessionLifecycle),
    /** `embedded`: its pages may be framed by the pages of the settings' origins. */
    uiMode: text('ui_mode', { enum: ['hosted', 'embedded'] })
      .notNull()
      .default('hosted'),
    ...ordered,
    /** The amount: the sum of the lines, where there are any, less the discounts, and shipping and tip. */
    ...saleTerms,
    /** What the page asks of the buyer; null: nothing more. */
    collects: jsonb('collects').$type<Collects>(),
    description: text('description'),
    successUrl: text('success_url'),
    cancelUrl: text('cancel_url'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    clientReferenceId: text('client_reference_id'),
    customerId: uuid('customer_id'),
    ...knownBuyer,
    /** The catalog from whose page it was ordered; null: made by the merchant's backend. */
    catalogPublicId: text('catalog_public_id'),
    /** The payment that completed it; null: none, or it cost nothing. */
    paymentId: uuid('payment_id'),
    /** The address of the receipt, below its page, of one that was completed and cost nothing. */
    receiptRef: text('receipt_ref'),
    /** Null: no mail is offered to its buyer. */
    recovery: jsonb('recovery').$type<RecoveryOptions>(),
    /** The session that ended unpaid and that its buyer went on with here. */
    recoveredFrom: uuid('recovered_from'),
    expiresAt: instant('expires_at').notNull(),
    completedAt: instant('completed_at'),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('checkout_sessions_public_id').on(t.publicId),
      uniqueIndex('checkout_sessions_receipt_ref').on(t.receiptRef).where(sql`receipt_ref is not null`),
      foreignKey({
        name: 'checkout_sessions_recovered_from',
        columns: [t.tenantId, t.recoveredFrom],
        foreignColumns: [t.tenantId, t.id],
      }),
      uniqueIndex('checkout_sessions_recovered_once')
        .on(t.tenantId, t.recoveredFrom)
        .where(sql`recovered_from is not null`),
      refersTo('checkout_sessions_customer', t, t.customerId, customers),
      foreignKey({
        name: 'checkout_sessions_catalog',
        columns: [t.tenantId, t.catalogPublicId],
        foreignColumns: [digitalCatalogs.tenantId, digitalCatalogs.publicId],
      }),
      ...governedBy('checkout_sessions', t),
      ...checksOfKnownBuyer('checkout_sessions', t),
      ...checksOfTerms('checkout_sessions', t, 0),
      check('checkout_sessions_public_id_form', sql`${t.publicId} ~ '^spcs_[a-z0-9]{32}$'`),
      check('checkout_sessions_status_known', known(t.status)),
      check('checkout_sessions_ui_mode_known', known(t.uiMode)),
      check(
        'checkout_sessions_completed',
        sql`(${t.status} = 'complete') = (${t.completedAt} is not null)
          and (${t.paymentId} is not null) = (${t.status} = 'complete' and ${t.amountMinor} > 0)
          and (${t.receiptRef} is not null) = (${t.status} = 'complete' and ${t.amountMinor} = 0)`,
      ),
      check('checkout_sessions_receipt_ref_form', sql`${t.receiptRef} ~ '^spcs_[a-z0-9]{32}$'`),
      ...checksOfOrder('checkout_sessions', t),
      check(
        'checkout_sessions_recovery_bounded',
        sql`${t.recovery} is null or ((${t.recovery}->>'delay_minutes')::int between 0 and 1440
          and (${t.recovery}->>'valid_hours')::int between 1 and 720) is true`,
      ),
      // Else each fresh session could be mailed about in its turn.
      check(
        'checkout_sessions_recovered_offers_none',
        sql`${t.recoveredFrom} is null or ${t.recovery} is null`,
      ),
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
