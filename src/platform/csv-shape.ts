import type { CsvShape } from '../kernel/csv-shape.ts'
import { rowsIn } from './csv.ts'

const columnsMax = 200
const delimiters = [',', ';', '\t', '|']
/** What a cell of a row of data looks like: an address, a number or a date. */
const isData = (cell: string) => /@|^[\d\s()+./:-]*\d[\d\s()+./:-]*$/.test(cell)

/** Why bytes are no file of rows below a header. */
export type Unreadable = 'empty' | 'not_text' | 'header_missing' | 'too_many_columns'

/** How a file is read, from its first bytes: its delimiter is the one that fits most of its first rows. */
export function shapeOf(head: Uint8Array, bytes: number): CsvShape | Unreadable {
  if (head.some(isControl)) return 'not_text'
  const isEnd = head.length >= bytes
  const [{ delimiter, row }] = delimiters
    .map((delimiter) => readWith(delimiter, head, isEnd))
    .sort((one, other) => other.fitting - one.fitting || other.cells - one.cells) as [Reading]
  if (!row && isEnd) return 'empty'
  if (!row?.cells) return 'header_missing'
  const header = row.cells.map((cell) => cell.trim())
  while (header.at(-1) === '') header.pop()
  if (header.length === 0 && row.end >= bytes) return 'empty'
  if (header.length === 0 || header.some(isData)) return 'header_missing'
  if (header.length > columnsMax) return 'too_many_columns'
  if (row.end >= bytes) return 'empty'
  return { delimiter, header: header.map((cell) => [...cell].slice(0, 200).join('')), start: row.end }
}

type Reading = ReturnType<typeof readWith>

/** The first row as this delimiter cuts it, and how many of the first rows it cuts into as many cells. */
function readWith(delimiter: string, head: Uint8Array, isEnd: boolean) {
  const rows = rowsIn(head, { delimiter, isEnd, rowsMax: 10 })
  const cells = rows[0]?.cells?.length ?? 0
  return {
    delimiter,
    row: rows[0],
    cells,
    fitting: cells < 2 ? 0 : rows.filter((row) => row.cells?.length === cells).length,
  }
}

/** Text has tabs and line breaks of these. UTF-16, spreadsheets and images have others, mostly NUL. */
const isControl = (byte: number) => byte < 9 || (byte > 13 && byte < 32) || byte === 127
