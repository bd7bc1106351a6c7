import { sql } from 'drizzle-orm'
import { check, date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { payoutLifecycle } from '../../functions/money/payouts/lifecycle.ts'
import { bankAccounts } from './bank-accounts.ts'
import {
  amount,
  bankFailures,
  changes,
  createdAt,
  known,
  minor,
  ownKey,
  polled,
  refersTo,
  statusOf,
  tenantRow,
} from './columns.ts'
import { activitySources, balanceActivity } from './ledger.ts'
import { processorCredentials } from './processors.ts'
import { ofTenant } from './tenants.ts'

/** When a merchant is paid out and to which account. One row per tenant and currency. */
export const payoutSettings = pgTable(
  'payout_settings',
  {
    ...tenantRow,
    currency: text('currency').notNull(),
    interval: text('interval', { enum: ['daily', 'weekly', 'monthly', 'manual'] }).notNull(),
    /** 1 Monday … 7 Sunday for weekly, 1 … 31 for monthly (the last day when the month is shorter), else null. */
    anchorDay: integer('anchor_day'),
    amountMinorMin: minor('amount_minor_min').notNull(),
    bankAccountId: uuid('bank_account_id').notNull(),
    /** Date in Mexico City of the next payout; null when paid out by hand. */
    nextPayoutOn: date('next_payout_on', { mode: 'string' }),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('payout_settings', t.tenantId),
      refersTo('payout_settings_bank_account', t, t.bankAccountId, bankAccounts),
      uniqueIndex('payout_settings_one').on(t.tenantId, t.currency),
      check('payout_settings_interval_known', known(t.interval)),
      check(
        'payout_settings_anchor',
        sql`(${t.interval} = 'weekly' and ${t.anchorDay} between 1 and 7)
        or (${t.interval} = 'monthly' and ${t.anchorDay} between 1 and 31)
        or (${t.interval} in ('daily', 'manual') and ${t.anchorDay} is null)`,
      ),
      check('payout_settings_amount_min', sql`${t.amountMinorMin} >= 0`),
      index('payout_settings_due').on(t.nextPayoutOn).where(sql`next_payout_on is not null`),
    ]
  },
)

/**
 * Money that leaves for the merchant's own bank: ours, whose id is our reference at the bank, or one that a processor made
 * of the merchant's own account (`account_id`), which is only read.
 */
export const payouts = pgTable(
  'payouts',
  {
    ...tenantRow,
    status: statusOf(payoutLifecycle),
    ...amount,
    /** The sums of the entries' gross amounts, and of their fees with IVA. */
    grossMinor: minor('gross_minor').notNull(),
    feeMinor: minor('fee_minor').notNull(),
    entriesCount: integer('entries_count').notNull(),
    /** Null of a processor's, which tells the last digits and the bank at most. */
    destinationClabe: text('destination_clabe'),
    destinationHolder: text('destination_holder'),
    destinationLast4: text('destination_last4'),
    destinationBank: text('destination_bank'),
    processor: text('processor').notNull(),
    /** The merchant's own account that the processor paid out, and the processor's id of the payout; null of ours. */
    accountId: uuid('account_id'),
    processorRef: text('processor_ref'),
    /**
     * Whether the entries are the whole: `pending`, more may come; `mismatched`, they are all and sum to another amount;
     * `unavailable`, the processor tells none.
     */
    reconciliation: text('reconciliation', { enum: ['complete', 'pending', 'mismatched', 'unavailable'] })
      .notNull()
      .default('complete'),
    /** The processor's id of the entry behind which the next page begins; null before the first and after the last. */
    entriesReadTo: text('entries_read_to'),
    /** The bank's trace of the transfer, as the merchant's statement shows it. */
    claveRastreo: text('clave_rastreo'),
    /** The trace of the transfer by which the receiving bank sent it back. */
    returnClaveRastreo: text('return_clave_rastreo'),
    failureCode: text('failure_code', { enum: bankFailures }),
    arrivesOn: date('arrives_on', { mode: 'string' }),
    ...polled,
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('payouts', t.tenantId),
      uniqueIndex('payouts_reference').on(t.id),
      check('payouts_status_known', known(t.status)),
      refersTo('payouts_account', t, t.accountId, processorCredentials),
      uniqueIndex('payouts_processor_ref').on(t.processor, t.processorRef),
      check('payouts_reconciliation_known', known(t.reconciliation)),
      // A processor may take from the merchant's bank what its account owes.
      check('payouts_amount_positive', sql`${t.amountMinor} > 0 or ${t.accountId} is not null`),
      check(
        'payouts_net',
        sql`${t.reconciliation} <> 'complete' or ${t.grossMinor} - ${t.feeMinor} = ${t.amountMinor}`,
      ),
      check(
        'payouts_made_by',
        sql`case when ${t.accountId} is null
        then ${t.destinationClabe} is not null and ${t.destinationHolder} is not null and ${t.processorRef} is null
          and ${t.reconciliation} = 'complete'
        else ${t.processorRef} is not null and ${t.destinationClabe} is null end`,
      ),
      index('payouts_list').on(t.tenantId, t.createdAt, t.id),
      index('payouts_list_by_status').on(t.tenantId, t.status, t.createdAt, t.id),
      index('payouts_due').on(t.nextCheckAt).where(sql`next_check_at is not null`),
    ]
  },
)

/** What moves the available balance. */
export const entryKinds = [
  'payment',
  'reserve_release',
  'refund',
  'refund_reversed',
  'refund_returned',
  'dispute_hold',
  'dispute_release',
  'dispute_reduced',
  'dispute_lost',
  'dispute_overturned',
  'dispute_fee',
  'dispute_fee_returned',
  'transfer',
  'transfer_reversed',
  'transfer_returned',
  'incoming_transfer',
  'payout_reversed',
  'payout_returned',
  'taken',
  'overdraft_covered',
] as const

/** `other`: what a processor moved, and no resource of ours stands for. */
export const payoutEntryKinds = [...entryKinds, 'other'] as const

/**
 * What a payout is made of: movements of our balance, or entries of a processor's. The nets of a payout's entries sum to its
 * amount (deferred trigger).
 */
export const payoutEntries = pgTable(
  'payout_entries',
  {
    ...tenantRow,
    payoutId: uuid('payout_id').notNull(),
    activityId: uuid('activity_id'),
    kind: text('kind', { enum: payoutEntryKinds }).notNull(),
    sourceType: text('source_type', { enum: activitySources }),
    sourceId: uuid('source_id'),
    grossMinor: minor('gross_minor').notNull(),
    feeMinor: minor('fee_minor').notNull(),
    netMinor: minor('net_minor').notNull(),
    currency: text('currency').notNull(),
    /** The processor's id of the entry, and its words for it; null of ours. */
    processorRef: text('processor_ref'),
    processorType: text('processor_type'),
    description: text('description'),
    ...createdAt,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      refersTo('payout_entries_payout', t, t.payoutId, payouts),
      refersTo('payout_entries_activity', t, t.activityId, balanceActivity),
      uniqueIndex('payout_entries_once').on(t.tenantId, t.activityId),
      uniqueIndex('payout_entries_processor_ref').on(t.tenantId, t.processorRef),
      check(
        'payout_entries_source',
        sql`(${t.sourceId} is null) = (${t.sourceType} is null) and case when ${t.activityId} is null then ${t.processorRef} is not null and ${t.processorType} is not null
          and (${t.sourceId} is null) = (${t.kind} = 'other')
        else ${t.processorRef} is null and ${t.sourceId} is not null and ${t.kind} <> 'other' end`,
      ),
      check('payout_entries_net', sql`${t.grossMinor} - ${t.feeMinor} = ${t.netMinor}`),
      index('payout_entries_list').on(t.tenantId, t.payoutId, t.createdAt, t.id),
    ]
  },
)
