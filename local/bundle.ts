import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { build, type OutputFile } from 'esbuild'
import { leftOut } from './left-out.ts'
import { PROJECT } from './project.ts'

// wrangler bundles to one module: everything that `import()` reaches would be compiled at start-up with the rest, and
// kept whole. Here it gets modules of its own. wrangler.toml runs this file as its build and uploads the modules as they
// are, so that a deployment, `npm start`, the tests and the bench all run the same ones.

/** Where wrangler.toml has its `main`. */
export const WORKER_FOLDER = join('dist', 'worker')

/**
 * Builds the Worker's modules; the main one is `worker.js`. What is there already stays untouched, so that builds of the
 * same sources at once do not disturb each other.
 */
export async function bundleWorker(project = PROJECT): Promise<string> {
  const folder = join(project, WORKER_FOLDER)
  const { outputFiles } = await build({
    absWorkingDir: project,
    entryPoints: { worker: 'src/worker.ts' },
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*', 'cloudflare:*'],
    define: { 'process.env.NODE_ENV': '"production"', 'navigator.userAgent': '"Cloudflare-Workers"' },
    plugins: [leftOut],
    logLevel: 'error',
  })
  if (await isThere(folder, outputFiles)) return folder
  const fresh = `${folder}-${process.pid}`
  await mkdir(fresh, { recursive: true })
  for (const { path, contents } of outputFiles) await writeFile(join(fresh, basename(path)), contents)
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true })) // another build was first
  return folder
}

async function isThere(folder: string, built: readonly OutputFile[]): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  if (names.filter((name) => name.endsWith('.js')).length !== built.length) return false
  const same = built.map(async ({ path, text }) => (await readFile(path, 'utf8').catch(() => '')) === text)
  return (await Promise.all(same)).every(Boolean)
}

if (import.meta.main) await bundleWorker()
