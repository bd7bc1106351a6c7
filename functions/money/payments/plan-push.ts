import type { MethodDetails } from '../../../drizzle/schema/payments.ts'
import {
  addBankDays,
  addDays,
  type IsoDate,
  mexicoCityDate,
  mexicoCityInstant,
} from '../../../src/kernel/bank-days.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import {
  isPushMethod,
  type Method,
  type PushMethod,
  paymentMethods,
} from '../../../src/kernel/payment-methods.ts'
import type { EventDraft, Write } from '../../../src/kernel/plan.ts'
import type { PaymentInstrument } from './plan.ts'

const checkEveryMs = 6 * 3_600_000

/** When the sale closes, null for never, and in how many calendar days the buyer may pay. */
export interface PushLimits {
  readonly closesAt: Date | null
  readonly days: number
}

/** In how many days the buyer pays where less is left than `scarceBelow`; the database holds both numbers too. */
export const scarceDays = 1
export const scarceBelow = 10

/**
 * A push payment may be paid until the end of its last day in Mexico City. A link that expires earlier shortens that to
 * its own last day, but every buyer has the day after the order.
 */
export function byPush(
  method: PushMethod,
  limits: PushLimits,
  now: Date,
  accountId: string | null = null,
): PaymentInstrument {
  const expiresAt = pushExpiry(limits, now)
  return { method, accountId, details: null, expiresAt, graceEndsAt: graceEnd(method, expiresAt) }
}

/** Until when a push payment that is ordered now may be paid. */
export function pushExpiry({ closesAt, days }: PushLimits, now: Date): Date {
  const today = mexicoCityDate(now)
  const last = addDays(today, days)
  const closes = closesAt === null ? last : mexicoCityDate(closesAt)
  // Dates sort as text: the middle one is the link's day kept between tomorrow and the last day.
  return endOf([addDays(today, 1), closes, last].sort()[1]!)
}

/** The end of the last bank day on which money paid until `expiresAt` may be reported. */
export function graceEnd(method: Method, expiresAt: Date): Date {
  if (!isPushMethod(method)) throw new Fault('a card payment has no grace')
  return endOf(addBankDays(mexicoCityDate(expiresAt), paymentMethods[method].graceBankDays))
}

const endOf = (day: IsoDate) => new Date(mexicoCityInstant(day, '23:59').getTime() + 59_000)

/** When to ask the processor about an awaited push payment: notifications can be lost. At the end of its grace we settle it. */
export const nextPushCheck = (graceEndsAt: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + checkEveryMs, graceEndsAt.getTime()))

/** What the buyer pays with, and the rows that the method stores. */
export interface Issued {
  readonly details: MethodDetails
  readonly expiresAt: Date
  readonly graceEndsAt: Date
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
}
