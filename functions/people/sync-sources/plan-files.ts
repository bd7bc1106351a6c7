import { syncFiles } from '../../../drizzle/schema/sync.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import type { CsvShape } from '../../../src/kernel/csv-shape.ts'
import { change, changeEach, insert, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import { suggestedFields } from './csv/fields.ts'
import { presentFile } from './present.ts'
import { cancelOf } from './run-changes.ts'
import type { FileRow, RunRow, SourceRow } from './store.ts'

const minuteMs = 60_000
/** A row without a file is forgotten after this time, a file after the other. */
const uploadMs = 60 * minuteMs
const keptMs = 7 * 24 * 60 * minuteMs

/** Why a source takes no file now; null where it does. */
export function fileRefusalOf(source: SourceRow, open: RunRow | undefined) {
  if (source.status === 'disconnected') return refuse('sync_source_disconnected')
  if (source.kind !== 'csv') return refuse('sync_source_takes_no_file')
  return open ? refuse('sync_run_open') : null
}

export const newFile = (id: string, sourceId: string, bytes: number, now: Date): FileRow => ({
  id,
  sourceId,
  status: 'uploading',
  bytes,
  shape: null,
  fields: null,
  removeAt: new Date(now.getTime() + uploadMs),
  version: 1,
  createdAt: now,
  updatedAt: now,
})

export const planUploading = (file: FileRow): Plan<null> => ({
  writes: [insert(syncFiles, file)],
  events: [],
  reply: null,
  subjectId: file.sourceId,
})

/** The file is there: it takes the former one's place, which stays for the errors of its runs. */
export function planStored(file: FileRow, former: FileRow | undefined, shape: CsvShape, { now }: Clock) {
  const set = {
    status: 'stored',
    shape,
    fields: suggestedFields(shape.header),
    removeAt: new Date(now.getTime() + keptMs),
    updatedAt: now,
  } as const
  return {
    writes: [
      ...(former ? [change(syncFiles, former, { status: 'replaced', updatedAt: now })] : []),
      change(syncFiles, file, set),
    ],
    events: [],
    reply: presentFile({ ...file, ...set }),
    subjectId: file.sourceId,
  } satisfies Plan<unknown>
}

export function planMap(file: FileRow, fields: readonly (string | null)[], { now }: Clock) {
  if (fields.length !== file.shape!.header.length)
    return refuse('sync_file_columns_count', { param: 'fields' })
  return {
    writes: [change(syncFiles, file, { fields, updatedAt: now })],
    events: [],
    reply: presentFile({ ...file, fields, updatedAt: now }),
    subjectId: file.sourceId,
  } satisfies Plan<unknown>
}

/** All files of a source go as soon as they can; one whose upload may be under way goes when its hour is over. */
export function removalOf(files: readonly FileRow[], now: Date): readonly Write[] {
  const there = files.filter(({ status }) => status !== 'uploading')
  return there.length > 0 ? [changeEach(syncFiles, there, { removeAt: now, updatedAt: now })] : []
}

/** First nothing may read the file any more; it goes when a slice that is under way has ended. */
export function planRemoving(file: FileRow, open: RunRow | undefined, clock: Clock): Plan<null> {
  const { now } = clock
  const canceled = open?.fileId === file.id ? cancelOf(open, clock) : { writes: [], events: [] }
  const removeAt = new Date(now.getTime() + minuteMs)
  return {
    writes: [change(syncFiles, file, { status: 'removing', removeAt, updatedAt: now }), ...canceled.writes],
    events: canceled.events,
    reply: null,
    subjectId: file.sourceId,
  }
}

/** What its header said goes with it. */
export const planRemoved = (file: FileRow, now: Date): Plan<null> => ({
  writes: [
    change(syncFiles, file, { status: 'removed', shape: null, fields: null, removeAt: null, updatedAt: now }),
  ],
  events: [],
  reply: null,
  subjectId: file.sourceId,
})
