import { type Buffers, FAR_PAGE } from './buffers.ts'
import type { First } from './cold-start.ts'
import { batchRecords } from './customers.ts'
import type { Drop } from './drop.ts'
import type { Followed } from './follow.ts'
import type { Hot } from './hot-account.ts'
import type { Import } from './imports.ts'
import { type Figures, medianRatio, medians, type Rounds } from './interleave.ts'
import type { Readers } from './readers.ts'
import { type Held, heldLines } from './report-memory.ts'
import type { Report } from './reports.ts'
import type { Touched } from './rows-touched.ts'
import type { Webhooks } from './webhooks.ts'
import type { Bundle, StartUp } from './workers.ts'

export type Measured = {
  near?: Rounds
  far?: Rounds
  /** The machine's load average over one minute, at the beginning and at the end. */
  machine?: { processors: number; loadBefore: number; loadAfter: number }
  startUp?: StartUp
  /** CPU of one judgement of the payment policy. */
  policyMicros?: number
  first?: First[]
  bundle?: Bundle & { floorGzip: number }
  buffers?: Buffers[]
  money?: Rounds
  touched?: Touched[]
  customers?: Rounds
  imports?: Import[]
  month?: Report
  memory?: Held
  drop?: Drop
  hot?: Hot[]
  readers?: Readers
  webhooks?: Webhooks
  followed?: Followed
}

type Line = { what: string; measured: string; aim?: string; met?: boolean }

const cpuOf = (each: Figures) => each.cpuMicros
const rateOf = (each: Figures) => each.perSecond
const times = (value: number) => `${value.toFixed(2)} ×`
/** Of the Worker and, behind the plus, of Postgres. */
const cpu = (figures: readonly Figures[]) => {
  const { cpuMicros, postgresMicros } = medians(figures)
  return `${cpuMicros.toFixed(0)} + ${postgresMicros.toFixed(0)} µs`
}
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
  const atLeast = (what: string, value: number, limit: number): Line => ({
    what,
    measured: value.toFixed(2),
    aim: `≥ ${limit}`,
    met: value >= limit,
  })
  return [
    { what: 'CPU of a static JSON route (Hono)', measured: cpu(still) },
    { what: 'CPU of the floor’s `select 1`', measured: cpu(floorRead) },
    { what: 'CPU of our authorized 20-row list', measured: cpu(list) },
    { what: 'CPU of the floor’s create', measured: cpu(floorCreate) },
    { what: 'CPU of our idempotent create', measured: cpu(create) },
    atMost('List: CPU against the static route', medianRatio(list, still, cpuOf), 6, times),
    atMost('Create: CPU against the static route', medianRatio(create, still, cpuOf), 7.5, times),
    atLeast('List: throughput against the floor', medianRatio(list, floorRead, rateOf), 0.75),
    atLeast('Create: throughput against the floor', medianRatio(create, floorCreate, rateOf), 0.65),
  ]
}

/** Each kind of movement of money against the floor's nearest equivalent, in the same rounds. */
function moneyLines(money: Rounds): Line[] {
  const pairs = [
    ['Card payment', money.payment, 'two inserts and a call', money.floorPayment],
    ['Refund', money.refund, 'create', money.floorCreate],
    ['Transfer', money.transfer, 'create', money.floorCreate],
  ] as const
  return pairs.flatMap(([what, ours, floorWhat, floor]) =>
    ours && floor
      ? [
          { what: `${what}: CPU`, measured: cpu(ours) },
          {
            what: `${what}: CPU against the floor’s ${floorWhat}`,
            measured: `${times(medianRatio(ours, floor, cpuOf))} of ${cpu(floor)}`,
          },
          {
            what: `${what}: throughput against the floor’s ${floorWhat}`,
            measured: medianRatio(ours, floor, rateOf).toFixed(2),
          },
        ]
      : [],
  )
}

/** Reads against the floor's read, a record of a batch against the floor's create of one row. */
function customerLines({ floorRead, floorCreate, customer, timeline, batch }: Rounds): Line[] {
  if (!floorRead || !floorCreate || !customer || !timeline || !batch) return []
  const records = batch.map((each) => ({
    ...each,
    perSecond: each.perSecond * batchRecords,
    cpuMicros: each.cpuMicros / batchRecords,
    postgresMicros: each.postgresMicros / batchRecords,
  }))
  return [
    { what: 'Customer read: CPU', measured: cpu(customer) },
    { what: '… against the floor’s read', measured: times(medianRatio(customer, floorRead, cpuOf)) },
    { what: 'Page of 20 of a timeline: CPU', measured: cpu(timeline) },
    { what: '… against the floor’s read', measured: times(medianRatio(timeline, floorRead, cpuOf)) },
    {
      what: `Record of a batch of ${batchRecords} new customers: CPU`,
      measured: `${cpu(records)}, ${medians(records).perSecond.toFixed(0)}/s`,
    },
    { what: '… against the floor’s create', measured: times(medianRatio(records, floorCreate, cpuOf)) },
  ]
}

function readersLines(of: Readers): Line[] {
  const { asked, paid, captured, doubled, open, others } = of
  const perHour = (micros: number) =>
    `${((micros * of.pollsPerSecond * 3_600) / of.readers / 1e6).toFixed(2)} s`
  return [
    {
      what: `${of.readers} readers that ask every two seconds`,
      measured: `${of.pollsPerSecond.toFixed(0)} questions a second; each ${of.cpuMicrosOfPoll.toFixed(0)} + ${of.postgresMicrosOfPoll.toFixed(0)} µs; a reader in an hour ${perHour(of.cpuMicrosOfPoll)} + ${perHour(of.postgresMicrosOfPoll)} of CPU`,
    },
    {
      what: `… that take cards for ${of.seconds} s: asked / reported / captured; twice / under way / other answers; p50`,
      measured: `${asked} / ${paid} / ${captured}; ${doubled} / ${open} / ${others}; ${ms(of.paymentP50Ms)}`,
      aim: 'all once',
      met: asked === paid && paid === captured && doubled + open + others === 0,
    },
  ]
}

function monthLines(month: Report): Line[] {
  const thousands = month.rows / 1_000
  const each = (micros: number) => (micros / thousands / 1_000).toFixed(1)
  const grown = (month.residentMost - month.residentBefore) / 2 ** 20
  return [
    {
      what: `Report of ${month.rows} movements`,
      measured: `${month.seconds.toFixed(0)} s; of 1,000 rows ${each(month.cpuMicros)} + ${each(month.postgresMicros)} ms of CPU; ${(month.fileBytes / 2 ** 20).toFixed(0)} MiB`,
    },
    {
      what: '… verified',
      measured: `${month.verifySeconds.toFixed(0)} s; of 1,000 rows ${each(month.verifyCpuMicros)} + ${each(month.verifyPostgresMicros)} ms of CPU`,
    },
    atMost('… memory of the Worker’s process grows by, MiB', grown, 128, (value) => value.toFixed(0)),
  ]
}

function importLine({ way, isAgain, counts, seconds, customers, addresses, ...spent }: Import): Line {
  const { processed, created, updated, skipped, failed } = counts
  const rows = processed.toLocaleString('en')
  const by = way === 'csv' ? 'a CSV file' : `batches of ${batchRecords}`
  return {
    what: `${rows} customers by ${by}${isAgain ? ', once more' : ''}: created / updated / skipped / failed; customers / different addresses afterwards; rate, CPU of a record`,
    measured: [
      [created, updated, skipped, failed].join(' / '),
      `${customers} / ${addresses}`,
      `${(processed / seconds).toFixed(0)}/s, ${(spent.cpuMicros / processed).toFixed(0)} + ${(spent.postgresMicros / processed).toFixed(0)} µs`,
    ].join('; '),
    aim: isAgain ? 'all skipped' : 'all created',
    met: (isAgain ? skipped : created) === processed && customers === processed && addresses === processed,
  }
}

function touchedLine(touched: Touched): Line {
  const { what, calls, statements, inserted, updated, read, scanned, requests } = touched
  const { walBytes, storedBytes } = touched
  const tables = Object.entries(scanned).map(([table, rows]) => `${table} ${rows.toFixed(1)}`)
  const ends = tables.length > 0 ? `; rows of whole tables: ${tables.join(', ')}` : ''
  return {
    what: `${what}: calls / statements of the Worker; rows inserted / updated / found by index; log / stored (of ${requests}${ends})`,
    measured: [
      [calls, statements].map((each) => each.toFixed(1)).join(' / '),
      [inserted, updated, read].map((each) => each.toFixed(1)).join(' / '),
      [walBytes, storedBytes].map(kib).join(' / '),
    ].join('; '),
  }
}

function hotLines({ buyers, commitMs, rounds, waiting, waitedFor, broken, paid }: Hot): Line[] {
  const { link, merchant, spread } = rounds
  if (!link || !merchant || !spread) return []
  const line = (what: string, figures: readonly Figures[], turn: keyof typeof waiting): Line => {
    const tables = Object.entries(waitedFor[turn]).map(([table, samples]) => `${table} in ${samples} samples`)
    const measured = [
      `${medians(figures).perSecond.toFixed(0)}/s`,
      `${medianRatio(figures, spread, rateOf).toFixed(2)} of the last`,
      `${waiting[turn].toFixed(1)} backends wait${tables.length > 0 ? ` for rows of ${tables.join(', ')}` : ''}`,
    ]
    return { what, measured: measured.join('; ') }
  }
  return [
    line(`${buyers} buyers of one link, commits of ${commitMs} ms`, link, 'link'),
    line(`… of ${buyers} links of one merchant`, merchant, 'merchant'),
    line('… of a merchant each', spread, 'spread'),
    {
      what: `… rules of the books broken afterwards, ${paid.toLocaleString('en')} payments`,
      measured: String(broken.length),
      aim: '0',
      met: broken.length === 0,
    },
  ]
}

/** Webhooks to merchants, against a floor that signs and fetches and records nothing. */
function webhookLines({ ours, floor }: Webhooks): Line[] {
  const rate = (figures: readonly Figures[]) => `${medians(figures).perSecond.toFixed(0)}/s`
  return [
    { what: 'Webhooks delivered, claimed and recorded', measured: `${rate(ours)}, ${cpu(ours)} of CPU each` },
    { what: '… the floor: signed and fetched', measured: `${rate(floor)}, ${cpu(floor)} of CPU each` },
    { what: 'Webhooks: CPU against the floor', measured: times(medianRatio(ours, floor, cpuOf)) },
    { what: 'Webhooks: throughput against the floor', measured: medianRatio(ours, floor, rateOf).toFixed(2) },
  ]
}

function listLines({ list, rows, cases }: Buffers): Line[] {
  const title = `Buffers of ${rows.toLocaleString('en')} ${list}, page ${FAR_PAGE.toLocaleString('en')} / page 1`
  return cases.map(({ what, first, far }) => {
    const sorted = first.sorted || far?.sorted ? ' **sorted**' : ''
    const label = `${title}; ${what}: ${(far ?? first).nodes}${sorted}`
    if (!far) return { what: label, measured: `${first.buffers} for page 1` }
    const ratio = far.buffers / first.buffers
    const measured = `${far.buffers} / ${first.buffers} = ${times(ratio)}`
    // With only a few buffers the ratio depends on where pages end.
    return {
      what: label,
      measured,
      aim: '≤ 1.2 or 3 more',
      met: !sorted && (ratio <= 1.2 || far.buffers - first.buffers <= 3),
    }
  })
}

function otherLines({ startUp, policyMicros, bundle }: Measured): Line[] {
  const lines: Line[] = []
  if (policyMicros !== undefined)
    lines.push({
      what: 'Payment policy: three levels and a card with three terms, CPU',
      measured: `${policyMicros.toFixed(1)} µs`,
    })
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
      ...atMost('… loaded at start-up', bundle.atStartGzip / 1024, 160, (value) => kib(value * 1024)),
      aim: '≤ 160 KiB',
    })
    lines.push({
      what: '… every area, without what only signing in and Stripe load',
      measured: kib(bundle.ownGzip),
    })
    lines.push({ what: 'Bundle of the floor Worker, gzip', measured: kib(bundle.floorGzip) })
  }
  return lines
}

const firstLine = ({ what, firstMs, secondMs }: First): Line => ({
  what: `CPU of an isolate’s first and second request: ${what}`,
  measured: `${ms(firstMs)}, ${ms(secondMs)}`,
})

const NAMES: Record<string, string> = {
  static: 'static JSON (Hono)',
  floorRead: 'floor: `select 1`',
  list: 'ours: list of 20',
  floorCreate: 'floor: Redis, then insert',
  create: 'ours: create',
  floorPayment: 'floor: insert, call, insert',
  payment: 'ours: card payment',
  refund: 'ours: refund',
  transfer: 'ours: transfer',
  customer: 'ours: customer',
  timeline: 'ours: page of a timeline',
  batch: `ours: batch of ${batchRecords} records`,
  link: 'one link',
  merchant: 'as many links of one merchant',
  spread: 'a merchant each',
}

function roundTable(title: string, rounds: Rounds): string {
  const rows = Object.entries(rounds).map(([name, figures]) => {
    const { perSecond, p50Ms, p95Ms, p99Ms, cpuMicros, postgresMicros } = medians(figures)
    const cells = [
      NAMES[name],
      perSecond.toFixed(0),
      p50Ms.toFixed(1),
      p95Ms.toFixed(1),
      p99Ms.toFixed(1),
      cpuMicros.toFixed(0),
      postgresMicros.toFixed(0),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = `| ${title} | requests/s | p50 ms | p95 ms | p99 ms | CPU µs/request, Worker | Postgres |\n| --- | --: | --: | --: | --: | --: | --: |`
  return [head, ...rows].join('\n')
}

function aimTable(lines: readonly Line[]): string {
  const rows = lines.map(({ what, measured, aim, met }) => {
    const verdict = met === undefined ? '' : met ? 'met' : '**not met**'
    return `| ${what} | ${measured} | ${aim ?? ''} | ${verdict} |`
  })
  return [
    'CPU: of the Worker + of Postgres.',
    '',
    '| | measured | aim | |',
    '| --- | --: | --: | --- |',
    ...rows,
  ].join('\n')
}

function followedLines({ events, missing, doubled, disordered, missedByTime, delaysMs }: Followed): Line[] {
  const { p50, p95, p99 } = delaysMs
  return [
    {
      what: `Events followed by cursor while they are made, ${events}: missed / doubled / out of their resource’s order`,
      measured: `${missing} / ${doubled} / ${disordered}`,
      aim: '0 / 0 / 0',
      met: missing + doubled + disordered === 0,
    },
    { what: '… missed by who polls created_at', measured: String(missedByTime) },
    { what: '… from creation to its page, p50 / p95 / p99', measured: `${p50} / ${p95} / ${p99} ms` },
  ]
}

const dropLine = (drop: Drop) => {
  const { buyers, units, sold, soldOut, others, succeeded, left } = drop
  return {
    what: `${buyers} buyers for ${units} units: sold / read “sold out” / other answers / payments / left`,
    measured: `${sold} / ${soldOut} / ${others.length} / ${succeeded} / ${left}; ${drop.seconds.toFixed(0)} s, submit p50 ${drop.submitP50Ms.toFixed(0)} ms, ${drop.cpuMicrosOfBuyer.toFixed(0)} + ${drop.postgresMicrosOfBuyer.toFixed(0)} µs of CPU a buyer`,
    aim: `${units} / ${buyers - units} / 0 / ${units} / 0`,
    met:
      sold === units &&
      soldOut === buyers - units &&
      others.length === 0 &&
      succeeded === units &&
      left === 0,
  }
}

/** Prints what was measured as Markdown, the aims beside the figures. */
export function printReport(measured: Measured): void {
  const { near, far, money, touched, hot, buffers } = measured
  const lines = [
    ...(near ? loadLines(near) : []),
    ...otherLines(measured),
    ...(measured.first ?? []).map(firstLine),
    ...(money ? moneyLines(money) : []),
    ...(touched ?? []).map(touchedLine),
    ...(measured.customers ? customerLines(measured.customers) : []),
    ...(measured.imports ?? []).map(importLine),
    ...(measured.month ? monthLines(measured.month) : []),
    ...(measured.memory ? heldLines(measured.memory) : []),
    ...(measured.drop ? [dropLine(measured.drop)] : []),
    ...(hot ?? []).flatMap(hotLines),
    ...(measured.readers ? readersLines(measured.readers) : []),
    ...(measured.webhooks ? webhookLines(measured.webhooks) : []),
    ...(measured.followed ? followedLines(measured.followed) : []),
    ...(buffers ?? []).flatMap(listLines),
  ]
  const tables = [
    ...(lines.length > 0 ? [aimTable(lines)] : []),
    ...(near ? [roundTable('Gateways beside the Worker', near)] : []),
    ...(money ? [roundTable('Money, gateways beside the Worker', money)] : []),
    ...(measured.customers ? [roundTable('Customers, 4 connections', measured.customers)] : []),
    ...(hot ?? []).map((each) =>
      roundTable(`${each.buyers} buyers at once, commits of ${each.commitMs} ms`, each.rounds),
    ),
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
