import { Buffer } from 'node:buffer'
import { parse } from 'csv-parse/sync'

/** A row of a file. Its cells are null where a quote is never closed. */
export interface CsvRow {
  readonly cells: readonly string[] | null
  /** Where its bytes begin, and where the next row's do. */
  readonly start: number
  readonly end: number
}

const byteOrderMark = [0xef, 0xbb, 0xbf]
const quoteOpen = 'CSV_QUOTE_NOT_CLOSED'

/**
 * The whole rows that `bytes` begins with, at most `rowsMax`. What follows the last of them may go on behind the bytes,
 * unless they are the end of the file.
 */
export function rowsIn(
  bytes: Uint8Array,
  { delimiter, isEnd, rowsMax }: { delimiter: string; isEnd: boolean; rowsMax: number },
): readonly CsvRow[] {
  const rows: CsvRow[] = []
  const mark = byteOrderMark.every((byte, at) => bytes[at] === byte) ? byteOrderMark.length : 0
  const endOf = () => rows.at(-1)?.end ?? mark
  const collect = (cells: unknown, { bytes_records: length }: { readonly bytes_records: number }) => {
    rows.push({ cells: (cells as Uint8Array[]).map(textOf), start: endOf(), end: mark + length })
    return null
  }
  try {
    parse(Buffer.from(bytes.buffer, bytes.byteOffset + mark, bytes.byteLength - mark), {
      delimiter,
      encoding: null,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      to: rowsMax + 1,
      on_record: collect,
    })
  } catch (error) {
    if ((error as { code?: string }).code !== quoteOpen) throw error
    if (!isEnd) return rows.slice(0, rowsMax)
    rows.push({ cells: null, start: endOf(), end: bytes.length })
  }
  return (isEnd ? rows : rows.slice(0, -1)).slice(0, rowsMax)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const western = new TextDecoder('windows-1252')

/** A cell's text: UTF-8, or else as Excel writes in Western languages. Text of the one is hardly ever valid as the other. */
function textOf(cell: Uint8Array): string {
  try {
    return utf8.decode(cell)
  } catch {
    return western.decode(cell)
  }
}

export const isBlank = ({ cells }: CsvRow) => cells?.every((cell) => cell.trim() === '') ?? false
