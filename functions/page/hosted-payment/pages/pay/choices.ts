import { parseAmount } from '../../../../../src/kernel/format.ts'
import { adjustmentProblems } from '../../../../order/lines/api-pure.ts'
import { type Choices, choicesAmong, isChoice } from '../../choices.ts'
import type { Quote } from '../../sealed-quote.ts'
import { type Ctx, formFields } from '../frame/frame.ts'
import type { Unadjusted } from './order.ts'

/* What a buyer chooses of an order travels with the form that pays, so that nothing is charged but what they see. */

export async function choicesIn(c: Ctx): Promise<Choices> {
  const text = await formFields(c)
  const names = Object.keys(await c.req.parseBody()).filter(isChoice)
  return choicesAmong(Object.fromEntries(names.map((name) => [name, text(name).trim()])))
}

type Quoted = Pick<Quote, 'adjustable' | 'quantities' | 'quantity' | 'currency'>

/** What a quote is for, as the fields of a form of it say. */
function chosenIn({ adjustable, quantities, quantity }: Quoted): Choices {
  const { lines = [], shipping = [], shippingAt = null, tip = null, takesCodes, code } = adjustable ?? {}
  return {
    ...(quantities && quantity !== null ? { quantity: String(quantity) } : {}),
    ...Object.fromEntries(lines.map((line) => [`quantity.${line.at}`, String(line.quantity)])),
    ...(shipping.length > 0 ? { shipping: String(shippingAt) } : {}),
    ...(takesCodes && code === null ? { code: '' } : {}),
    ...(tip
      ? {
          tip:
            tip.chosenBps === null ? (tip.chosen === '0' ? '' : `own ${tip.chosen}`) : String(tip.chosenBps),
        }
      : {}),
  }
}

/** The choices of a form that differ from what its quote is for. */
export function differing(quote: Quoted, choices: Choices): Choices {
  const now = chosenIn(quote)
  const { tip_own: own = '', ...others } = choices
  const isOwn = others.tip === 'own'
  const asked = isOwn ? { ...others, tip: `own ${parseAmount(own, quote.currency)}` } : others
  const names = Object.entries(asked).flatMap(([name, text]) =>
    name in now && text !== now[name] ? [name] : [],
  )
  const fields = Object.fromEntries(names.map((name) => [name, choices[name]!]))
  return isOwn && 'tip' in fields ? { ...fields, tip_own: own } : fields
}

/** The order was changed just now by the button that pays. */
export const isChanged = (c: Ctx): boolean => c.req.query('order') === 'changed'

/** What the address says of a change that was not made. */
export function unadjustedOf(c: Ctx): Unadjusted | null {
  const { order, at, left, ...rest } = c.req.query()
  const problem = adjustmentProblems.find((each) => each === order)
  if (!problem) return null
  const typed = choicesAmong(rest)
  return {
    problem,
    typed,
    ...(/^\d{1,2}$/.test(at ?? '') ? { at: Number(at) } : {}),
    ...(/^\d{1,5}$/.test(left ?? '') ? { left: Number(left) } : {}),
  }
}
