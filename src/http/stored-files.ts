import { joined, type Raster } from '../kernel/images/raster.ts'
import type { Write } from '../kernel/plan.ts'
import {
  type FileTable,
  newFile,
  planRemoved,
  planRemoving,
  planUpload,
  type StoredFileRow,
  type UploadingFile,
} from '../kernel/stored-files.ts'
import { sha256HexOf } from '../platform/crypto.ts'
import { filesIn } from '../platform/files.ts'
import type { BoundQuery } from '../platform/query.ts'
import type { Publishing } from './contract.ts'
import type { Call } from './operation.ts'
import { eachDue } from './scheduled.ts'
import type { JobRun } from './system-call.ts'

/** In a loop: a list of millions of characters takes an isolate's memory. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** Publishes the row that `inserting` writes, then puts the file; what shows it moves the row on with `stored`. */
export async function putFile(
  { newId, now, publishStep, services }: Pick<Uploading, 'newId' | 'now' | 'publishStep' | 'services'>,
  folder: string,
  { bytes, content_type: contentType }: Pick<Raster<string>, 'bytes' | 'content_type'>,
  inserting: (row: UploadingFile) => Write,
): Promise<UploadingFile> {
  const id = newId()
  const address = await addressOf(id, bytes)
  const row = newFile(id, address, now)
  await publishStep(planUpload(inserting(row), row))
  await filesIn(services.bucket).put(`${folder}/${address}`, { content: bytes, contentType })
  return row
}

type Uploading = Call<unknown, unknown, unknown, unknown>

/** Of the content and of this upload: a file is never put again where one was removed. It tells nothing of the tenant. */
const addressOf = async (id: string, bytes: Uint8Array<ArrayBuffer>) =>
  (await sha256HexOf(joined([new TextEncoder().encode(id), bytes]))).slice(0, 32)

interface Files {
  readonly folder: string
  readonly table: FileTable
  readonly removal: Publishing
  readonly byId: (values: { id: string }) => BoundQuery<StoredFileRow>
}

/** The scheduled job that removes the files that nothing shows any more, or ever did. */
export const removesFiles =
  (job: string, { folder, table, removal, byId }: Files) =>
  (run: JobRun): Promise<void> =>
    eachDue(run, job, async ({ read, publish, services, now }, id) => {
      const [[file]] = await read(removal, byId({ id }))
      if (!file || file.removeAt === null) return
      const isClaimed = file.status === 'removing'
      if (!isClaimed) await publish(removal, planRemoving(table, file, now))
      await filesIn(services.bucket).delete(`${folder}/${file.address}`)
      const claimed = isClaimed ? file : { ...file, status: 'removing' as const, version: file.version + 1 }
      await publish(removal, planRemoved(table, claimed, now))
    })
