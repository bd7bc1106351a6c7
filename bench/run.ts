import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BuiltWorker, buildWorkers } from '../local/build.ts'
import { temporaryFolder } from '../local/children.ts'
import { reasonOf } from '../local/errors.ts'
import { PROJECT } from '../local/project.ts'
import { type ControlledStack, startControlledStack } from '../test/support/gateways/stack.ts'
import { against } from './against.ts'
import { catalogBuffers } from './catalog.ts'
import { type Asked, firstRequests } from './cold-start.ts'
import { customerBuffers, hubScenarios, timelineBuffers } from './customers.ts'
import { drop } from './drop.ts'
import { follow } from './follow.ts'
import { hotAccount } from './hot-account.ts'
import { imports } from './imports.ts'
import { type LoadProcess, measure, type Scenario, startLoad } from './interleave.ts'
import { linkBuffers, paymentBuffers } from './lists.ts'
import { LINK, newMerchant } from './merchant.ts'
import { asAdmin, openLink, payments, refunds, type Till, transfers } from './money.ts'
import { policyMicros } from './policy.ts'
import { readers } from './readers.ts'
import { type Measured, printReport } from './report.ts'
import { reportMemory } from './report-memory.ts'
import { monthReport } from './reports.ts'
import { touched } from './rows-touched.ts'
import { webhooks } from './webhooks.ts'
import { type Bare, startBare } from './workerd.ts'
import { buildFloor, bundleSizes, startUp } from './workers.ts'

const PARTS = [
  'startup',
  'policy',
  'first',
  'load',
  'latency',
  'payments',
  'refunds',
  'transfers',
  'customers',
  'imports',
  'month',
  'memory',
  'drop',
  'hot',
  'readers',
  'webhooks',
  'follow',
  'links-list',
  'payments-list',
  'customers-list',
  'timeline-list',
  'catalog-list',
  'bundle',
] as const
type Part = (typeof PARTS)[number]
const withoutStack: readonly Part[] = ['startup', 'policy']

const NEAR = { rounds: 9, connections: 32, durationMs: 1_200 }
const FAR = { rounds: 3, connections: 32, durationMs: 2_000, warmUpMs: 3_000 }
const MONEY = { rounds: 7, connections: 32, durationMs: 1_200, warmUpMs: 4_000 }
/** Few connections: a batch is 500 customers. */
const HUB = { rounds: 7, connections: 4, durationMs: 1_500, warmUpMs: 3_000 }
const HOT = [
  { rounds: 7, durationMs: 1_500, warmUpMs: 2_500, buyers: 50, commitMs: 0 },
  { rounds: 5, durationMs: 4_000, warmUpMs: 4_000, buyers: 500, commitMs: 3 },
]
const WEBHOOKS = { rounds: 5, events: 300 }
const FOLLOWED_EVENTS = 10_000
const FAR_MS = { neon: 20, redis: 3 }
const ISOLATES = 9
/** A load is one caller's. */
const unlimited = { limit: 100_000_000, period: 60 }
/** Few enough for the gateway to remember each call of them. */
const TOUCHED = { connections: 4, durationMs: 1_000 }

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    rounds: { type: 'string' },
    rows: { type: 'string' },
    against: { type: 'string' },
  },
})

const ROWS = Number(options.rows ?? 1_000_000)
const TIMELINE_ROWS = 100_000
const IMPORTED_ROWS = 100_000
const READERS = { merchants: 4, readersOfEach: 250, idleSeconds: 30, seconds: 300, tills: 10 }
const DROP = { buyers: 10_000, units: 500 }
const wanted = (...parts: Part[]) => named.length === 0 || parts.some((part) => named.includes(part))
const said = (step: string) => process.stderr.write(`${step}\n`)
const roundsOf = (shape: { rounds: number }) => Number(options.rounds ?? shape.rounds)

async function main(): Promise<void> {
  const unknown = named.find((name) => !(PARTS as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`no part is called ${unknown}; there are ${PARTS.join(', ')}`)
  const scratch = temporaryFolder('bench')
  try {
    if (options.against) {
      const near = { ...NEAR, rounds: roundsOf(NEAR) }
      const money = { ...MONEY, rounds: roundsOf(MONEY) }
      return await against(options.against, scratch.path, { near, money, isolates: ISOLATES, starts: 5 })
    }
    const loadBefore = loadavg()[0] ?? 0
    const measured: Measured = {}
    if (wanted('startup')) {
      said('start-up')
      measured.startUp = await startUp(5, scratch.path)
    }
    if (wanted('policy')) {
      said('what may be sold: three levels and a card with three terms')
      const { sandbox } = await buildWorkers()
      measured.policyMicros = policyMicros(JSON.stringify(sandbox.config.vars.FEE_SCHEDULES), NEAR.rounds)
    }
    if (PARTS.some((part) => !withoutStack.includes(part) && wanted(part))) {
      const rateLimits = { RATE_READ: unlimited, RATE_WRITE: unlimited, RATE_PUBLIC: unlimited }
      const stack = await startControlledStack({ onStep: (step) => said(step), rateLimits })
      try {
        await onStack(stack, scratch.path, measured)
      } finally {
        await stack.stop()
      }
    }
    measured.machine = { processors: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 }
    printReport(measured)
    if (options.json) await writeFile(options.json, `${JSON.stringify(measured, null, 2)}\n`)
  } finally {
    await scratch.drop()
  }
}

type Bench = { stack: ControlledStack; ours: Bare; floor: Bare; load: LoadProcess; scratch: string }

async function onStack(stack: ControlledStack, scratch: string, measured: Measured): Promise<void> {
  const floorBuilt = await buildFloor(join(PROJECT, 'dist', 'assets'))
  const { sandbox: oursBuilt } = await buildWorkers()
  if (wanted('first')) {
    said('first requests')
    const { apiKey } = await newMerchant(stack.sandbox.directUrl, 'First', 1)
    const start = () => startBare(oursBuilt, stack.sandbox.vars, scratch)
    measured.first = await firstRequests(start, firstAsked(apiKey), ISOLATES)
  }
  const ours = await startBare(oursBuilt, stack.sandbox.vars, scratch)
  const floor = await startFloor(stack, floorBuilt, scratch)
  const load = startLoad()
  try {
    await onWorkers({ stack, ours, floor, load, scratch }, measured)
  } finally {
    load.stop()
    await floor.stop()
    await ours.stop()
  }
  if (wanted('bundle')) {
    said('bundle')
    measured.bundle = { ...bundleSizes(oursBuilt), floorGzip: bundleSizes(floorBuilt).totalGzip }
  }
}

async function onWorkers(bench: Bench, measured: Measured): Promise<void> {
  const { stack, load, scratch } = bench
  if (wanted('load', 'latency')) {
    const scenarios = await linkScenarios(bench)
    if (wanted('load')) {
      said('load')
      measured.near = await measure(load, scenarios, { ...NEAR, rounds: roundsOf(NEAR) })
    }
    if (wanted('latency')) {
      said('load with latency at the gateways')
      measured.far = await withLatency(stack, load, scenarios.slice(1))
    }
  }
  if (wanted('payments', 'refunds', 'transfers')) await money(bench, measured)
  if (wanted('customers')) {
    said('customers: one, a page of a timeline, batches of records')
    const merchant = await newMerchant(stack.sandbox.directUrl, 'Hub', 0)
    const scenarios = [floorRead(bench), floorCreate(bench), ...(await hubScenarios(bench, merchant))]
    measured.customers = await measure(load, scenarios, { ...HUB, rounds: roundsOf(HUB) })
  }
  if (wanted('imports')) {
    said(`${IMPORTED_ROWS} customers by batches and by file, each twice`)
    const merchant = () => newMerchant(stack.sandbox.directUrl, 'Imports', 0)
    measured.imports = await imports(stack, merchant, IMPORTED_ROWS)
  }
  if (wanted('month')) {
    said(`the report of a month with ${ROWS} movements`)
    const merchant = await newMerchant(stack.sandbox.directUrl, 'Month', 0)
    measured.month = await monthReport(stack, merchant, ROWS)
  }
  if (wanted('memory')) {
    said(`the memory of a report of ${ROWS} movements`)
    const merchant = await newMerchant(stack.sandbox.directUrl, 'Memory', 0)
    measured.memory = await reportMemory(stack, merchant, { rows: ROWS, scratch })
  }
  if (wanted('drop')) {
    said(`${DROP.buyers} buyers for ${DROP.units} units`)
    const merchant = await newMerchant(stack.sandbox.directUrl, 'Drop', 0)
    measured.drop = await drop(stack, merchant, DROP)
  }
  if (wanted('hot')) {
    measured.hot = []
    for (const shape of HOT) {
      said(`${shape.buyers} buyers of one merchant and of one each, commits of ${shape.commitMs} ms`)
      measured.hot.push(await hotAccount(bench, load, { ...shape, rounds: roundsOf(shape) }))
    }
  }
  if (wanted('readers')) {
    said('a thousand readers that ask what to do, and ten tills')
    const merchant = () => newMerchant(stack.sandbox.directUrl, 'Counter', 0)
    measured.readers = await readers(bench, merchant, READERS)
  }
  if (wanted('webhooks')) {
    said('webhooks: a sweep of what waits, and a floor that only signs and fetches')
    const { ours, floor } = bench
    const where = { postgres: stack.postgres, ours, floor, baseUrl: stack.sandbox.directUrl }
    measured.webhooks = await webhooks(where, { rounds: roundsOf(WEBHOOKS), events: WEBHOOKS.events })
  }
  if (wanted('follow')) {
    said(`${FOLLOWED_EVENTS} events, followed while they are made`)
    const where = { postgres: stack.postgres, url: bench.ours.url, baseUrl: stack.sandbox.directUrl }
    measured.followed = await follow(where, { events: FOLLOWED_EVENTS })
  }
  const lists = [
    ['links-list', linkBuffers, ROWS],
    ['payments-list', paymentBuffers, ROWS],
    ['customers-list', customerBuffers, ROWS],
    ['timeline-list', timelineBuffers, TIMELINE_ROWS],
    ['catalog-list', catalogBuffers, ROWS],
  ] as const
  for (const [part, buffers, rows] of lists) {
    if (!wanted(part)) continue
    said(`a tenant with ${rows} rows: ${part}`)
    const { tenantId } = await newMerchant(stack.sandbox.directUrl, 'Big', 0)
    measured.buffers = (measured.buffers ?? []).concat(await buffers(stack, tenantId, rows))
  }
}

async function startFloor(stack: ControlledStack, built: BuiltWorker, scratch: string): Promise<Bare> {
  await asAdmin(stack, (client) =>
    client.query(
      `create table public.bench_floor (id uuid primary key, body jsonb not null, created_at timestamptz not null default now());
       grant select, insert on public.bench_floor to spindle_worker`,
    ),
  )
  return startBare(built, stack.sandbox.vars, scratch)
}

/** The kit alone, then areas: the second area is called in an isolate that has loaded the first. */
const firstAsked = (apiKey: string): readonly Asked[] => {
  const headers = { Authorization: `Bearer ${apiKey}` }
  return [
    { what: 'nothing there, with all of the process’s start', path: '/v1/nothing', headers },
    { what: 'then a list of links', path: '/v1/payment-links', headers },
    { what: 'then of payments', path: '/v1/payment-operations/payments', headers },
    { what: 'then of webhook endpoints', path: '/v1/webhooks/endpoints', headers },
  ]
}

const JSON_BODY = { 'Content-Type': 'application/json' }

const get = (url: string, headers: Record<string, string> = {}) =>
  ({ url, method: 'GET', headers, expectedStatus: 200 }) as const

const post = (url: string, headers: Record<string, string> = {}) =>
  ({
    url,
    method: 'POST',
    headers: { ...JSON_BODY, ...headers },
    requests: [{ body: JSON.stringify(LINK) }],
    expectedStatus: 201,
  }) as const

const floorCreate = ({ floor }: Bench): Scenario => ({
  name: 'floorCreate',
  load: post(`${floor.url}/create`),
  worker: floor,
})

const floorRead = ({ floor }: Bench): Scenario => ({
  name: 'floorRead',
  load: get(`${floor.url}/read`),
  worker: floor,
})

async function linkScenarios(bench: Bench): Promise<Scenario[]> {
  const { stack, ours, floor } = bench
  const reader = await newMerchant(stack.sandbox.directUrl, 'Reader', 40)
  const writer = await newMerchant(stack.sandbox.directUrl, 'Writer', 0)
  const links = `${ours.url}/v1/payment-links`
  const bearer = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` })
  return [
    { name: 'static', load: get(`${floor.url}/static`), worker: floor },
    floorRead(bench),
    { name: 'list', load: get(links, bearer(reader.apiKey)), worker: ours },
    floorCreate(bench),
    { name: 'create', load: post(links, bearer(writer.apiKey)), worker: ours },
  ]
}

async function money(bench: Bench, measured: Measured): Promise<void> {
  said('payments, refunds, transfers')
  const { stack, load } = bench
  const merchant = () => newMerchant(stack.sandbox.directUrl, 'Merchant', 0)
  const ours: Scenario[] = []
  if (wanted('payments')) ours.push(await paying(bench, await merchant()))
  if (wanted('refunds')) ours.push(await refunds(bench, await merchant()))
  if (wanted('transfers')) ours.push(await transfers(bench, await merchant()))
  const floors = [
    ...(wanted('payments') ? [floorPayment(bench, ours[0]!)] : []),
    ...(wanted('refunds', 'transfers') ? [floorCreate(bench)] : []),
  ]
  measured.money = await measure(load, [...floors, ...ours], { ...MONEY, rounds: roundsOf(MONEY) })
  measured.touched = []
  for (const { name, load: what } of ours)
    measured.touched.push(
      await touched(stack, name, async () => (await load.run({ ...what, ...TOUCHED })).count),
    )
}

const paying = async (till: Till, merchant: Parameters<typeof openLink>[1]) =>
  payments('payment', till, [await openLink(till, merchant)])

/** The floor gets the same form as ours. */
const floorPayment = ({ floor }: Bench, { load }: Scenario): Scenario => ({
  name: 'floorPayment',
  load: {
    ...load,
    url: `${floor.url}/payment`,
    requests: (load.requests ?? []).map(({ body }) => ({ body: body! })),
  },
  worker: floor,
})

async function withLatency(stack: ControlledStack, load: LoadProcess, scenarios: readonly Scenario[]) {
  stack.neon.setLatencyMs(FAR_MS.neon)
  stack.redis.setLatencyMs(FAR_MS.redis)
  try {
    return await measure(load, scenarios, FAR)
  } finally {
    stack.neon.setLatencyMs(0)
    stack.redis.setLatencyMs(0)
  }
}

main().catch((cause) => {
  process.stderr.write(`${reasonOf(cause)}\n`)
  process.exitCode = 1
})
