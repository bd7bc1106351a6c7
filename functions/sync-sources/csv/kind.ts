import { refuse } from '../../../src/kernel/plan.ts'
import { filesIn } from '../../../src/platform/files.ts'
import { recordsMax } from '../contract.ts'
import { incomingOf } from '../incoming.ts'
import { SliceFailed, type SourceKind } from '../kinds.ts'
import type { Incoming } from '../plan-records.ts'
import { storedFileOf } from '../store.ts'
import { idFields } from './fields.ts'
import { fileKey } from './keys.ts'
import { recordOf } from './record.ts'
import { type CsvRow, isBlank, rowsIn } from './rows.ts'

/** What a run needs of its file. It stays the same while the run lasts. */
interface Cursor {
  readonly fileId: string
  readonly bytes: number
  readonly delimiter: string
  readonly fields: readonly (string | null)[]
  /** When the file was uploaded. */
  readonly saidAt: string
  /** Where the next row begins, and which row of the spreadsheet that is. */
  readonly offset: number
  readonly row: number
}

const chunkBytes = 256 * 1024
/** Longer rows come of a quote that is never closed. */
export const rowBytesMax = 1024 * 1024

/** A file's rows; each slice begins at the byte behind the last one. */
export const csv: SourceKind = {
  async begin(call, source) {
    const [[file]] = await call.readAll(storedFileOf({ sourceId: source.id }))
    if (!file?.shape || !file.fields) return refuse('sync_file_missing')
    if (!idFields.some((field) => file.fields!.includes(field))) return refuse('sync_file_without_id')
    const { delimiter, start } = file.shape
    const cursor = {
      fileId: file.id,
      bytes: file.bytes,
      delimiter,
      fields: [...file.fields],
      saidAt: file.createdAt.toISOString(),
      offset: start,
      row: 2,
    }
    return { cursor, fileId: file.id }
  },

  async slice({ services }, { run }) {
    const cursor = run.cursor as unknown as Cursor
    const { bytes, offset } = cursor
    const read = (length: number) =>
      filesIn(services.bucket).range(fileKey(cursor.fileId), {
        offset,
        length: Math.min(length, bytes - offset),
      })
    const rows = await nextRows(read, cursor)
    const last = rows.at(-1)?.end ?? 0
    const next = offset + last
    const told = rows
      .map((row, index) => ({ row, number: cursor.row + index }))
      .filter(({ row }) => !isBlank(row))
    return {
      records: told.map(({ row, number }) => incomingOfRow(row, number, cursor)),
      cursor: { ...cursor, fields: [...cursor.fields], offset: next, row: cursor.row + rows.length },
      progress: Math.floor((100 * next) / bytes),
      isDone: next >= bytes,
    }
  },
}

async function nextRows(
  read: (length: number) => Promise<Uint8Array | null>,
  { bytes, delimiter, offset, row }: Cursor,
): Promise<readonly CsvRow[]> {
  if (offset >= bytes) return []
  for (let length = chunkBytes; ; length = rowBytesMax) {
    const chunk = await read(length)
    if (!chunk) throw new SliceFailed('sync_file_gone', 'The uploaded file is gone.', { isFinal: true })
    const isEnd = offset + chunk.length >= bytes
    const rows = rowsIn(chunk, { delimiter, isEnd, rowsMax: recordsMax })
    if (rows.length > 0 || isEnd) return rows
    if (length >= rowBytesMax)
      throw new SliceFailed(
        'sync_file_row_too_long',
        `Row ${row} is longer than 1 MiB: a quote may never be closed.`,
        {
          isFinal: true,
        },
      )
  }
}

/** A row as a record, with the time of its file: a later row of the same customer is said later. */
export function incomingOfRow(
  { cells }: CsvRow,
  number: number,
  { fields, saidAt }: Pick<Cursor, 'fields' | 'saidAt'>,
): Incoming {
  if (cells === null) return misfit('sync_row_quote_open')
  const extra = cells.slice(fields.length)
  if (cells.length < fields.length || extra.some((cell) => cell.trim() !== ''))
    return misfit('sync_row_cells_count')
  return incomingOf(recordOf(cells, fields, new Date(Date.parse(saidAt) + number)))
}

const misfit = (code: 'sync_row_quote_open' | 'sync_row_cells_count'): Incoming => ({
  externalId: null,
  fault: { code },
})
