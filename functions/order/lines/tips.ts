import type { TipOptions } from '../../../drizzle/schema/order.ts'
import { bpsOf } from '../../../src/kernel/money.ts'

export const tipPresetsMax = 5
export const tipBpsMax = 5_000

/** What the buyer chose: a preset, or an amount of their own. */
export interface Tip {
  readonly tipBps: number | null
  readonly tipMinor: bigint
}

export const noTip: Tip = { tipBps: null, tipMinor: 0n }

/**
 * The tip on what the lines cost after their discounts: a preset is its part, rounded half up; an amount of the buyer's
 * own is at most as much as that. None where it is not taken.
 */
export function tipOn(options: TipOptions | null, { tipBps, tipMinor }: Tip, baseMinor: bigint): Tip {
  if (options === null) return noTip
  if (tipBps !== null)
    return options.presets_bps.includes(tipBps) ? { tipBps, tipMinor: bpsOf(baseMinor, tipBps) } : noTip
  if (!options.allows_own_amount) return noTip
  return { tipBps: null, tipMinor: tipMinor < baseMinor ? tipMinor : baseMinor }
}
