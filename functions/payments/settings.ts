import type { Settings } from '../../src/env.ts'
import { Problem } from '../../src/http/problems.ts'
import type { Services } from '../../src/http/services.ts'
import { Fault } from '../../src/kernel/fault.ts'
import type { Processor } from '../../src/processors/port.ts'
import { simulator } from '../../src/processors/simulator/simulator.ts'
import { type FeeSchedule, parseFeeSchedules, scheduleAt, scheduleByVersion } from './fee-schedule.ts'
import { stripeOf } from './stripe.ts'

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

/** The environment's processors: the first takes new payments, and each finishes what it took. */
export function processorsOf(services: Services): readonly Processor[] {
  const { settings, db } = services
  if (settings.environment !== 'live') return [simulator(settings, db.call)]
  const live = stripeOf(services)
  return live ? [live] : []
}

/** The one that takes new payments; null where none is configured. Sandbox has the simulator and nothing else. */
export const processorOf = (services: Services): Processor | null => processorsOf(services)[0] ?? null

/**
 * The processor that took an attempt, made a refund, told of a dispute. No other is asked about it: one that does not know
 * an attempt would close it.
 * @throws Problem where it is no longer configured
 */
export function takerOf(services: Services, { processor: name }: { readonly processor: string }): Processor {
  const taker = processorsOf(services).find((each) => each.name === name)
  if (!taker) throw new Problem('payments_not_configured')
  return taker
}

export function requireProcessor(services: Services): Processor {
  const processor = processorOf(services)
  if (!processor) throw new Problem('payments_not_configured')
  return processor
}
