import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Load, LoadResult } from './load.ts'
import { postgresMicrosOf } from './postgres-cpu.ts'
import type { Bare } from './workerd.ts'

/** One thing to measure: a load, and the processes whose CPU time it causes. */
export type Scenario = {
  name: string
  load: Omit<Load, 'connections' | 'durationMs'>
  worker: Pick<Bare, 'pid' | 'postgresPid'>
  /** Where work continues after the replies: waits for its end and returns its time. It counts towards the requests. */
  settled?: () => Promise<number>
}

export type Figures = {
  perSecond: number
  /** CPU time of the workerd process, user and system, all threads. */
  cpuMicros: number
  /** CPU time of all processes of PostgreSQL. */
  postgresMicros: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  requests: number
}

/** CPU time in microseconds. */
export type Spent = { worker: number; postgres: number }

/** The figures of each scenario, a round each: those of the same round were taken within seconds of each other. */
export type Rounds = Record<string, readonly Figures[]>

export type Shape = { rounds: number; connections: number; durationMs: number; warmUpMs?: number }

export type LoadProcess = { run(load: Load): Promise<LoadResult>; stop(): void }

const WARM_UP_MS = 6_000

/** The load generator's process. */
export function startLoad(): LoadProcess {
  const child = fork(fileURLToPath(new URL('./load.ts', import.meta.url)))
  return {
    async run(load) {
      child.send(load)
      const [{ result, failed }] = (await once(child, 'message')) as [
        { result?: LoadResult; failed?: string },
      ]
      if (!result) throw new Error(failed)
      return result
    },
    stop: () => child.kill(),
  }
}

/**
 * Measures the scenarios in turn, round after round, so that other load on the machine affects all of them alike. A
 * longer first round that does not count warms everything up: V8 optimizes what has run a few thousand times. Returns
 * the figures of every round.
 */
export async function measure(
  load: LoadProcess,
  scenarios: readonly Scenario[],
  { rounds, connections, durationMs, warmUpMs = WARM_UP_MS }: Shape,
  /** Called with the scenario that is measured from now on; null while none is. */
  onTurn: (name: string | null) => void = () => {},
): Promise<Rounds> {
  const taken = new Map<string, Figures[]>(scenarios.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const { name, load: what, worker, settled } of scenarios) {
      const before = spentBy(worker)
      const startedMs = performance.now()
      if (round > 0) onTurn(name)
      const result = await load.run({ ...what, connections, durationMs: round === 0 ? warmUpMs : durationMs })
      onTurn(null)
      const endedMs = (await settled?.()) ?? 0
      const after = spentBy(worker)
      const spent = { worker: after.worker - before.worker, postgres: after.postgres - before.postgres }
      const elapsedMs = Math.max(result.elapsedMs, endedMs - startedMs)
      if (round > 0) taken.get(name)!.push(figuresOf({ ...result, elapsedMs }, spent))
    }
  }
  return Object.fromEntries(taken)
}

export const spentBy = ({ pid, postgresPid }: Pick<Bare, 'pid' | 'postgresPid'>): Spent => ({
  worker: cpuMicrosOf(pid),
  postgres: postgresMicrosOf(postgresPid),
})

/** utime and stime of /proc/<pid>/stat: every thread of the process, in ticks of 10 ms. */
export function cpuMicrosOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

function figuresOf({ count, elapsedMs, latenciesMs }: LoadResult, spentMicros: Spent): Figures {
  const sorted = latenciesMs.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    perSecond: (count / elapsedMs) * 1000,
    cpuMicros: spentMicros.worker / count,
    postgresMicros: spentMicros.postgres / count,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    requests: count,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The ratio of two scenarios, round by round: other load on the machine affects both sides. */
export function medianRatio(
  one: readonly Figures[],
  other: readonly Figures[],
  pick: (each: Figures) => number,
): number {
  return median(one.map((figures, round) => pick(figures) / pick(other[round]!)))
}

export function medians(figures: readonly Figures[]): Figures {
  const of = (pick: (each: Figures) => number) => median(figures.map(pick))
  return {
    perSecond: of((each) => each.perSecond),
    cpuMicros: of((each) => each.cpuMicros),
    postgresMicros: of((each) => each.postgresMicros),
    p50Ms: of((each) => each.p50Ms),
    p95Ms: of((each) => each.p95Ms),
    p99Ms: of((each) => each.p99Ms),
    requests: figures.reduce((sum, each) => sum + each.requests, 0),
  }
}
