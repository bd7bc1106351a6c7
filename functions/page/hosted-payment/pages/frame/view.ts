import type { html } from 'hono/html'
import type { Collects, TaxData } from '../../../../../drizzle/schema/buyer-details.ts'
import type { RateTax } from '../../../../../src/kernel/iva.ts'
import type { Locale } from '../../../../../src/kernel/locale.ts'
import type { Payee, ShownLook } from '../../../../../src/kernel/look.ts'
import type { AmountPart, ShownLine } from '../../../../../src/kernel/order.ts'
import type { Method, MethodOf, PushMethod } from '../../../../../src/kernel/payment-methods.ts'
import type { Buyer, CaptureMethod, CardEntry, DeclineCode } from '../../../../../src/processors/port.ts'
import type { Delivered } from '../../../../goods/entitlements/api.ts'
import type { UnappliedTotals } from '../../../../money/payments/api-pure.ts'
import type { Adjustable } from '../../../../order/lines/api-pure.ts'
import type { WrongDetails } from '../../details.ts'
import type { Shared, StateWords } from '../../hosted-origin.ts'
import type { AdjustedAt, Unadjusted } from '../pay/order.ts'
import type { ShortView } from '../pay/shortage.ts'
import type { IconName, Tone } from './layout.ts'

/** The result of a page function; Hono's `c.html` takes it as it is. */
export type Html = ReturnType<typeof html>

/** The input of every page. Amounts are bigint minor units of `currency` (ISO 4217, either case). */
export type PageBase = {
  readonly locale: Locale
  /** True in sandbox: shows the test-mode banner. */
  readonly testMode: boolean
  /** A path that answers GET, without query: the language switch and "check again" lead there. */
  readonly path: string
  /** The merchant's; absent where it has none, and on pages that name no merchant. */
  readonly shownAs?: ShownLook | undefined
  /** Whom the buyer pays, and how to reach them; absent where the page names no merchant. */
  readonly payee?: Payee | undefined
  /** The public `https://` address that previews of a link need; without a slash at its end. */
  readonly address?: string | undefined
  /** The origins whose pages may show this one in a frame. */
  readonly embeddedIn?: readonly string[] | undefined
}

export type Money = { readonly amountMinor: bigint; readonly currency: string }

/** The sandbox's test cards as the browser needs them; `testCards` of the simulator fits as it is. */
export type TestCardChoice = {
  readonly token: string
  readonly number: string
  readonly label: Readonly<Record<Locale, string>>
}

export type CardSummary = { readonly brand: string; readonly last4: string }

/** What is for sale: shown on the form and on the review. */
type Sale = Money & {
  readonly publicId: string
  readonly merchantName: string
  readonly description: string | null
  readonly lines?: readonly ShownLine[] | undefined
  readonly parts?: readonly AmountPart[] | undefined
  /** Back to the merchant's own site. */
  readonly cancelUrl?: string | null | undefined
}

/** In hidden fields from page to page: the signed terms that this page showed, and one key per rendered form. */
type Carried = {
  readonly sealedQuote: string
  readonly attemptKey: string
}

export type PayError =
  | 'card_required'
  | 'card_unknown'
  | 'card_without_plan'
  | 'quote_expired'
  | 'held_unpaid'
  | 'cards_paused'
  | 'card_blocked'

/** The buyer's own details in the form of a push payment. */
export type BuyerField = 'name' | 'email' | 'receipt_email'

/** A change by the merchant to a sale while its page was open. */
export type Change =
  | { readonly what: 'amount' | 'surcharge'; readonly from: bigint; readonly to: bigint }
  | { readonly what: 'methods'; readonly from: readonly Method[]; readonly to: readonly Method[] }
  | { readonly what: 'installments'; readonly from: readonly number[]; readonly to: readonly number[] }
  | { readonly what: 'capture'; readonly from: CaptureMethod; readonly to: CaptureMethod }

export type AmountError = 'not_an_amount' | 'out_of_bounds' | 'part_taken'

/** Where the buyer chooses the amount. */
export type AmountView = PageBase & {
  readonly merchantName: string
  readonly description: string | null
  readonly currency: string
  readonly amountMinorMin: bigint
  readonly amountMinorMax: bigint
  readonly presetsMinor?: readonly bigint[] | undefined
  /** What several buyers share, with its `partsTag`, by which the page follows it; null where one pays it alone. */
  readonly shared: (Shared & { readonly terms?: string }) | null
  readonly typed: string
  /** The visit's other parameters. */
  readonly kept: Readonly<Record<string, string>>
  readonly error: AmountError | null
}

/** How many the buyer takes. */
export type QuantityView = {
  /** As typed where that is wrong. */
  readonly value: string
  readonly min: number
  readonly max: number
  readonly unitMinor: bigint
  /** What was asked for lies outside of the bounds. */
  readonly error: boolean
}

export type PayView = PageBase &
  Sale &
  Carried & {
    /** What a card is charged: `amountMinor`, and the cost of the term where one is demanded. */
    readonly cardMinor: bigint
    /** Before any surcharge: what every other method takes. */
    readonly priceMinor: bigint
    /** The IVA in `amountMinor`, as the payment will have it. */
    readonly taxes?: readonly RateTax[] | undefined
    /** Until when what is ordered now may be paid. */
    readonly pushUntil: Readonly<Partial<Record<PushMethod, Date>>>
    readonly expiresAt: Date | null
    /** For the open page to notice a change: `termsTag`, and in how many milliseconds it closes. */
    readonly terms: string
    readonly closesInMs: number | null
    /** The methods offered, and the one whose form is open. */
    readonly methods: readonly Method[]
    readonly method: Method
    /** The sale's page without a method: where another one is chosen. */
    readonly formPath: string
    /** What the buyer chose was applied just now, by the button that pays: nothing was charged. */
    readonly isChanged?: boolean
    /** A quantity is wrong: there is nothing to pay until it is corrected. */
    readonly isBlocked?: boolean
    /** Where the buyer chooses how many; absent elsewhere. */
    readonly quantities?: QuantityView | null
    /** Where the buyer chooses another amount; null where it is fixed. */
    readonly amountPath: string | null
    /** The buyer's earlier input in this browser: never of a card. */
    readonly buyer: { readonly name: string; readonly email: string }
    /**
     * An unpaid voucher or CLABE, which paying by this form would cancel first; or a payment that this browser began or
     * made, to which this would be a second one.
     */
    readonly pending: {
      readonly kind: PushMethod | 'under_way' | 'paid'
      readonly path: string
      /** What has arrived on the CLABE so far. */
      readonly receivedMinor: bigint
    } | null
    /** Terms on offer, or the one that is demanded; null: the form goes straight to `/attempts`. */
    readonly installments: {
      readonly months: readonly number[]
      readonly required: boolean
      readonly interestFree: boolean
      /** The cost of any term on top of the price; included in the amount where a term is demanded. */
      readonly surchargeMinor: bigint
      /** What the terms cost, shortest first. */
      readonly offers: readonly InstallmentOffer[]
    } | null
    /** Sandbox only; empty where no card can be taken. */
    readonly testCards: readonly TestCardChoice[]
    /** The processor's own card fields; null where the page's own take test cards, and where no card can be taken. */
    readonly cardEntry: CardEntry | null
    /** What the buyer may change of the order, and what they asked for in vain. */
    readonly adjustable?: Adjustable | undefined
    readonly unadjusted?: Unadjusted | null | undefined
    /** What the sale asks for, as typed so far, and what of it is wrong. */
    readonly collects?: Collects | null | undefined
    readonly typed?: Readonly<Record<string, string>>
    readonly wrongDetails?: WrongDetails
    /** A mail is offered in case the sale ends unpaid. */
    readonly recovery?: { readonly isGiven: boolean; readonly problem: 'email' | 'consent' | null } | null
    /** Why the submitted form came back. */
    readonly error: PayError | null
    /** The domains of which the buyer's e-mail address must be; absent where any is. */
    readonly payerEmailDomains?: readonly string[] | null | undefined
    /** The fields to correct. */
    readonly wrong: readonly BuyerField[]
    /** Why the payment that this form retries was refused. */
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
    /** Before any surcharge; `amountMinor` is the total of the preselected term. */
    readonly priceMinor: bigint
    /** Null where the processor tells it only with the charge. */
    readonly card: CardSummary | null
    readonly cardToken: string
    /** As typed; without an address the receipt goes nowhere. */
    readonly buyer: Buyer
    /** The answers to what the sale asks. */
    readonly typed: Readonly<Record<string, string>>
    /** The card form again, without its language. */
    readonly changePath: string
    /** Terms this card gets; the single payment comes before them and is not in the list. */
    readonly offers: readonly InstallmentOffer[]
    /** False where a term is demanded. */
    readonly single: boolean
    /** True when the merchant absorbs the cost: only then may the page say "sin intereses". */
    readonly interestFree: boolean
    /** Why the list is empty although terms are on offer. */
    readonly noOffers: 'card_not_eligible' | 'terms_unknown' | 'amount_too_low' | null
    readonly error: 'term_unavailable' | null
  }

/** The payment's own public reference, its merchant and what was asked for (markup included). */
export type PaymentFacts = Money & {
  readonly merchantName: string
  readonly reference: string
  /** The part of the amount that is the buyer's cost of paying in installments. */
  readonly surchargeMinor: bigint
  /** Money that arrived for it and is not part of it; null where there is none. */
  readonly unapplied: UnappliedTotals | null
  /** What the buyer gave for a CFDI: shown to the payer's browser only. */
  readonly taxData?: TaxData | null
  /** What the payment granted to the buyer. */
  readonly delivered?: readonly Delivered[]
  /** What was bought and the file of the receipt are shown to the payer's browser only, which this is not. */
  readonly isWithheld?: boolean
}

type Receipt = {
  /** The payment instrument: a card, or the number of the voucher or the tracking key of the transfer. */
  readonly instrument:
    | ({ readonly method: MethodOf<'card' | 'presented'> } & CardSummary)
    | { readonly method: PushMethod; readonly number: string }
  readonly description: string | null
  readonly lines?: readonly ShownLine[] | undefined
  readonly parts?: readonly AmountPart[] | undefined
  readonly taxes?: readonly RateTax[] | undefined
  /** On with the merchant's own site. */
  readonly successUrl?: string | null | undefined
  /** What the merchant says to a buyer who has paid. */
  readonly successMessage?: string | null | undefined
  /** The amount that was refunded, or is on its way. */
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
    /** `retryPath`: the sale's page while it can still be paid, else null. */
    | {
        readonly state: 'declined'
        /** The refused method: a card by its bank, a voucher or a CLABE by its issuer. */
        readonly method: Method
        readonly code: DeclineCode
        readonly retryPath: string | null
      }
    | {
        readonly state: 'canceled' | 'expired'
        readonly retryPath: string | null
        /** A voucher or CLABE was issued, so that money may still have arrived. */
        readonly push: PushMethod | null
      }
    /** The bank held the amount and the merchant did not charge it: the merchant voided it, or it lapsed. */
    | {
        readonly state: 'released'
        readonly by: 'merchant' | 'time'
        readonly retryPath: string | null
      }
    /** The processor held or took other than was asked for, and gave it back. */
    | {
        readonly state: 'reversed'
        readonly how: 'voided' | 'refunded' | 'settled_elsewhere'
        readonly retryPath: string | null
      }
    | { readonly state: 'processing'; readonly method: Method }
    /** The processor's answer contradicts ours (integrity failure): under review, and the buyer must not pay again. */
    | { readonly state: 'under_review' }
    | {
        readonly state: 'requires_action'
        /** The path to the bank's challenge, and its deadline; null when it takes no answer any more. */
        readonly bank: {
          readonly path: string
          readonly until: Date
          /** The buyer has just paid: the script goes there at once. */
          readonly isNext?: boolean
        } | null
        /** Where the buyer abandons this attempt for another way to pay; null when nothing more can be paid. */
        readonly other: { readonly path: string; readonly attempt: number } | null
        /** The buyer abandoned it, and the processor has not confirmed that it is closed. */
        readonly notClosed: boolean
      }
  )

/** A voucher that waits to be paid at a till. */
export type VoucherView = PageBase &
  PaymentFacts & {
    readonly method: MethodOf<'voucher'>
    readonly description: string | null
    /** The digits that the till scans or types. */
    readonly number: string
    readonly now: Date
    readonly expiresAt: Date
    readonly expired: boolean
    /** Until when a payment made in time may still be reported. */
    readonly toldUntil: Date
    /** What others may open to pay it. */
    readonly sharePath: string
    /** Where another way to pay is chosen; null when nothing more can be paid. */
    readonly otherPath: string | null
  }

/** A CLABE that waits for transfers. */
export type SpeiView = PageBase &
  PaymentFacts & {
    readonly description: string | null
    readonly clabe: string
    readonly bankName: string
    /** The account holder that the buyer's bank will show. */
    readonly beneficiary: string
    /** The amount received so far; less than the total. */
    readonly receivedMinor: bigint
    readonly now: Date
    readonly expiresAt: Date
    readonly expired: boolean
    /** Until when a transfer made in time may still be reported. */
    readonly toldUntil: Date
    /** What others may open to pay it. */
    readonly sharePath: string
    /** Where another way to pay is chosen; null when nothing more can be paid. */
    readonly otherPath: string | null
  }

/** Pages that take no money. A view contains nothing that its page must not reveal. */
export type StateView = PageBase &
  (
    | {
        /** The origin's own state. The merchant is null where the page reveals nothing. */
        readonly state: 'own'
        readonly look: readonly [IconName, Tone]
        readonly words: StateWords
        readonly merchantName: string | null
        /** What was for sale, where the page may say so. */
        readonly sold?: string | null
        readonly cancelUrl?: string | null | undefined
        /** The address at which the buyer may go on without what is over; null for none. */
        readonly adjustedAt?: AdjustedAt | null | undefined
        /** A buyer wants more than is left. */
        readonly short?: ShortView | null | undefined
        /** A form was sent and refused: a buyer who pressed Pay must not take another's payment for theirs. */
        readonly refused?: boolean
      }
    | {
        readonly state: 'not_set_up' | 'no_payments'
        readonly merchantName: string
        readonly refused?: boolean
      }
    | {
        readonly state: 'changed'
        readonly words: StateWords
        readonly merchantName: string
        readonly retryPath: string
        readonly currency: string
        /** Empty where the terms are the same again. */
        readonly changes: readonly Change[]
      }
    | {
        readonly state: 'busy'
        readonly words: StateWords
        readonly merchantName: string
        readonly retryPath: string
        /** True when a submitted form was refused. A buyer who only looks may be the one whose payment is under way. */
        readonly refused: boolean
      }
    | { readonly state: 'not_found' | 'bad_request' | 'foreign_form' | 'wrong_method' }
    | { readonly state: 'too_many_requests'; readonly retryAfterSeconds: number }
    | {
        readonly state: 'error'
        readonly requestId: string
        /** The form whose outcome is unknown: resending it with its `attempt_key` is safe. */
        readonly resend: { readonly action: string; readonly fields: Readonly<Record<string, string>> } | null
      }
  )

export type PageState = StateView['state']
