import { csvCell, csvHeader } from '../../../src/platform/csv-lines.ts'
import { written } from './cells.ts'
import type { FoundRow, RunRow } from './store.ts'
import { columnsOf } from './types/index.ts'
import type { CellKind } from './types/type.ts'

/** An amount below zero is no formula. */
const inCsv = (cell: string, kind: CellKind) => (kind === 'text' ? csvCell(cell) : cell)

/** A part of a run's file. The first one begins with the header. */
export function partOf(run: RunRow, rows: readonly FoundRow[]): string {
  const { amounts, format, partsCount } = run
  const columns = columnsOf(run)
  const cellsOf = ({ cells }: FoundRow) =>
    columns.map(({ column, at }) => written(cells[at] ?? null, column, amounts))
  const names = columns.map(({ column }) => column.name)
  if (format === 'jsonl')
    return rows
      .map((row) => {
        const cells = cellsOf(row)
        return `${JSON.stringify(Object.fromEntries(names.map((name, at) => [name, cells[at]])))}\n`
      })
      .join('')
  const lines = rows.map((row) => {
    const cells = cellsOf(row).map((cell, at) => inCsv(cell ?? '', columns[at]!.column.kind))
    return `${cells.join(',')}\r\n`
  })
  return [...(partsCount === 0 ? [csvHeader(names)] : []), ...lines].join('')
}
