import type { RunRow } from './store.ts'
import type { Column } from './types/type.ts'

/** Minor units with two decimals; both currencies have two. */
export function decimalOf(minor: string): string {
  const digits = minor.replace('-', '').padStart(3, '0')
  return `${minor.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** A cell as it is shown. */
export const written = (
  found: string | null,
  { kind, as }: Column,
  amounts: RunRow['amounts'],
): string | null => {
  const cell = as ? as(found) : found
  if (cell === null) return null
  if (kind === 'time') return new Date(cell).toISOString()
  return kind === 'minor' && amounts === 'decimal' ? decimalOf(cell) : cell
}
