import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { paymentLinkLifecycle } from '../../functions/payment-links/lifecycle.ts'
import type { Json } from '../../src/kernel/json.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { governed, governedBy } from './payment-policies.ts'
import { checksOfTerms, saleTerms } from './sale-terms.ts'
import { ofTenant } from './tenants.ts'

export interface CatalogLineItemSnapshot {
  item_id: string
  name: string
  unit_amount: string
  quantity: number
}

export const paymentLinks = pgTable(
  'payment_links',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(paymentLinkLifecycle),
    usage: text('usage', { enum: ['single_use', 'multi_use'] }).notNull(),
    amountSource: text('amount_source', { enum: ['manual_amount', 'catalog_line_item'] }).notNull(),
    catalogLineItemSnapshot: jsonb('catalog_line_item_snapshot').$type<CatalogLineItemSnapshot>(),
    description: text('description'),
    /** The amount: the manual one, or unit amount times quantity of the snapshot. */
    ...saleTerms,
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** The merchant's own name for what is paid, unless a visit of the link brings one. */
    clientReferenceId: text('client_reference_id'),
    /** Who is to pay; payments of the link inherit it. */
    customerId: uuid('customer_id'),
    checkoutSessionRef: text('checkout_session_ref'),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** Changes with amount, methods or installment terms; a buyer's page is bound to it. */
    termsVersion: integer('terms_version').notNull(),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('payment_links_public_id').on(t.publicId),
      ofTenant('payment_links', t.tenantId),
      refersTo('payment_links_customer', t, t.customerId, customers),
      ...governedBy('payment_links', t),
      check('payment_links_public_id_form', sql`${t.publicId} ~ '^splink_[a-z0-9]{32}$'`),
      check('payment_links_status_known', known(t.status)),
      check('payment_links_usage_known', known(t.usage)),
      check('payment_links_paid_is_single_use', sql`${t.status} <> 'paid' or ${t.usage} = 'single_use'`),
      ...checksOfTerms('payment_links', t),
      check(
        'payment_links_amount_source',
        sql`(${t.amountSource} = 'manual_amount' and ${t.catalogLineItemSnapshot} is null)
       or (${t.amountSource} = 'catalog_line_item' and ${t.catalogLineItemSnapshot} is not null)`,
      ),
      check(
        'payment_links_revoked_stays',
        sql`${t.revokedAt} is null or ${t.status} in ('inactive', 'archived')`,
      ),
      index('payment_links_list').on(t.tenantId, t.createdAt, t.id),
      index('payment_links_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('payment_links_list_by_reference')
        .on(t.tenantId, t.clientReferenceId, t.createdAt, t.id)
        .where(sql`client_reference_id is not null`),
      index('payment_links_list_by_customer')
        .on(t.tenantId, t.customerId, t.createdAt, t.id)
        .where(sql`customer_id is not null`),
      index('payment_links_due').on(t.expiresAt).where(sql`status = 'active' and expires_at is not null`),
    ]
  },
)
