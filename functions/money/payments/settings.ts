import type { Settings } from '../../../src/env/settings.ts'
import { Problem } from '../../../src/http/problems.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { type FeeSchedule, parseFeeSchedules, scheduleAt, scheduleByVersion } from './fee-schedule.ts'

const parsed = new WeakMap<Settings, FeeSchedule[]>()

/** The fee schedules of the environment, parsed once per isolate. */
export function feeSchedules(settings: Settings): FeeSchedule[] {
  let schedules = parsed.get(settings)
  if (!schedules) {
    schedules = parseFeeSchedules(settings.feeSchedules)
    parsed.set(settings, schedules)
  }
  return schedules
}

/** The schedule in force for a currency; null where payments in it are not offered. */
export const currentSchedule = (settings: Settings, now: Date, currency: string): FeeSchedule | null =>
  scheduleAt(feeSchedules(settings), now, currency) ?? null

/** The schedules in force, one for each currency in which payments are offered. */
export const currentSchedules = (settings: Settings, now: Date): FeeSchedule[] =>
  [...new Set(feeSchedules(settings).map(({ currency }) => currency))].flatMap(
    (currency) => currentSchedule(settings, now, currency) ?? [],
  )

/** The schedule that a payment was begun under. */
export function scheduleOf(settings: Settings, version: string): FeeSchedule {
  const schedule = scheduleByVersion(feeSchedules(settings), version)
  if (!schedule) throw new Fault('a fee schedule is not in FEE_SCHEDULES')
  return schedule
}

/** @throws Problem where the environment takes no payments: the sandbox always does */
export function requireConfigured({ environment, stripe }: Settings): void {
  if (environment === 'live' && !stripe) throw new Problem('payments_not_configured')
}
