import { evaluate } from '../functions/money/payment-policy/evaluate.ts'
import { standingLevel } from '../functions/money/payment-policy/platform.ts'
import { effectiveOf, type PolicySettings } from '../functions/money/payment-policy/policy.ts'
import { parseFeeSchedules, scheduleAt } from '../functions/money/payments/fee-schedule.ts'
import type { Settings } from '../src/env/settings.ts'
import { methods } from '../src/kernel/payment-methods.ts'

const workspace: PolicySettings = {
  methods: { oxxo: { amount_max: { mxn: '500000' }, expires_days: 2 } },
  msi: { terms: [3, 6, 9, 12], amount_min: { 12: '150000' }, markup_cap_bps: 500 },
  three_ds: { required_from: { mxn: '300000' } },
}
const location: PolicySettings = { msi: { terms: [3, 6, 9] }, capture: { manual_allowed: false } }

/**
 * CPU in microseconds of what a submit asks of the payment policy, without any call: three levels intersected, and a card
 * with three terms judged. The median of `rounds`.
 */
export function policyMicros(feeSchedules: string, rounds: number, perRound = 2_000): number {
  const settings = { paymentPolicy: '{"stopped":[]}' } as Settings
  const schedules = parseFeeSchedules(feeSchedules)
  const schedule = scheduleAt(schedules, new Date(), 'mxn') ?? null
  const once = () =>
    evaluate(effectiveOf(standingLevel(settings, methods, schedules), workspace, location), schedule, {
      amountMinor: 120_000n,
      currency: 'mxn',
      method: 'card',
      captureMethod: 'automatic',
      months: [3, 6, 9],
      pricing: { feeAllocation: 'absorb', merchantMarkupBps: 0 },
      eligible: [3, 6, 9, 12],
    })
  const micros = Array.from({ length: rounds + 1 }, () => {
    const start = process.cpuUsage()
    for (let at = 0; at < perRound; at++) once()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / perRound
  })
  // The first round compiles.
  return micros.slice(1).sort((a, b) => a - b)[Math.floor(rounds / 2)]!
}
