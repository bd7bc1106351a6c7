import { disputeFiles } from '../../../drizzle/schema/dispute-files.ts'
import { operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { putFile, removesFiles } from '../../../src/http/stored-files.ts'
import { bytesOf } from '../../../src/kernel/base64.ts'
import { insert, isRefusal } from '../../../src/kernel/plan.ts'
import * as contracts from './contract-files.ts'
import { refusalOfEvidence } from './plan-answer.ts'
import { checkFile, planAddFile } from './plan-files.ts'
import { presentFile } from './present.ts'
import { disputeById, fileById, filesPage, shownFileById } from './store.ts'

/** First a row that names the file, then the file, then evidence can name it. */
const addFile = operation(contracts.add, async (call) => {
  const { dispute_id: disputeId, name, content } = call.body
  const [dispute] = await call.read(disputeById({ id: disputeId }))
  if (!dispute) return call.fail('dispute_not_found', { param: 'dispute_id' })
  const file = refusalOfEvidence(dispute, call.now) ?? checkFile(bytesOf(content))
  if (isRefusal(file)) return call.publish(file)
  const facts = { disputeId, name, bytes: file.bytes.length, contentType: file.content_type }
  const row = await putFile(call, contracts.filesFolder, file, (each) =>
    insert(disputeFiles, { ...each, ...facts, processorRef: null }),
  )
  return call.publish(planAddFile(row, facts, call.now))
})

export const fileOperations = [
  addFile,
  listOperation(contracts.list, filesPage, presentFile),
  getOperation(contracts.get, shownFileById, presentFile),
]

/** Scheduled: removes files whose time is over, or that were never wholly uploaded. */
export const removeEvidence = removesFiles('dispute_files', {
  folder: contracts.filesFolder,
  table: disputeFiles,
  removal: contracts.removal,
  byId: fileById,
})
