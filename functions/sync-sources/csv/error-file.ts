import { entryOf } from '../../../src/http/problems.ts'
import type { RecordFault } from '../plan-records.ts'

/** A spreadsheet would compute a cell that begins so. */
const isFormula = /^[=+\-@\t\r]/

const written = (cell: string): string => {
  const harmless = isFormula.test(cell) ? `'${cell}` : cell
  return /[",;\r\n\t]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const line = (cells: readonly string[]) => `${cells.map(written).join(',')}\r\n`

/** Excel reads UTF-8 by its mark. */
export const errorHeader = (header: readonly string[]) =>
  `\ufeff${line(['row', 'field', 'code', 'text', ...header])}`

/** A refused row: where it is, what is wrong with it, and what it was. */
export async function errorLine(
  row: number,
  { code, param, message }: RecordFault,
  cells: readonly string[],
) {
  const text = message ?? (await entryOf(code))[1]
  return line([String(row), (param ?? '').replace(/^customer\./, ''), code, text, ...cells])
}
