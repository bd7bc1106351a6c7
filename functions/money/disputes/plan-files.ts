import { disputeFiles } from '../../../drizzle/schema/dispute-files.ts'
import { evidenceBytesMax, evidenceTypeOf } from '../../../src/kernel/evidence-files.ts'
import { change, type Plan, refuse, type Write } from '../../../src/kernel/plan.ts'
import type { UploadingFile } from '../../../src/kernel/stored-files.ts'
import { presentFile } from './present.ts'
import type { FileRow } from './store.ts'

/** Longer than banks wait for evidence, and than the processor needs our copy. */
const keptMs = 180 * 86_400_000

const keptUntil = (now: Date) => new Date(now.getTime() + keptMs)

/** What the bytes are, by their content, or why they are no evidence. */
export function checkFile(bytes: Uint8Array<ArrayBuffer>) {
  const param = 'content'
  if (bytes.length === 0) return refuse('dispute_file_empty', { param })
  if (bytes.length > evidenceBytesMax) return refuse('dispute_file_too_large', { param })
  const type = evidenceTypeOf(bytes)
  return type ? { bytes, content_type: type } : refuse('dispute_file_type_unsupported', { param })
}

/** Part of an upload: evidence can name it. */
export function planAddFile(
  file: UploadingFile,
  facts: Pick<FileRow, 'disputeId' | 'name' | 'bytes' | 'contentType'>,
  now: Date,
) {
  const set = { status: 'stored' as const, removeAt: keptUntil(now), updatedAt: now }
  return {
    writes: [change(disputeFiles, file, set)],
    events: [],
    reply: presentFile({ ...file, ...facts, ...set, processorRef: null, version: file.version + 1 }),
    subjectId: file.id,
  } satisfies Plan<unknown>
}

/** Keeps what evidence names for longer, or says which file there is not, or that they are too much together. */
export function namedFiles(named: Readonly<Record<string, string>>, files: readonly FileRow[], now: Date) {
  const byId = new Map(files.map((file) => [file.id, file]))
  const missing = Object.keys(named).find((field) => !byId.has(named[field]!))
  if (missing) return refuse('dispute_file_not_found', { param: `files.${missing}` })
  const used = Object.values(named).map((id) => byId.get(id)!)
  if (used.reduce((sum, { bytes }) => sum + bytes, 0) > evidenceBytesMax)
    return refuse('dispute_files_too_large', { param: 'files' })
  const writes = [...new Set(used)].map(
    (file): Write => change(disputeFiles, file, { removeAt: keptUntil(now), updatedAt: now }),
  )
  return { writes }
}

/** The processor has the file: it is not given again. */
export const planUploaded = (file: FileRow, processorRef: string, now: Date): Plan<null> => ({
  writes: [change(disputeFiles, file, { processorRef, updatedAt: now })],
  events: [],
  reply: null,
  subjectId: file.id,
})
