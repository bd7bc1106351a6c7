import * as z from 'zod'
import { withdrawalKinds } from '../../../drizzle/schema/push-payments.ts'
import type { Declaration } from '../../../src/http/declaration.ts'
import { minorString } from '../../../src/http/schemas.ts'
import { outcome, remind, settle } from './contract.ts'
import { deposit, movement } from './contract-deposits.ts'
import { errors } from './errors.ts'
import { attemptLifecycle, clabeLifecycle, paymentLifecycle, voucherLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'
import { personalData } from './personal-data.ts'

export const area: Declaration = {
  routes: [
    {
      at: [
        '/v1/payments',
        '/v1/payment-operations/balance',
        '/v1/payment-operations/payments',
        '/v1/payment-operations/spei-deposits',
      ],
      by: 'operations.ts#withOrigins',
      given: 'origins',
      reads: 'operations-read.ts#withFacts',
    },
  ],
  tags: [
    {
      at: 60,
      name: 'Payments',
      description:
        'The financial read model: payments, their attempts, events and ledger journals, and the balance. The source of truth, where redirects are not.',
    },
  ],
  nouns: { payments: 'payment', 'spei-deposits': 'deposit' },
  publishes: [deposit, movement, outcome, remind, settle],
  jobs: {
    payment_reminders: {
      at: 183, // before the mails are sent
      runs: 'remind.ts#remindBuyers',
      table: 'payment_contacts',
      due: 'd.remind_at <= $1',
      firstBy: 'remind_at',
    },
    attempts: {
      at: 10,
      runs: 'reconcile.ts#resolveAttempts',
      table: 'payment_attempts',
      only: 'd.grace_ends_at is null',
    },
    // Vouchers of a day end together: behind all that is quick.
    pushed_attempts: {
      at: 125,
      runs: 'reconcile.ts#resolvePushedAttempts',
      table: 'payment_attempts',
      only: 'd.grace_ends_at is not null',
    },
    deposits: { at: 90, runs: 'deposits.ts#syncDeposits', due: `door.has_unconfirmed('deposit')` },
    clabes: {
      at: 100,
      runs: 'reconcile.ts#releaseClabes',
      table: 'clabes',
      due: `d.status = 'quarantined' and d.quarantine_ends_at <= $1`,
      firstBy: 'quarantine_ends_at',
    },
    funds: {
      at: 110,
      runs: 'reconcile.ts#releaseFunds',
      table: 'payments',
      due: `d.funds_status = 'pending' and d.available_on <= $2`,
      firstBy: 'available_on',
    },
    reserves: {
      at: 115,
      runs: 'reconcile.ts#releaseReserves',
      table: 'payments',
      due: `d.funds_status = 'available' and d.reserve_release_on <= $2`,
      firstBy: 'reserve_release_on',
    },
    payments: {
      at: 130,
      runs: 'reconcile.ts#expirePayments',
      table: 'payments',
      due: `d.status = 'requires_payment_method' and d.expires_at <= $1`,
      firstBy: 'expires_at',
    },
  },
  counters: {
    payments: [
      'amount_refunded_minor',
      'amount_disputed_minor',
      'open_disputes_count',
      'amount_received_minor',
      'version',
    ],
    unapplied_funds: ['remaining_minor'],
  },
  personalData,
  appendOnly: ['spei_deposits', 'buyer_balance_movements', 'unapplied_funds_withdrawals'],
  lookedUp: ['card_tries', 'clabes', 'payment_attempts', 'payment_contacts', 'payments', 'vouchers'],
  kinds: { payment: { table: 'payments', hasMetadata: true } },
  deadlines: [
    { table: 'payment_contacts', columns: ['remind_at'] },
    { table: 'clabes', columns: ['quarantine_ends_at'], while: `status = 'quarantined'` },
    { table: 'daily_spend', columns: ['day'] },
    {
      table: 'payment_attempts',
      columns: ['next_check_at', 'expires_at', 'grace_ends_at'],
      while: `status in ('submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch')`,
    },
    {
      table: 'payments',
      columns: ['available_on', 'reserve_release_on', 'expires_at', 'capture_before'],
      while: `funds_status = 'pending' or reserve_release_on is not null
        or status in ('processing', 'requires_payment_method', 'requires_action', 'requires_capture')`,
    },
    // A refund's window counts from it.
    { table: 'payments', columns: ['succeeded_at'] },
    { table: 'vouchers', columns: ['expires_at', 'grace_ends_at'], while: `status = 'issued'` },
  ],
  lifecycles: [attemptLifecycle, clabeLifecycle, paymentLifecycle, voucherLifecycle],
  events: {
    payment: {
      scopes: ['reporting:read', 'payment_links:read'],
      shownBy: 'payments.get',
      types: {
        created: 'A buyer began to pay.',
        processing: 'A declined payment is tried again.',
        requires_action: 'The buyer must act: at the bank’s page, at a till, at their own bank.',
        authorized: 'A card was authorized; capture it before capture_before.',
        partially_funded: 'A SPEI transfer arrived that does not reach the amount yet.',
        funds_withdrawn: {
          says: 'Money that a buyer sent for a payment has left the balance in which the processor keeps it.',
          adds: {
            fields: {
              withdrawal: z.enum(withdrawalKinds).describe('How it left; see `unapplied_funds.withdrawn`.'),
              withdrawn: minorString.describe(
                'How much of what the payment counts or was paid with; minor units.',
              ),
            },
            example: { withdrawal: 'reversed', withdrawn: '50000' },
          },
          unmade: 'the sandbox keeps no balance for a buyer',
        },
        succeeded: 'The payment is paid.',
        partially_captured: 'Part of an authorized amount was captured.',
        declined: 'An attempt was declined; the buyer may try another card.',
        canceled: 'The payment was canceled, or a buyer paid another way than by its voucher or CLABE.',
        expired: 'The buyer did not pay, or you did not capture, in time.',
        amount_mismatch: 'The processor’s numbers contradict ours: nothing was booked, people look at it.',
        reversal_failed:
          'The processor could not void or refund the contradicting amount; the payment stays under review.',
        funds_available: 'The net of a payment has become available.',
        reserve_released: 'The reserve of a payment has become available.',
        refunded: 'The refunded amount of a payment has grown.',
        refund_reversed: 'A refund failed or was canceled: the refunded amount has shrunk.',
        disputed: 'The disputed amount of a payment has grown.',
        dispute_released: 'A dispute was won: the disputed amount of a payment has shrunk.',
      },
    },
  },
  mails,
  errors,
  constraints: {
    ledger_accounts_bounds: { code: 'amount_above_maximum' },
    ledger_available_covered: { code: 'insufficient_funds', param: 'amount' },
    events_resource_sequence: 'stale',
    spei_deposits_once: 'stale',
    buyer_balance_movements_once: 'stale',
    payments_one_live_replacement: 'stale',
    payments_open_disputes_count: 'stale',
    payments_received_bounds: 'stale',
    payments_received_fits_status: 'stale',
    unapplied_funds_remaining_bounds: 'stale',
    daily_spend_one: 'stale',
    daily_spend_within_limit: 'stale',
  },
  samples: {
    'payments.capture': { other: { amount: '50001' } },
    'payments.resolve': { other: { decision: 'settled_elsewhere' } },
  },
}
