import type { Raster } from './images/raster.ts'
import { lifecycle, type StatusOf } from './lifecycle.ts'
import { change, type Plan, type Write } from './plan.ts'

/** A file that the public sees: its row comes before it and outlives it, so that no file is forgotten. */
export const fileLifecycle = (resource: string) =>
  lifecycle({
    resource,
    initial: ['uploading'],
    moves: {
      store: { from: ['uploading'], to: 'stored' },
      retire: { from: ['stored'], to: 'retired' },
      remove: { from: ['uploading', 'retired'], to: 'removing' },
      removed: { from: ['removing'], to: 'removed' },
    },
  })

export interface StoredFileRow {
  readonly id: string
  /** A digest, which is its address for ever. */
  readonly address: string
  readonly status: StatusOf<ReturnType<typeof fileLifecycle>>
  readonly removeAt: Date | null
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A table of such files. */
export interface FileTable {
  readonly $inferInsert: object
  readonly $inferSelect: StoredFileRow & { readonly tenantId: string }
}

const [uploadMs, retiredMs] = [3_600_000, 30 * 86_400_000]

export type UploadingFile = StoredFileRow & { readonly status: 'uploading' }

/** Removed in an hour, unless something shows it by then. */
export const newFile = (id: string, address: string, now: Date): UploadingFile => ({
  id,
  address,
  status: 'uploading',
  removeAt: new Date(now.getTime() + uploadMs),
  version: 1,
  createdAt: now,
  updatedAt: now,
})

/** Part of the publish that shows it. */
export const stored = (table: FileTable, file: StoredFileRow, now: Date): Write =>
  change(table, file, { status: 'stored', removeAt: null, updatedAt: now })

/** Part of the publish that no longer shows it: it stays a while, for pages and mails that do. */
export const retired = (table: FileTable, file: StoredFileRow, now: Date): Write =>
  change(table, file, {
    status: 'retired',
    removeAt: new Date(now.getTime() + retiredMs),
    updatedAt: now,
  })

const step = (write: Write, { id }: StoredFileRow): Plan<null> => ({
  writes: [write],
  events: [],
  reply: null,
  subjectId: id,
})

export const planUpload = (write: Write, file: StoredFileRow) => step(write, file)

/** From `removing` on nothing can show it: only then the file goes. */
export const planRemoving = (table: FileTable, file: StoredFileRow, now: Date) =>
  step(change(table, file, { status: 'removing', updatedAt: now }), file)

export const planRemoved = (table: FileTable, file: StoredFileRow, now: Date) =>
  step(change(table, file, { status: 'removed', removeAt: null, updatedAt: now }), file)

/** What is kept of an image beside its file. */
export const describing = <Type extends string>({ content_type, width, height, bytes }: Raster<Type>) => ({
  content_type,
  width,
  height,
  bytes: bytes.length,
})
