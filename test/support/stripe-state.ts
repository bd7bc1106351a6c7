import type Stripe from 'stripe'
import { type AccountSettings, newSettings } from './stripe-account.ts'
import { disputeOf, refundMoved, refundOf } from './stripe-aftermath.ts'
import { type CashType, type Customer, cashOf, customerOf, signs } from './stripe-cash.ts'
import { chargeOf, entryOf, entryOfCharge } from './stripe-charges.ts'
import { StripeEvents } from './stripe-events.ts'
import { type Intended, intentOf, moved } from './stripe-intents.ts'
import { type Method, methodOf } from './stripe-methods.ts'

export const secretKey = 'sk_live_stand-in'

type CashTransaction = Stripe.CustomerCashBalanceTransaction

/** The event that tells of a PaymentIntent's new status. */
const toldBy: Readonly<Record<string, string>> = {
  succeeded: 'payment_intent.succeeded',
  canceled: 'payment_intent.canceled',
  requires_payment_method: 'payment_intent.payment_failed',
  requires_capture: 'payment_intent.amount_capturable_updated',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
}

/** All that the accounts at Stripe hold, how tests change it, and what each change tells. */
export class StripeState {
  /** The valid secret keys, each with its account's Stripe id. What is made belongs to that account alone. */
  readonly accounts = new Map([[secretKey, 'acct_environment']])
  readonly intents = new Map<string, Intended>()
  readonly methods = new Map<string, Method>()
  readonly customers = new Map<string, Customer>()
  readonly refunds = new Map<string, Stripe.Refund>()
  readonly disputes = new Map<string, Stripe.Dispute>()
  readonly files = new Map<string, Stripe.File>()
  readonly warnings = new Map<string, Stripe.Radar.EarlyFraudWarning>()
  /** Every movement of a customer's cash balance, by `customer/id`. */
  readonly deposits = new Map<string, CashTransaction>()
  events = new StripeEvents()
  protected readonly owners = new Map<string, string>()
  #settings = new Map<string, AccountSettings>()
  #made = 0

  reset(): void {
    for (const kept of [
      this.intents,
      this.methods,
      this.customers,
      this.refunds,
      this.disputes,
      this.files,
      this.warnings,
      this.deposits,
      this.owners,
      this.#settings,
    ])
      kept.clear()
    this.events = new StripeEvents()
  }

  /** An account's settings, which tests may change. */
  settings(account = 'acct_environment'): AccountSettings {
    const settings = this.#settings.get(account) ?? newSettings()
    this.#settings.set(account, settings)
    return settings
  }

  protected newId(prefix: string): string {
    return `${prefix}_${++this.#made}x${Date.now()}`
  }

  ownerOf(id: string): string {
    return this.owners.get(id) ?? 'acct_environment'
  }

  /** Any object by its id, as it stands now. */
  lookup(id: string): object | undefined {
    const [prefix = '', rest = ''] = id.split(/_(.*)/s)
    switch (prefix) {
      case 'pi':
        return this.#rendered(id)
      case 'ch': {
        const intended = this.intents.get(`pi_${rest}`)
        return intended && chargeOf(this.#withAftermath(intended))
      }
      case 'pm':
        return this.methods.has(id) ? methodOf(this.methods.get(id)!) : undefined
      case 'cus':
        return this.customers.has(id) ? customerOf(this.customers.get(id)!) : undefined
      case 're':
        return this.refunds.get(id)
      case 'dp':
        return this.disputes.get(id)
      case 'file':
        return this.files.get(id)
      case 'issfr':
        return this.warnings.get(id)
      case 'txn':
        return this.#entry(rest)
      default:
        return undefined
    }
  }

  #rendered(id: string): Stripe.PaymentIntent | undefined {
    const intended = this.intents.get(id)
    return intended && intentOf(intended)
  }

  /** With its refunds and disputes, which a charge shows. */
  #withAftermath(intended: Intended): Intended {
    const refunded = this.refundedOf(intended.id)
    const disputed = [...this.disputes.values()].some((each) => each.payment_intent === intended.id)
    return { ...intended, refunded, disputed }
  }

  /** The account's entry for a charge (`ch…`) or a refund (`re…`). */
  #entry(source: string): Stripe.BalanceTransaction | undefined {
    const intended = this.intents.get(`pi_${source.slice(2)}`)
    if (source.startsWith('ch')) return intended && entryOfCharge(intended)
    const refund = this.refunds.get(`re_${source.slice(2)}`)
    if (!refund) return undefined
    const type = refund.customer === null ? 'refund' : 'payment_refund'
    return entryOf(refund.id, type, -refund.amount, { created: refund.created })
  }

  /** What refunds took, or are about to take, from a payment. */
  refundedOf(intent: string): number {
    return [...this.refunds.values()]
      .filter(
        ({ payment_intent, status }) =>
          payment_intent === intent && status !== 'failed' && status !== 'canceled',
      )
      .reduce((sum, refund) => sum + refund.amount, 0)
  }

  /** An event about an object, for the list of its account. */
  tell(type: string, object: object, about: string): Stripe.Event {
    const owner = this.ownerOf(about)
    return this.events.add(type, object, owner, !owner.endsWith('/test'))
  }

  /** Changes a PaymentIntent and tells it, as its bank or a till would. */
  move(id: string, change: Partial<Intended>): void {
    const before = this.intents.get(id)!
    const after = moved(before, change)
    this.intents.set(id, after)
    if (after.status !== before.status) this.tellOf(id)
  }

  protected tellOf(id: string, type = toldBy[this.intents.get(id)!.status]): void {
    if (type) this.tell(type, this.#rendered(id)!, id)
  }

  intentFor(attemptId: string): Intended | undefined {
    return [...this.intents.values()].find(({ metadata }) => metadata.attempt_id === attemptId)
  }

  balanceOf(customer: string): number {
    return [...this.deposits.values()]
      .filter((each) => each.customer === customer)
      .reduce((sum, each) => sum + each.net_amount, 0)
  }

  /** A movement of a customer's cash balance. `about`: the intent, refund or entry that it names. */
  cash(customer: string, type: CashType, amount: number, about?: string, id = this.newId('ccsbtxn')) {
    const made = cashOf(customer, id, type, signs[type] * amount, {
      ...(about === undefined ? {} : { about }),
      before: this.balanceOf(customer),
      livemode: this.customers.get(customer)?.livemode ?? true,
    })
    this.deposits.set(`${customer}/${id}`, made)
    this.tell('customer_cash_balance_transaction.created', made, customer)
    return made
  }

  /**
   * A transfer that arrives at a customer's CLABE. In mode `automatic` Stripe applies it to the customer's open
   * PaymentIntents (https://docs.stripe.com/payments/customer-balance/reconciliation); what is left stays.
   */
  deposit(customer: string, id: string, amount: number): CashTransaction {
    const funded = this.cash(customer, 'funded', amount, undefined, id)
    const mode =
      this.customers.get(customer)?.mode ??
      this.settings(this.ownerOf(customer).split('/')[0]).reconciliationMode
    const open = [...this.intents.values()].filter(
      (each) => each.customer === customer && each.status === 'requires_action',
    )
    if (mode === 'automatic') for (const { id: intent } of open) this.applyCash(intent)
    return funded
  }

  /** Applies what the customer has to an open PaymentIntent, at most `max`. */
  applyCash(id: string, max = Number.POSITIVE_INFINITY): void {
    const { customer = '', amount, received = 0 } = this.intents.get(id)!
    const applied = Math.min(this.balanceOf(customer), amount - received, max)
    if (applied <= 0) return
    this.cash(customer, 'applied_to_payment', applied, id)
    const isPaid = received + applied === amount
    this.move(id, { received: received + applied, ...(isPaid ? { status: 'succeeded' } : {}) })
    if (!isPaid) this.tellOf(id, 'payment_intent.partially_funded')
  }

  /** Gives what was applied to an intent that ends back to the customer's balance. */
  protected unapply(id: string): void {
    const { customer, received = 0 } = this.intents.get(id)!
    if (customer === undefined || received === 0) return
    this.cash(customer, 'unapplied_from_payment', received, id)
    this.intents.set(id, { ...this.intents.get(id)!, received: 0 })
  }

  /** A refund in the dashboard. */
  refundInDashboard(intent: string, amount: number, status = 'succeeded'): Stripe.Refund {
    return this.refundMade(intent, amount, {}, status)
  }

  protected refundMade(
    intent: string,
    amount: number,
    metadata: Record<string, string>,
    status: string,
    email?: string,
  ) {
    const { customer } = this.intents.get(intent)!
    const to = email ?? (customer && this.customers.get(customer)?.email) ?? undefined
    const made = refundOf(this.newId('re'), amount, intent, metadata, status, {
      ...(customer === undefined ? {} : { customer, ...(to === undefined ? {} : { email: to }) }),
    })
    this.owners.set(made.id, this.ownerOf(intent))
    this.refunds.set(made.id, made)
    this.tell('refund.created', made, made.id)
    this.#settleWarnings(intent)
    return made
  }

  /** A return of what lies in a customer's balance: it leaves the balance at once. */
  protected returnMade(
    customer: string,
    amount: number,
    metadata: Record<string, string>,
    status: string,
    email: string,
  ) {
    const made = refundOf(this.newId('re'), amount, null, metadata, status, { customer, email })
    this.owners.set(made.id, this.ownerOf(customer))
    this.refunds.set(made.id, made)
    this.cash(customer, 'return_initiated', amount)
    this.tell('refund.created', made, made.id)
    return made
  }

  /** A refund's new status; one of a transfer that ends without money comes back to the customer's balance. */
  moveRefund(id: string, status: string): Stripe.Refund {
    const before = this.refunds.get(id)!
    const after = refundMoved(before, status)
    this.refunds.set(id, after)
    this.tell(status === 'failed' ? 'refund.failed' : 'refund.updated', after, id)
    const isBack = status === 'failed' || status === 'canceled'
    if (isBack && typeof after.customer === 'string') {
      const type = after.payment_intent === null ? 'return_canceled' : 'refunded_from_payment'
      this.cash(after.customer, type, after.amount, id)
    }
    return after
  }

  /** A dispute, or an inquiry, of a payment. */
  dispute(intent: string, status: Stripe.Dispute.Status, id = this.newId('dp')): Stripe.Dispute {
    const made = disputeOf(id, this.#rendered(intent)!, status)
    this.owners.set(id, this.ownerOf(intent))
    this.disputes.set(id, made)
    this.tell('charge.dispute.created', made, id)
    this.#settleWarnings(intent)
    return made
  }

  /** A buyer's bank reports a payment as fraud: https://docs.stripe.com/api/radar/early_fraud_warnings/object */
  warn(intent: string, fraudType = 'made_with_stolen_card'): Stripe.Radar.EarlyFraudWarning {
    const id = this.newId('issfr')
    const warning: Stripe.Radar.EarlyFraudWarning = {
      id,
      object: 'radar.early_fraud_warning',
      actionable: this.#isActionable(intent),
      charge: `ch_${intent.slice(3)}`,
      created: Math.floor(Date.now() / 1000),
      fraud_type: fraudType,
      livemode: this.#rendered(intent)!.livemode,
      payment_intent: intent,
    }
    this.owners.set(id, this.ownerOf(intent))
    this.warnings.set(id, warning)
    this.tell('radar.early_fraud_warning.created', warning, id)
    return warning
  }

  /** While the charge is neither disputed nor wholly refunded. */
  #isActionable(intent: string): boolean {
    const isDisputed = [...this.disputes.values()].some(
      (each) => each.payment_intent === intent && !each.status.startsWith('warning'),
    )
    return !isDisputed && this.refundedOf(intent) < this.#rendered(intent)!.amount_received
  }

  #settleWarnings(intent: string): void {
    const actionable = this.#isActionable(intent)
    for (const [id, warning] of this.warnings) {
      if (warning.payment_intent !== intent || warning.actionable === actionable) continue
      this.warnings.set(id, { ...warning, actionable })
      this.tell('radar.early_fraud_warning.updated', this.warnings.get(id)!, id)
    }
  }

  /** `claimed`: the bank claims another amount than before. */
  moveDispute(id: string, status: Stripe.Dispute.Status, claimed?: number): void {
    const { created, amount, payment_intent: intent, evidence, evidence_details } = this.disputes.get(id)!
    const after = disputeOf(id, this.#rendered(intent as string)!, status, claimed ?? amount)
    this.disputes.set(id, { ...after, created, evidence, evidence_details })
    const isOver =
      status === 'won' || status === 'lost' || status === 'warning_closed' || status === 'prevented'
    this.tell(isOver ? 'charge.dispute.closed' : 'charge.dispute.updated', this.disputes.get(id)!, id)
    this.#settleWarnings(intent as string)
  }
}
