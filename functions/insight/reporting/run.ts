import type { Bucket } from '../../../src/env/settings.ts'
import { eachDue, eachDueInTurns } from '../../../src/http/scheduled.ts'
import type { JobRun, SystemCall } from '../../../src/http/system-call.ts'
import { clockOf } from '../../../src/kernel/clock.ts'
import { Fault } from '../../../src/kernel/fault.ts'
import { sha256HexOf } from '../../../src/platform/crypto.ts'
import { sha256HexOfAll } from '../../../src/platform/digest.ts'
import { filesIn } from '../../../src/platform/files.ts'
import { log } from '../../../src/platform/log.ts'
import { running } from './contract.ts'
import { isAbandoned, planAbandon, planEnd, planRemoved, planStep } from './plan.ts'
import { horizon, movedBy, type RunRow, rowsOf, runById, scheduleById } from './store.ts'
import { partOf } from './write.ts'

/** The rows of a step: a file of a million has 250 parts, which one request reads. */
const stepRows = 4_000

const prefixOf = (runId: string) => `reports/${runId}/`

/**
 * A part is named by its bytes, and a run names those of its file. So a Worker that is late puts nothing in place of a part, and
 * one that goes on after another died puts the same again.
 */
const nameOf = async (part: Uint8Array<ArrayBuffer>) => (await sha256HexOf(part)).slice(0, 32)

/** Scheduled: the next steps of all runs. One whose Worker died goes on behind the last part that was published. */
export const runReports = (run: JobRun): Promise<void> => eachDueInTurns(run, 'report_runs', nextStep)

/** Writes the next part and answers whether more follow. A part that was never published is written again as it was. */
async function nextStep(call: SystemCall, id: string): Promise<boolean> {
  const [[run], [final = 0n]] = await call.read(running, runById({ id }), horizon())
  if (!run || run.finishedAt !== null) return false
  if (isAbandoned(run, call.now)) {
    const [[schedule = null]] = await call.read(running, scheduleById({ id: run.scheduleId }))
    const clock = clockOf(new Date())
    await call.publish(running, planAbandon(run, schedule, clock), clock)
    logFault(call, id, 'a report was abandoned')
    return false
  }
  // A transaction is open that may still book into the period.
  if (final < run.asOf) return false
  const [rows] = await call.read(running, rowsOf(run, run.place, stepRows))
  const content = new TextEncoder().encode(partOf(run, rows)) as Uint8Array<ArrayBuffer>
  const { bucket } = call.services
  const contentType = 'text/plain; charset=utf-8'
  const name = await nameOf(content)
  await filesIn(bucket).put(prefixOf(id) + name, { content, contentType })
  const clock = clockOf(new Date())
  if (rows.length === stepRows) {
    await call.publish(running, planStep(run, { rows, name }, clock), clock)
    return true
  }
  const [moved, [schedule = null]] = await call.read(
    running,
    movedBy(run),
    scheduleById({ id: run.scheduleId }),
  )
  const fileDigest = await sha256HexOfAll(partsOf(bucket, { ...run, parts: [...run.parts, name] }))
  const { balanced } = await call.publish(
    running,
    planEnd(run, { rows, name }, { moved, fileDigest, schedule }, clock),
    clock,
  )
  if (!balanced) logFault(call, id, 'a report is not balanced')
  return false
}

const logFault = ({ requestId }: SystemCall, id: string, message: string) =>
  log('error', { place: 'report_runs', requestId, id }, new Fault(message))

/** The time of its file is over, whether or not the job has removed it. */
export const isRemoved = ({ status, removeAt }: Pick<RunRow, 'status' | 'removeAt'>, now: Date): boolean =>
  status === 'expired' || (removeAt !== null && removeAt <= now)

class PartMissing extends Fault {}

/** The parts of a file, one after the other. @throws PartMissing */
export async function* partsOf(bucket: Bucket | undefined, { id, parts }: RunRow) {
  for (const name of parts) {
    const found = await filesIn(bucket).get(prefixOf(id) + name)
    if (!found) throw new PartMissing('a part of a report is missing')
    yield new Uint8Array(await new Response(found.body).arrayBuffer())
  }
}

/** The file as a stream, which reads a part when it is asked for one. */
export function fileOf(bucket: Bucket | undefined, run: RunRow): ReadableStream<Uint8Array> {
  const parts = partsOf(bucket, run)
  return new ReadableStream<Uint8Array>({
    async pull(to) {
      const { done, value } = await parts.next()
      if (done) to.close()
      else to.enqueue(value)
    },
  })
}

const types = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson; charset=utf-8' } as const

/** The type of a run's file, and the name under which it is saved. */
export const savedAs = ({ type, periodFrom, periodTo, format }: RunRow) => ({
  type: types[format],
  name: `${type.replaceAll('.', '-')}_${periodFrom}_${periodTo}.${format}`,
})

/** SHA-256 of the file as it is stored now; null where a part of it is missing. Holds one part at a time. */
export const storedDigest = (bucket: Bucket | undefined, run: RunRow): Promise<string | null> =>
  sha256HexOfAll(partsOf(bucket, run)).catch((error: unknown) => {
    if (error instanceof PartMissing) return null
    throw error
  })

/** Scheduled: removes the files of runs whose time is over. */
export const removeReports = (jobRun: JobRun): Promise<void> =>
  eachDue(jobRun, 'report_files', async ({ read, publish, services, now }, id) => {
    const [[run]] = await read(running, runById({ id }))
    if (!run || run.removeAt === null || run.removeAt > now) return
    // Steps that were never published may have left other parts.
    await filesIn(services.bucket).deleteAll(prefixOf(id))
    await publish(running, planRemoved(run, now))
  })
