import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { Order } from '../../../src/kernel/order.ts'
import { flowOf } from '../../../src/kernel/payment-methods.ts'
import { pageOfPayment } from './plan-mails.ts'
import { satPaymentFormOf } from './sat-payment-form.ts'
import type { AttemptRow, EventRow, JournalLine, PaymentRow, PaymentWithSale, UnappliedRow } from './store.ts'

const term = (months: number) => (months > 1 ? { months } : null)

export type PresentedPayment = ReturnType<typeof presentPayment>

export function presentPayment(payment: PaymentRow) {
  return {
    id: payment.id,
    object: 'payment' as const,
    public_id: payment.publicId,
    status: payment.status,
    amount: toMinorString(payment.amountMinor),
    currency: payment.currency,
    amount_authorized: toMinorString(payment.amountAuthorizedMinor),
    amount_captured: toMinorString(payment.amountCapturedMinor),
    amount_refunded: toMinorString(payment.amountRefundedMinor),
    refund_status: refundStatusOf(payment),
    amount_disputed: toMinorString(payment.amountDisputedMinor),
    amount_tip: toMinorString(payment.tipAmountMinor),
    amount_markup: toMinorString(payment.markupMinor),
    taxes: payment.taxes.map(({ iva_rate, base, iva }) => ({ iva_rate, base, iva })),
    order: payment.order && orderOf(payment.order),
    method: payment.method,
    method_details: payment.methodDetails && ({ ...payment.methodDetails } as CardDetails),
    sat_payment_form: satPaymentFormOf(payment),
    amount_received: toMinorString(payment.amountReceivedMinor),
    capture_method: payment.captureMethod,
    capture_before: payment.captureBefore?.toISOString() ?? null,
    installments: term(payment.installmentMonths),
    amount_fee: toMinorString(
      payment.feeProcessingMinor + payment.feeInstallmentsMinor + payment.feeIvaMinor,
    ),
    fee_details: {
      processing: toMinorString(payment.feeProcessingMinor),
      installments: toMinorString(payment.feeInstallmentsMinor),
      iva: toMinorString(payment.feeIvaMinor),
    },
    amount_net: toMinorString(payment.netMinor),
    fee_schedule_version: payment.feeScheduleVersion,
    policy_version: String(payment.policyVersion),
    location_id: payment.locationId,
    available_on: payment.availableOn,
    funds_status: payment.fundsStatus,
    reserve: {
      amount: toMinorString(payment.reserveMinor),
      release_on: payment.reserveReleaseOn,
    },
    origin: { type: payment.originType, id: payment.originId },
    checkout_session_id: payment.originType === 'checkout_session' ? payment.originId : null,
    payment_link_id: payment.originType === 'payment_link' ? payment.originId : null,
    customer_id: payment.customerId,
    description: payment.description,
    quantity: payment.quantity,
    client_reference_id: payment.clientReferenceId,
    metadata: payment.metadata,
    decline_code: payment.declineCode,
    receipt_url: null as string | null,
    succeeded_at: payment.succeededAt?.toISOString() ?? null,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
  }
}

/** With the address of its page, once it is paid. */
export function presentWithReceipt(
  payment: PaymentWithSale,
  { linkBaseUrl }: { readonly linkBaseUrl: string },
) {
  const page = payment.succeededAt && pageOfPayment(payment)
  return { ...presentPayment(payment), receipt_url: page && `https://${linkBaseUrl}${page}` }
}

/** The same with where its buyer confirms it, while the bank asks them to. */
export const presentTaken = (payment: PaymentWithSale, at: { readonly linkBaseUrl: string }) => ({
  ...presentWithReceipt(payment, at),
  next_action:
    payment.status === 'requires_action' && flowOf(payment.method) === 'card'
      ? {
          type: 'redirect_to_url' as const,
          url: `https://${at.linkBaseUrl}${pageOfPayment(payment)}/bank`,
        }
      : null,
})

function orderOf({ lines, parts }: Order) {
  const shipping = parts.find(({ kind }) => kind === 'shipping')
  return {
    line_items: lines.map(({ id = null, item_id, name, quantity, total, iva_rate }) => ({
      id,
      item_id,
      name,
      quantity,
      amount_total: total,
      iva_rate,
    })),
    discounts: parts.flatMap(({ kind, name, amount }) =>
      kind === 'discount' ? [{ code: name, amount: amount.slice(1) }] : [],
    ),
    shipping: shipping ? { name: shipping.name ?? '', amount: shipping.amount } : null,
  }
}

/** Derived, so that no status and amount can differ. */
function refundStatusOf({ amountRefundedMinor, amountCapturedMinor }: PaymentRow) {
  if (amountRefundedMinor === 0n) return 'none' as const
  return amountRefundedMinor < amountCapturedMinor ? ('partial' as const) : ('full' as const)
}

export function presentAttempt(attempt: AttemptRow) {
  return {
    id: attempt.id,
    object: 'payment_attempt' as const,
    number: attempt.number,
    status: attempt.status,
    processor: attempt.processor,
    amount: toMinorString(attempt.amountMinor),
    currency: attempt.currency,
    installments: term(attempt.installmentMonths),
    method: attempt.method,
    channel: attempt.channel,
    method_details: attempt.methodDetails && ({ ...attempt.methodDetails } as CardDetails),
    capture_method: attempt.captureMethod,
    processor_ref: attempt.processorRef,
    review: reviewOf(attempt),
    pending_change: pendingChangeOf(attempt),
    three_ds: attempt.threeDs && { ...attempt.threeDs },
    expires_at: attempt.expiresAt?.toISOString() ?? null,
    decline_code: attempt.declineCode,
    decline_category: attempt.declineCategory,
    resolved_at: attempt.resolvedAt?.toISOString() ?? null,
    created_at: attempt.createdAt.toISOString(),
    updated_at: attempt.updatedAt.toISOString(),
  }
}

const pendingChangeOf = ({ intent }: AttemptRow): 'capture' | 'cancel' | null =>
  intent === 'capture' || intent === 'cancel' ? intent : null

/** The contradiction: the amount that we asked for, and the processor's. */
function reviewOf({ contradiction, intent, ...attempt }: AttemptRow) {
  if (attempt.status !== 'amount_mismatch' && contradiction === null) return null
  return {
    status: reviewStatusOf(attempt.status, intent),
    resolution: attempt.resolution,
    ours: {
      amount: contradiction?.asked ?? toMinorString(attempt.amountMinor),
      currency: attempt.currency,
    },
    theirs: contradiction && {
      status: contradiction.state,
      amount: contradiction.amount,
      currency: contradiction.currency,
    },
    void_or_refund_failure: contradiction?.void_or_refund_failure ?? null,
  }
}

const reviewStatusOf = (status: string, intent: string | null) => {
  if (status !== 'amount_mismatch') return 'closed' as const
  return intent === 'void_or_refund' ? ('reversing' as const) : ('open' as const)
}

export const presentEvent = (event: EventRow) => ({
  id: event.id,
  object: 'event' as const,
  type: event.type,
  sequence: event.sequence,
  created_at: event.createdAt.toISOString(),
  data: { object: event.object, previous_attributes: event.previousAttributes },
})

/** Lines of several journals, in order, as one journal each. */
export function presentJournals(lines: readonly JournalLine[]) {
  const journals = new Map<string, { line: JournalLine; postings: { account: string; amount: string }[] }>()
  for (const line of lines) {
    const journal = journals.get(line.id) ?? { line, postings: [] }
    journal.postings.push({ account: line.account, amount: toMinorString(line.amountMinor) })
    journals.set(line.id, journal)
  }
  return [...journals.values()].map(({ line, postings }) => ({
    id: line.id,
    object: 'journal' as const,
    entry_kind: line.entryKind,
    currency: line.currency,
    created_at: line.createdAt.toISOString(),
    postings,
  }))
}

/** All that there is, in the list envelope. */
export const wholeList = <T>(data: T[]) => ({
  object: 'list' as const,
  data,
  has_more: false,
  next_cursor: '',
})

interface Account {
  readonly currency: string
  readonly code: string
  readonly balanceMinor: bigint
}

/** The merchant's balances from its own accounts of the ledger, without its waiters', by currency. */
export const presentBalance = (accounts: readonly Account[]) => ({
  object: 'balance' as const,
  currencies: [...new Set(accounts.map(({ currency }) => currency))].sort().map((currency) => {
    const of = (code: string) =>
      toMinorString(
        accounts.find((each) => each.currency === currency && each.code === code)?.balanceMinor ?? 0n,
      )
    return {
      currency,
      available: of('merchant_available'),
      pending: of('merchant_pending'),
      reserve: of('merchant_reserve'),
      in_flight: {
        refunds: of('refunds_in_flight'),
        transfers: of('transfers_in_flight'),
        payouts: of('payouts_in_flight'),
      },
      held: of('dispute_hold'),
      unapplied: of('unapplied_funds'),
      overdrawn: of('buyer_overdrafts'),
    }
  }),
})

export function presentUnappliedFunds(funds: Omit<UnappliedRow, 'tenantId'>) {
  return {
    id: funds.id,
    object: 'unapplied_funds' as const,
    status: funds.status,
    reason: funds.reason,
    method: funds.method,
    amount: toMinorString(funds.amountMinor),
    remaining: toMinorString(funds.remainingMinor),
    currency: funds.currency,
    payment_id: funds.paymentId,
    deposit_id: funds.depositId,
    voucher_id: funds.voucherId,
    version: funds.version,
    created_at: funds.createdAt.toISOString(),
    updated_at: funds.updatedAt.toISOString(),
  }
}
