import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { bundlePatches } from './bundle-patches.ts'
import { ownSources } from './own-sources.ts'
import { PROJECT } from './project.ts'

// wrangler bundles to one module: workerd would compile all that `import()` reaches at start-up, and esbuild would keep
// it whole. This build gives it modules of its own. wrangler.toml runs this file as its build and uploads the
// modules unchanged, so that a deployment, `npm start`, the tests and the bench all run the same ones.

/** Where wrangler.toml has its `main`. */
export const WORKER_FOLDER = join('dist', 'worker')
const MAIN = 'worker.js'

/** The Worker's modules by their names in the upload. `main`: another entry, as tests have one. */
export async function workerModules(project = PROJECT, main = 'src/worker.ts'): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: { worker: main },
    outdir: WORKER_FOLDER,
    write: false,
    bundle: true,
    splitting: true,
    // The name of an area's file would be in every isolate's text, once for each area.
    chunkNames: '[hash]',
    format: 'esm',
    minify: true,
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    // Keys, checks and indexes of the tables (drizzle/schema): only migrations need them.
    dropLabels: ['CONSTRAINTS', 'TOOLS'],
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    plugins: [bundlePatches, ownSources],
    logLevel: 'error',
  })
  return numbered(new Map(outputFiles.map(({ path, text }) => [basename(path), text])))
}

/** The modules under numbers: a digest does not compress, and every isolate's text names all areas' modules. */
function numbered(modules: ReadonlyMap<string, string>): Map<string, string> {
  const names = [...modules.keys()].filter((name) => name !== MAIN).toSorted()
  const numbers = new Map(names.map((name, at) => [name, `${at}.js`]))
  const nameOf = (name: string) => numbers.get(name) ?? name
  const textOf = (text: string) =>
    text.replaceAll(/"\.\/([A-Z0-9]{8}\.js)"/g, (_, name) => `"./${nameOf(name)}"`)
  return new Map([...modules].map(([name, text]) => [nameOf(name), textOf(text)]))
}

/** The modules loaded before the first request: those that static imports reach from the main one. */
export const modulesAtStart = (modules: ReadonlyMap<string, string>) => modulesReached(modules, () => false)

/** The modules reached from the main one, by static imports and by each `import()` that `follow` accepts. */
export function modulesReached(
  modules: ReadonlyMap<string, string>,
  follow: (name: string) => boolean,
): string[] {
  const reached = new Set([MAIN])
  for (const name of reached) {
    const text = modules.get(name)
    if (text === undefined) throw new Error(`no module ${name}`)
    for (const [, other] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) reached.add(other!)
    for (const [, other] of text.matchAll(/import\("\.\/([^"]+)"\)/g)) if (follow(other!)) reached.add(other!)
  }
  return [...reached]
}

/** Builds into a folder. An identical build stays untouched, so that concurrent builds do not collide. */
export async function bundleWorker(
  project = PROJECT,
  main = 'src/worker.ts',
  into = WORKER_FOLDER,
): Promise<string> {
  const folder = join(project, into)
  const modules = await workerModules(project, main)
  if (await isThere(folder, modules)) return folder
  const fresh = `${folder}-${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const [name, text] of modules) await writeFile(join(fresh, name), text)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true })) // another build was first
  return folder
}

async function isThere(folder: string, modules: ReadonlyMap<string, string>): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  if (names.filter((name) => name.endsWith('.js')).length !== modules.size) return false
  const same = [...modules].map(
    async ([name, text]) => (await readFile(join(folder, name), 'utf8').catch(() => null)) === text,
  )
  return (await Promise.all(same)).every(Boolean)
}

if (import.meta.main) await bundleWorker()
