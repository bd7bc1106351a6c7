import type { ItemRow } from './store.ts'

/** Whether two codes are one to a scanner: leading zeros do not tell them apart, as those of a GTIN of 12 and 13 digits. */
export const isSameBarcode = (one: string, other: string) => barcodeKey(one) === barcodeKey(other)

/** A code as it is looked up. */
export const barcodeKey = (code: string) => code.replace(/^0+/, '')

/** Whether it is sold by the piece without a word of the buyer's: pages that ask for nothing else sell it. */
export const isSoldAsItIs = ({ measureUnit, modifiers }: Pick<ItemRow, 'measureUnit' | 'modifiers'>) =>
  measureUnit === null && modifiers.every(({ choices_min }) => choices_min === 0)
