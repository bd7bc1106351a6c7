import type { MethodDetails } from '../../drizzle/schema/payments.ts'
import {
  addBankDays,
  addDays,
  type IsoDate,
  mexicoCityDate,
  mexicoCityInstant,
} from '../../src/kernel/bank-days.ts'
import type { EventDraft, Write } from '../../src/kernel/plan.ts'
import type { CashCharge } from '../../src/processors/port.ts'
import type { Means } from './plan.ts'

export type CashMethod = CashCharge['method']

/** Calendar days that a buyer has, and bank days after them in which money that was paid in time may be told. */
const waits: Readonly<Record<CashMethod, { days: number; graceBankDays: number }>> = {
  oxxo: { days: 3, graceBankDays: 2 },
  spei: { days: 3, graceBankDays: 1 },
}

const checkEveryMs = 6 * 3_600_000

/**
 * How an attempt in cash pays: until the end of the last day in Mexico City. A link that expires earlier shortens that
 * to its own last day, but for the day after the order, which everybody has.
 */
export function byCash(
  method: CashMethod,
  closesAt: Date | null,
  now: Date,
  accountId: string | null = null,
): Means {
  const today = mexicoCityDate(now)
  const last = addDays(today, waits[method].days)
  const closes = closesAt === null ? last : mexicoCityDate(closesAt)
  // Dates sort as text: the middle one is the link's day kept between tomorrow and the last day.
  const day = [addDays(today, 1), closes, last].sort()[1]!
  const expiresAt = endOf(day)
  return { method, accountId, details: null, expiresAt, graceEndsAt: graceEnd(method, expiresAt) }
}

/** The end of the last bank day on which money that was paid until `expiresAt` may be told. */
export const graceEnd = (method: CashMethod, expiresAt: Date): Date =>
  endOf(addBankDays(mexicoCityDate(expiresAt), waits[method].graceBankDays))

const endOf = (day: IsoDate) => new Date(mexicoCityInstant(day, '23:59').getTime() + 59_000)

/** When to ask about cash that is awaited: notifications are lost. At the end of its grace it is settled. */
export const nextCashCheck = (graceEndsAt: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + checkEveryMs, graceEndsAt.getTime()))

/** What the buyer pays by, and the rows that a method keeps of it. */
export interface Issued {
  readonly details: MethodDetails
  readonly expiresAt: Date
  readonly graceEndsAt: Date
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}
