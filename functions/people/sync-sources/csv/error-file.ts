import { entryOf } from '../../../../src/http/problems.ts'
import { csvHeader, csvLine } from '../../../../src/platform/csv-lines.ts'
import type { RecordFault } from '../plan-records.ts'
import { withoutCardNumbers } from './card-numbers.ts'

export const errorHeader = (header: readonly string[]) =>
  csvHeader(['row', 'field', 'code', 'text', ...header])

/** A refused row: where it is, what is wrong with it, and what it was. */
export async function errorLine(
  row: number,
  { code, param, message }: RecordFault,
  cells: readonly string[],
) {
  const text = message ?? (await entryOf(code))[1]
  const shown = code === 'card_number_refused' ? withoutCardNumbers(cells) : cells
  return csvLine([String(row), (param ?? '').replace(/^customer\./, ''), code, text, ...shown])
}
