import { deliveredFiles } from '../../../drizzle/schema/entitlements.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eachDueSet } from '../../../src/http/scheduled.ts'
import { putFile, removesFiles } from '../../../src/http/stored-files.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { bytesOf } from '../../../src/kernel/base64.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { insert, refuse } from '../../../src/kernel/plan.ts'
import { encryptSecret } from '../../../src/platform/encryption.ts'
import { itemById } from '../digital-catalogs/api.ts'
import * as contracts from './contract.ts'
import * as ofGoods from './contract-goods.ts'
import { downloadEnds, downloadPath } from './download-address.ts'
import {
  awaitsCode,
  downloadsLeft,
  type IssuedCode,
  type NewKey,
  planAddFile,
  planAddKeys,
  planIssue,
  planRedeem,
  planReinstate,
  planRemoveFile,
  planRevoke,
  planWithdraw,
  refusalOfDownload,
} from './plan.ts'
import { presentEntitlement, presentFile, presentKey } from './present.ts'
import { codeContext, digestOfCode, digestOfKey, keyContext, last4Of, newCode } from './secrets.ts'
import {
  type EntitlementRow,
  entitlementByCode,
  entitlementById,
  entitlementsById,
  entitlementsPage,
  fileById,
  filesPage,
  grantedById,
  keyById,
  keysPage,
  knownKeys,
  shownFileById,
  storedFilesFor,
  storedFilesOf,
} from './store.ts'

const redeem = operation(contracts.redeem, async (call) => {
  const [row] = await call.read(entitlementByCode({ codeDigest: await digestOfCode(call.body.code) }))
  return call.publish(
    row?.kind === 'voucher' ? planRedeem(row, call) : refuse('entitlement_code_not_found', { param: 'code' }),
  )
})

const listDownloads = operation(contracts.files, async ({ params, readAll, fail, settings }) => {
  const now = new Date()
  const [[row], files] = await readAll(grantedById(params), storedFilesFor(params))
  if (!row) return fail('entitlement_not_found')
  const refused = refusalOfDownload(row, files, now)
  if (refused) return fail(refused.refused, refused)
  const ends = downloadEnds(now)
  const left = files.filter((file) => downloadsLeft(row, file) !== 0)
  const data = await Promise.all(
    left.map(async ({ id, name, bytes }) => ({
      id,
      object: 'download' as const,
      name,
      bytes,
      url: `https://${settings.linkBaseUrl}${await downloadPath(settings, row.catalogPublicId, {
        entitlementId: row.id,
        fileId: id,
        validUntil: ends.getTime(),
      })}`,
      expires_at: ends.toISOString(),
    })),
  )
  return { object: 'list' as const, data, has_more: false, next_cursor: '' }
})

const addKeys = operation(ofGoods.addKeys, async (call) => {
  const { item_id: itemId, keys } = call.body
  const each = [...new Set(keys)]
  const digests = await Promise.all(each.map((key) => digestOfKey(itemId, key)))
  const [[item], known] = await call.readAll(
    itemById({ id: itemId, at: call.now }),
    knownKeys({ itemId, digests }),
  )
  if (!item || item.status === 'archived') return call.fail('catalog_item_not_found', { param: 'item_id' })
  if (item.keys !== 'pool' || item.options.length > 0)
    return call.publish(refuse('license_keys_not_pooled', { param: 'item_id' }))
  const before = new Set(known.map(({ digest }) => digest))
  const added = await Promise.all(
    each.flatMap((key, at): Promise<NewKey>[] => {
      const digest = digests[at]!
      if (before.has(digest)) return []
      const id = call.newId()
      return [
        encryptSecret(call.settings.secretsKeys, keyContext(id), key).then((ciphertext) => ({
          id,
          ciphertext,
          digest,
          last4: last4Of(key),
        })),
      ]
    }),
  )
  return call.publish(planAddKeys(itemId, added, keys.length, call))
})

/** First a row that names the file, then the file, then buyers can download it. */
const addFile = operation(ofGoods.addFile, async (call) => {
  const { item_id: itemId, name, content } = call.body
  const [[item], files] = await call.readAll(
    itemById({ id: itemId, at: call.now }),
    storedFilesOf({ itemId }),
  )
  if (!item) return call.fail('catalog_item_not_found', { param: 'item_id' })
  if (item.kind !== 'file' || item.status === 'archived' || item.options.length > 0)
    return call.publish(refuse('delivered_file_item_unsuitable', { param: 'item_id' }))
  if (files.length >= ofGoods.filesMax) return call.publish(refuse('delivered_files_too_many'))
  const bytes = bytesOf(content)
  const param = 'content'
  if (bytes.length === 0) return call.publish(refuse('delivered_file_empty', { param }))
  if (bytes.length > ofGoods.fileBytesMax) return call.publish(refuse('delivered_file_too_large', { param }))
  const facts = { itemId, name, bytes: bytes.length }
  const file = await putFile(
    call,
    ofGoods.deliveredFolder,
    { bytes, content_type: 'application/octet-stream' },
    (row) => insert(deliveredFiles, { ...row, ...facts }),
  )
  return call.publish(planAddFile(file, facts, call))
})

export const operations = [
  listOperation(contracts.list, entitlementsPage, presentEntitlement),
  getOperation(contracts.get, entitlementById, presentEntitlement),
  changeOperation(contracts.revoke, entitlementById, planRevoke),
  changeOperation(contracts.reinstate, entitlementById, planReinstate),
  redeem,
  listDownloads,
  addKeys,
  listOperation(ofGoods.listKeys, keysPage, presentKey),
  getOperation(ofGoods.getKey, keyById, presentKey),
  changeOperation(ofGoods.withdrawKey, keyById, planWithdraw),
  addFile,
  listOperation(ofGoods.listFiles, filesPage, presentFile),
  getOperation(ofGoods.getFile, shownFileById, presentFile),
  changeOperation(ofGoods.removeFile, shownFileById, planRemoveFile),
]

/** Scheduled: makes codes that are missing, and publishes what triggers granted, revoked and gave back. */
export const issueEntitlements = (run: JobRun) =>
  eachDueSet(run, 'entitlements', async ({ services, read, publish, now }, ids) => {
    const clock = clockOf(now)
    const { secretsKeys } = services.settings
    const codeFor = async ({ id }: EntitlementRow): Promise<IssuedCode> => {
      const code = newCode()
      return {
        codeCiphertext: await encryptSecret(secretsKeys, codeContext(id), code),
        codeDigest: await digestOfCode(code),
        codeLast4: last4Of(code),
      }
    }
    const [rows] = await read(contracts.issue, entitlementsById({ ids }))
    const plans = await Promise.all(
      rows.map(async (row) => planIssue(row, awaitsCode(row) ? await codeFor(row) : null, clock)),
    )
    const done = plans.flatMap((plan) => plan ?? [])
    if (done.length === 0) return
    await publish(contracts.issue, {
      writes: done.flatMap(({ writes }) => writes),
      events: done.flatMap(({ events }) => events),
      reply: {},
    })
  })

/** Scheduled: removes files that buyers can no longer download, or that were never wholly uploaded. */
export const removeDelivered = removesFiles('delivered_files', {
  folder: ofGoods.deliveredFolder,
  table: deliveredFiles,
  removal: ofGoods.removal,
  byId: fileById,
})
