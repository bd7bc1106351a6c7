import type { html } from 'hono/html'
import type { CaptureMethod, DeclineCode, Method } from '../../../src/processors/port.ts'
import type { Stray } from '../../payments/published-pure.ts'
import type { Locale } from './locale.ts'

/** What a page function returns; Hono's `c.html` takes it as it is. */
export type Html = ReturnType<typeof html>

/** What every page knows. Amounts are bigint minor units of `currency` (ISO 4217, either case). */
export type PageBase = {
  readonly locale: Locale
  /** True in sandbox: shows the test-mode banner. */
  readonly testMode: boolean
  /** A path that answers GET, without query: the language switch and "check again" lead there. */
  readonly path: string
}

export type Money = { readonly amountMinor: bigint; readonly currency: string }

/** The sandbox's test cards as the browser needs them; `testCards` of the simulator fits as it is. */
export type TestCardChoice = {
  readonly token: string
  readonly number: string
  readonly label: Readonly<Record<Locale, string>>
}

export type CardSummary = { readonly brand: string; readonly last4: string }

/** What the link sells: shown on the form and on the review. */
type Sale = Money & {
  readonly publicId: string
  readonly merchantName: string
  readonly description: string | null
}

/** Carried from page to page in hidden fields. */
type Carried = {
  /** Signed and opaque: the terms this page showed. */
  readonly offer: string
  /** One per rendered form: a second submit of it is the same attempt. */
  readonly attemptKey: string
}

export type PayError = 'card_required' | 'card_unknown' | 'card_without_plan' | 'offer_expired'

/** What the buyer types of themselves into the form for cash. */
export type BuyerField = 'name' | 'email'

/** What a merchant changed of a link while its page was open. */
export type Change =
  | { readonly what: 'amount' | 'surcharge'; readonly from: bigint; readonly to: bigint }
  | { readonly what: 'methods'; readonly from: readonly Method[]; readonly to: readonly Method[] }
  | { readonly what: 'installments'; readonly from: readonly number[]; readonly to: readonly number[] }
  | { readonly what: 'capture'; readonly from: CaptureMethod; readonly to: CaptureMethod }

export type PayView = PageBase &
  Sale &
  Carried & {
    readonly expiresAt: Date | null
    /** What the link may be paid by, and which of it this page is for. */
    readonly methods: readonly Method[]
    readonly method: Method
    /** The link's page without a method: where another one is chosen. */
    readonly formPath: string
    /** What this browser's buyer typed before: never of a card. */
    readonly buyer: { readonly name: string; readonly email: string }
    /**
     * A voucher or CLABE that is not paid yet, which paying by this form would cancel first, or a payment that this
     * browser began or made, beside which this would be another.
     */
    readonly pending: {
      readonly kind: 'oxxo' | 'spei' | 'begun' | 'paid'
      readonly path: string
      /** What has arrived on the CLABE so far. */
      readonly receivedMinor: bigint
    } | null
    /** Terms the link offers, or the one that it demands; null: the form goes straight to `/attempts`. */
    readonly installments: {
      readonly months: readonly number[]
      readonly required: boolean
      readonly interestFree: boolean
      /** What any term costs on top of the price; in the amount where a term is demanded. */
      readonly surchargeMinor: bigint
    } | null
    /** Sandbox only; empty where no card can be taken. */
    readonly testCards: readonly TestCardChoice[]
    /** Live only: the public key of Stripe's own card fields; null in sandbox, and where no card can be taken. */
    readonly publishableKey: string | null
    /** Why a form that was sent came back. */
    readonly error: PayError | null
    /** What of a form for cash must be mended. */
    readonly wrong: readonly BuyerField[]
    /** Why the payment that this form tries again was refused. */
    readonly declined: { readonly method: Method; readonly code: DeclineCode } | null
  }

/** One offered term. `firstMinor + (months - 1) * monthlyMinor = totalMinor`. */
export type InstallmentOffer = {
  readonly months: number
  readonly firstMinor: bigint
  readonly monthlyMinor: bigint
  readonly totalMinor: bigint
}

export type ReviewView = PageBase &
  Sale &
  Carried & {
    /** Before any surcharge; `amountMinor` is what the term that is chosen first costs. */
    readonly priceMinor: bigint
    readonly card: CardSummary
    readonly cardToken: string
    /** The card form again, without its language. */
    readonly changePath: string
    /** Terms this card gets; the single payment comes before them and is not in the list. */
    readonly offers: readonly InstallmentOffer[]
    /** False where the link demands a term. */
    readonly single: boolean
    /** True when the merchant absorbs the cost: only then may the page say "sin intereses". */
    readonly interestFree: boolean
    /** Why the list is empty although the link offers terms. */
    readonly noOffers: 'card_not_eligible' | 'amount_too_low' | null
    readonly error: 'term_unavailable' | null
  }

/** The payment's own public reference, its merchant and what was asked for (markup included). */
export type PaymentFacts = Money & {
  readonly merchantName: string
  readonly reference: string
  /** What of the amount is the buyer's cost of paying in installments. */
  readonly surchargeMinor: bigint
  /** Money that came for it and is not in it; null where there is none. */
  readonly stray: Stray | null
}

type Receipt = {
  /** What paid: a card, or the voucher or tracking key of what was paid in another way. */
  readonly means:
    | ({ readonly method: 'card' } & CardSummary)
    | { readonly method: 'oxxo' | 'spei'; readonly number: string }
  readonly description: string | null
  /** What was sent back, or is on its way. */
  readonly refundedMinor: bigint
  readonly installments: (InstallmentOffer & { readonly interestFree: boolean }) | null
}

export type ResultView = PageBase &
  PaymentFacts &
  (
    | ({ readonly state: 'succeeded'; readonly paidAt: Date } & Receipt)
    /** The bank holds the amount; the merchant charges it, or part of it, until then. */
    | ({ readonly state: 'requires_capture'; readonly captureBefore: Date } & Receipt)
    | ({
        readonly state: 'partially_captured'
        readonly paidAt: Date
        readonly capturedMinor: bigint
      } & Receipt)
    /** `retryPath`: the link's page while it can still be paid, else null. */
    | {
        readonly state: 'declined'
        /** What was refused: a card by its bank, a voucher or a CLABE by who issues them. */
        readonly method: Method
        readonly code: DeclineCode
        readonly retryPath: string | null
      }
    | {
        readonly state: 'canceled' | 'expired'
        readonly retryPath: string | null
        /** A voucher or CLABE was out, so that money may still have come. */
        readonly cash: 'oxxo' | 'spei' | null
      }
    /** The bank held the amount and the merchant did not charge it: it let go of it, or the time passed. */
    | {
        readonly state: 'released'
        readonly by: 'merchant' | 'time'
        readonly retryPath: string | null
      }
    /** What the processor held or took contradicted what was asked for, and did not stay. */
    | {
        readonly state: 'given_back'
        readonly how: 'voided' | 'refunded' | 'settled_elsewhere'
        readonly retryPath: string | null
      }
    | { readonly state: 'processing'; readonly method: Method }
    /** The processor's answer contradicts ours (integrity failure): people look into it, nobody pays again. */
    | { readonly state: 'under_review' }
    | {
        readonly state: 'requires_action'
        /** The way to the bank, and until when it takes an answer; null when it takes none any more. */
        readonly bank: { readonly path: string; readonly until: Date } | null
        /** Where this attempt is given up for another way to pay; null when the link takes no more. */
        readonly other: { readonly path: string; readonly attempt: number } | null
        /** It was given up, and the processor did not say that it is closed. */
        readonly notClosed: boolean
      }
  )

/** A voucher that waits to be paid at a till. */
export type VoucherView = PageBase &
  PaymentFacts & {
    readonly description: string | null
    /** The digits that the till scans or types. */
    readonly number: string
    readonly expiresAt: Date
    readonly expired: boolean
    /** Until when a payment in time may still be told. */
    readonly toldUntil: Date
    /** Where another way to pay is chosen; null when the link takes no more. */
    readonly otherPath: string | null
  }

/** A CLABE that waits for transfers. */
export type SpeiView = PageBase &
  PaymentFacts & {
    readonly description: string | null
    readonly clabe: string
    readonly bankName: string
    /** Whose account the buyer's bank will show. */
    readonly beneficiary: string
    /** What has arrived so far; less than the amount. */
    readonly receivedMinor: bigint
    readonly expiresAt: Date
    readonly expired: boolean
    /** Until when a transfer in time may still be told. */
    readonly toldUntil: Date
    /** Where another way to pay is chosen; null when the link takes no more. */
    readonly otherPath: string | null
  }

/** Pages that take no money. What a page must not reveal, its view does not have. */
export type StateView = PageBase &
  (
    | {
        readonly state: 'expired' | 'revoked' | 'inactive' | 'already_paid' | 'not_set_up'
        readonly merchantName: string
        /** A form was sent and refused: a buyer who pressed Pay must not take another's payment for theirs. */
        readonly refused?: boolean
      }
    | {
        readonly state: 'changed'
        readonly merchantName: string
        readonly retryPath: string
        readonly currency: string
        /** Empty where it is again what it was. */
        readonly changes: readonly Change[]
      }
    | {
        readonly state: 'busy'
        readonly merchantName: string
        readonly retryPath: string
        /** A form was sent and refused: whoever only looks may be the one who pays. */
        readonly refused: boolean
      }
    | { readonly state: 'archived'; readonly refused?: boolean }
    | { readonly state: 'not_found' | 'bad_request' | 'foreign_form' | 'wrong_method' }
    | { readonly state: 'too_many_requests'; readonly retryAfterSeconds: number }
    | {
        readonly state: 'error'
        readonly requestId: string
        /** The form whose outcome is unknown: sending it again, `attempt_key` and all, is the safe way on. */
        readonly resend: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | null
      }
  )

export type LinkState = StateView['state']
