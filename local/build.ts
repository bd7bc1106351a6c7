import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { bundleWorker, WORKER_FOLDER } from './bundle.ts'
import { reasonOf, StackError } from './errors.ts'
import type { Environment } from './postgres.ts'
import { PROJECT } from './project.ts'
import type { RateLimit } from './rate-limit-plugin.ts'

export const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
const INPUTS = [
  'src',
  'functions',
  'drizzle',
  'wrangler.toml',
  'package-lock.json',
  'local/build.ts',
  'local/bundle.ts',
  'local/bundle-patches.ts',
  'local/assets.ts',
  'local/docs',
  'local/openapi',
  'local/openapi.ts',
  'local/access.ts',
  'local/declarations.ts',
  'local/operations.ts',
  'docs',
]

/** The part of one environment's wrangler.toml that the local stack needs. */
export type WorkerConfig = {
  name: string
  compatibilityDate: string
  compatibilityFlags: string[]
  vars: Record<string, unknown>
  rateLimits: Record<string, RateLimit>
  crons: string[]
  /** Names of R2 buckets by binding. */
  buckets: Record<string, string>
  /** Producers by binding, and what this Worker consumes. */
  queues: { producers: Record<string, string>; consumers: QueueConsumer[] }
}

export type QueueConsumer = {
  name: string
  maxBatchSize: number
  maxBatchTimeout: number
  maxRetries: number
}

export type BuiltWorker = {
  /** Holds `worker.js` and the modules it imports, as wrangler would upload them. */
  folder: string
  assetsFolder: string
  config: WorkerConfig
}

export type BuiltWorkers = Record<Environment, BuiltWorker>

const underWay = new Map<string, Promise<BuiltWorkers>>()

/**
 * Bundles the Worker as `wrangler deploy` would upload it, for both environments; reuses an earlier build of the same
 * sources. Two stacks may build at once.
 * @throws StackError with the bundler's message when the sources do not build
 */
export async function buildWorkers(project = PROJECT): Promise<BuiltWorkers> {
  const digest = digestOf(project)
  const key = `${project} ${digest}`
  const building = underWay.get(key) ?? buildOnce(project, digest).finally(() => underWay.delete(key))
  underWay.set(key, building)
  return building
}

async function buildOnce(project: string, digest: string): Promise<BuiltWorkers> {
  const assetsFolder = join(project, 'dist', 'assets')
  const folder = join(project, WORKER_FOLDER)
  const kept = await keptBuild(folder, digest)
  if (!kept || !existsSync(assetsFolder)) {
    const { buildAssets } = await import('./assets.ts') // loads every operation, which takes seconds
    await buildAssets(project)
  }
  const configs = kept ?? (await build(project, digest))
  const of = (environment: Environment) => ({ folder, assetsFolder, config: configs[environment] })
  return { sandbox: of('sandbox'), live: of('live') }
}

const STAMP = '.built.json'

type Configs = Record<Environment, WorkerConfig>

async function keptBuild(folder: string, digest: string): Promise<Configs | undefined> {
  try {
    const known = JSON.parse(await readFile(join(folder, STAMP), 'utf8')) as {
      digest: string
      configs: Configs
    }
    return known.digest === digest ? known.configs : undefined
  } catch {
    return undefined
  }
}

async function build(project: string, digest: string): Promise<Configs> {
  let folder: string
  try {
    folder = await bundleWorker(project)
  } catch (cause) {
    throw new StackError(`The Worker does not build:\n${reasonOf(cause)}`)
  }
  const [sandbox, live] = await Promise.all([readConfig(project, 'sandbox'), readConfig(project, 'live')])
  const configs = { sandbox, live }
  const fresh = join(folder, `${STAMP}-${process.pid}`)
  await writeFile(fresh, JSON.stringify({ digest, configs }))
  await rename(fresh, join(folder, STAMP))
  return configs
}

async function readConfig(project: string, environment: Environment): Promise<WorkerConfig> {
  const { unstable_readConfig } = await import('wrangler') // takes a second to load, so only when sources changed
  const config = unstable_readConfig(
    { config: join(project, 'wrangler.toml'), env: environment },
    { hideWarnings: true },
  )
  if (!config.name || !config.compatibility_date)
    throw new StackError('wrangler.toml lacks name or compatibility_date')
  return {
    name: config.name,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    vars: config.vars,
    rateLimits: Object.fromEntries(
      (config.ratelimits as { name: string; simple: RateLimit }[]).map(({ name, simple }) => [name, simple]),
    ),
    crons: config.triggers.crons ?? [],
    buckets: Object.fromEntries(
      (config.r2_buckets as { binding: string; bucket_name: string }[]).map((each) => [
        each.binding,
        each.bucket_name,
      ]),
    ),
    queues: queuesOf(config.queues),
  }
}

type Queues = {
  producers?: { binding: string; queue: string }[]
  consumers?: {
    queue: string
    max_batch_size?: number
    max_batch_timeout?: number
    max_retries?: number | null
  }[]
}

const queuesOf = ({ producers = [], consumers = [] }: Queues): WorkerConfig['queues'] => ({
  producers: Object.fromEntries(producers.map(({ binding, queue }) => [binding, queue])),
  consumers: consumers.map(({ queue, max_batch_size, max_batch_timeout, max_retries }) => ({
    name: queue,
    maxBatchSize: max_batch_size ?? 10,
    maxBatchTimeout: max_batch_timeout ?? 5,
    maxRetries: max_retries ?? 3,
  })),
})

function digestOf(project: string): string {
  const hash = createHash('sha256')
  for (const input of INPUTS) {
    for (const file of filesUnder(join(project, input))) {
      hash
        .update(`${relative(project, file)}\0`)
        .update(readFileSync(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

function filesUnder(path: string): string[] {
  if (!existsSync(path)) return []
  if (statSync(path).isFile()) return [path]
  const names = readdirSync(path).sort()
  return names.flatMap((name) => filesUnder(join(path, name)))
}

/** The modules of a built Worker by their name in the upload, main module included. */
export const modulesOf = (folder: string): Record<string, { type: 'esm'; contents: string }> =>
  Object.fromEntries(
    filesUnder(folder)
      .filter((file) => file.endsWith('.js'))
      .map((file) => [relative(folder, file), { type: 'esm', contents: readFileSync(file, 'utf8') }]),
  )

if (import.meta.main) await buildWorkers()
