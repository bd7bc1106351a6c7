import { Fault } from '../../../src/kernel/fault.ts'
import { parseMinorString } from '../../../src/kernel/money.ts'
import { methods, type PushMethod, pushMethods } from '../../../src/kernel/payment-methods.ts'

/** What a push method costs and allows: one payment per voucher or CLABE, between two amounts. */
export type PushTerms = {
  readonly rateBps: number
  readonly fixedMinor: bigint
  readonly availabilityBankDays: number
  readonly minimumAmountMinor: bigint
  readonly maximumAmountMinor: bigint
}

export type CardTerms = { readonly rateBps: number; readonly fixedMinor: bigint }

/**
 * The service's charges for payments in one currency from an instant on. Rates in basis points of the charged amount.
 */
export type FeeSchedule = {
  readonly version: string
  readonly effectiveFrom: Date
  readonly currency: string
  readonly card: CardTerms
  /** Of a card that is presented to a device; null where the currency has no such payments. */
  readonly card_present: CardTerms | null
  /** The part of the net that is held back, and for how many days after it became available. */
  readonly reserve: { readonly rateBps: number; readonly days: number }
  /** How far below zero refunds may bring the merchant's whole balance here; beyond that they wait. */
  readonly refundOverdraftMinor: bigint
  /** For each dispute, until it is won; IVA comes on top. */
  readonly disputeFeeMinor: bigint
  /** Surcharge by number of months: the terms that can be offered at all. */
  readonly installments: ReadonlyMap<number, number>
  readonly ivaBps: number
  /** Bank days from capture until the net is available. */
  readonly availabilityBankDays: number
  /** A term of n months needs a price of at least n times this. */
  readonly installmentMinimumPerMonthMinor: bigint
  /** The smallest amount a link or payment may have: fees leave something of it (parsing proves it). */
  readonly minimumAmountMinor: bigint
} & MethodTerms

/** By method; null where the currency has no such method. */
type MethodTerms = Readonly<Record<PushMethod, PushTerms | null>>

const fields = [
  'version',
  'effectiveFrom',
  'currency',
  ...methods,
  'reserve',
  'refundOverdraftMinor',
  'disputeFeeMinor',
  'installments',
  'ivaBps',
  'availabilityBankDays',
  'installmentMinimumPerMonthMinor',
  'minimumAmountMinor',
]

/**
 * Reads the `FEE_SCHEDULES` variable: a JSON array of objects named like `FeeSchedule`, amounts as decimal strings of
 * minor units, `effectiveFrom` an ISO instant in UTC, `installments` an object from months to basis points. `card_present`,
 * the push methods, `reserve`, `refundOverdraftMinor` and `disputeFeeMinor` are optional: no such method, nothing held back, no
 * overdraft, no fee. Sorted by currency, then by date.
 * @throws Error naming the schedule and the field, also when a schedule would take all of its own minimum amount.
 */
export function parseFeeSchedules(json: string): FeeSchedule[] {
  const list = parseJson(json)
  if (!Array.isArray(list) || list.length === 0)
    throw new Fault('FEE_SCHEDULES: expected a JSON array with schedules')
  const schedules = list.map((item: unknown, index) => parseSchedule(item, `FEE_SCHEDULES[${index}]`))
  schedules.sort(
    (a, b) => order(a.currency, b.currency) || a.effectiveFrom.getTime() - b.effectiveFrom.getTime(),
  )
  for (const [index, schedule] of schedules.entries()) {
    const before = schedules[index - 1]
    if (schedules.findIndex(({ version }) => version === schedule.version) !== index) {
      throw new Fault(`FEE_SCHEDULES: version "${schedule.version}" appears twice`)
    }
    if (before?.currency === schedule.currency && +before.effectiveFrom === +schedule.effectiveFrom) {
      throw new Fault(
        `FEE_SCHEDULES: "${before.version}" and "${schedule.version}" start at the same instant`,
      )
    }
  }
  return schedules
}

/** The schedule of `currency` in force at `instant`; undefined when there is none yet. */
export function scheduleAt(
  schedules: readonly FeeSchedule[],
  instant: Date,
  currency: string,
): FeeSchedule | undefined {
  let found: FeeSchedule | undefined
  for (const schedule of schedules) {
    if (schedule.currency !== currency || schedule.effectiveFrom > instant) continue
    if (!found || schedule.effectiveFrom > found.effectiveFrom) found = schedule
  }
  return found
}

/** The schedule that a stored payment names; undefined when the configuration no longer carries it. */
export function scheduleByVersion(
  schedules: readonly FeeSchedule[],
  version: string,
): FeeSchedule | undefined {
  return schedules.find((schedule) => schedule.version === version)
}

function parseSchedule(value: unknown, where: string): FeeSchedule {
  const item = record(value, where)
  const unknown = Object.keys(item).find((field) => !fields.includes(field))
  if (unknown !== undefined) throw new Fault(`${where}.${unknown}: unknown field`)
  const schedule: FeeSchedule = {
    version: text(item.version, `${where}.version`, /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
    effectiveFrom: instantOf(item.effectiveFrom, `${where}.effectiveFrom`),
    currency: text(item.currency, `${where}.currency`, /^[a-z]{3}$/),
    card: cardTerms(item.card, `${where}.card`),
    card_present:
      item.card_present === undefined ? null : cardTerms(item.card_present, `${where}.card_present`),
    ...(Object.fromEntries(
      pushMethods.map((method) => [method, cashTerms(item[method], `${where}.${method}`)]),
    ) as MethodTerms),
    reserve: reserveOf(item.reserve, `${where}.reserve`),
    refundOverdraftMinor: minor(item.refundOverdraftMinor ?? '0', `${where}.refundOverdraftMinor`),
    disputeFeeMinor: minor(item.disputeFeeMinor ?? '0', `${where}.disputeFeeMinor`),
    installments: terms(item.installments, `${where}.installments`),
    ivaBps: whole(item.ivaBps, `${where}.ivaBps`, 10_000),
    availabilityBankDays: whole(item.availabilityBankDays, `${where}.availabilityBankDays`, 60),
    installmentMinimumPerMonthMinor: minor(
      item.installmentMinimumPerMonthMinor,
      `${where}.installmentMinimumPerMonthMinor`,
    ),
    minimumAmountMinor: minor(item.minimumAmountMinor, `${where}.minimumAmountMinor`),
  }
  refuseTotalLoss(schedule, where)
  return schedule
}

function cardTerms(value: unknown, where: string): CardTerms {
  const item = record(value, where)
  return {
    rateBps: whole(item.rateBps, `${where}.rateBps`, 10_000),
    fixedMinor: minor(item.fixedMinor, `${where}.fixedMinor`),
  }
}

function cashTerms(value: unknown, where: string): PushTerms | null {
  if (value === undefined) return null
  const item = record(value, where)
  return {
    rateBps: whole(item.rateBps, `${where}.rateBps`, 10_000),
    fixedMinor: minor(item.fixedMinor, `${where}.fixedMinor`),
    availabilityBankDays: whole(item.availabilityBankDays, `${where}.availabilityBankDays`, 60),
    minimumAmountMinor: minor(item.minimumAmountMinor, `${where}.minimumAmountMinor`),
    maximumAmountMinor: minor(item.maximumAmountMinor, `${where}.maximumAmountMinor`),
  }
}

function reserveOf(value: unknown, where: string): FeeSchedule['reserve'] {
  if (value === undefined) return { rateBps: 0, days: 0 }
  const item = record(value, where)
  return {
    rateBps: whole(item.rateBps, `${where}.rateBps`, 10_000),
    days: whole(item.days, `${where}.days`, 365),
  }
}

/**
 * Proves that fees leave something of every amount from the minimum on. The three roundings add at most
 * 0.5 + 0.5 to the fees, their IVA to that, and 0.5 to the IVA; without them net grows with the amount, so the
 * minimum decides for all.
 */
function refuseTotalLoss(schedule: FeeSchedule, where: string): void {
  for (const [months, bps] of [[1, 0] as const, ...schedule.installments]) {
    const least = minimumAmount(schedule, months)
    const term = months === 1 ? 'a single payment' : `${months} months`
    for (const card of [schedule.card, schedule.card_present ?? schedule.card]) {
      const terms = { rateBps: card.rateBps + bps, fixedMinor: card.fixedMinor }
      refuseLossOf(terms, least, schedule.ivaBps, `${where}: the fees of ${term}`)
    }
  }
  for (const method of pushMethods) {
    const terms = schedule[method]
    if (terms) refuseLossOf(terms, terms.minimumAmountMinor, schedule.ivaBps, `${where}.${method}: its fees`)
  }
}

function refuseLossOf(
  { rateBps, fixedMinor }: { rateBps: number; fixedMinor: bigint },
  least: bigint,
  ivaBps: number,
  what: string,
): void {
  const scale = 100_000_000n
  const withIva = BigInt(10_000 + ivaBps)
  const kept = scale - BigInt(rateBps) * withIva
  const lost = (fixedMinor + 1n) * withIva * 10_000n + scale / 2n
  if (kept <= 0n || least * kept <= lost)
    throw new Fault(`${what} would take all of ${least}; raise minimumAmountMinor`)
}

/**
 * The smallest price that may be paid in `months` (1 = at once), in minor units. Refuse a link or payment below
 * `minimumAmount(schedule, 1)` before charging the buyer: that keeps net above zero.
 */
export function minimumAmount(schedule: FeeSchedule, months: number): bigint {
  const byTerm = months > 1 ? schedule.installmentMinimumPerMonthMinor * BigInt(months) : 0n
  return byTerm > schedule.minimumAmountMinor ? byTerm : schedule.minimumAmountMinor
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new Fault('FEE_SCHEDULES: not JSON')
  }
}

function record(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(`${where}: not an object`)
  return value as Record<string, unknown>
}

function text(value: unknown, where: string, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value))
    throw new Fault(`${where}: expected ${pattern.source}`)
  return value
}

function instantOf(value: unknown, where: string): Date {
  const instant = new Date(text(value, where, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/))
  if (Number.isNaN(instant.getTime())) throw new Fault(`${where}: no such instant`)
  return instant
}

function whole(value: unknown, where: string, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > most) {
    throw new Fault(`${where}: expected a whole number from 0 to ${most}`)
  }
  return value
}

function minor(value: unknown, where: string): bigint {
  const amount = typeof value === 'string' ? parseMinorString(value) : null
  if (amount === null || amount < 0n)
    throw new Fault(`${where}: expected minor units as a string, such as "1000"`)
  return amount
}

function terms(value: unknown, where: string): ReadonlyMap<number, number> {
  const parsed = Object.entries(record(value, where)).map(([months, bps]): [number, number] => {
    if (!/^([2-9]|[1-5]\d|60)$/.test(months))
      throw new Fault(`${where}.${months}: expected months from 2 to 60`)
    return [Number(months), whole(bps, `${where}.${months}`, 10_000)]
  })
  return new Map(parsed.sort(([a], [b]) => a - b))
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
