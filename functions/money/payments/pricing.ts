import { addBankDays, addDays, type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { bpsOf, splitEvenly } from '../../../src/kernel/money.ts'
import { isPush, isPushMethod, type Method } from '../../../src/kernel/payment-methods.ts'
import { type CardTerms, type FeeSchedule, minimumAmount } from './fee-schedule.ts'

/** The merchant's financing choice (contract 2.3), one for every offered term. Null on a link without installments. */
export type InstallmentPricing = {
  readonly feeAllocation: 'absorb' | 'pass_to_buyer'
  readonly merchantMarkupBps: number
}

export type Fees = {
  readonly processingMinor: bigint
  readonly installmentsMinor: bigint
  readonly ivaMinor: bigint
  readonly netMinor: bigint
}

export type InstallmentOffer = {
  readonly months: number
  readonly firstPaymentMinor: bigint
  readonly perMonthMinor: bigint
  readonly buyerTotalMinor: bigint
}

/**
 * The service's fees on a charged card amount P and the merchant's net, in minor units. `months` is the term, 1 when
 * paid at once. Each line is rounded half-up separately: processing = round(P * rate) + fixed, installments = round(P *
 * surcharge), IVA = round((processing + installments) * IVA), net = P less the three. Net is above zero from
 * `minimumAmount(schedule, months)` on (`parseFeeSchedules` proves it), so links refuse lower prices; below that it may
 * be negative, and is returned as it is.
 * @throws RangeError when the schedule has no surcharge for `months`.
 */
export function cardFees({
  amountMinor,
  months,
  schedule,
  terms = schedule.card,
}: {
  amountMinor: bigint
  months: number
  schedule: FeeSchedule
  terms?: CardTerms
}): Fees {
  const surchargeBps = months === 1 ? 0 : schedule.installments.get(months)
  if (surchargeBps === undefined)
    throw new RangeError(`schedule ${schedule.version} has no term of ${months} months`)
  const processingMinor = bpsOf(amountMinor, terms.rateBps) + terms.fixedMinor
  const installmentsMinor = bpsOf(amountMinor, surchargeBps)
  const ivaMinor = bpsOf(processingMinor + installmentsMinor, schedule.ivaBps)
  const netMinor = amountMinor - processingMinor - installmentsMinor - ivaMinor
  return { processingMinor, installmentsMinor, ivaMinor, netMinor }
}

/**
 * The service's fees on an amount P captured by any method. Cards: `cardFees`. Others: processing =
 * round-half-up(P * rate) + fixed, IVA = round-half-up(processing * IVA), net = P less both.
 * @throws RangeError when the schedule does not have the method or the term.
 */
export function feesOf(charged: {
  method: Method
  amountMinor: bigint
  months: number
  schedule: FeeSchedule
}): Fees {
  const { amountMinor, schedule } = charged
  const terms = schedule[charged.method]
  if (!terms) throw new RangeError(`schedule ${schedule.version} has no ${charged.method}`)
  if (!isPush(charged)) return cardFees({ ...charged, terms })
  const processingMinor = bpsOf(amountMinor, terms.rateBps) + terms.fixedMinor
  const ivaMinor = bpsOf(processingMinor, schedule.ivaBps)
  return {
    processingMinor,
    installmentsMinor: 0n,
    ivaMinor,
    netMinor: amountMinor - processingMinor - ivaMinor,
  }
}

export type DisputeFee = { readonly feeMinor: bigint; readonly ivaMinor: bigint }

/** What a dispute costs under a schedule, before it is won: its fee, and IVA = round-half-up(fee * IVA). */
export const disputeFeeOf = ({ disputeFeeMinor: feeMinor, ivaBps }: FeeSchedule): DisputeFee => ({
  feeMinor,
  ivaMinor: bpsOf(feeMinor, ivaBps),
})

/**
 * The part of a net that is held back: round-half-up(net * rate), and the date in Mexico City on which it is released,
 * the schedule's calendar days after the net becomes available. Zero when the net is not positive.
 */
export function reserveOf(
  netMinor: bigint,
  availableOnDate: IsoDate,
  { reserve }: FeeSchedule,
): { reserveMinor: bigint; reserveReleaseOn: IsoDate | null } {
  const reserveMinor = netMinor > 0n ? bpsOf(netMinor, reserve.rateBps) : 0n
  return {
    reserveMinor,
    reserveReleaseOn: reserveMinor > 0n ? addDays(availableOnDate, reserve.days) : null,
  }
}

/**
 * The buyer's total for a price of `amountMinor`: the price plus round-half-up of the markup, when paying in
 * installments (`months` > 1) under `pass_to_buyer`; the price itself otherwise. The markup is the merchant's revenue:
 * fees apply to the total charged.
 */
export function buyerTotal({
  amountMinor,
  pricing,
  months,
}: {
  amountMinor: bigint
  pricing: InstallmentPricing | null
  months: number
}): bigint {
  if (months === 1 || pricing?.feeAllocation !== 'pass_to_buyer') return amountMinor
  return amountMinor + bpsOf(amountMinor, pricing.merchantMarkupBps)
}

/**
 * The terms a buyer may choose, shortest first: those that the link allows, the card is eligible for, the schedule
 * prices, and whose minimum per month the price reaches (before any markup, so that a markup never opens a term). The
 * total is split evenly, with the remainder on the first payment: 109530 in 12 is 9133 + 11 * 9127.
 */
export function installmentOffers({
  amountMinor,
  allowedMonths,
  eligibleMonths,
  pricing,
  schedule,
}: {
  amountMinor: bigint
  allowedMonths: readonly number[]
  eligibleMonths: readonly number[]
  pricing: InstallmentPricing | null
  schedule: FeeSchedule
}): InstallmentOffer[] {
  return [...schedule.installments.keys()]
    .filter((months) => allowedMonths.includes(months) && eligibleMonths.includes(months))
    .filter((months) => amountMinor >= minimumAmount(schedule, months))
    .sort((a, b) => a - b)
    .map((months) => {
      const buyerTotalMinor = buyerTotal({ amountMinor, pricing, months })
      const payments = splitEvenly(buyerTotalMinor, months)
      return { months, firstPaymentMinor: payments[0]!, perMonthMinor: payments[1]!, buyerTotalMinor }
    })
}

/** The date in Mexico City on which the net of a capture at `capturedAt` becomes available. */
export function availableOn(capturedAt: Date, schedule: FeeSchedule, method: Method): IsoDate {
  const bankDays = isPushMethod(method)
    ? (schedule[method]?.availabilityBankDays ?? 0)
    : schedule.availabilityBankDays
  return addBankDays(mexicoCityDate(capturedAt), bankDays)
}
