import { waiters } from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import { amountMinorMax } from '../../../src/kernel/money.ts'
import { expect, refuse } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { lineOf, linesAlone, priced, soldAs } from '../../order/lines/api-pure.ts'
import type { process } from './contract.ts'
import type { AskedRow, WaiterRow } from './store.ts'

type Asked = BodyOf<typeof process>

/** What was read of that which a request names. */
export interface Found {
  readonly items: readonly ItemForSale[]
  readonly waiter: WaiterRow | null
}

/** What a device takes, in minor units: what the lines come to, and the tip on top of it. */
export function soldBy(asked: Asked, { items, waiter }: Found) {
  const [amountMinor, tipMinor] = [BigInt(asked.amount), BigInt(asked.amount_tip)]
  if (waiter?.status === 'archived') return refuse('waiter_archived', { param: 'waiter_id' })
  if (tipMinor > amountMinor)
    return refuse('parameter_invalid', {
      param: 'amount_tip',
      message: `The tip is at most \`amount\`, ${amountMinor} minor units.`,
    })
  const totalMinor = amountMinor + tipMinor
  if (totalMinor > amountMinorMax) return refuse('amount_above_maximum', { param: 'amount_tip' })
  const bought = boughtBy(asked, items)
  return 'refused' in bought ? bought : { ...bought, totalMinor, tipMinor }
}

/** The lines that a payment has, and their IVA; none where the request names none. */
function boughtBy({ amount, currency, line_items: asked }: Asked, items: readonly ItemForSale[]) {
  if (!asked) return { bought: null, taxes: [] }
  const sold = priced(asked, items, currency)
  if ('refused' in sold) return sold
  const kept = sold.lines.findIndex(({ takes, delivers }) => takes !== undefined || delivers !== undefined)
  if (kept >= 0) return refuse('in_person_item_not_sold', { param: `line_items.${kept}.item_id` })
  if (sold.amountMinor !== BigInt(amount))
    return refuse('parameter_invalid', {
      param: 'amount',
      message: `The lines come to ${sold.amountMinor} minor units, which \`amount\` must be.`,
    })
  const { order = null, taxes } = soldAs(linesAlone(sold.lines))
  return { bought: order, taxes }
}

/** Only an active waiter is newly named. */
export const expectServing = ({ id }: WaiterRow) => expect(waiters, id, { status: 'active' })

/** Whether what was asked for first is of the same lines, tip and waiter. What an item cost then is not asked. */
export function isSameSale(first: AskedRow, asked: Asked): boolean {
  const { line_items: lines = [], amount, amount_tip: tip, waiter_id: waiterId } = asked
  const before = first.order?.lines ?? []
  return (
    first.tipAmountMinor === BigInt(tip) &&
    first.amountMinor === BigInt(amount) + BigInt(tip) &&
    first.waiterId === waiterId &&
    before.length === lines.length &&
    lines.every((line, at) => {
      const { item_id, name, quantity, iva_rate, total } = before[at]!
      if (quantity !== line.quantity) return false
      if ('item_id' in line) return item_id === line.item_id
      const written = lineOf({ item_id: null, ...line }, BigInt(line.unit_amount))
      return (
        item_id === null && name === line.name && iva_rate === line.iva_rate && total === written.amount_total
      )
    })
  )
}
