import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { buildAssets } from './assets.ts'
import { reasonOf, StackError } from './errors.ts'
import type { Environment } from './postgres.ts'
import { PROJECT } from './project.ts'
import type { RateLimit } from './rate-limit-plugin.ts'

const run = promisify(execFile)

export const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'live']
const INPUTS = [
  'src',
  'functions',
  'drizzle',
  'openapi.json',
  'wrangler.toml',
  'package-lock.json',
  'local/build.ts',
  'local/assets.ts',
  'local/docs',
]

/** What wrangler.toml says of one environment, as far as the local stack needs it. */
export type WorkerConfig = {
  name: string
  compatibilityDate: string
  compatibilityFlags: string[]
  vars: Record<string, unknown>
  rateLimits: Record<string, RateLimit>
  crons: string[]
}

export type BuiltWorker = {
  /** Holds `worker.js` and the modules it imports, as wrangler would upload them. */
  folder: string
  assetsFolder: string
  config: WorkerConfig
}

export type BuiltWorkers = Record<Environment, BuiltWorker>

/**
 * Bundles both Workers as `wrangler deploy` would, into `dist/<environment>`; what was built from the same sources before
 * is used again. Two stacks may build at once.
 * @throws StackError with wrangler's own words when the sources do not build
 */
export async function buildWorkers(project = PROJECT): Promise<BuiltWorkers> {
  const digest = digestOf(project)
  const assetsFolder = join(project, 'dist', 'assets')
  const kept = await Promise.all(ENVIRONMENTS.map((environment) => keptBuild(project, environment, digest)))
  if (kept.includes(undefined) || !existsSync(assetsFolder)) await buildAssets(project)
  const [sandbox, live] = await Promise.all(
    ENVIRONMENTS.map(async (environment, index) => ({
      folder: join(project, 'dist', environment),
      assetsFolder,
      config: kept[index] ?? (await build(project, environment, digest)),
    })),
  )
  return { sandbox: sandbox as BuiltWorker, live: live as BuiltWorker }
}

const STAMP = '.built.json'

async function keptBuild(
  project: string,
  environment: Environment,
  digest: string,
): Promise<WorkerConfig | undefined> {
  try {
    const stamp = await readFile(join(project, 'dist', environment, STAMP), 'utf8')
    const known = JSON.parse(stamp) as { digest: string; config: WorkerConfig }
    return known.digest === digest ? known.config : undefined
  } catch {
    return undefined
  }
}

async function build(project: string, environment: Environment, digest: string): Promise<WorkerConfig> {
  const folder = join(project, 'dist', environment)
  const fresh = `${folder}-${process.pid}`
  await bundle(project, environment, fresh)
  const config = await readConfig(project, environment)
  await writeFile(join(fresh, STAMP), JSON.stringify({ digest, config }))
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true })) // another stack was first
  return config
}

async function bundle(project: string, environment: Environment, folder: string): Promise<void> {
  const wrangler = join(PROJECT, 'node_modules', 'wrangler', 'bin', 'wrangler.js')
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', folder, '--env', environment]
  try {
    await run(process.execPath, args, {
      cwd: project,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
    })
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    const { stderr } = cause as { stderr?: string }
    throw new StackError(`The ${environment} Worker does not build:\n${stderr?.trim() || reasonOf(cause)}`)
  }
}

async function readConfig(project: string, environment: Environment): Promise<WorkerConfig> {
  const { unstable_readConfig } = await import('wrangler') // a second to load, so only where something changed
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
  }
}

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
export function modulesOf(
  folder: string,
): Record<string, { type: 'esm' | 'text' | 'wasm' | 'data'; contents: string | Uint8Array<ArrayBuffer> }> {
  const types = {
    js: 'esm',
    mjs: 'esm',
    wasm: 'wasm',
    bin: 'data',
    txt: 'text',
    html: 'text',
    sql: 'text',
  } as const
  const modules: ReturnType<typeof modulesOf> = {}
  for (const file of filesUnder(folder)) {
    const extension = file.slice(file.lastIndexOf('.') + 1)
    if (!(extension in types)) continue
    const type = types[extension as keyof typeof types]
    const binary = type === 'wasm' || type === 'data'
    modules[relative(folder, file)] = {
      type,
      contents: binary ? new Uint8Array(readFileSync(file)) : readFileSync(file, 'utf8'),
    }
  }
  return modules
}

if (import.meta.main) await buildWorkers()
