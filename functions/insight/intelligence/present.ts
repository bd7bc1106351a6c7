import type { declineCategories } from '../../../drizzle/schema/declines.ts'
import { addDays, type IsoDate, mexicoCityDate } from '../../../src/kernel/bank-days.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import type { PushMethod } from '../../../src/kernel/payment-methods.ts'
import type { DeclineCode } from '../../../src/processors/port.ts'
import { type Interval, nextPayoutOn, type SettingsRow } from '../../money/payouts/api-pure.ts'
import { declineReasons } from '../../page/hosted-payment/api-pure.ts'
import type { dimensions } from './contract.ts'
import { type Movement, Movements } from './forecast.ts'
import { rateOf } from './rates.ts'
import type { AcceptanceRow, ConversionRow, DeclineRow } from './store.ts'

interface Period {
  readonly begins_on: IsoDate
  readonly ends_on: IsoDate
  readonly currency: string
}

const presentAccepted = (row: AcceptanceRow) => ({
  payments_count: row.payments,
  accepted_count: row.accepted,
  declined_count: row.declined,
  blocked_count: row.blocked,
  abandoned_count: row.abandoned,
  open_count: row.open,
  unknown_count: row.unknown,
  first_attempt_count: row.firstAccepted,
  retried_count: row.retried,
  recovered_count: row.recovered,
  amount_accepted: toMinorString(row.acceptedMinor),
  ...rateOf(row.accepted, row.accepted + row.declined),
})

export const presentAcceptance = (
  period: Period,
  by: (typeof dimensions)[number] | null,
  total: AcceptanceRow,
  groups: readonly AcceptanceRow[],
) => ({
  object: 'acceptance_report' as const,
  ...period,
  by,
  ...presentAccepted(total),
  groups: groups.map((row) => ({ group: row.group, ...presentAccepted(row) })),
})

export type AcceptanceReport = ReturnType<typeof presentAcceptance>

type Category = (typeof declineCategories)[number]

/** Of what your own rules blocked. */
const ofBlocked = 'Your own list or rule blocked it: the risk of the payment names it.'

const advice: { readonly [C in Category]: string } = {
  soft: 'Offer another card or a voucher at once; the same card may pass on another day.',
  hard: 'This card will not pass. Ask for another card, OXXO or SPEI.',
  fraud: 'Do not try this card again. Ask who buys before you deliver anything paid otherwise.',
  auth: 'Ask the buyer to try again and to confirm in the app of their bank.',
}

export const presentDeclines = (period: Period, rows: readonly DeclineRow[]) => ({
  object: 'decline_report' as const,
  ...period,
  reasons: rows.map((row) => ({
    decline_code: row.code as DeclineCode,
    decline_category: row.category as Category,
    attempts_count: row.attempts,
    payments_count: row.payments,
    amount_lost: toMinorString(row.declinedMinor),
    retried_count: row.retried,
    recovered_count: row.recovered,
    advice: row.code === 'blocked' ? ofBlocked : advice[row.category as Category],
    buyer_message: {
      es: declineReasons.es[row.code as DeclineCode],
      en: declineReasons.en[row.code as DeclineCode],
    },
  })),
})

export const presentConversion = (period: Period, rows: readonly ConversionRow[]) => ({
  object: 'conversion_report' as const,
  ...period,
  methods: rows.map((row) => ({
    method: row.method as PushMethod,
    payments_count: row.payments,
    paid_count: row.paid,
    lapsed_count: row.lapsed,
    open_count: row.open,
    amount_paid: toMinorString(row.paidMinor),
    paid_within_seconds_median: row.medianSeconds,
    paid_within_seconds_p90: row.slowSeconds,
    ...rateOf(row.paid, row.paid + row.lapsed),
  })),
})

interface Basis {
  readonly currency: string
  readonly today: IsoDate
  /** How many days, beginning with tomorrow. */
  readonly days: number
  readonly movements: { readonly income: readonly Movement[]; readonly releases: readonly Movement[] }
  readonly availableMinor: bigint
  /** When the balance is paid out; null: by nobody. */
  readonly schedule: Pick<
    SettingsRow,
    'interval' | 'anchorDay' | 'nextPayoutOn' | 'amountMinorMin' | 'coolDownEndsAt'
  > | null
}

/** How many days ahead the errors are of. */
const errorsAhead = [7, 30]

export function presentForecast({ currency, today, days, movements, availableMinor, schedule }: Basis) {
  const income = new Movements(movements.income)
  const releases = new Movements(movements.releases)
  const ahead = Array.from({ length: days }, (_, at) => {
    const day = addDays(today, at + 1)
    return {
      day,
      releasedMinor: income.known(day, today),
      reserveMinor: releases.all(day),
      likely: income.likely(day, today),
    }
  })
  return {
    object: 'cash_flow_forecast' as const,
    currency,
    as_of: today,
    available: toMinorString(availableMinor),
    days: ahead.map(({ day, releasedMinor, reserveMinor, likely }) => ({
      day,
      certain: {
        amount_released: toMinorString(releasedMinor),
        amount_reserve_released: toMinorString(reserveMinor),
      },
      likely: likely && {
        p10: toMinorString(likely.p10Minor),
        p50: toMinorString(likely.p50Minor),
        p90: toMinorString(likely.p90Minor),
        weeks_count: likely.weeksCount,
      },
    })),
    payouts: payoutsOf([nothingMore(today, ahead), ...ahead], availableMinor, schedule),
    errors: errorsAhead.map((daysAhead) => {
      const error = income.meanError(daysAhead, today)
      return {
        days_ahead: daysAhead,
        amount_mean: error && toMinorString(error.amountMinor),
        days_count: error?.daysCount ?? 0,
      }
    }),
  }
}

export type CashFlowForecast = ReturnType<typeof presentForecast>

/** Today: all that it brings for certain is in the balance. */
const nothingMore = (day: IsoDate, ahead: readonly Ahead[]): Ahead => ({
  day,
  releasedMinor: 0n,
  reserveMinor: 0n,
  likely: ahead[0]?.likely ? { p50Minor: 0n } : null,
})

interface Ahead {
  readonly day: IsoDate
  readonly releasedMinor: bigint
  readonly reserveMinor: bigint
  readonly likely: { readonly p50Minor: bigint } | null
}

/** The schedule pays out what there is on its day; where that is less than its minimum, it waits for the next day. */
function payoutsOf(ahead: readonly Ahead[], availableMinor: bigint, schedule: Basis['schedule']) {
  const payouts: { day: IsoDate; amount_certain: string; amount_likely: string | null }[] = []
  if (!schedule) return payouts
  const { coolDownEndsAt } = schedule
  const coolOn = coolDownEndsAt && mexicoCityDate(coolDownEndsAt)
  let next = schedule.nextPayoutOn
  let certainMinor = availableMinor
  let likelyMinor: bigint | null = 0n
  for (const { day, releasedMinor, reserveMinor, likely } of ahead) {
    certainMinor += releasedMinor + reserveMinor
    if (likelyMinor !== null) likelyMinor = likely && likelyMinor + likely.p50Minor
    if (next === null || day < next || (coolOn !== null && day < coolOn)) continue
    const leastMinor = schedule.amountMinorMin > 0n ? schedule.amountMinorMin : 1n
    const allMinor: bigint = certainMinor + (likelyMinor ?? 0n)
    if (allMinor >= leastMinor) {
      payouts.push({
        day,
        amount_certain: toMinorString(certainMinor < 0n ? 0n : certainMinor),
        amount_likely: likelyMinor === null ? null : toMinorString(allMinor),
      })
      certainMinor = 0n
      likelyMinor = likelyMinor === null ? null : 0n
    }
    next = nextPayoutOn(schedule.interval as Interval, schedule.anchorDay, day)
  }
  return payouts
}
