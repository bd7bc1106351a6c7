import type { Settings } from '../../../src/env/settings.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { keptFor } from '../../../src/kernel/kept.ts'
import {
  isPushMethod,
  type Method,
  methods,
  paymentMethods,
  pushMethods,
} from '../../../src/kernel/payment-methods.ts'
import { type FeeSchedule, minimumAmount } from '../payments/api-pure.ts'
import { PlatformSettings } from './contract-settings.ts'
import { effectiveOf, type PolicySettings } from './policy.ts'

/** The largest amount that may be asked for: 100,000,000.00. */
const amountMinorMax = 10_000_000_000n
/** The largest markup that the interface takes. */
export const markupCapBps = 3_000
/** The part of what is left that vouchers and bank transfers may hold unpaid, unless the configuration says otherwise. */
const unpaidShareBps = 5_000

interface Configured {
  readonly stopped: readonly Method[]
  readonly settings: PolicySettings
}

/** PAYMENT_POLICY, parsed once per isolate. @throws Fault naming what is wrong */
const configured = keptFor((settings: Settings) => parsePaymentPolicy(settings.paymentPolicy))

export function parsePaymentPolicy(json: string): Configured {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new Fault('PAYMENT_POLICY: not JSON')
  }
  const { data, error } = PlatformSettings.safeParse(value)
  if (!data) {
    const [{ path, message }] = error.issues as [(typeof error.issues)[number]]
    throw new Fault(`PAYMENT_POLICY.${path.join('.')}: ${message}`)
  }
  const { stopped, ...rest } = data
  return { stopped, settings: rest }
}

type Level = (
  settings: Settings,
  offered: readonly Method[],
  schedules: readonly FeeSchedule[],
) => PolicySettings

/** A level, made once per isolate and schedule in force: what a processor offers is as lasting as the settings. */
function kept(make: Level): Level {
  const levelsOf = keptFor((_: Settings): Record<string, PolicySettings> => ({}))
  return (settings, offered, schedules) => {
    const levels = levelsOf(settings)
    const key = String(schedules.map(({ version }) => version))
    levels[key] ??= effectiveOf(make(settings, offered, schedules))
    return levels[key]
  }
}

/**
 * The part of the platform's level that holds for every payment, whatever it was offered under: the methods that the
 * processor has and the platform has not stopped, a voucher's days, the terms that the fee schedule prices, what may be
 * held unpaid, 3-D Secure.
 */
export const standingLevel = kept((settings, offered, schedules) => {
  const { stopped, settings: own } = configured(settings)
  const pesos = schedules.find(({ currency }) => currency === 'mxn')
  const terms = [...(pesos?.installments.keys() ?? [])].sort((a, b) => a - b)
  return {
    methods: record(methods, (method) => ({
      enabled: offered.includes(method) && !stopped.includes(method),
      // A configuration may also give more days than are usual.
      ...(isPushMethod(method) && {
        expires_days: own.methods?.[method]?.expires_days ?? paymentMethods[method].days,
      }),
    })),
    msi: {
      terms,
      amount_min: record(terms.map(String), (months) => minimumAmount(pesos!, Number(months)).toString()),
    },
    unpaid_holds: { share_bps: own.unpaid_holds?.share_bps ?? unpaidShareBps },
    three_ds: own.three_ds,
  }
})

/** The platform's whole level: what may be offered from now on. */
export const platformLevel = kept((settings, offered, schedules) => {
  const general: PolicySettings = {
    methods: record(methods, () => ({
      amount_min: amounts(schedules, (schedule) => minimumAmount(schedule, 1)),
      amount_max: amounts(schedules, () => amountMinorMax),
    })),
    msi: { markup_cap_bps: markupCapBps },
  }
  const pushed: PolicySettings = {
    methods: record(pushMethods, (method) => ({
      amount_min: amounts(schedules, (schedule) => schedule[method]?.minimumAmountMinor),
      amount_max: amounts(schedules, (schedule) => schedule[method]?.maximumAmountMinor),
    })),
  }
  return effectiveOf(
    standingLevel(settings, offered, schedules),
    general,
    pushed,
    configured(settings).settings,
  )
})

const record = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as { readonly [N in Name]: T }

const amounts = (
  schedules: readonly FeeSchedule[],
  of: (schedule: FeeSchedule) => bigint | undefined,
): Record<string, string> =>
  Object.fromEntries(
    schedules.flatMap((schedule) => {
      const amountMinor = of(schedule)
      return amountMinor === undefined ? [] : [[schedule.currency, amountMinor.toString()]]
    }),
  )
