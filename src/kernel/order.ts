import type { IvaRate } from './iva.ts'

/** One thing that is bought. `total`: minor units as text, for all of its quantity, with its IVA. */
export interface OrderLine {
  /** Which line of what several buyers share; absent elsewhere. */
  readonly id?: string
  /** The item of a catalog; null for a line that the merchant wrote. */
  readonly item_id: string | null
  readonly name: string
  readonly quantity: number
  readonly total: string
  readonly iva_rate: IvaRate
}

/** A line as the buyer reads it. */
export type ShownLine = Pick<OrderLine, 'name' | 'quantity' | 'total'>

/** What is added to the lines and taken off them. `amount`: minor units as text; a discount is negative. */
export interface OrderPart {
  readonly kind: 'discount' | 'shipping'
  /** A discount's code, a way to send it; null: the kind says it all. */
  readonly name: string | null
  readonly amount: string
}

/** What a payment paid for. Its lines and parts, with the payment's tip and markup, come to the payment's amount. */
export interface Order {
  readonly lines: readonly OrderLine[]
  readonly parts: readonly OrderPart[]
}

/** A part of the amount as the buyer reads it. */
export type AmountPart = Omit<OrderPart, 'kind'> & { readonly kind: OrderPart['kind'] | 'tip' }

/** The parts of an order, with the tip where there is one. */
export const partsWithTip = (parts: readonly OrderPart[], tipMinor: bigint): readonly AmountPart[] => [
  ...parts,
  ...(tipMinor > 0n ? [{ kind: 'tip' as const, name: null, amount: tipMinor.toString() }] : []),
]
