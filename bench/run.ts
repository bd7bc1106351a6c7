import { writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type BuiltWorker, buildWorkers } from '../local/build.ts'
import { temporaryFolder } from '../local/children.ts'
import { reasonOf } from '../local/errors.ts'
import { PROJECT } from '../local/project.ts'
import { type Stack, startStack } from '../local/stack.ts'
import { listBuffers } from './buffers.ts'
import { LINK, newMerchant } from './merchant.ts'
import { type Measured, printReport } from './report.ts'
import { type LoadProcess, measure, type Scenario, startLoad } from './rounds.ts'
import { type Bare, startBare } from './workerd.ts'
import { buildFloor, bundleSizes, startUp } from './workers.ts'

const NEAR = { rounds: 9, connections: 32, durationMs: 1_200 }
const FAR = { rounds: 3, connections: 32, durationMs: 2_000 }
const FAR_MS = { neon: 20, redis: 3 }
const ROWS = 1_000_000
const PARTS = ['load', 'latency', 'startup', 'bundle', 'buffers'] as const
type Part = (typeof PARTS)[number]

const { values: options } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string', multiple: true },
    rounds: { type: 'string' },
  },
})

const wanted = (part: Part) => !options.only || options.only.includes(part)
const said = (step: string) => process.stderr.write(`${step}\n`)

async function main(): Promise<void> {
  const scratch = temporaryFolder('bench')
  try {
    const loadBefore = loadavg()[0] ?? 0
    const measured: Measured = {}
    if (wanted('startup')) {
      said('start-up')
      measured.startUp = await startUp(7, scratch.path)
    }
    const stack = await startStack({ onStep: (step) => said(step) })
    try {
      await onStack(stack, scratch.path, measured)
    } finally {
      await stack.stop()
    }
    measured.machine = { processors: availableParallelism(), loadBefore, loadAfter: loadavg()[0] ?? 0 }
    printReport(measured)
    if (options.json) await writeFile(options.json, `${JSON.stringify(measured, null, 2)}\n`)
  } finally {
    await scratch.drop()
  }
}

async function onStack(stack: Stack, scratch: string, measured: Measured): Promise<void> {
  const floorBuilt = await buildFloor(join(PROJECT, 'dist', 'assets'))
  const { sandbox: oursBuilt } = await buildWorkers()
  const ours = await startBare(oursBuilt, stack.sandbox.vars, scratch)
  const floor = await startFloor(stack, floorBuilt, scratch)
  const load = startLoad()
  try {
    const reader = await newMerchant(stack.sandbox.directUrl, 'Reader', 40)
    const writer = await newMerchant(stack.sandbox.directUrl, 'Writer', 0)
    const scenarios = scenariosOf(ours, floor, reader.apiKey, writer.apiKey)
    if (wanted('load')) {
      said('load')
      measured.near = await measure(load, scenarios, {
        ...NEAR,
        rounds: Number(options.rounds ?? NEAR.rounds),
      })
    }
    if (wanted('latency')) {
      said('load with latency at the gateways')
      measured.far = await withLatency(stack, load, scenarios.slice(1))
    }
    if (wanted('buffers')) {
      said(`a tenant with ${ROWS} payment links`)
      const big = await newMerchant(stack.sandbox.directUrl, 'Big', 0)
      measured.buffers = await listBuffers(stack.postgres, big.tenantId, ROWS)
    }
  } finally {
    load.stop()
    await floor.stop()
    await ours.stop()
  }
  if (wanted('bundle')) {
    said('bundle')
    measured.bundle = bundleSizes(oursBuilt, floorBuilt)
  }
}

async function startFloor(stack: Stack, built: BuiltWorker, scratch: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: stack.postgres.adminUrl('sandbox') })
  await client.connect()
  await client.query(
    `create table public.bench_floor (id uuid primary key, body jsonb not null, created_at timestamptz not null default now());
     grant select, insert on public.bench_floor to spindle_worker`,
  )
  await client.end()
  return startBare(built, stack.sandbox.vars, scratch)
}

function scenariosOf(ours: Bare, floor: Bare, readKey: string, writeKey: string): Scenario[] {
  const get = (url: string, headers: Record<string, string> = {}) =>
    ({ url, method: 'GET', headers, expectedStatus: 200 }) as const
  const post = (url: string, headers: Record<string, string> = {}) =>
    ({
      url,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(LINK),
      expectedStatus: 201,
    }) as const
  const links = `${ours.url}/v1/payment-links`
  const bearer = (apiKey: string) => ({ Authorization: `Bearer ${apiKey}` })
  return [
    { name: 'static', load: get(`${floor.url}/static`), pid: floor.pid },
    { name: 'floorRead', load: get(`${floor.url}/read`), pid: floor.pid },
    { name: 'list', load: get(links, bearer(readKey)), pid: ours.pid },
    { name: 'floorCreate', load: post(`${floor.url}/create`), pid: floor.pid },
    { name: 'create', load: post(links, bearer(writeKey)), pid: ours.pid },
  ]
}

async function withLatency(stack: Stack, load: LoadProcess, scenarios: readonly Scenario[]) {
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
