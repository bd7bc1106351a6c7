/** What a processor tells about a card; never its number. */
export interface CardFacts {
  readonly brand: string
  readonly last4: string
  readonly bin6: string
  readonly funding: string
}

/** A card payment to try. `reference` is our attempt id: whatever is sent twice under it is one charge. */
export interface CardCharge {
  readonly reference: string
  readonly amountMinor: bigint
  readonly currency: string
  readonly token: string
  /** 1: paid at once. */
  readonly installmentMonths: number
  /** Who the buyer pays, as the bank's pages show it. */
  readonly merchantName: string
  /** Where the processor sends the buyer after a challenge. */
  readonly returnUrl: string
}

export type DeclineCode =
  | 'insufficient_funds'
  | 'card_declined'
  | 'expired_card'
  | 'suspected_fraud'
  | 'authentication_failed'
  | 'processing_error'

/** Whether trying again may help: `soft` later, `hard` never with this card, `fraud` do not, `auth` with a new challenge. */
export type DeclineCategory = 'soft' | 'hard' | 'fraud' | 'auth'

/** Where an attempt stands at the processor. `unknown`: it did not say in time; it is never taken for a decline. */
export type ProcessorState =
  | {
      readonly state: 'captured'
      readonly amountMinor: bigint
      readonly currency: string
      readonly card: CardFacts
    }
  | { readonly state: 'pending_customer'; readonly actionUrl: string; readonly card: CardFacts }
  | {
      readonly state: 'declined'
      readonly code: DeclineCode
      readonly category: DeclineCategory
      readonly card: CardFacts | null
    }
  | { readonly state: 'canceled' }
  | { readonly state: 'not_found' }
  | { readonly state: 'unknown' }

/** What a token stands for, and the instalment terms that this card may have. */
export interface TokenFacts {
  readonly card: CardFacts
  readonly installmentMonths: readonly number[]
}

/** An outside processor. Adapters never touch our database; a call that does not answer in time is `unknown`. */
export interface Processor {
  readonly name: string
  describe(token: string): Promise<TokenFacts | null>
  createAttempt(charge: CardCharge): Promise<ProcessorState>
  /** Reads where the attempt with this reference stands. */
  fetchAttempt(reference: string): Promise<ProcessorState>
  /** Ends an attempt that is not captured; a reference it never saw is closed for good. */
  cancel(reference: string): Promise<ProcessorState>
}
