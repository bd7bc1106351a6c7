import type { CollectedDetails, Collects, TaxData } from '../../../drizzle/schema/buyer-details.ts'
import type { TipOptions } from '../../../drizzle/schema/order.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import type { Services } from '../../../src/http/services.ts'
import type { RateTax } from '../../../src/kernel/iva.ts'
import type { Locale } from '../../../src/kernel/locale.ts'
import type { Order } from '../../../src/kernel/order.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import type { Expect } from '../../../src/kernel/plan.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import type { CaptureMethod } from '../../../src/processors/port.ts'
import type { Levels } from '../../money/payment-policy/api.ts'
import type { OriginFacts, PaymentOrigin } from '../../money/payments/api.ts'
import type { InstallmentPricing } from '../../money/payments/api-pure.ts'
import type {
  Adjust,
  Adjustable,
  Adjustment,
  Chosen,
  Shortage,
  Sold,
  Unchanged,
} from '../../order/lines/api-pure.ts'
import type { ForSale } from '../../order/sales/api.ts'
import type { IconName, Tone } from './pages/frame/layout.ts'

/** Minor units: what a buyer who chooses the amount may give. */
export interface AmountBounds {
  readonly amountMinorMin: bigint
  readonly amountMinorMax: bigint
  /** What the page suggests. */
  readonly presetsMinor?: readonly bigint[]
}

/** How many a buyer who chooses that may take, and how many the page begins with. */
export interface QuantityBounds {
  readonly min: number
  readonly max: number
  readonly first: number
}

/** The part of it that a buyer pays of what several share: some lines, one of so many equal shares, or minor units as text. */
export type Part =
  | { readonly lines: readonly string[] }
  | { readonly shares: number }
  | { readonly amount: string }

/** What several buyers share, each paying a part: chosen lines, an equal share, or an amount within the bounds. */
export interface Shared {
  /** The lines that nobody pays yet. */
  readonly lines: readonly { readonly id: string; readonly name: string; readonly amountMinor: bigint }[]
  /** Among how many buyers it may be divided at most. */
  readonly sharesMax: number
  /** Among how many it is divided unless a buyer says another number; two where it is not known. */
  readonly sharesUsual?: number | null
  /** The amount of a part; null where it is not to be had. A share is rounded up to the cent: the last one is smaller. */
  readonly inPart: (part: Part) => Sold | null
  /** Digits that change with what the page of the parts shows. */
  readonly followed: string
  /** The tips that each of them may add; none where it is left out. */
  readonly tips?: TipOptions | null
}

/** Empty texts: not known. */
export interface Prefill {
  readonly name: string
  readonly email: string
  readonly phone: string
}

/** What is for sale, as the buyer's pages and the payment need it. Amounts in minor units of `currency`. */
export interface Sale extends InstallmentPricing {
  readonly originId: string
  readonly publicId: string
  /** Moves when what a buyer pays changes: a form of older terms is refused. */
  readonly termsVersion: number
  /** Moves when who may pay, or what is asked, changes: a form of an older one is refused. */
  readonly asksVersion: number
  /** The version of the payment policy that the terms were set under, and the location that sells. */
  readonly policyVersion: number
  readonly locationId: string | null
  readonly description: string | null
  /** What a payment of it pays for; none where that has no lines. */
  readonly order?: Order | null
  /** The tip in what is paid, as text; none where it is left out. */
  readonly tip?: string
  /** The IVA in what is paid, less the tip; none where the rates are not known. */
  readonly taxes?: readonly RateTax[]
  /** Amount and IVA of so many, rounded once for all of them; where it is left out, so many times the amount of one. */
  readonly inQuantity?: (quantity: number) => Sold
  /**
   * What it, or the part of it that is shared, comes to as one of its buyers chooses, where many may buy it; absent where
   * nothing is chosen, or `adjust` keeps it.
   */
  readonly inChoice?: (asked: Adjustment, now: Date, part: Sold | null) => Chosen | Unchanged
  /** Several buyers pay it in parts; `amount` bounds what is left. */
  readonly shared?: Shared
  /** What is asked of the buyer, and what the merchant knows of them already. */
  readonly collects?: Collects | null
  readonly prefill?: Prefill | null
  /** A mail is offered in case it ends unpaid, and whether the buyer consented; null: none. */
  readonly recovery?: { readonly isGiven: boolean } | null
  /** What the buyer may still change; absent where nothing is. */
  readonly adjustable?: Adjustable
  /** Fixed, or chosen by the buyer. */
  readonly amount: bigint | AmountBounds
  /** The buyer chooses how many: `amount` is the price of one. */
  readonly quantities?: QuantityBounds | null
  readonly currency: string
  readonly methods: readonly Method[]
  readonly captureMethod: CaptureMethod
  /** Terms that the buyer may choose from. */
  readonly installmentMonths: readonly number[]
  /** The one term that every buyer must take; null for none. */
  readonly installmentPlanMonths: number | null
  /** Takes one payment only. */
  readonly exclusive: boolean
  /** Before it no payment begins; none where it is left out. */
  readonly opensAt?: Date | null
  readonly expiresAt: Date | null
  /** In how many days at most a voucher or CLABE is paid, where little is left; none where it is left out. */
  readonly pushDaysMax?: number
  /** A voucher or CLABE that was issued in time may be paid after it. */
  readonly isOutlivedByPush?: true
  /** The origins whose pages may show it in a frame; none where it is left out. */
  readonly embeddedIn?: readonly string[]
  /** Where the merchant's own site goes on: before the payment, and after it. */
  readonly cancelUrl?: string | null
  readonly successUrl?: string | null
  /** What the merchant says to a buyer who has paid. */
  readonly successMessage?: string | null
  /** Only buyers with an e-mail address of one of these domains pay; none where all do. */
  readonly payerEmailDomains?: readonly string[] | null
}

/**
 * Completes a sale that costs nothing; answers the public reference of its receipt.
 * @throws Stale where the sale is no longer what was offered
 */
export type CompleteFree = (
  services: Services,
  terms: Pick<Sale, 'originId' | 'publicId' | 'termsVersion' | 'policyVersion' | 'asksVersion'>,
  request: {
    readonly requestId: string
    readonly now: Date
    /** One per rendered form. */
    readonly attemptKey: string
    readonly details: CollectedDetails | null
    /** Where the buyer wants the receipt, as `normalizeEmail` makes it; null: nowhere. */
    readonly mailTo: { readonly email: string; readonly locale: Locale } | null
  },
) => Promise<string>

interface Sent {
  readonly requestId: string
  readonly now: Date
}

/** A mail to the buyer of a sale that ended unpaid, at a public id. `id`: of the mail. */
export interface Recovering {
  /** The buyer consents to it at this address, or with null takes that back. */
  ask(
    services: Services,
    publicId: string,
    given: { readonly email: string | null; readonly locale: Locale },
    request: Sent,
  ): Promise<void>
  /** The public id of the sale that it opened, or whether it may open one; null where there is no such mail. */
  find(
    services: Services,
    publicId: string,
    id: string,
    now: Date,
  ): Promise<{ readonly opened: string } | { readonly opened: null; readonly isOpen: boolean } | null>
  /** Opens a fresh sale; answers its public id, the same for each try. Null where that is over. */
  open(services: Services, publicId: string, id: string, request: Sent): Promise<string | null>
}

/** What a page says of a state; `detail` may name the merchant, and when the sale opens where that is known. */
export interface StateWords {
  readonly title: string
  readonly detail: (merchant: string, opensAt?: string) => string
}

/** A state in which an origin takes no payment. */
export interface ClosedState {
  /** 410: it will not take a payment again. 409: it may, later. */
  readonly status: 409 | 410
  readonly icon: IconName
  readonly tone: Tone
  /** Reveals neither the merchant nor a payment that is not paid. */
  readonly isHidden?: boolean
  /** The buyer may go on by `adjust`, which leaves out what is not available any more. */
  readonly isAdjusted?: boolean
  /** Payments under way hold all that is left: who waits to pay one of them may pay it another way. */
  readonly isHeld?: boolean
  /** Its page says what was for sale. */
  readonly namesSold?: boolean
  readonly words: Readonly<Record<Locale, StateWords>>
}

/** What a visit names beside the sale: a code as typed, and the public reference of the payment that is tried again. */
export interface Named {
  readonly code?: string | undefined
  readonly retried?: string | null
}

/** How many a buyer chose, or of each line by its place; null: nothing. */
export type Wanted = number | readonly number[] | null

/**
 * An origin that is sold on the hosted pages: one declaration draws and drives every page. `Shown`: what of its row they need.
 */
export interface HostedOrigin<Row = unknown, Shown = Row> extends PaymentOrigin<Row> {
  readonly loadForSale: (publicId: string, named?: Named) => BoundQuery<ForSale<Shown>>
  /** What the payment policy said in the version of its terms, by its id: `levelsOfSale` of its table. */
  readonly policyOf: (id: string) => BoundQuery<Levels>
  sale(row: Shown): Sale
  /** Why it takes no payment: a name in `states`; null while it sells. `isPaid`: its only payment is made. */
  closedBecause(row: Shown, isPaid: boolean, now: Date): string | null
  readonly states: Readonly<Record<string, ClosedState>>
  /**
   * What is left where that is less than a buyer wants, in the state `sold_out` or of what they chose. Null:
   * there is enough, or nothing is left.
   */
  shortageOf?(row: Shown, wanted: Wanted): Shortage | null
  /** The errors by which the database refuses a payment because too little is left. */
  readonly spent?: readonly ProblemCode[]
  readonly adjust?: Adjust
  /** Mails buyers who did not finish, where they consented; absent where none is offered. */
  readonly recovering?: Recovering
  /** Completes a sale that costs nothing, without a payment; absent where each costs something. */
  readonly completeFree?: CompleteFree
  /** The receipt of a sale that was completed so; null before, and where it was paid. */
  receiptOf?(row: Shown): {
    readonly reference: string
    readonly at: Date
    readonly taxData: TaxData | null
  } | null
  /** Of the password that a buyer must type first (src/platform/passwords.ts); null where there is none. */
  passwordHashOf?(row: Shown): string | null
  /** That password is a code of digits, which somebody at the counter tells. */
  readonly asksPin?: true
  /** The public id of what it became a part of, at which its buyers go on; null for none. */
  leadsTo?(row: Shown): string | null
  /** Counts an opening of its page. The page does not wait for it. */
  countView?(services: Services, publicId: string): Promise<unknown>
  /** What its row must still be when a payment of these terms is recorded. */
  readonly condition: (
    terms: Pick<Sale, 'originId' | 'termsVersion' | 'policyVersion' | 'asksVersion'>,
  ) => Expect
  /** Another buyer is paying it; the merchant changed it meanwhile. */
  readonly words: Readonly<Record<Locale, { readonly busy: StateWords; readonly changed: StateWords }>>
}

/** Hosted origins by their kind. */
export type HostedOrigins = Readonly<Record<string, HostedOrigin>>

/** What is sold here, each loaded when it is asked for. */
export interface SoldHere {
  readonly facts: () => Promise<readonly OriginFacts[]>
  /** The origin whose public ids begin as this one does; empty where none of them does. */
  readonly at: (publicId: string) => Promise<HostedOrigins>
  readonly all: () => Promise<HostedOrigins>
}
