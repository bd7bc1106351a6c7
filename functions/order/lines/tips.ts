import type { TipOptions } from '../../../drizzle/schema/order.ts'
import { parseAmount } from '../../../src/kernel/format.ts'
import { bpsOf } from '../../../src/kernel/money.ts'
import type { Adjustable, Adjustment, Unchanged } from './adjustable.ts'
import type { Chosen, Sold } from './lines.ts'

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

/** The tip that a buyer asks for; `before`: where they ask for none. */
export function tipAfter(
  before: Tip,
  { tip }: Adjustment,
  { baseMinor, currency }: { readonly baseMinor: bigint; readonly currency: string },
): Tip | Unchanged {
  if (tip === undefined) return before
  if (tip === null) return noTip
  if ('bps' in tip) return { tipBps: tip.bps, tipMinor: 0n }
  const tipMinor = parseAmount(tip.own, currency)
  if (tipMinor === null) return { problem: 'tip.amount' }
  return tipMinor > baseMinor ? { problem: 'tip.too_much' } : { tipBps: null, tipMinor }
}

/** What a buyer may choose of tips, each on what is paid for. */
export const adjustableTip = (options: TipOptions, chosen: Tip, baseMinor: bigint): Adjustable['tip'] => ({
  presets: options.presets_bps.map((bps) => ({ bps, amount: bpsOf(baseMinor, bps).toString() })),
  allowsOwn: options.allows_own_amount,
  chosenBps: chosen.tipBps,
  chosen: chosen.tipMinor.toString(),
})

/** A part of what several share, with the tip that its buyer adds to it. */
export function tipped(
  sold: Sold,
  options: TipOptions,
  asked: Adjustment,
  currency: string,
): Chosen | Unchanged {
  const baseMinor = sold.amountMinor
  const wanted = tipAfter(noTip, asked, { baseMinor, currency })
  if ('problem' in wanted) return wanted
  const tip = tipOn(options, wanted, baseMinor)
  return {
    ...sold,
    amountMinor: baseMinor + tip.tipMinor,
    tip: tip.tipMinor.toString(),
    adjustable: {
      takesCodes: false,
      code: null,
      lines: [],
      tip: adjustableTip(options, tip, baseMinor),
      shipping: [],
      shippingAt: null,
    },
  }
}
