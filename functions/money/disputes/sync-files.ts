import type { SystemCall } from '../../../src/http/system-call.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { filesIn } from '../../../src/platform/files.ts'
import type { DisputeRail, FileRefs } from '../../../src/processors/claims.ts'
import { outcome } from './contract.ts'
import { filesFolder } from './contract-files.ts'
import { planUploaded } from './plan-files.ts'
import { type DisputeRow, type FileRow, filesById } from './store.ts'

/**
 * The processor's ids of the files that a dispute's evidence names. What it does not have yet it is given, one after
 * another, and each id is published before the next: who comes after a death goes on from there.
 */
export async function refsOfFiles(
  call: SystemCall,
  rail: DisputeRail,
  { processorRef, evidenceFiles }: DisputeRow,
): Promise<FileRefs | 'file_refused' | 'unknown'> {
  const named = Object.entries(evidenceFiles)
  if (named.length === 0) return {}
  const [files] = await call.read(outcome, filesById({ ids: [...new Set(Object.values(evidenceFiles))] }))
  const refs = new Map<string, string>()
  for (const file of files) {
    const given = file.processorRef ?? (await giveFile(call, rail, processorRef, file))
    if (given === 'refused') return 'file_refused'
    if (given === 'unknown') return given
    refs.set(file.id, given)
  }
  return Object.fromEntries(named.map(([field, id]) => [field, refs.get(id)!]))
}

async function giveFile(
  { services, publish }: SystemCall,
  rail: DisputeRail,
  disputeRef: string,
  file: FileRow,
): Promise<string> {
  const { id, contentType } = file
  const found = await filesIn(services.bucket).get(`${filesFolder}/${file.address}`)
  if (!found) throw new Fault('a file of evidence is gone')
  const bytes = new Uint8Array(await new Response(found.body).arrayBuffer())
  const given = await rail.uploadFile(disputeRef, { id, contentType, bytes })
  if (typeof given === 'string') return given
  const now = new Date()
  await publish(outcome, planUploaded(file, given.fileRef, now), { now })
  return given.fileRef
}
