import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { BuiltWorker } from '../local/build.ts'
import { temporaryFolder } from '../local/children.ts'
import { reasonOf } from '../local/errors.ts'
import { PROJECT } from '../local/project.ts'
import { type Stack, startStack } from '../local/stack.ts'
import { type RunningWorker, startWorker } from '../local/workers.ts'
import { listBuffers } from './buffers.ts'
import { LINK, newMerchant } from './merchant.ts'
import { type Measured, printReport } from './report.ts'
import { type LoadProcess, measure, type Scenario, startLoad } from './rounds.ts'
import { buildFloor, bundleSizes, startUp } from './workers.ts'

const RAISED = Object.fromEntries(
  ['RATE_READ', 'RATE_WRITE', 'RATE_PUBLIC', 'RATE_AUTH'].map((name) => [
    name,
    { limit: 100_000_000, period: 60 },
  ]),
)
const NEAR = { rounds: 7, connections: 32, durationMs: 1_500 }
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
    const measured: Measured = {}
    if (wanted('startup')) {
      said('start-up')
      measured.startUp = await startUp(7, scratch.path)
    }
    const stack = await startStack({ rateLimits: RAISED, onStep: (step) => said(step) })
    try {
      await onStack(stack, scratch.path, measured)
    } finally {
      await stack.stop()
    }
    printReport(measured)
    if (options.json) await writeFile(options.json, `${JSON.stringify(measured, null, 2)}\n`)
  } finally {
    await scratch.drop()
  }
}

async function onStack(stack: Stack, scratch: string, measured: Measured): Promise<void> {
  const floorBuilt = await buildFloor(join(PROJECT, 'dist', 'assets'))
  const floor = await startFloor(stack, floorBuilt)
  const load = startLoad()
  try {
    const reader = await newMerchant(stack.sandbox.directUrl, 'Reader', 40)
    const writer = await newMerchant(stack.sandbox.directUrl, 'Writer', 0)
    const scenarios = scenariosOf(stack, floor, reader.apiKey, writer.apiKey)
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
  }
  if (wanted('bundle')) {
    said('bundle')
    const ours: BuiltWorker = { ...floorBuilt, folder: join(PROJECT, 'dist', 'sandbox') }
    measured.bundle = await bundleSizes(ours, floorBuilt, scratch)
  }
}

async function startFloor(stack: Stack, built: BuiltWorker): Promise<RunningWorker> {
  const client = new pg.Client({ connectionString: stack.postgres.adminUrl('sandbox') })
  await client.connect()
  await client.query(
    `create table public.bench_floor (id uuid primary key, body jsonb not null, created_at timestamptz not null default now());
     grant select, insert on public.bench_floor to spindle_worker`,
  )
  await client.end()
  return startWorker(built, {
    vars: {
      DATABASE_URL: stack.postgres.workerUrl('sandbox'),
      NEON_FETCH_ENDPOINT: stack.neon.url,
      UPSTASH_REDIS_REST_URL: stack.redis.url,
      UPSTASH_REDIS_REST_TOKEN: stack.sandbox.redisToken,
    },
  })
}

function scenariosOf(stack: Stack, floor: RunningWorker, readKey: string, writeKey: string): Scenario[] {
  const json = { 'Content-Type': 'application/json' }
  const get = (url: string, headers: Record<string, string> = {}) =>
    ({ url, method: 'GET', headers, expectedStatus: 200 }) as const
  const post = (url: string, headers: Record<string, string>) =>
    ({
      url,
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(LINK),
      expectedStatus: 201,
    }) as const
  const ours = stack.sandbox.directUrl
  const pid = () => stack.sandbox.worker.pid()
  return [
    { name: 'static', load: get(`${floor.directUrl}/static`), pid: floor.pid },
    { name: 'floorRead', load: get(`${floor.directUrl}/read`), pid: floor.pid },
    { name: 'list', load: get(`${ours}/v1/payment-links`, { Authorization: `Bearer ${readKey}` }), pid },
    { name: 'floorCreate', load: post(`${floor.directUrl}/create`, {}), pid: floor.pid },
    { name: 'create', load: post(`${ours}/v1/payment-links`, { Authorization: `Bearer ${writeKey}` }), pid },
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
