import type { Settings } from '../../../src/env/settings.ts'
import { Problem } from '../../../src/http/problems.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { keptFor } from '../../../src/kernel/kept.ts'
import type { Method } from '../../../src/kernel/payment-methods.ts'
import { simulatorMethods } from '../../../src/processors/simulator/methods.ts'
import { stripeMethods } from '../../../src/processors/stripe/methods.ts'
import { type FeeSchedule, parseFeeSchedules, scheduleAt, scheduleByVersion } from './fee-schedule.ts'

/** The fee schedules of the environment, parsed once per isolate. */
export const feeSchedules = keptFor((settings: Settings) => parseFeeSchedules(settings.feeSchedules))

/** The schedule in force for a currency; null where payments in it are not offered. */
export const currentSchedule = (settings: Settings, now: Date, currency: string): FeeSchedule | null =>
  scheduleAt(feeSchedules(settings), now, currency) ?? null

/** The schedules in force, one for each currency in which payments are offered. */
export const currentSchedules = (settings: Settings, now: Date): FeeSchedule[] =>
  feeSchedules(settings).filter((schedule) => schedule === currentSchedule(settings, now, schedule.currency))

/** The schedule that a payment was begun under. */
export function scheduleOf(settings: Settings, version: string): FeeSchedule {
  const schedule = scheduleByVersion(feeSchedules(settings), version)
  if (!schedule) throw new Fault('a fee schedule is not in FEE_SCHEDULES')
  return schedule
}

/** What new payments may be paid with in this environment; nothing where no processor is configured. */
export const methodsTaken = ({ environment, stripe }: Settings): readonly Method[] =>
  environment === 'live' ? (stripe ? stripeMethods : []) : simulatorMethods

/** @throws Problem where the environment takes no payments: the sandbox always does */
export function requireConfigured({ environment, stripe }: Settings): void {
  if (environment === 'live' && !stripe) throw new Problem('payments_not_configured')
}
