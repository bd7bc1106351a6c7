import type { TaxData } from '../../../drizzle/schema/buyer-details.ts'
import { others } from '../../../src/http/access/kinds.ts'
import { problemOf } from '../../../src/http/publishing.ts'
import type { Services } from '../../../src/http/services.ts'
import { makeKnown } from '../../../src/http/stages/rate-limit.ts'
import type { Look, Reach } from '../../../src/kernel/look.ts'
import { splitEvenly } from '../../../src/kernel/money.ts'
import {
  cardMethod,
  isPushMethod,
  type Method,
  type PushMethod,
  paymentMethods,
} from '../../../src/kernel/payment-methods.ts'
import type { Owned } from '../../../src/kernel/plan.ts'
import { Refused } from '../../../src/platform/postgres.ts'
import type { BoundQuery } from '../../../src/platform/query.ts'
import type { TokenFacts } from '../../../src/processors/port.ts'
import { type Granted, grantedFreely } from '../../goods/entitlements/api.ts'
import { type Levels, offeredNow } from '../../money/payment-policy/api.ts'
import { evaluate, type PolicySettings } from '../../money/payment-policy/api-pure.ts'
import {
  type AttemptRow,
  currentSchedule,
  type PaymentRow,
  paymentByPublicId,
  paymentInPlaceOf,
} from '../../money/payments/api.ts'
import {
  buyerTotal,
  type PushLimits,
  pushExpiry,
  type UnappliedTotals,
  unappliedOf,
} from '../../money/payments/api-pure.ts'
import type { Shortage } from '../../order/lines/api-pure.ts'
import type { ForSale, Seller } from '../../order/sales/api.ts'
import { view } from './contract.ts'
import type { ClosedState, HostedOrigin, HostedOrigins, Named, Sale } from './hosted-origin.ts'
import { isChosen, type Quote } from './sealed-quote.ts'
import { paymentForOthers, paymentForPayer, type ShownPayment } from './store.ts'

/** Something for sale at a public address, with its merchant and the payment that holds it, if any. */
export interface OnSale
  extends Pick<
    Seller,
    | 'merchantName'
    | 'merchantStatus'
    | 'liveStatus'
    | 'liveMethod'
    | 'liveId'
    | 'livePublicId'
    | 'liveReceivedMinor'
  > {
  readonly look: Look | null
  readonly reach: Reach
  readonly origin: HostedOrigin
  readonly row: unknown
  /** Its methods are those that may be used now. */
  readonly sale: Sale
  /** What workspace and location said when its terms were set. */
  readonly levels: Levels
}

/** Why nothing can be paid now: the origin's own state, the workspace's, another buyer's payment, or no processor. */
export type Closed =
  | {
      readonly state: 'own'
      readonly own: ClosedState
      readonly shortage?: Shortage | null
      /** Of the buyer who chose a quantity. */
      readonly visit?: ChosenQuantity
    }
  | { readonly state: 'busy' | 'not_set_up' | 'no_payments'; readonly own?: undefined }

/** Null while it can be paid. */
export function closedBecause(onSale: OnSale, now: Date): Closed | null {
  const { origin, row, sale, liveStatus, merchantStatus } = onSale
  const state = origin.closedBecause(row, isPaid(liveStatus ?? ''), now)
  if (state !== null) {
    const shortage = state === 'sold_out' ? origin.shortageOf?.(row, null) : null
    return { state: 'own', own: origin.states[state]!, shortage: shortage ?? null }
  }
  if (merchantStatus !== 'active') return { state: 'no_payments' }
  if (sale.exclusive && liveStatus !== null && !awaitsPush(onSale)) return { state: 'busy' }
  return sale.methods.length > 0 || isFree(sale) ? null : { state: 'not_set_up' }
}

type ChosenQuantity = Pick<
  Quote,
  'quantity' | 'choices' | 'order' | 'retryOf' | 'replaces' | 'clientReferenceId'
>

/** Why the quantities that a buyer chose cannot be had; null while they can, and where they choose none. */
export function tooFewFor({ origin, row }: OnSale, visit: ChosenQuantity): Closed | null {
  const lines = visit.choices && visit.order?.lines.map(({ quantity }) => quantity)
  const wanted = lines ?? visit.quantity
  const shortage = wanted === null ? null : origin.shortageOf?.(row, wanted)
  return shortage ? { state: 'own', own: origin.states.sold_out!, shortage, visit } : null
}

/** Costs nothing: the buyer completes it without a payment. */
export const isFree = ({ amount }: Pick<Sale, 'amount'>): boolean => amount === 0n

/**
 * An unpaid voucher or CLABE holds what is sold once. Any visitor may see it at the sale's address and pay another way;
 * the address of its payment, where the receipt will be, is its buyer's alone.
 */
export const awaitsPush = (onSale: OnSale): onSale is OnSale & { readonly liveMethod: PushMethod } =>
  onSale.sale.exclusive &&
  onSale.liveStatus === 'requires_action' &&
  onSale.liveMethod !== null &&
  isPushMethod(onSale.liveMethod)

export interface Visit {
  readonly onSale: OnSale
  /** The payment that this browser began here, in whatever state. */
  readonly own: PaymentRow | null
  /** The payment that the buyer asks to try again. */
  readonly retried: PaymentRow | null
  /** The live payment that was made in the place of that one. */
  readonly inPlace: PaymentRow | null
}

/** The origin whose public ids begin like this one. */
export const originAt = (origins: HostedOrigins, publicId: string): HostedOrigin | undefined =>
  Object.values(origins).find(({ publicIdPrefix }) => publicId.startsWith(`${publicIdPrefix}_`))

/**
 * What is for sale at an address; null when there is nothing. One trip.
 * @param came `began`: the public reference of the payment that this browser says it began
 */
export async function findSale(
  services: Services,
  origins: HostedOrigins,
  publicId: string,
  { began = null, ...named }: Named & { readonly began?: string | null } = {},
): Promise<Visit | null> {
  const { retried = null } = named
  const asked = [began, retried].filter((reference) => reference !== null)
  const found = await readSale(
    services,
    origins,
    publicId,
    [
      ...asked.map((reference) => paymentByPublicId({ publicId: reference })),
      ...(retried === null ? [] : [paymentInPlaceOf({ publicId: retried })]),
    ],
    named,
  )
  if (!found) return null
  const { onSale, rows } = found
  const ofSale = (rows as PaymentRow[][]).map((each) => each.filter((payment) => isOf(onSale, payment)))
  const of = (reference: string | null) => ofSale.flat().find(({ publicId: id }) => id === reference) ?? null
  const inPlace = ofSale[asked.length]?.find(({ publicId: id }) => id !== retried) ?? null
  return { onSale, own: of(began), retried: of(retried), inPlace }
}

const isOf = ({ origin, sale }: OnSale, payment: PaymentRow): boolean =>
  payment.originType === origin.kind && payment.originId === sale.originId

/** For a buyer an authorized payment is a paid one: the bank holds the money for the merchant. */
export const isPaid = (status: string): boolean =>
  ['succeeded', 'requires_capture', 'partially_captured'].includes(status)

/** Neither the bank nor the buyer is awaited any more. */
export const isOver = ({ status }: PaymentRow): boolean =>
  status !== 'processing' && status !== 'requires_action'

/**
 * Whether a payment may be abandoned for another way to pay: only while the sale is open. Where payments under way hold all
 * that is left, this one frees its own part.
 */
export function takesAnother({ onSale, payment }: PaymentOnPage, now: Date): boolean {
  const why = closedBecause({ ...onSale, liveStatus: null }, now)
  return why === null || (why.own?.isHeld === true && !isOver(payment))
}

export interface FreeOnPage {
  readonly onSale: OnSale
  readonly completedAt: Date
  readonly taxData: TaxData | null
  readonly granted: Granted
}

/** A sale that was completed without a payment, by the public reference of its receipt; null when there is none. One trip. */
export async function findFree(
  services: Services,
  origins: HostedOrigins,
  publicId: string,
  reference: string,
): Promise<FreeOnPage | null> {
  const found = await readSale(services, origins, publicId, [...grantedFreely(reference)])
  if (!found) return null
  const { onSale, rows } = found
  const receipt = onSale.origin.receiptOf?.(onSale.row)
  return receipt?.reference === reference
    ? { onSale, completedAt: receipt.at, taxData: receipt.taxData, granted: rows as unknown as Granted }
    : null
}

export interface PaymentOnPage {
  readonly onSale: OnSale
  readonly payment: Owned<PaymentRow>
  readonly attempt: AttemptRow
  readonly unapplied: UnappliedTotals | null
  readonly granted: Granted
  /** What the buyer gave for a CFDI, if anything: read for the payer's browser alone. */
  readonly taxData: TaxData | null
  /** This browser is the payer's. */
  readonly isPayers: boolean
}

interface PaymentAt {
  readonly publicId: string
  readonly reference: string
  /** This browser is the payer's. */
  readonly isPayers?: boolean
}

/** A payment of a sale by its public reference; null when there is none. One trip. */
export async function findPayment(
  services: Services,
  origins: HostedOrigins,
  { publicId, reference, isPayers = false }: PaymentAt,
): Promise<PaymentOnPage | null> {
  const query = isPayers ? paymentForPayer : paymentForOthers
  const found = await readSale(services, origins, publicId, [query({ publicId: reference })])
  if (!found) return null
  const [[row]] = found.rows as [Owned<ShownPayment>[]]
  if (!row || !isOf(found.onSale, row)) return null
  const { attempts, unapplied, granted, files, taxData = null, ...payment } = row
  const attempt = attempts?.at(-1)
  if (!attempt) return null
  return {
    onSale: found.onSale,
    payment,
    attempt,
    unapplied: unappliedOf(unapplied ?? []),
    granted: [granted ?? [], files ?? []],
    taxData,
    isPayers,
  }
}

/** What is for sale at an address, and the rows of further queries; null when there is nothing. */
async function readSale(
  services: Services,
  origins: HostedOrigins,
  publicId: string,
  queries: readonly BoundQuery<unknown>[],
  named: Named = {},
) {
  const origin = originAt(origins, publicId)
  if (!origin) return null
  const all = [origin.loadForSale(publicId, named), ...queries]
  const found = await reading(services, () => services.db.read(view.id, others.public_id(publicId), all))
  const [[row], ...rows] = (found?.rows ?? [[]]) as [ForSale<unknown>[], ...unknown[][]]
  if (!row) return null
  makeKnown(publicId)
  const { workspace, location, accounts } = row
  const levels = { workspace, location, accounts }
  return { onSale: onSaleOf(services, origin, { seller: row, row, levels }), rows }
}

/** What is for sale, of what was read of it. */
export function onSaleOf(
  services: Services,
  origin: HostedOrigin,
  { seller, row, levels }: { readonly seller: Seller; readonly row: unknown; readonly levels: Levels },
): OnSale {
  const sale = payableNow(services, origin.sale(row), levels, new Date())
  const { branding, fiscalProfile, supportEmail, supportPhone, websiteUrl } = seller
  const { merchantStatus, liveStatus, liveMethod, liveId, livePublicId, liveReceivedMinor } = seller
  const live = { liveStatus, liveMethod, liveId, livePublicId, liveReceivedMinor }
  const legalName = fiscalProfile?.legal_name ?? null
  const reach = { legalName, email: supportEmail, phone: supportPhone, website: websiteUrl }
  const merchantName = branding?.brand_name ?? seller.merchantName
  return { ...live, merchantStatus, merchantName, look: branding, reach, origin, row, sale, levels }
}

type Judged = Pick<
  Quote,
  'amountMinor' | 'currency' | 'captureMethod' | 'feeAllocation' | 'merchantMarkupBps' | 'levels' | 'isChosen'
>

interface Way {
  readonly method: Method
  readonly months?: readonly number[]
  readonly card?: Pick<TokenFacts, 'installmentMonths'>
}

/** What the payment policy says of a way to pay, now. */
export function judge(services: Services, judged: Judged, { method, months = [], card }: Way, now: Date) {
  const policy = offeredNow(services, now, judged.levels, judged.isChosen)
  const schedule = currentSchedule(services.settings, now, judged.currency)
  const eligible = card?.installmentMonths ?? null
  return { policy, ...evaluate(policy, schedule, { ...judged, method, months, pricing: judged, eligible }) }
}

/** The methods of a quote that its amount may be paid by now. */
export const methodsFor = (services: Services, quote: Quote, now: Date): Method[] =>
  quote.methods.filter((method) => judge(services, quote, { method }, now).reasons.length === 0)

/** Without the methods that may not be used now. Which ones take an amount that is not chosen yet is seen with it. */
function payableNow(services: Services, sale: Sale, levels: Levels, now: Date): Sale {
  const { amount } = sale
  if (isFree(sale)) return { ...sale, methods: [] }
  const isOpen = isChosen(sale)
  const amountMinor = typeof amount === 'bigint' ? amount : amount.amountMinorMin
  const judged = { ...sale, levels, isChosen: isOpen, amountMinor }
  const methods = sale.methods.filter((method) => {
    const [reason] = judge(services, judged, { method }, now).reasons
    return isOpen ? !unusable.includes(reason?.code) : reason === undefined
  })
  return { ...sale, methods }
}

/** Why a method cannot be used whatever the amount. */
const unusable: readonly unknown[] = ['payment_method_unavailable', 'payment_method_inactive']

/** What is read under a public id; null where there is none. */
export async function reading<T>(services: Services, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refused && error.sqlState === 'SP404') return null
    throw await problemOf(error, services)
  }
}

export interface Term {
  readonly months: number
  readonly firstMinor: bigint
  readonly monthlyMinor: bigint
  readonly totalMinor: bigint
}

export const termOf = (totalMinor: bigint, months: number): Term => {
  const [firstMinor, monthlyMinor] = splitEvenly(totalMinor, months)
  return { months, firstMinor: firstMinor!, monthlyMinor: monthlyMinor ?? 0n, totalMinor }
}

/** The installment terms of this card here: known only once the card is. */
export function termsFor(
  services: Services,
  quote: Quote,
  card: Pick<TokenFacts, 'installmentMonths'>,
  now: Date,
): Term[] {
  const months =
    quote.installmentPlanMonths === null ? quote.installmentMonths : [quote.installmentPlanMonths]
  const { offers } = judge(services, quote, { method: cardMethod, months, card }, now)
  return offers.map((offer) => termOf(offer.buyerTotalMinor, offer.months))
}

/** The terms that some card gets for this amount; the one that is demanded, alone. */
export function termsOffered(services: Services, quote: Quote, now: Date): Term[] {
  const { installmentMonths, installmentPlanMonths } = quote
  if (installmentPlanMonths !== null)
    return [termOf(totalIn(quote, installmentPlanMonths), installmentPlanMonths)]
  return termsFor(services, quote, { installmentMonths }, now)
}

/** Until when what is ordered now may be paid. */
export function pushUntil(services: Services, quote: Quote, method: PushMethod, now: Date): Date {
  const policy = offeredNow(services, now, quote.levels, quote.isChosen)
  return pushExpiry(pushLimits(policy, quote, method), now)
}

export function pushLimits(policy: PolicySettings, quote: Quote, method: PushMethod): PushLimits {
  const closesAt = quote.expiresAt === null || quote.isOutlivedByPush ? null : new Date(quote.expiresAt)
  const days = policy.methods?.[method]?.expires_days ?? paymentMethods[method].days
  return { closesAt, days: Math.min(days, quote.pushDaysMax ?? days) }
}

type Priced = Pick<Quote, 'amountMinor' | 'installmentPlanMonths' | 'feeAllocation' | 'merchantMarkupBps'>

/** The total that a card is charged in a term; 1: at once. */
export const totalIn = (sale: Priced, months: number): bigint =>
  buyerTotal({ amountMinor: sale.amountMinor, pricing: sale, months })

/** The price that the page shows first: the total where a term is demanded, its own amount elsewhere. */
export const priceOf = (sale: Priced): bigint => totalIn(sale, sale.installmentPlanMonths ?? 1)
