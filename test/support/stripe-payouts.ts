import type Stripe from 'stripe'
import { type Answer, missingIn, nowSeconds, refused } from './stripe-answers.ts'
import { entryOf, transactionIdOf } from './stripe-charges.ts'
import { StripeState } from './stripe-state.ts'

type Entry = Stripe.BalanceTransaction

const bankAccount: Stripe.BankAccount = {
  id: 'ba_own',
  object: 'bank_account',
  account: null,
  account_holder_name: 'Café de Olla',
  account_holder_type: 'company',
  account_type: null,
  available_payout_methods: ['standard'],
  bank_name: 'BBVA BANCOMER',
  country: 'MX',
  currency: 'mxn',
  default_for_currency: true,
  fingerprint: 'fp9719',
  last4: '9719',
  metadata: {},
  routing_number: '012180',
  status: 'new',
}

/** An entry of an account's balance of a type that no charge, refund or dispute makes. */
export const otherEntry = (
  id: string,
  amount: number,
  more: Pick<Entry, 'type' | 'reporting_category'> & Partial<Entry>,
): Entry => ({ ...entryOf(id, 'adjustment', amount, { created: nowSeconds() }), source: null, ...more })

/** Payouts of the accounts, which Stripe makes by itself: https://docs.stripe.com/api/payouts/object */
export class StripePayouts extends StripeState {
  readonly payouts = new Map<string, Stripe.Payout>()
  /** What each is made of, the newest first, with the payout itself. */
  readonly #entries = new Map<string, readonly Entry[]>()

  override reset(): void {
    super.reset()
    this.payouts.clear()
    this.#entries.clear()
  }

  override lookup(id: string): object | undefined {
    if (id === bankAccount.id) return bankAccount
    return this.payouts.get(id) ?? super.lookup(id)
  }

  /** Stripe pays an account out: what these entries sum to, if nothing else is said. */
  payOut(account: string, entries: readonly Entry[], more: Partial<Stripe.Payout> = {}): Stripe.Payout {
    const id = this.newId('po')
    const payout: Stripe.Payout = {
      id,
      object: 'payout',
      amount: entries.reduce((sum, { net }) => sum + net, 0),
      application_fee: null,
      application_fee_amount: null,
      arrival_date: Date.UTC(2026, 10, 27) / 1000,
      automatic: true,
      balance_transaction: transactionIdOf(id),
      created: nowSeconds(),
      currency: 'mxn',
      description: 'STRIPE PAYOUT',
      destination: bankAccount.id,
      failure_balance_transaction: null,
      failure_code: null,
      failure_message: null,
      livemode: true,
      metadata: {},
      method: 'standard',
      original_payout: null,
      payout_method: null,
      reconciliation_status: 'in_progress',
      reversed_by: null,
      source_type: 'card',
      statement_descriptor: null,
      status: 'pending',
      trace_id: { status: 'pending', value: null },
      type: 'bank_account',
      ...more,
    }
    const own = otherEntry(id, -payout.amount, { type: 'payout', reporting_category: 'payout', source: id })
    this.owners.set(id, account)
    this.payouts.set(id, payout)
    this.#entries.set(id, [own, ...entries])
    this.tell('payout.created', payout, id)
    return payout
  }

  /** Changes a payout, and tells it: https://docs.stripe.com/api/events/types */
  movePayout(id: string, change: Partial<Stripe.Payout>): void {
    const before = this.payouts.get(id)!
    const after = { ...before, ...change }
    this.payouts.set(id, after)
    const isOver = after.status !== before.status && ['paid', 'failed', 'canceled'].includes(after.status)
    const isReconciled = after.reconciliation_status !== before.reconciliation_status
    this.tell('payout.updated', after, id)
    if (isOver) this.tell(`payout.${after.status}`, after, id)
    if (isReconciled) this.tell('payout.reconciliation_completed', after, id)
  }

  /** https://docs.stripe.com/api/balance_transactions/list, `payout` */
  protected entriesOf(payout = ''): readonly Entry[] | Answer {
    const found = this.payouts.get(payout)
    if (!found) return missingIn('payout', payout)
    return found.automatic
      ? this.#entries.get(payout)!
      : refused(null, 'Balance transaction history can only be filtered on automatic transfers, not manual.')
  }
}
