import type { Buffers } from './buffers.ts'
import { type Figures, medianRatio, medians, type Rounds } from './rounds.ts'
import type { Bundle, StartUp } from './workers.ts'

export type Measured = {
  near?: Rounds
  far?: Rounds
  /** Processes that wanted one of the machine's processors, on average over a minute, at the beginning and at the end. */
  machine?: { processors: number; loadBefore: number; loadAfter: number }
  startUp?: StartUp
  bundle?: Bundle
  buffers?: Buffers
}

type Line = { what: string; measured: string; aim?: string; met?: boolean }

const kib = (bytes: number) => `${(bytes / 1024).toFixed(1)} KiB`
const ms = (value: number) => `${value.toFixed(1)} ms`

const atMost = (what: string, value: number, limit: number, show: (value: number) => string): Line => ({
  what,
  measured: show(value),
  aim: `≤ ${limit}`,
  met: value <= limit,
})

function loadLines({ static: still, floorRead, list, floorCreate, create }: Rounds): Line[] {
  if (!still || !floorRead || !list || !floorCreate || !create) return []
  const times = (value: number) => `${value.toFixed(2)} ×`
  const atLeast = (what: string, value: number, limit: number): Line => ({
    what,
    measured: value.toFixed(2),
    aim: `≥ ${limit}`,
    met: value >= limit,
  })
  const cpu = (figures: readonly Figures[]) => `${medians(figures).cpuMicros.toFixed(0)} µs`
  const cpuOf = (each: Figures) => each.cpuMicros
  const rateOf = (each: Figures) => each.perSecond
  return [
    { what: 'CPU of a static JSON route (Hono)', measured: cpu(still) },
    { what: 'CPU of the floor’s `select 1`', measured: cpu(floorRead) },
    { what: 'CPU of our authorised 20-row list', measured: cpu(list) },
    { what: 'CPU of the floor’s create', measured: cpu(floorCreate) },
    { what: 'CPU of our idempotent create', measured: cpu(create) },
    atMost('List: CPU against the static route', medianRatio(list, still, cpuOf), 6, times),
    atMost('Create: CPU against the static route', medianRatio(create, still, cpuOf), 7.5, times),
    atLeast('List: throughput against the floor', medianRatio(list, floorRead, rateOf), 0.75),
    atLeast('Create: throughput against the floor', medianRatio(create, floorCreate, rateOf), 0.65),
  ]
}

function otherLines({ startUp, bundle, buffers }: Measured): Line[] {
  const lines: Line[] = []
  if (startUp) {
    const above = startUp.oursMs - startUp.emptyMs
    lines.push(atMost('Start-up above an empty Worker (active ms)', above, 30, ms))
    lines.push({
      what: '… of the floor Worker, for comparison',
      measured: ms(startUp.floorMs - startUp.emptyMs),
    })
  }
  if (bundle) {
    lines.push({ what: 'Bundle, gzip', measured: kib(bundle.totalGzip) })
    lines.push({
      ...atMost(
        'Bundle without the lazily loaded identity part, gzip',
        bundle.withoutIdentityGzip / 1024,
        160,
        (value) => kib(value * 1024),
      ),
      aim: '≤ 160 KiB',
    })
    lines.push({ what: 'Bundle of the floor Worker, gzip', measured: kib(bundle.floorGzip) })
  }
  if (buffers) {
    const [first, far] = buffers.pages
    const what = `List of ${buffers.rows.toLocaleString('en')} rows: buffers of page 1,000 against page 1`
    const show = (ratio: number) => `${far?.buffers} / ${first?.buffers} = ${ratio.toFixed(2)} ×`
    lines.push(atMost(what, buffers.ratio, 1.2, show))
    for (const { what, buffers: count, indexes } of buffers.pages) {
      lines.push({ what: `… ${what}: ${indexes}`, measured: `${count} buffers` })
    }
  }
  return lines
}

const NAMES: Record<string, string> = {
  static: 'static JSON (Hono)',
  floorRead: 'floor: `select 1`',
  list: 'ours: list of 20',
  floorCreate: 'floor: Redis, then insert',
  create: 'ours: create',
}

function roundTable(title: string, rounds: Rounds): string {
  const rows = Object.entries(rounds).map(([name, figures]) => {
    const { perSecond, p50Ms, p95Ms, p99Ms, cpuMicros } = medians(figures)
    const cells = [
      NAMES[name],
      perSecond.toFixed(0),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
      p99Ms.toFixed(1),
      cpuMicros.toFixed(0),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = `| ${title} | requests/s | p50 ms | p95 ms | p99 ms | CPU µs/request |\n| --- | --: | --: | --: | --: | --: |`
  return [head, ...rows].join('\n')
}

function aimTable(lines: readonly Line[]): string {
  const rows = lines.map(({ what, measured, aim, met }) => {
    const verdict = met === undefined ? '' : met ? 'met' : '**not met**'
    return `| ${what} | ${measured} | ${aim ?? ''} | ${verdict} |`
  })
  return ['| | measured | aim | |', '| --- | --: | --: | --- |', ...rows].join('\n')
}

/** Prints what was measured as Markdown, the aims beside the figures. */
export function printReport(measured: Measured): void {
  const { near, far } = measured
  const lines = [...(near ? loadLines(near) : []), ...otherLines(measured)]
  const tables = [
    ...(lines.length > 0 ? [aimTable(lines)] : []),
    ...(near ? [roundTable('Gateways beside the Worker', near)] : []),
    ...(far ? [roundTable('20 ms to Postgres, 3 ms to Redis', far)] : []),
  ]
  const { machine } = measured
  if (machine) {
    tables.push(
      `${machine.processors} processors; load average ${machine.loadBefore.toFixed(1)} before, ${machine.loadAfter.toFixed(1)} after.`,
    )
  }
  process.stdout.write(`\n${tables.join('\n\n')}\n`)
}
