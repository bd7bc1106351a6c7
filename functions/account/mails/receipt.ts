import type { CardDetails } from '../../../drizzle/schema/payments.ts'
import { partsWithTip } from '../../../src/kernel/order.ts'
import { isPush } from '../../../src/kernel/payment-methods.ts'
import type { Paid } from './store.ts'

/** A row of a receipt: its kind, the name of what was bought, and its amount in minor units. */
export type PaidRow = readonly [kind: 'line' | 'discount' | 'shipping' | 'tip', name: string, amount: string]
export type TaxRow = readonly [rate: string, base: string, iva: string]

/** The same as data of a mail: rows as JSON, `''` for what there is not. */
export function dataOf(paid: Paid): Readonly<Record<string, string>> {
  const rows: PaidRow[] = [
    ...(paid.order?.lines ?? []).map(
      ({ name, quantity, total }): PaidRow => ['line', quantity > 1 ? `${quantity} × ${name}` : name, total],
    ),
    ...partsWithTip(paid.order?.parts ?? [], paid.tipAmountMinor).map(
      ({ kind, name, amount }): PaidRow => [kind, name ?? '', amount],
    ),
  ]
  // As on the page: not of what was charged or given back in part.
  const isWhole = paid.status === 'succeeded' && paid.amountRefundedMinor === 0n
  const taxes = (isWhole ? paid.taxes : [])
    .filter(({ base }) => base !== '0')
    .map(({ iva_rate, base, iva }): TaxRow => [iva_rate, base, iva])
  const card = isPush(paid) ? null : (paid.methodDetails as CardDetails | null)
  return {
    rows: JSON.stringify(rows),
    taxes: JSON.stringify(taxes),
    brand: card?.brand ?? '',
    last4: card?.last4 ?? '',
  }
}
