import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../local/project.ts'
import type { Stack } from '../local/stack.ts'
import type { Merchant } from './merchant.ts'
import type { Held, Ordered, Peak } from './report-isolate.ts'
import { fillMonth, month } from './reports.ts'

/**
 * The heap of the process, in MiB: its old space, and three halves of its young one. Together with what lies outside, parts of a
 * file and rows as they come, an isolate has 128.
 */
export const heapMib = { old: 64, half: 8 }

export type { Held }

/** A month's report in a process whose heap has that limit: one that needs more ends by itself. */
export async function reportMemory(
  stack: Stack,
  merchant: Merchant,
  { rows, scratch }: { rows: number; scratch: string },
): Promise<Held> {
  await fillMonth(stack, merchant.tenantId, rows)
  const files = join(scratch, 'files')
  mkdirSync(files, { recursive: true })
  const ordered: Ordered = {
    ...stack.sandbox.worker.upload(),
    origin: stack.sandbox.directUrl,
    apiKey: merchant.apiKey,
    files,
    period: month,
  }
  const child = fork(join(PROJECT, 'bench', 'report-isolate.ts'), {
    execArgv: ['--expose-gc', `--max-old-space-size=${heapMib.old}`, `--max-semi-space-size=${heapMib.half}`],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (held: Held) => resolve(held))
    child.once('exit', (code, signal) =>
      reject(new Error(`the report's process ended with ${code ?? signal}`)),
    )
    child.send(ordered)
  })
}

const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)

/** The most that each part of it held; what an isolate of 128 MB has is the aim. */
export function heldLines({ rows, fileBytes, idle, ...parts }: Held) {
  const { old, half } = heapMib
  const limit = `a heap of ${old} MiB and ${3 * half} for what is young`
  const line = (what: string, peak: Peak) => ({
    what,
    measured: `${mib(peak.alive)}; ${mib(peak.heap)} + ${mib(peak.outside)}`,
    aim: '≤ 128',
    met: peak.alive <= 128e6,
  })
  return [
    {
      what: `Report of ${rows} movements within ${limit}: MiB alive; with garbage in the heap + outside`,
      measured: `${mib(fileBytes)} MiB of file`,
    },
    line('… before it', idle),
    line('… made', parts.made),
    line('… verified', parts.verified),
    line('… downloaded', parts.read),
  ]
}
