import type { ChosenModifier, Measured, SoldLine } from '../../../drizzle/schema/order.ts'
import { toMinorString } from '../../../src/kernel/money.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import type { ItemForSale } from '../../goods/digital-catalogs/api-pure.ts'

/** What a line says of its item. */
export interface Wish {
  readonly measure?: string | undefined
  readonly modifiers?: readonly { readonly group: string; readonly choice: string }[] | undefined
}

const thousandthsOf = (measure: string): bigint => {
  const [whole = '', decimals = ''] = measure.split('.')
  return BigInt(whole + decimals.padEnd(3, '0'))
}

/** What so much comes to at a price of one unit in minor units: rounded half up. */
export const priceOfMeasure = (unitMinor: bigint, measure: string): bigint =>
  (unitMinor * thousandthsOf(measure) + 500n) / 1000n

/**
 * One of an item as a line asks for it: its price in minor units, and its name as the buyer reads it. What is measured
 * costs its measure times the price of a unit, rounded half up; what was chosen is added to that.
 * @param priceMinor the price of a piece or a unit
 */
export function madeUp(wish: Wish, item: ItemForSale, priceMinor: bigint, param: string) {
  const { measureUnit: unit } = item
  if (unit === null && wish.measure !== undefined)
    return refuse('parameter_unknown', {
      param: `${param}.measure`,
      message: 'This item is sold by the piece: give its quantity alone.',
    })
  if (unit !== null && wish.measure === undefined)
    return refuse('parameter_missing', {
      param: `${param}.measure`,
      message: `This item is measured: say how much, in ${unit}.`,
    })
  const chosen = chosenOf(wish.modifiers ?? [], item, param)
  if ('refused' in chosen) return chosen
  const measured: Measured | null =
    unit === null ? null : { measure: wish.measure!, unit, unit_amount: toMinorString(priceMinor) }
  const oneMinor = measured ? priceOfMeasure(priceMinor, measured.measure) : priceMinor
  if (oneMinor === 0n && priceMinor > 0n)
    return refuse('parameter_invalid', {
      param: `${param}.measure`,
      message: 'So little of this item costs nothing.',
    })
  const choices = chosen.modifiers.map(({ choice }) => choice)
  return {
    name: [
      item.name,
      ...(measured ? [`${measured.measure} ${measured.unit}`] : []),
      ...(choices.length > 0 ? [`(${choices.join(', ')})`] : []),
    ].join(' '),
    unitMinor: chosen.modifiers.reduce((sum, { amount }) => sum + BigInt(amount), oneMinor),
    ...(measured ? { measured } : {}),
    modifiers: chosen.modifiers,
  }
}

/** What was chosen, in the order of the item's groups; each group within its bounds. */
function chosenOf(wished: NonNullable<Wish['modifiers']>, { modifiers: groups }: ItemForSale, param: string) {
  for (const [at, { group, choice }] of wished.entries()) {
    const found = groups.find(({ name }) => name === group)
    const wrong = (field: string, message: string) =>
      refuse('parameter_invalid', { param: `${param}.modifiers.${at}.${field}`, message })
    if (!found) return wrong('group', 'The item has no such group of modifiers.')
    if (!found.choices.some(({ name }) => name === choice))
      return wrong('choice', 'The group has no such choice.')
    if (wished.findIndex((other) => other.group === group && other.choice === choice) < at)
      return wrong('choice', 'The line names this choice already.')
  }
  const modifiers: ChosenModifier[] = []
  for (const { name: group, choices, choices_min: least, choices_max: most } of groups) {
    const named = wished.filter((each) => each.group === group)
    if (named.length < least || named.length > most)
      return refuse('parameter_invalid', {
        param: `${param}.modifiers`,
        message: `Of ${group} a line names ${least === most ? least : `${least} to ${most}`}.`,
      })
    for (const { choice } of named)
      modifiers.push({ group, choice, amount: choices.find(({ name }) => name === choice)!.amount })
  }
  return { modifiers }
}

/** Whether a line asks for one of its item as it was sold. */
export const asksForOne = (
  wish: Wish,
  { measured, modifiers = [] }: Pick<SoldLine, 'measured' | 'modifiers'>,
) =>
  (measured === undefined
    ? wish.measure === undefined
    : wish.measure !== undefined && thousandthsOf(wish.measure) === thousandthsOf(measured.measure)) &&
  modifiers.length === (wish.modifiers ?? []).length &&
  modifiers.every(({ group, choice }) =>
    wish.modifiers!.some((other) => other.group === group && other.choice === choice),
  )
