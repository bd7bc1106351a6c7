import type { Services } from '../../../src/http/services.ts'

/** What the buyer may still change of the order, before the first payment is tried. */
export interface Adjustable {
  /** The buyer may type a code. */
  readonly takesCodes: boolean
  /** The code that they typed. */
  readonly code: string | null
  /** The lines whose quantity they choose, by their place among all. */
  readonly lines: readonly AdjustableLine[]
  readonly tip: AdjustableTip | null
  /** The ways to send it, and the place of the chosen one. Amounts: minor units as text. */
  readonly shipping: readonly { readonly name: string; readonly amount: string }[]
  readonly shippingAt: number | null
}

export interface AdjustableLine {
  readonly at: number
  readonly name: string
  readonly quantity: number
  readonly least: number
  readonly most: number
}

/** Amounts: minor units as text. */
export interface AdjustableTip {
  readonly presets: readonly { readonly bps: number; readonly amount: string }[]
  readonly allowsOwn: boolean
  readonly chosenBps: number | null
  readonly chosen: string
}

/** What a buyer asks to change. */
export interface Adjustment {
  /** As typed; empty: none. */
  readonly code?: string
  /** The place of a way to send it. */
  readonly shipping?: number
  /** As typed, by the line's place. */
  readonly quantities?: Readonly<Record<number, string>>
  /** A preset in basis points, an amount as typed, or none. */
  readonly tip?: { readonly bps: number } | { readonly own: string } | null
}

export const adjustmentProblems = [
  'code.unknown',
  'code.inactive',
  'code.not_started',
  'code.ended',
  'code.other_currency',
  'code.below_minimum',
  'code.needs_customer',
  'code.used_up',
  'code.used_by_customer',
  'code.twice',
  'code.too_many',
  'quantity.bounds',
  'quantity.stock',
  'tip.amount',
  'tip.too_much',
  'order.amount',
  'order.closed',
] as const

/** Why an order was not changed: the field, and what is wrong with it. */
export type AdjustmentProblem = (typeof adjustmentProblems)[number]

export interface Unchanged {
  readonly problem: AdjustmentProblem
  /** The line that it is about. */
  readonly at?: number
  /** How many of it can be had instead. */
  readonly left?: number
}

/** Changes what a buyer orders at an address; null where it did. */
export type Adjust = (
  services: Services,
  publicId: string,
  asked: Adjustment,
  request: { readonly requestId: string; readonly now: Date },
) => Promise<Unchanged | null>
