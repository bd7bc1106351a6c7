import type { bankFailures } from '../../drizzle/schema/columns.ts'
import type { declineCategories, declineCodes, deviceFailures } from '../../drizzle/schema/declines.ts'
import type { CardReading, captureMethods } from '../../drizzle/schema/payments.ts'
import type { buyerBalanceMovements } from '../../drizzle/schema/push-payments.ts'
import type { refundReasons } from '../../drizzle/schema/refunds.ts'
import type { IsoDate } from '../kernel/bank-days.ts'
import type { Method, MethodOf, PushMethod } from '../kernel/payment-methods.ts'
import type { DisputeRail, FraudWarningRail } from './claims.ts'
import type { InPersonRail } from './in-person.ts'
import type { PayoutRail } from './payouts.ts'

/** What a processor shows of a card; never its number. */
export interface CardFacts {
  readonly brand: string
  readonly last4: string
  readonly bin6: string
  readonly funding: string
  /** How a device read it; absent where it was typed. */
  readonly reading?: CardReading
}

export type CaptureMethod = (typeof captureMethods)[number]

/** The buyer, where a method asks for it. Sent to the processor, stored nowhere. */
export interface Buyer {
  readonly name: string
  readonly email: string
  /** As the buyer typed it; a processor may refuse a charge without one. */
  readonly phone?: string
}

export interface ChargeBase {
  /** Our attempt id. Sent twice, it is one charge. */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  /** What the buyer gave: of a card's often nothing. */
  readonly buyer: Partial<Buyer>
  /** As the bank's pages and the voucher show it. */
  readonly merchantName: string
  /** The buyer's page of the payment: where a challenge ends. Some demand one of a method that leads nowhere. */
  readonly returnUrl: string
  /** The merchant's own account that takes the charge, as stored on the attempt; null: the environment's. */
  readonly accountId: string | null
}

export interface CardCharge extends ChargeBase {
  readonly method: MethodOf<'card'>
  readonly token: string
  /** 1: paid at once. */
  readonly installmentMonths: number
  /** `manual`: only authorized; the money is taken by `capture`. */
  readonly capture: CaptureMethod
  /** `required`: the bank must confirm the buyer; `automatic`: the processor decides. */
  readonly threeDs: 'automatic' | 'required'
}

/** A voucher or a CLABE to pay at, until `expiresAt`. */
export interface PushCharge extends ChargeBase {
  readonly method: PushMethod
  readonly expiresAt: Date
  readonly buyer: Buyer
}

export type Charge = CardCharge | PushCharge

export type DeclineCode = (typeof declineCodes)[number]
/** What a bank or processor says; `blocked` says a rule of the merchant's. */
export type BankDeclineCode = Exclude<DeclineCode, 'blocked'>
export type DeviceFailure = (typeof deviceFailures)[number]
export type DeclineCategory = (typeof declineCategories)[number]

/** What the buyer needs to pay by: a page to visit, a device that waits for a card, a voucher to show, a CLABE to send to. */
export type CustomerAction =
  | { readonly type: 'redirect'; readonly url: string; readonly card: CardFacts }
  | { readonly type: 'present_card'; readonly expiresAt: Date }
  | { readonly type: 'voucher'; readonly reference: string; readonly expiresAt: Date }
  | {
      readonly type: 'clabe'
      readonly clabe: string
      readonly bankName: string
      readonly beneficiary: string
      readonly expiresAt: Date
    }

/** How the bank authenticated the buyer: `eci`, `trans_status`, `ds_trans_id`, `liability_shift`, where known. */
export type ThreeDs = Readonly<Record<string, string>>

/** An attempt's state at the processor. `unknown`: it did not answer in time; never treated as a decline. */
export type ProcessorState =
  | {
      readonly state: 'captured'
      /** All that was captured, and its currency: only compared with ours, never posted. */
      readonly amountMinor: bigint
      readonly currency: string
      /** Null where no card paid. */
      readonly card: CardFacts | null
      readonly processorRef: string
      readonly threeDs?: ThreeDs
      /**
       * The first day in Mexico City on which its money is there from the start; absent where it is not
       * reported.
       */
      readonly settledOn?: IsoDate
    }
  | {
      readonly state: 'authorized'
      readonly amountMinor: bigint
      readonly currency: string
      readonly card: CardFacts
      /** When the authorization lapses. */
      readonly captureBefore: Date
      readonly processorRef: string
      readonly threeDs?: ThreeDs
    }
  | { readonly state: 'pending_customer'; readonly action: CustomerAction; readonly processorRef: string }
  | {
      readonly state: 'declined'
      readonly code: DeclineCode
      readonly category: DeclineCategory
      readonly card: CardFacts | null
    }
  /** Ended without money, by us or by time, or because a device did not take it. */
  | { readonly state: 'canceled'; readonly deviceFailure?: DeviceFailure }
  | { readonly state: 'not_found' }
  /** `processorRef`: what it was asked about is known there by this id, where that is known. */
  | { readonly state: 'unknown'; readonly processorRef?: string }

/** The sale for which a card's terms are asked: they depend on the amount. */
export interface Sale {
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether terms are offered at all: asking for them costs more at some processors. */
  readonly installments: boolean
  /** The public id of what is sold; finds its merchant. */
  readonly publicId: string
}

/** What we know of a charge beside our reference. */
export interface ChargeRefs {
  /** Spares a search where the processor has ids of its own. */
  readonly processorRef: string | null
  /** The only account that has the charge: a merchant's own; null: the environment's. */
  readonly accountId: string | null
}

/** What a token stands for, and the installment terms that this card may have. */
export interface TokenFacts {
  /** Null where the processor tells it only with the charge. */
  readonly card: CardFacts | null
  /** By what the processor knows the card again; absent where it does not say. */
  readonly fingerprint?: string
  readonly installmentMonths: readonly number[]
  /** The processor had no room to say which terms it has: it may have some. */
  readonly termsUnknown?: boolean
  /** The only account that can charge the token; null: the environment's. */
  readonly accountId: string | null
}

/** Whose fields take a card on the page, with the public key that they ask for: a card number never reaches the page. */
export interface CardEntry {
  readonly by: 'stripe'
  readonly publicKey: string
}

export type RefundReason = (typeof refundReasons)[number]

export interface RefundOrder {
  /** Our refund id: sent twice, it is one refund. */
  readonly reference: string
  /** The attempt that took the money. */
  readonly attemptReference: string
  readonly processorRef: string | null
  /** The account that took it. */
  readonly accountId: string | null
  /** The merchant's; some processors demand one. */
  readonly reason: RefundReason
  readonly amountMinor: bigint
  readonly currency: string
}

export type RefundFailure =
  | 'declined_by_bank'
  | 'account_closed'
  | 'partial_refund_unsupported'
  | 'processing_error'

export type RefundState =
  | { readonly state: 'processing'; readonly processorRef: string }
  | {
      readonly state: 'succeeded'
      readonly amountMinor: bigint
      readonly currency: string
      readonly processorRef: string
    }
  /** The buyer of a transfer named no account in time: the processor keeps the money for the buyer, not the merchant. */
  | { readonly state: 'kept'; readonly processorRef: string }
  | { readonly state: 'failed'; readonly code: RefundFailure }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

/** A refund made at the processor, in its dashboard or by the processor itself, as the processor has it. */
export interface RefundFacts {
  readonly refundRef: string
  readonly attemptReference: string
  readonly state: 'processing' | 'succeeded' | 'kept' | 'failed'
  /** Null unless it failed. */
  readonly code: RefundFailure | null
  readonly amountMinor: bigint
  readonly currency: string
}

/** Refunds by the payment's own method. */
export interface RefundRail {
  /** Whether it gives transfers back too, and asks their buyers for an account where it knows none; else a bank does. */
  readonly ofTransfers?: boolean
  refund(order: RefundOrder): Promise<RefundState>
  /** `order` if available: some processors find a refund only through its payment. */
  fetchRefund(reference: string, order?: RefundOrder): Promise<RefundState>
  /** A refund made there, by the processor's reference. Null: none, or ours; `unknown`: no answer. */
  fetchExternalRefund(refundRef: string): Promise<RefundFacts | null | 'unknown'>
  /** Refunds with an unconfirmed notification. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (refundRef: string, state: RefundFacts['state']) => Promise<void>
}

/** Money sent to a CLABE: transfers, payouts, refunds of cash. */
export interface BankOrder {
  /** Our id. Sent twice, it is one transfer. */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly clabe: string
  readonly holder: string
  /** What the receiver reads on the statement; at most 40 characters. */
  readonly concept: string
}

export type BankFailure = (typeof bankFailures)[number]

/** `returned`: it was paid, and the receiving bank sent it back later as a transfer with a trace of its own. */
export type BankState =
  | { readonly state: 'processing' }
  | { readonly state: 'paid'; readonly claveRastreo: string }
  | { readonly state: 'failed'; readonly code: BankFailure }
  | {
      readonly state: 'returned'
      readonly code: BankFailure
      readonly claveRastreo: string
      readonly returnClaveRastreo: string
    }
  | { readonly state: 'canceled' }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

export interface BankRail {
  send(order: BankOrder): Promise<BankState>
  fetchOrder(reference: string): Promise<BankState>
  /** Stops an order that has not left the bank; a reference that it never saw is closed for good. */
  cancelOrder(reference: string): Promise<BankState>
}

/** One SPEI transfer that arrived on one of the processor's CLABEs. */
export interface Deposit {
  readonly depositRef: string
  readonly clabe: string
  /** The merchant's account at the processor, our tenant id where the processor keeps it; for CLABEs never lent. */
  readonly account: string | null
  readonly amountMinor: bigint
  readonly currency: string
  /** At most 30 letters and digits, given by the sending bank. */
  readonly claveRastreo: string
  readonly senderBank: string
  readonly senderClabe: string | null
  readonly senderName: string | null
  /** YYYY-MM-DD, the banks' date. */
  readonly operatedOn: string
  /** Our attempt that the CLABE was lent for, if known: a deposit may be notified before we have stored its CLABE. */
  readonly attemptReference?: string | null
  /** The bank and the holder behind the CLABE, where the processor tells them with a deposit. */
  readonly bankName?: string
  readonly beneficiary?: string
  /** How much of it filled a balance of the buyer's that was below zero, where deposits wait in one. */
  readonly belowZeroMinor?: bigint
}

/**
 * A change of the balance in which a buyer's deposits wait, other than by a payment: `reversed` by the sending bank,
 * `returned` to the sender, `return_failed`: the return came back, `refund_kept`: a refund that found no account,
 * `unapplied`: a payment let it go, `taken` into the account's own balance, `overdraft_covered` from there, `refilled`:
 * a transfer that arrived while the balance was below zero.
 */
export interface BalanceMovement {
  readonly movementRef: string
  readonly kind: (typeof buyerBalanceMovements.kind.enumValues)[number]
  /** The attempt whose transfers the balance keeps. */
  readonly attemptReference: string
  /** Below zero where money left. */
  readonly changeMinor: bigint
  /** The part of it, without a sign, by which the balance went further below zero, or came back towards it. */
  readonly belowZeroMinor: bigint
  readonly currency: string
}

/** Throws when the processor does not answer; the caller asks again. */
export interface DepositRail {
  /**
   * Whose money a transfer is once it has arrived. `merchant`: it may count towards any payment of theirs. `buyer`: the
   * processor keeps it for the buyer until it has applied it to the payment, and a payment has it only then.
   */
  readonly holder: 'merchant' | 'buyer'
  fetchDeposit(depositRef: string): Promise<Deposit | null>
  /** Notified like a deposit. Null: a deposit into a balance that was not below zero, a payment, or not of ours. */
  readonly fetchMovement?: (movementRef: string) => Promise<BalanceMovement | null>
  /** All deposits for an attempt, notified or not. Asked before an attempt is given up. */
  readonly depositsOf?: (attemptReference: string, known: ChargeRefs) => Promise<readonly Deposit[]>
  /** Deposits with an unconfirmed notification. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (depositRef: string) => Promise<void>
}

/** A hint that something happened at the processor: read it there, never trust the hint. */
export interface Notification {
  readonly eventId: string
  readonly kind:
    | 'attempt'
    | 'refund'
    | 'order'
    | 'deposit'
    | 'dispute'
    | 'fraud_warning'
    | 'processor_refund'
    | 'payout'
    | 'presented'
    | 'asked'
  /** Our reference (attempt, refund, order, what a device asked) or the processor's (of any other kind). */
  readonly reference: string
}

/**
 * An outside processor. Adapters never touch our database; a call that does not answer in time is `unknown`. A rail
 * that is absent is a capability that is not offered.
 */
export interface Processor {
  readonly name: string
  readonly methods: readonly Method[]
  describe(token: string, sale: Sale): Promise<TokenFacts | null>
  /** The terms that every card with this BIN has; absent where only a card itself tells them. */
  readonly termsOfBin?: (bin: string, funding: string | undefined) => readonly number[]
  /** The account that charges for this public id now; absent where there is only the environment's. */
  readonly accountOf?: (publicId: string) => Promise<string | null>
  /** Absent where the page's own fields take test cards; null where the sale's account can take no card. */
  readonly cardEntry?: (publicId: string) => Promise<CardEntry | null>
  createAttempt(charge: Charge): Promise<ProcessorState>
  /** Reads the state of the attempt with this reference. */
  fetchAttempt(reference: string, known: ChargeRefs): Promise<ProcessorState>
  /**
   * Ends an attempt that is not captured; a reference that it never saw is closed for good. `not_found`: it cannot be
   * closed, see `arrivesWithinMs`.
   */
  cancel(reference: string, known: ChargeRefs): Promise<ProcessorState>
  /**
   * Where a reference that was never seen cannot be closed: how long after its attempt began a charge may still arrive. It
   * is unknown until then.
   */
  readonly arrivesWithinMs?: number
  /** Captures up to what was authorized and releases the rest. Sent twice, it is one capture. */
  readonly capture?: (reference: string, amountMinor: bigint, known: ChargeRefs) => Promise<ProcessorState>
  readonly inPerson?: InPersonRail
  readonly refunds?: RefundRail
  readonly bank?: BankRail
  readonly deposits?: DepositRail
  readonly disputes?: DisputeRail
  readonly fraudWarnings?: FraudWarningRail
  /** Of merchants' own accounts, which it pays out by itself. */
  readonly payouts?: PayoutRail
}
