import { waiters } from '../../../drizzle/schema/table-pay.ts'
import type { BodyOf } from '../../../src/http/contract.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { amountMinorMax } from '../../../src/kernel/money.ts'
import { expect, refuse } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'
import { lineOf, linesAlone, priced, problemOfKinds, soldAs } from '../../order/lines/api-pure.ts'
import type { DeviceRow } from '../devices/api-pure.ts'
import type { process } from './contract.ts'
import type { AskedRow, ReaderActionRow, WaiterRow } from './store.ts'

type Asked = BodyOf<typeof process>

/** What was read of that which a request names. */
export interface Found {
  readonly items: readonly ItemForSale[]
  readonly waiter: WaiterRow | null
  /** The action by which the buyer chose the tip. */
  readonly tipAction: ReaderActionRow | null
}

/** What a device takes, in minor units: what the lines come to, and the tip on top of it. */
export function soldBy(
  asked: Asked,
  { items, waiter, tipAction }: Found,
  device: DeviceRow,
  { now }: Pick<Clock, 'now'>,
) {
  const problem = tipAction && problemOfTip(tipAction, asked, device, now)
  if (problem) return problem
  const [amountMinor, tipMinor] = [BigInt(asked.amount), tipAction?.tipMinor ?? BigInt(asked.amount_tip)]
  if (waiter && asked.currency !== 'mxn')
    return refuse('parameter_invalid', {
      param: 'waiter_id',
      message: 'Tips are owed in mxn alone: leave it out.',
    })
  if (waiter?.status === 'archived') return refuse('waiter_archived', { param: 'waiter_id' })
  if (tipMinor > amountMinor)
    return refuse('parameter_invalid', {
      param: 'amount_tip',
      message: `The tip is at most \`amount\`, ${amountMinor} minor units.`,
    })
  const totalMinor = amountMinor + tipMinor
  if (totalMinor > amountMinorMax) return refuse('amount_above_maximum', { param: tipFieldOf(asked) })
  const bought = boughtBy(asked, items)
  return 'refused' in bought ? bought : { ...bought, totalMinor, tipMinor }
}

/** The field that says how much the tip is. */
export const tipFieldOf = ({ tip_action_id }: Asked) =>
  tip_action_id === null ? 'amount_tip' : 'tip_action_id'

/** For how long what a buyer has chosen may be charged, in minutes. */
const chosenMinutes = 10

/** Why the tip that a buyer chose is not one of this payment; null where it is. The database says the same. */
function problemOfTip(action: ReaderActionRow, asked: Asked, device: DeviceRow, now: Date) {
  if (BigInt(asked.amount_tip) !== 0n)
    return refuse('parameter_unknown', {
      param: 'amount_tip',
      message: 'With tip_action_id the tip is the one that the buyer chose.',
    })
  const wrong = (message: string, param = 'tip_action_id') =>
    refuse('reader_tip_not_usable', { param, message })
  if (action.type !== 'collect_tip' || action.status !== 'succeeded')
    return wrong('The action has collected no tip.')
  if (action.readerId !== device.id || action.pairing !== device.pairingsCount)
    return wrong('The tip was chosen at another device, or before this one was paired again.')
  if (now.getTime() - action.endedAt!.getTime() >= chosenMinutes * 60_000)
    return wrong(`The tip was chosen more than ${chosenMinutes} minutes ago.`)
  const { amount, currency } = action.offers!
  if (currency !== asked.currency) return wrong(`The tip was chosen in ${currency}.`, 'currency')
  return BigInt(amount) === BigInt(asked.amount)
    ? null
    : wrong(`The tip was chosen on ${amount} minor units.`, 'amount')
}

/** The lines that a payment has, and their IVA; none where the request names none. */
function boughtBy({ amount, currency, line_items: asked }: Asked, items: readonly ItemForSale[]) {
  if (!asked) return { bought: null, taxes: [] }
  const sold = problemOfKinds(asked, items) ?? priced(asked, items, currency)
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
  const { line_items: lines = [], amount, waiter_id: waiterId, tip_action_id: tipActionId } = asked
  const tipMinor = tipActionId === null ? BigInt(asked.amount_tip) : first.tipAmountMinor
  const before = first.order?.lines ?? []
  return (
    first.tipActionId === tipActionId &&
    first.tipAmountMinor === tipMinor &&
    first.amountMinor === BigInt(amount) + tipMinor &&
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
