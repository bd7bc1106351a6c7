import { joined, type Raster } from '../kernel/images/raster.ts'
import { expect, type Write } from '../kernel/plan.ts'
import { inPod, ownPod } from '../kernel/pods.ts'
import {
  type FileTable,
  newFile,
  planRemoved,
  planRemoving,
  planUpload,
  type StoredFileRow,
  type UploadingFile,
} from '../kernel/stored-files.ts'
import { sha256Hex, sha256HexOf } from '../platform/crypto.ts'
import { filesIn } from '../platform/files.ts'
import { type BoundQuery, rowOf } from '../platform/query.ts'
import type { Publishing } from './contract.ts'
import type { Call } from './operation.ts'
import { eachDue } from './scheduled.ts'
import { isRefusedBy, type JobRun } from './system-call.ts'

/**
 * Publishes the row that `inserting` writes, then puts the file; what shows it moves the row on with `stored`. Copies of a
 * request by an API key write one row and one file: who moves the row on first claims the key, the others replay it.
 */
export async function putFile(
  call: Pick<Uploading, 'newId' | 'now' | 'publishStep' | 'services' | 'kid' | 'fingerprint'>,
  folder: string,
  { bytes, content_type: contentType }: Pick<Raster<string>, 'bytes' | 'content_type'>,
  inserting: (row: UploadingFile) => Write,
): Promise<UploadingFile> {
  const { now, publishStep, services } = call
  const newRow = async (id: string) => newFile(id, await addressOf(id, bytes), now)
  const insert = (file: UploadingFile) => publishStep(planUpload(inserting(file), file))
  let row = await newRow(await uploadId(call))
  try {
    await insert(row)
  } catch (error) {
    if (!isRefusedBy(/_tenant_id_id_pk$/, error)) throw error
    const copy = await copyOf(inserting(row), row, publishStep)
    row = copy ?? (await newRow(call.newId()))
    if (!copy) await insert(row)
  }
  const { address } = row
  await filesIn(services.bucket).put(`${folder}/${address}`, { content: bytes, contentType })
  return row
}

/** The row that another copy of the request has written; null where it was never finished and has had its time. */
async function copyOf(
  write: Write,
  file: UploadingFile,
  publishStep: Uploading['publishStep'],
): Promise<UploadingFile | null> {
  if (!('table' in write)) return null
  const [record] = await publishStep(planUpload(expect(write.table, file.id, {}), file))
  if (!record) return null
  const row = rowOf(write.table as Parameters<typeof rowOf>[0], record) as unknown as StoredFileRow
  return row.status === 'removing' || row.status === 'removed' ? null : (row as UploadingFile)
}

/** The same for each copy of a request, of no other caller's: a merchant's customer has no key, and sends each once. */
async function uploadId({
  kid,
  fingerprint,
  newId,
}: Pick<Uploading, 'kid' | 'fingerprint' | 'newId'>): Promise<string> {
  if (kid === '' || fingerprint === '') return newId()
  const digest = await sha256Hex([kid, fingerprint].join())
  return digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
}

type Uploading = Call<unknown, unknown, unknown, unknown>

/** Its pod, then of the content and of this upload: a file is never put again where one was removed. It tells nothing else of the tenant. */
const addressOf = async (id: string, bytes: Uint8Array<ArrayBuffer>) =>
  inPod((await sha256HexOf(joined([new TextEncoder().encode(id), bytes]))).slice(0, 32), ownPod)

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
