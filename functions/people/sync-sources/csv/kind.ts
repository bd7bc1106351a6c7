import { syncFiles } from '../../../../drizzle/schema/sync.ts'
import type { Bucket } from '../../../../src/env/settings.ts'
import type { CsvShape } from '../../../../src/kernel/csv-shape.ts'
import { expect, refuse } from '../../../../src/kernel/plan.ts'
import { type CsvRow, isBlank, rowsIn } from '../../../../src/platform/csv.ts'
import { filesIn } from '../../../../src/platform/files.ts'
import { recordsMax } from '../contract.ts'
import { incomingOf } from '../incoming.ts'
import { SliceFailed, type SourceKind } from '../kinds.ts'
import type { Incoming } from '../plan-records.ts'
import { type FileRow, storedFileOf } from '../store.ts'
import { errorLine } from './error-file.ts'
import { idFields } from './fields.ts'
import { errorsKey, fileKey } from './keys.ts'
import { recordOf } from './record.ts'

/** What a run needs of its file. It stays the same while the run lasts. */
type Cursor = {
  readonly fileId: string
  readonly bytes: number
  readonly delimiter: string
  readonly fields: (string | null)[]
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
    return {
      cursor: cursorOf(file, file.shape, file.fields),
      fileId: file.id,
      writes: [expect(syncFiles, file.id, { status: 'stored' })],
    }
  },

  async slice({ services }, { run }) {
    const cursor = run.cursor as unknown as Cursor
    const rows = await nextRows(services.bucket, cursor)
    const next = cursor.offset + (rows.at(-1)?.end ?? 0)
    const said = saidRows(rows, cursor)
    return {
      records: said.map(({ incoming }) => incoming),
      cursor: { ...cursor, offset: next, row: cursor.row + rows.length },
      progress: Math.floor((100 * next) / cursor.bytes),
      isDone: next >= cursor.bytes,
      async keep(results) {
        const lines = await Promise.all(
          results.map(({ fault }, at) => {
            const { row, cells } = said[at]!
            return fault ? errorLine(row, fault, cells ?? []) : ''
          }),
        )
        const content = new TextEncoder().encode(lines.join(''))
        if (content.length === 0) return
        const key = errorsKey(cursor.fileId, run.id, run.slicesCount)
        await filesIn(services.bucket).put(key, { content, contentType: 'text/csv' })
      },
    }
  },
}

const cursorOf = (
  { id, bytes, createdAt }: FileRow,
  { delimiter, start }: CsvShape,
  fields: readonly (string | null)[],
): Cursor => ({
  fileId: id,
  bytes,
  delimiter,
  fields: [...fields],
  saidAt: createdAt.toISOString(),
  offset: start,
  row: 2,
})

/** The first rows of a file, as a run would take them. */
export async function previewOf(bucket: Bucket | undefined, file: FileRow, rowsMax: number) {
  const cursor = cursorOf(file, file.shape!, file.fields!)
  return saidRows(await nextRows(bucket, cursor), cursor).slice(0, rowsMax)
}

const saidRows = (rows: readonly CsvRow[], cursor: Cursor) =>
  rows.flatMap((read, at) => {
    const row = cursor.row + at
    return isBlank(read) ? [] : [{ row, cells: read.cells, incoming: incomingOfRow(read, row, cursor) }]
  })

async function nextRows(
  bucket: Bucket | undefined,
  { fileId, bytes, delimiter, offset, row }: Cursor,
): Promise<readonly CsvRow[]> {
  if (offset >= bytes) return []
  for (let length = chunkBytes; ; length = rowBytesMax) {
    const range = { offset, length: Math.min(length, bytes - offset) }
    const chunk = await filesIn(bucket).range(fileKey(fileId), range)
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
