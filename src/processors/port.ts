/** What a processor tells about a card; never its number. */
export interface CardFacts {
  readonly brand: string
  readonly last4: string
  readonly bin6: string
  readonly funding: string
}

export type Method = 'card' | 'oxxo' | 'spei'
export type CaptureMethod = 'automatic' | 'manual'

/** Who pays, where a method asks for it. Sent to the processor, kept nowhere. */
export interface Buyer {
  readonly name: string
  readonly email: string
}

interface ChargeBase {
  /** Our attempt id: whatever is sent twice under it is one charge. */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  /** Who the buyer pays, as the bank's pages and the voucher show it. */
  readonly merchantName: string
  /** The merchant's own account that takes it, as the attempt says; null: the environment's. */
  readonly accountId: string | null
}

export interface CardCharge extends ChargeBase {
  readonly method: 'card'
  readonly token: string
  /** 1: paid at once. */
  readonly installmentMonths: number
  /** `manual`: only authorised; the money is taken by `capture`. */
  readonly capture: CaptureMethod
  /** Where the processor sends the buyer after a challenge. */
  readonly returnUrl: string
}

/** A voucher or a CLABE to pay at, until `expiresAt`. */
export interface CashCharge extends ChargeBase {
  readonly method: 'oxxo' | 'spei'
  readonly expiresAt: Date
  readonly buyer: Buyer
}

export type Charge = CardCharge | CashCharge

export type DeclineCode =
  | 'insufficient_funds'
  | 'card_declined'
  | 'expired_card'
  | 'suspected_fraud'
  | 'authentication_failed'
  | 'processing_error'

/** Whether trying again may help: `soft` later, `hard` never with this card, `fraud` do not, `auth` with a new challenge. */
export type DeclineCategory = 'soft' | 'hard' | 'fraud' | 'auth'

/** What the buyer needs to pay by: a page to visit, a voucher to show, a CLABE to send to. */
export type CustomerAction =
  | { readonly type: 'redirect'; readonly url: string; readonly card: CardFacts }
  | { readonly type: 'voucher'; readonly reference: string; readonly expiresAt: Date }
  | {
      readonly type: 'clabe'
      readonly clabe: string
      readonly bankName: string
      readonly beneficiary: string
      readonly expiresAt: Date
    }

/** How the card's bank made sure of the buyer: `eci`, `trans_status`, `ds_trans_id`, `liability_shift`, as far as told. */
export type ThreeDs = Readonly<Record<string, string>>

/** Where an attempt stands at the processor. `unknown`: it did not say in time; it is never taken for a decline. */
export type ProcessorState =
  | {
      readonly state: 'captured'
      /** The whole of what was captured, and in what currency: compared with ours, never booked from. */
      readonly amountMinor: bigint
      readonly currency: string
      /** Null where no card paid. */
      readonly card: CardFacts | null
      readonly processorRef: string
      readonly threeDs?: ThreeDs
    }
  | {
      readonly state: 'authorized'
      readonly amountMinor: bigint
      readonly currency: string
      readonly card: CardFacts
      /** When the authorisation lapses. */
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
  /** Ended without money, by us or by time. */
  | { readonly state: 'canceled' }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

/** What a card is asked about for: terms depend on the amount. */
export interface Sale {
  readonly amountMinor: bigint
  readonly currency: string
  /** Whether terms are offered at all: asking for them costs more at some processors. */
  readonly installments: boolean
  /** The public id of what is sold, by which its merchant is found. */
  readonly publicId: string
}

/** What we know of a charge beside our reference. */
export interface Known {
  /** Spares a search where the processor has ids of its own. */
  readonly processorRef: string | null
  /** Where it was sent, and nowhere else is it: a merchant's own account; null: the environment's. */
  readonly accountId: string | null
}

/** What a token stands for, and the installment terms that this card may have. */
export interface TokenFacts {
  readonly card: CardFacts
  readonly installmentMonths: readonly number[]
  /** The account that knows the token, and alone can charge it. */
  readonly accountId: string | null
}

export interface RefundOrder {
  /** Our refund id: sent twice, it is one refund. */
  readonly reference: string
  /** The attempt that took the money. */
  readonly attemptReference: string
  readonly processorRef: string | null
  /** The account that took it. */
  readonly accountId: string | null
  readonly amountMinor: bigint
  readonly currency: string
}

export type RefundFailure =
  | 'declined_by_bank'
  | 'account_closed'
  | 'partial_refund_unsupported'
  | 'expired'
  | 'processing_error'

export type RefundState =
  | { readonly state: 'processing'; readonly processorRef: string }
  | {
      readonly state: 'succeeded'
      readonly amountMinor: bigint
      readonly currency: string
      readonly processorRef: string
    }
  | { readonly state: 'failed'; readonly code: RefundFailure }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

/** A refund that was made at the processor, in its dashboard or by itself, as the processor has it. */
export interface RefundFacts {
  readonly refundRef: string
  readonly attemptReference: string
  readonly state: 'processing' | 'succeeded' | 'failed'
  /** Null unless it failed. */
  readonly code: RefundFailure | null
  readonly amountMinor: bigint
  readonly currency: string
}

/** Refunds by the way that the money came. */
export interface RefundRail {
  refund(order: RefundOrder): Promise<RefundState>
  /** The order, where it is at hand: some processors find a refund only through its payment. */
  fetchRefund(reference: string, order?: RefundOrder): Promise<RefundState>
  /** One that was made there, by the processor's reference. Null: there is none, or it is ours; `unknown`: it did not say. */
  fetchMade(refundRef: string): Promise<RefundFacts | null | 'unknown'>
  /** Those with something to tell that nobody confirmed. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (refundRef: string, state: RefundFacts['state']) => Promise<void>
}

/** Money sent to a CLABE: transfers, payouts, refunds of cash. */
export interface BankOrder {
  /** Our id of what is sent: sent twice, it is one transfer. */
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly clabe: string
  readonly holder: string
  /** What the receiver reads on the statement; at most 40 characters. */
  readonly concept: string
}

export type BankFailure =
  | 'account_closed'
  | 'account_not_found'
  | 'holder_mismatch'
  | 'declined_by_bank'
  | 'processing_error'

/** `returned`: it was paid, and the receiving bank sent it back later as a transfer of its own. */
export type BankState =
  | { readonly state: 'processing' }
  | { readonly state: 'paid'; readonly claveRastreo: string }
  | { readonly state: 'failed'; readonly code: BankFailure }
  | { readonly state: 'returned'; readonly code: BankFailure; readonly claveRastreo: string }
  | { readonly state: 'canceled' }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

export interface BankRail {
  send(order: BankOrder): Promise<BankState>
  fetchOrder(reference: string): Promise<BankState>
  /** Stops an order that has not left; a reference it never saw is closed for good. */
  cancelOrder(reference: string): Promise<BankState>
}

/** One SPEI transfer that arrived on one of the processor's CLABEs. */
export interface Deposit {
  readonly depositRef: string
  readonly clabe: string
  /** The merchant's account at the processor, our tenant id where the processor keeps it; for CLABEs that nobody was lent. */
  readonly account: string | null
  readonly amountMinor: bigint
  readonly currency: string
  /** At most 30 letters and digits, given by the sending bank. */
  readonly claveRastreo: string
  readonly senderBank: string
  readonly senderClabe: string | null
  readonly senderName: string | null
  /** YYYY-MM-DD, the banks' date. */
  readonly operationDate: string
  /** Our attempt that the CLABE was lent for, where the processor tells: a deposit may be told before its CLABE is ours. */
  readonly attemptReference?: string | null
}

/** Whatever cannot be had throws: nothing is known then, and it is asked again. */
export interface DepositRail {
  fetchDeposit(depositRef: string): Promise<Deposit | null>
  /** Everything that arrived for an attempt, told or not. Asked before an attempt is given up. */
  readonly depositsOf?: (attemptReference: string, known: Known) => Promise<readonly Deposit[]>
  /** Deposits of which nobody confirmed the notification. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (depositRef: string) => Promise<void>
}

/** A dispute as the processor has it. */
export interface DisputeFacts {
  readonly disputeRef: string
  readonly attemptReference: string
  readonly state: 'needs_response' | 'under_review' | 'won' | 'lost'
  readonly amountMinor: bigint
  readonly currency: string
  readonly reason: string
  readonly evidenceDueBy: Date | null
}

export interface DisputeRail {
  /** Null: there is none; `unknown`: it did not say in time. */
  fetchDispute(disputeRef: string): Promise<DisputeFacts | null | 'unknown'>
  /** The bank takes it once each time that it asks: sent again meanwhile, it is the same. */
  submitEvidence(
    disputeRef: string,
    evidence: Readonly<Record<string, string>>,
  ): Promise<DisputeFacts | null | 'unknown'>
  /** Disputes with something to tell that nobody confirmed. Absent where the processor repeats notifications by itself. */
  readonly unconfirmed?: (limit: number) => Promise<readonly string[]>
  readonly confirm?: (disputeRef: string, state: DisputeFacts['state']) => Promise<void>
}

/** Something happened at the processor: a hint to go and read it there, never a fact. */
export interface Notification {
  readonly eventId: string
  readonly kind: 'attempt' | 'refund' | 'order' | 'deposit' | 'dispute' | 'processor_refund'
  /** Our reference (attempt, refund, order) or the processor's (deposit, dispute, processor_refund). */
  readonly reference: string
}

/**
 * An outside processor. Adapters never touch our database; a call that does not answer in time is `unknown`. What a
 * processor cannot do, it does not have: a rail that is absent is a capability that is not offered.
 */
export interface Processor {
  readonly name: string
  readonly methods: readonly Method[]
  describe(token: string, sale: Sale): Promise<TokenFacts | null>
  /** The account that takes what is sold under this public id now; absent where there is only the environment's. */
  readonly accountOf?: (publicId: string) => Promise<string | null>
  createAttempt(charge: Charge): Promise<ProcessorState>
  /** Reads where the attempt with this reference stands. */
  fetchAttempt(reference: string, known: Known): Promise<ProcessorState>
  /** Ends an attempt that is not captured; a reference it never saw is closed for good. */
  cancel(reference: string, known: Known): Promise<ProcessorState>
  /** Takes up to what was authorised and lets go of the rest. Sent twice, it is one capture. */
  readonly capture?: (reference: string, amountMinor: bigint, known: Known) => Promise<ProcessorState>
  readonly refunds?: RefundRail
  readonly bank?: BankRail
  readonly deposits?: DepositRail
  readonly disputes?: DisputeRail
}
