import type Stripe from 'stripe'
import { Fault } from '../../kernel/fault.ts'
import type { PayoutEntriesPage, PayoutEntryFacts, PayoutFacts } from '../payouts.ts'
import type { BankFailure } from '../port.ts'
import { isMissing, ofMode, readTimeoutMs, verdictOf } from './client.ts'
import { fromStripeAmount } from './money.ts'

const reading = { timeout: readTimeoutMs }

/** https://docs.stripe.com/payouts#payout-failures */
const failures: Readonly<Record<string, BankFailure>> = {
  account_closed: 'account_closed',
  no_account: 'account_not_found',
  invalid_account_number: 'account_not_found',
  incorrect_account_address: 'account_not_found',
  incorrect_account_holder_address: 'holder_mismatch',
  incorrect_account_holder_name: 'holder_mismatch',
  incorrect_account_holder_tax_id: 'holder_mismatch',
  bank_ownership_changed: 'holder_mismatch',
  account_frozen: 'declined_by_bank',
  bank_account_restricted: 'declined_by_bank',
  debit_not_authorized: 'declined_by_bank',
  declined: 'declined_by_bank',
  insufficient_funds: 'declined_by_bank',
}

const states = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const

/** Stripe lists what is in automatic payouts alone: https://docs.stripe.com/payouts/reconciliation */
const reported: Readonly<Record<string, PayoutFacts['entries']>> = {
  completed: 'reported',
  in_progress: 'awaited',
  not_applicable: 'never',
}

/** @throws Error where Stripe has a status that this version does not know */
export async function fetchPayout(
  stripe: Stripe,
  payoutRef: string,
): Promise<Omit<PayoutFacts, 'accountId' | 'tenantId'> | null> {
  try {
    return factsOf(ofMode(stripe, await retrieve(stripe, payoutRef)))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** A restricted key may read payouts and not the bank accounts that they go to. */
async function retrieve(stripe: Stripe, payoutRef: string): Promise<Stripe.Payout> {
  try {
    return await stripe.payouts.retrieve(payoutRef, { expand: ['destination'] }, reading)
  } catch (error) {
    if (verdictOf(error) !== 'not_authorized') throw error
    return stripe.payouts.retrieve(payoutRef, {}, reading)
  }
}

function factsOf(payout: Stripe.Payout): Omit<PayoutFacts, 'accountId' | 'tenantId'> {
  const { id, failure_code: failure, destination, trace_id: trace } = payout
  const state = states.find((each) => each === payout.status)
  const entries = reported[payout.reconciliation_status]
  if (!state || !entries) throw new Fault(`a payout is ${payout.status}, ${payout.reconciliation_status}`)
  const account =
    destination !== null && typeof destination === 'object' && !destination.deleted && destination
  return {
    payoutRef: id,
    state,
    failureCode: state === 'failed' ? (failures[failure ?? ''] ?? 'processing_error') : null,
    amountMinor: fromStripeAmount(payout.amount),
    currency: payout.currency,
    destination: account
      ? {
          last4: account.last4,
          bankName: account.object === 'bank_account' ? account.bank_name : account.brand,
        }
      : null,
    claveRastreo: trace?.value ?? null,
    // Midnight of that day in UTC.
    arrivesOn: new Date(payout.arrival_date * 1000).toISOString().slice(0, 10),
    entries,
  }
}

/** Stripe's longest page. */
const limit = 100

/** What an automatic payout is made of. Among it Stripe lists the payout itself, which is left out. */
export async function entriesOf(
  stripe: Stripe,
  payout: string,
  after: string | null,
): Promise<PayoutEntriesPage> {
  const params = {
    payout,
    limit,
    expand: ['data.source'],
    ...(after === null ? {} : { starting_after: after }),
  } satisfies Stripe.BalanceTransactionListParams
  const { data, has_more } = await stripe.balanceTransactions.list(params, reading)
  return {
    entries: data.filter((each) => each.type !== 'payout' || idOf(each.source) !== payout).map(entryOf),
    readOnFrom: has_more ? (data.at(-1)?.id ?? null) : null,
  }
}

const idOf = (source: string | { readonly id: string } | null) =>
  typeof source === 'string' ? source : (source?.id ?? null)

function entryOf(entry: Stripe.BalanceTransaction): PayoutEntryFacts {
  const [kind, ref] = sourceOf(entry) ?? ['other', null]
  return {
    entryRef: entry.id,
    kind,
    sourceRefs: ref === null ? [] : [ref],
    type: entry.type,
    description: entry.description,
    grossMinor: fromStripeAmount(entry.amount),
    feeMinor: fromStripeAmount(entry.fee),
    netMinor: fromStripeAmount(entry.net),
    currency: entry.currency,
  }
}

/** What moved, as we may know it: https://docs.stripe.com/reports/balance-transaction-types */
function sourceOf({
  type,
  net,
  source,
}: Stripe.BalanceTransaction): readonly [PayoutEntryFacts['kind'], string] | null {
  if (source === null || typeof source === 'string') return null
  switch (type) {
    case 'charge':
    case 'payment': {
      const intent = source.object === 'charge' ? idOf(source.payment_intent) : null
      return intent === null ? null : ['payment', intent]
    }
    case 'refund':
    case 'payment_refund':
      return source.object === 'refund' ? ['refund', source.id] : null
    case 'refund_failure':
      return source.object === 'refund' ? ['refund_reversed', source.id] : null
    case 'adjustment':
      if (source.object !== 'dispute') return null
      return [net < 0 ? 'dispute_hold' : 'dispute_release', source.id]
    case 'payout_failure':
    case 'payout_cancel':
      return source.object === 'payout' ? ['payout_reversed', source.id] : null
    default:
      return null
  }
}
