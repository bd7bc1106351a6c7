import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { paymentLinkLifecycle, templateLifecycle } from '../../functions/selling/payment-links/lifecycle.ts'
import type { IvaRate } from '../../src/kernel/iva.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { Collects } from './buyer-details.ts'
import { changes, instant, known, ownKey, refersTo, statusOf, tenantRow } from './columns.ts'
import { customers } from './customers.ts'
import { catalogItems } from './digital-catalogs.ts'
import type { DeliveredLine } from './entitlements.ts'
import { offered, type SoldLine } from './order.ts'
import { governed, governedBy } from './payment-policies.ts'
import { checksOfKnownBuyer, checksOfTerms, knownBuyer, saleTerms } from './sale-terms.ts'
import type { TakenStock } from './stock.ts'
import { ofTenant } from './tenants.ts'

export interface CatalogLineItemSnapshot {
  item_id: string
  name: string
  unit_amount: string
  quantity: number
  /** Null: not known. */
  iva_rate: IvaRate | null
  price_includes_tax: boolean
}

/** Minor units as text: the bounds within which a buyer chooses the amount, and what the page suggests. */
export interface BuyerAmount {
  amount_min: string
  amount_max: string
  presets: string[]
}

/** Presets of new links. Its row stays when it is deleted: links name it. */
export const paymentLinkTemplates = pgTable(
  'payment_link_templates',
  {
    ...tenantRow,
    name: text('name').notNull(),
    status: statusOf(templateLifecycle),
    /** Fields of a request that makes a link. */
    settings: jsonb('settings').$type<JsonObject>().notNull(),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('payment_link_templates', t.tenantId),
      check('payment_link_templates_status_known', known(t.status)),
      check('payment_link_templates_name_length', sql`char_length(${t.name}) between 1 and 120`),
      uniqueIndex('payment_link_templates_name')
        .on(t.tenantId, sql`lower(${t.name})`)
        .where(sql`status = 'active'`),
      index('payment_link_templates_list').on(t.tenantId, t.status, t.createdAt, t.id),
    ]
  },
)

export const paymentLinks = pgTable(
  'payment_links',
  {
    ...tenantRow,
    publicId: text('public_id').notNull(),
    status: statusOf(paymentLinkLifecycle),
    usage: text('usage', { enum: ['single_use', 'multi_use'] }).notNull(),
    amountSource: text('amount_source', { enum: ['manual_amount', 'catalog_line_item'] }).notNull(),
    catalogLineItemSnapshot: jsonb('catalog_line_item_snapshot').$type<CatalogLineItemSnapshot>(),
    /** The item of a catalog that the snapshot was taken of; null: it is the merchant's own. */
    catalogItemId: uuid('catalog_item_id'),
    /** What a link of several lines sells, as they were when they were set; null: it sells an item, or asks for an amount. */
    lines: jsonb('lines').$type<readonly SoldLine[]>(),
    /** What its buyers may add to the lines; each chooses on the page, and the payment says what. */
    ...offered,
    /** What an attempt to pay takes from the stock, and what a payment grants, in the quantity 1; null: nothing. */
    stock: jsonb('stock').$type<TakenStock>(),
    delivers: jsonb('delivers').$type<readonly DeliveredLine[]>(),
    description: text('description'),
    /**
     * The amount: the manual one, or what the quantity of the snapshot, or the lines less the discounts with the first way to
     * send them, come to with their IVA; of one where the buyer chooses how many; the least where the buyer chooses the amount.
     */
    ...saleTerms,
    buyerAmount: jsonb('buyer_amount').$type<BuyerAmount>(),
    /** How many a buyer may take; both null where the amount is fixed. */
    quantityMin: integer('quantity_min'),
    quantityMax: integer('quantity_max'),
    metadata: jsonb('metadata').$type<Readonly<Record<string, Json>>>().notNull(),
    /** The merchant's own name for what is paid, unless a visit of the link brings one. */
    clientReferenceId: text('client_reference_id'),
    /** Who is to pay; payments of the link inherit it. */
    customerId: uuid('customer_id'),
    ...knownBuyer,
    /** After the payment: where the buyer may go on, and what the merchant says to them. */
    successUrl: text('success_url'),
    successMessage: text('success_message'),
    /** Only buyers with an e-mail address of one of these domains pay; null: all. */
    payerEmailDomains: text('payer_email_domains').array(),
    /** What the page asks of the buyer; null: nothing more. */
    collects: jsonb('collects').$type<Collects>(),
    /** Of the password that buyers must type first; null: none (src/platform/passwords.ts). */
    passwordHash: text('password_hash'),
    checkoutSessionRef: text('checkout_session_ref'),
    /** How often a multi-use link may be paid; null: as often as buyers like, or once where it is single-use. */
    usesMax: integer('uses_max'),
    /** Before it no payment begins. */
    startsAt: instant('starts_at'),
    expiresAt: instant('expires_at'),
    revokedAt: instant('revoked_at'),
    /** What it was made from. */
    templateId: uuid('template_id'),
    ...governed,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      uniqueIndex('payment_links_public_id').on(t.publicId),
      refersTo('payment_links_customer', t, t.customerId, customers),
      refersTo('payment_links_item', t, t.catalogItemId, catalogItems),
      refersTo('payment_links_template', t, t.templateId, paymentLinkTemplates),
      ...governedBy('payment_links', t),
      ...checksOfKnownBuyer('payment_links', t),
      check('payment_links_known_buyer_single', sql`${t.customerEmail} is null or ${t.usage} = 'single_use'`),
      check('payment_links_public_id_form', sql`${t.publicId} ~ '^splink_[a-z0-9]{32}$'`),
      check('payment_links_status_known', known(t.status)),
      check('payment_links_usage_known', known(t.usage)),
      check('payment_links_paid_is_single_use', sql`${t.status} <> 'paid' or ${t.usage} = 'single_use'`),
      ...checksOfTerms('payment_links', t),
      check(
        'payment_links_buyer_amount',
        sql`${t.buyerAmount} is null or (${t.amountSource} = 'manual_amount' and ${t.quantityMax} is null
        and (${t.buyerAmount}->>'amount_min')::bigint = ${t.amountMinor}
        and (${t.buyerAmount}->>'amount_max')::bigint between ${t.amountMinor} and 999999999999)`,
      ),
      check(
        'payment_links_quantity',
        sql`(${t.quantityMin} is null and ${t.quantityMax} is null)
        or (${t.quantityMin} between 1 and ${t.quantityMax} and ${t.quantityMax} <= 10000
        and ${t.amountMinor} * ${t.quantityMax} <= 999999999999)`,
      ),
      check(
        'payment_links_uses_max',
        sql`${t.usesMax} is null or (${t.usage} = 'multi_use' and ${t.usesMax} between 1 and 1000000)`,
      ),
      check('payment_links_success_message', sql`length(${t.successMessage}) <= 1000`),
      check(
        'payment_links_payer_email_domains',
        sql`${t.payerEmailDomains} is null or cardinality(${t.payerEmailDomains}) between 1 and 20`,
      ),
      check('payment_links_opens_before_end', sql`${t.startsAt} < ${t.expiresAt}`),
      check(
        'payment_links_amount_source',
        sql`num_nonnulls(${t.catalogLineItemSnapshot}, ${t.lines}) = case ${t.amountSource} when 'manual_amount' then 0 else 1 end`,
      ),
      check('payment_links_lines_bounded', sql`jsonb_array_length(${t.lines}) between 1 and 100`),
      check(
        'payment_links_lines_offered',
        sql`${t.lines} is not null or (${t.shippingOptions} = '[]' and ${t.tipOptions} is null
          and ${t.discounts} = '[]' and not ${t.takesCodes})`,
      ),
      check('payment_links_discounts_bounded', sql`jsonb_array_length(${t.discounts}) <= 5`),
      check('payment_links_lines_counted', sql`${t.lines} is null or ${t.quantityMax} is null`),
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

/**
 * How often a multi-use link was paid: a row from its first success on, or from its limit on. Triggers count
 * (drizzle/sql/059_payment_links.sql). Its id is the link's.
 */
export const paymentLinkUses = pgTable(
  'payment_link_uses',
  {
    ...tenantRow,
    usesMax: integer('uses_max'),
    /** Payments that are made. */
    paidCount: integer('paid_count').notNull(),
    /** Of those of a limited link, the ones that are authorized and may yet be canceled. */
    authorizedCount: integer('authorized_count').notNull().default(0),
    /** Payments under way and unpaid vouchers of a limited link: each holds a use until it ends. */
    heldCount: integer('held_count').notNull(),
    /** Since when its last use is paid, and when the event of that was published. */
    usedUpAt: instant('used_up_at'),
    announcedAt: instant('announced_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('payment_link_uses_link', t, t.id, paymentLinks),
      check(
        'payment_link_uses_counted',
        sql`${t.authorizedCount} between 0 and ${t.paidCount} and ${t.heldCount} >= 0`,
      ),
      check('payment_link_uses_bounded', sql`${t.paidCount} + ${t.heldCount} <= ${t.usesMax}`),
      index('payment_link_uses_due')
        .on(t.usedUpAt)
        .where(sql`used_up_at is not null and announced_at is null`),
    ]
  },
)

/**
 * How often the page of a link was opened: counted beside the page, without a publish (door.count_link_view). Apart from
 * the uses, which payers lock. Its id is the link's.
 */
export const paymentLinkViews = pgTable(
  'payment_link_views',
  { ...tenantRow, viewsCount: integer('views_count').notNull() },
  (t) => {
    CONSTRAINTS: return [ownKey(t), refersTo('payment_link_views_link', t, t.id, paymentLinks)]
  },
)
