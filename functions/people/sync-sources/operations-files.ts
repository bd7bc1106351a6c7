import type { Bucket } from '../../../src/env/settings.ts'
import { operation } from '../../../src/http/operation.ts'
import { entryOf } from '../../../src/http/problems.ts'
import { onFreshRows } from '../../../src/http/publishing.ts'
import { eachDue } from '../../../src/http/scheduled.ts'
import type { JobRun } from '../../../src/http/system-call.ts'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { refuse } from '../../../src/kernel/plan.ts'
import { shapeOf } from '../../../src/platform/csv-shape.ts'
import { filesIn } from '../../../src/platform/files.ts'
import * as contracts from './contract-files.ts'
import { cardNumberGuard } from './csv/card-numbers.ts'
import { errorHeader, errorLine } from './csv/error-file.ts'
import { errorsKey, fileKey } from './csv/keys.ts'
import { previewOf } from './csv/kind.ts'
import { fileBytesMax, headBytes } from './csv/shape.ts'
import { SliceFailed } from './kinds.ts'
import {
  fileRefusalOf,
  newFile,
  planMap,
  planRemoved,
  planRemoving,
  planStored,
  planUploading,
} from './plan-files.ts'
import type { Incoming } from './plan-records.ts'
import { presentFile } from './present.ts'
import { isOver } from './run-changes.ts'
import {
  fileById,
  fileOfRun,
  openRunOf,
  type RefusalRow,
  type RunRow,
  refusalsOf,
  refusedIn,
  runById,
  runsOfFile,
  sourceById,
  sourceOfRun,
  storedFileOf,
} from './store.ts'

/** First a row that names the file, then the file, then what is in it: a dead Worker leaves a row that says what to remove. */
const uploadFile = operation(contracts.uploadFile, async (call) => {
  const { params, readAll, publishStep, publish, newId, now, services, fail, upload } = call
  const [[source], [open]] = await readAll(sourceById(params), openRunOf({ sourceId: params.id }))
  if (!source) return fail('sync_source_not_found')
  const { body, bytes } = upload
  const closed = fileRefusalOf(source, open)
  if (closed) return publish(closed)
  if (bytes === null) return fail('sync_file_length_missing')
  if (bytes === 0 || !body) return fail('sync_file_empty')
  if (bytes > fileBytesMax) return fail('sync_file_too_large')
  const row = newFile(newId(), source.id, bytes, now)
  await publishStep(planUploading(row))
  const files = filesIn(services.bucket)
  const { stream, found } = cardNumberGuard()
  const content = body.pipeThrough(stream).pipeThrough(new FixedLengthStream(bytes))
  await files.put(fileKey(row.id), { content, contentType: 'text/csv' }).catch((error: unknown) => {
    if (found.line === null) throw error
  })
  if (found.line !== null)
    return fail('sync_file_card_number', {
      message: `Line ${found.line} of the file contains what looks like a card number: nothing was stored.`,
    })
  const head = await files.range(fileKey(row.id), { offset: 0, length: Math.min(bytes, headBytes) })
  const shape = head ? shapeOf(head, bytes) : fail('sync_file_gone')
  if (typeof shape === 'string') return fail(`sync_file_${shape}`)
  // The body is gone: only what is read from here on is read again.
  return onFreshRows(5, async () => {
    const [[same], [running], [former], [own]] = await readAll(
      sourceById(params),
      openRunOf({ sourceId: params.id }),
      storedFileOf({ sourceId: params.id }),
      fileById({ id: row.id }),
    )
    // An erasure takes files that are being uploaded too.
    if (own?.version !== row.version) return fail('sync_file_gone')
    return publish(fileRefusalOf(same!, running) ?? planStored(row, former, shape, call))
  })
})

const getFile = operation(contracts.getFile, async ({ params: { id }, readAll, fail }) => {
  const [[source], [file]] = await readAll(sourceById({ id }), storedFileOf({ sourceId: id }))
  if (!source) return fail('sync_source_not_found')
  return file ? presentFile(file) : fail('sync_file_missing')
})

const mapFile = operation(contracts.mapFile, async (call) => {
  const { id } = call.params
  const [[source], [file]] = await call.readAll(sourceById({ id }), storedFileOf({ sourceId: id }))
  if (!source) return call.fail('sync_source_not_found')
  return call.publish(file ? planMap(file, call.body.fields, call) : refuse('sync_file_missing'))
})

const previewFile = operation(contracts.previewFile, async (call) => {
  const { id } = call.params
  const [[source], [file]] = await call.readAll(sourceById({ id }), storedFileOf({ sourceId: id }))
  if (!source) return call.fail('sync_source_not_found')
  if (!file) return call.fail('sync_file_missing')
  const rows = await previewOf(call.services.bucket, file, contracts.previewRows).catch((error: unknown) => {
    if (error instanceof SliceFailed) return call.fail(error.code, { message: error.message })
    throw error
  })
  return { object: 'sync_preview' as const, rows: await Promise.all(rows.map(presentRow)) }
})

const presentRow = async ({ row, incoming }: { readonly row: number; readonly incoming: Incoming }) => {
  if ('record' in incoming) {
    const { external_id, updated_at = '', customer } = incoming.record
    return { row, record: { external_id, updated_at, customer }, error: null }
  }
  const { code, param = null, message } = incoming.fault
  return { row, record: null, error: { code, message: message ?? (await entryOf(code))[1], param } }
}

const getErrors = operation(contracts.getErrors, async ({ params: { id }, readAll, fail, services }) => {
  const [[run], [source], [file], refused] = await readAll(
    runById({ id }),
    sourceOfRun({ id }),
    fileOfRun({ id }),
    refusalsOf({ id, from: 0 }),
  )
  if (!run || !source) return fail('sync_run_not_found')
  if (source.kind === 'push') return fail('sync_run_without_file')
  if (!file) {
    const more = async (from: number) => (await readAll(refusalsOf({ id, from })))[0]
    return linesOf(['external_id'], refusedLines(refused, more))
  }
  if (!file.shape || file.status === 'removing') return fail('sync_file_gone')
  return linesOf(file.shape.header, run.failed > 0 ? fileLines(services.bucket, file.id, run) : [])
})

/** A file of refused records, read as it is sent. */
function linesOf(
  header: readonly string[],
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const all = (async function* () {
    yield new TextEncoder().encode(errorHeader(header))
    yield* parts
  })()
  return new ReadableStream({
    async pull(to) {
      const { done, value } = await all.next()
      if (done) to.close()
      else to.enqueue(value)
    },
  })
}

async function* fileLines(bucket: Bucket | undefined, fileId: string, { id, slicesCount }: RunRow) {
  for (let slice = 0; slice < slicesCount; slice++) {
    const part = await filesIn(bucket).get(errorsKey(fileId, id, slice))
    if (part) yield new Uint8Array(await new Response(part.body).arrayBuffer())
  }
}

async function* refusedLines(
  first: readonly RefusalRow[],
  more: (from: number) => Promise<readonly RefusalRow[]>,
) {
  for (let slices = first; slices.length > 0; slices = await more(slices.at(-1)!.slice + 1))
    for (const slice of slices) {
      const lines = refusedIn(slice).map(({ row, externalId, code, param, message }) =>
        errorLine(row, { code, param: param ?? undefined, message: message ?? undefined }, [
          externalId ?? '',
        ]),
      )
      yield new TextEncoder().encode((await Promise.all(lines)).join(''))
    }
}

export const fileOperations = [uploadFile, getFile, mapFile, previewFile, getErrors]

/** Scheduled: removes uploaded files whose time is over, with the error files of their runs. */
export const removeFiles = (jobRun: JobRun): Promise<void> =>
  eachDue(jobRun, 'sync_files', async ({ read, publish, services, now }, id) => {
    const [[file], runs] = await read(contracts.removal, fileById({ id }), runsOfFile({ fileId: id }))
    if (!file || file.removeAt === null) return
    const clock = { now, newId: () => uuidv7(now.getTime()) }
    if (file.status !== 'removing') {
      await publish(
        contracts.removal,
        planRemoving(
          file,
          runs.find((run) => !isOver(run)),
          clock,
        ),
      )
      return
    }
    const files = filesIn(services.bucket)
    await files.delete(fileKey(id))
    // A slice that was read but never published may have left its refused rows behind those that count.
    for (const { id: runId, slicesCount } of runs)
      for (let from = 0; from <= slicesCount; from += 1_000) {
        const slices = Array.from({ length: Math.min(1_000, slicesCount + 1 - from) }, (_, at) => from + at)
        const [first, ...others] = slices.map((slice) => errorsKey(id, runId, slice))
        await files.delete(first!, ...others)
      }
    await publish(contracts.removal, planRemoved(file, now))
  })

const forgottenMax = 1_000

/** Scheduled: lists of refused records that are over 30 days old. */
export const forgetRefusals = ({ services: { db } }: JobRun): Promise<false> =>
  db.call('door.forget_refusals(int)', [forgottenMax]).then(() => false)
