import { csvCell, csvHeader } from '../../../src/platform/csv-lines.ts'
import { written } from './cells.ts'
import type { FoundRow, RunRow } from './store.ts'
import { typeOf } from './types/index.ts'
import type { CellKind } from './types/type.ts'

/** An amount below zero is no formula. */
const inCsv = (cell: string, kind: CellKind) => (kind === 'text' ? csvCell(cell) : cell)

/** A part of a run's file. The first one begins with the header. */
export function partOf({ type, amounts, format, partsCount }: RunRow, rows: readonly FoundRow[]): string {
  const { columns } = typeOf(type)
  const cellsOf = ({ cells }: FoundRow) =>
    columns.map((column, at) => written(cells[at] ?? null, column, amounts))
  if (format === 'jsonl')
    return rows
      .map((row) => {
        const cells = cellsOf(row)
        return `${JSON.stringify(Object.fromEntries(columns.map(({ name }, at) => [name, cells[at]])))}\n`
      })
      .join('')
  const lines = rows.map((row) => {
    const cells = cellsOf(row).map((cell, at) => inCsv(cell ?? '', columns[at]!.kind))
    return `${cells.join(',')}\r\n`
  })
  return [...(partsCount === 0 ? [csvHeader(columns.map(({ name }) => name))] : []), ...lines].join('')
}
