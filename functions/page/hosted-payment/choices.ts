import { firstLetters } from '../../../src/kernel/first-letters.ts'
import type { Adjustment } from '../../order/lines/api-pure.ts'

/* What a buyer chooses of an order, as the fields of a form and of an address say it. */

/** By the field's name, as typed. */
export type Choices = Readonly<Record<string, string>>

export const isChoice = (name: string) => /^(code|tip|tip_own|shipping|quantity(\.\d{1,2})?)$/.test(name)

/** Those of them in a form or an address, as long as they may be. */
export const choicesAmong = (fields: Readonly<Record<string, string>>): Choices =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, text]) =>
      isChoice(name) ? [[name, firstLetters(text, 100)]] : [],
    ),
  )

/** What is asked to change of an order; a field that is not there stays. */
export function adjustmentOf(choices: Choices): Adjustment {
  const { code, tip, tip_own: own = '', shipping } = choices
  const quantities = Object.entries(choices).flatMap(([name, text]) => {
    const [, at] = /^quantity\.(\d+)$/.exec(name) ?? []
    return at === undefined ? [] : [[at, text] as const]
  })
  const wanted = tip === 'own' ? { own } : /^\d{1,5}$/.test(tip ?? '') ? { bps: Number(tip) } : null
  return {
    ...(code === undefined ? {} : { code }),
    ...(tip === undefined ? {} : { tip: wanted }),
    ...(/^\d$/.test(shipping ?? '') ? { shipping: Number(shipping) } : {}),
    ...(quantities.length === 0 ? {} : { quantities: Object.fromEntries(quantities) }),
  }
}
