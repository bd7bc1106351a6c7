import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../../local/children.ts'
import { PROJECT } from '../../local/project.ts'
import { migrateDatabases } from '../../local/stack.ts'
import { mutants } from './list.ts'
import { type Mutant, mutated } from './mutant.ts'

const HELP = `npm run mutants [-- options] [part of a name …]

Takes one guard out at a time, in a copy of this folder, and runs the tests that should notice. A guard that no test
misses has survived, and fails the run; so does a mutant that does not load, or whose text is no longer in its file.

  --project=unit   only what tests of this project notice: unit, stack or exclusive
  --at-once=2      how many run at once; without it, one for each processor
  --list           only shows the list
  --help           this text`

const { values, positionals } = parseArgs({
  options: {
    project: { type: 'string' },
    'at-once': { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const chosen = mutants.filter(
  ({ name, project }) =>
    (values.project ?? project) === project &&
    (positionals.length === 0 || positionals.some((part) => name.toLowerCase().includes(part.toLowerCase()))),
)

type Verdict = 'killed' | 'SURVIVED' | 'stale anchor' | 'does not load' | 'fails without it'
interface Result {
  readonly mutant: Mutant
  readonly verdict: Verdict
  readonly seconds: number
  readonly note: string
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}

async function runAll(): Promise<void> {
  const atOnce = Math.min(Number(values['at-once'] ?? availableParallelism()), chosen.length)
  const folders = Array.from({ length: atOnce }, copyOfProject)
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  const misfits = misfitsIn(folders[0]!)
  const able = chosen.filter(({ name }) => !misfits.has(name))
  const unharmed = await testsUnharmed(folders[0]!, able)
  const results: Result[] = []
  const left = chosen.values()
  const oneByOne = async (folder: string) => {
    for (const mutant of left) {
      const startedAt = Date.now()
      const [verdict, note] = misfits.get(mutant.name) ?? (await judge(folder, mutant, unharmed))
      results.push({ mutant, verdict, note, seconds: Math.round((Date.now() - startedAt) / 1000) })
      console.log(lineOf(results.at(-1)!))
    }
  }
  await Promise.all(folders.map(oneByOne))
  report(results)
}

let databases: ReturnType<typeof migrateDatabases> | undefined
/** Databases that no mutant has touched, made once: for mutants of what no migration reads. */
const migrated = async (): Promise<string> => {
  databases ??= migrateDatabases(join(temporaryFolder('migrated').path, 'data'))
  return JSON.stringify(await databases)
}

/** What git knows or would add, uncommitted changes included; packages by a link. */
function copyOfProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spindle-mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  for (const path of listed.split('\0')) {
    if (path === '' || !existsSync(join(PROJECT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(PROJECT, path), join(folder, path))
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** What is left of a text where other mutants were taken out; null where they took this one's guard with them. */
function besideOthers(mutant: Mutant, text: string | undefined): string | null {
  try {
    return text === undefined ? null : mutated(mutant, text)
  } catch {
    return null
  }
}

/** Why a mutant cannot be run, by its name: its text has gone, or its file no longer compiles. All of them at once. */
function misfitsIn(folder: string): ReadonlyMap<string, readonly [Verdict, string]> {
  const misfits = new Map<string, readonly [Verdict, string]>()
  const texts = new Map<string, string>()
  for (const mutant of chosen) {
    const { name, file } = mutant
    const source = readFileSync(join(folder, file), 'utf8')
    try {
      const alone = mutated(mutant, source)
      texts.set(file, besideOthers(mutant, texts.get(file)) ?? texts.get(file) ?? alone)
    } catch (error) {
      misfits.set(name, ['stale anchor', (error as Error).message])
    }
  }
  const sources = [...texts].filter(([file]) => file.endsWith('.ts'))
  if (sources.length === 0) return misfits
  const originals = sources.map(([file]) => [file, readFileSync(join(folder, file), 'utf8')] as const)
  for (const [file, text] of sources) writeFileSync(join(folder, file), text)
  const loose = [
    '--noEmit',
    '--noUnusedLocals',
    'false',
    '--noUnusedParameters',
    'false',
    '--pretty',
    'false',
  ]
  const { stdout } = spawnSync('npx', ['tsc', ...loose], { cwd: folder, encoding: 'utf8' })
  for (const [file, text] of originals) writeFileSync(join(folder, file), text)
  for (const { name, file } of chosen) {
    const said = stdout.split('\n').find((line) => line.startsWith(`${file}(`))
    if (said !== undefined && !misfits.has(name)) misfits.set(name, ['does not load', said])
  }
  return misfits
}

/** The tests of these mutants on the code as it is: few runs, since each starts a stack. */
async function testsUnharmed(folder: string, able: readonly Mutant[]): Promise<readonly Test[]> {
  const found: Test[] = []
  for (const group of Map.groupBy(able, ({ project, only }) => `${project} ${only === undefined}`).values()) {
    const tests = [...new Set(group.flatMap((mutant) => mutant.tests))]
    const names = group.flatMap(({ only = [] }) => only)
    found.push(...(await run(folder, { project: group[0]!.project, tests, names })).tests)
  }
  return found
}

async function judge(
  folder: string,
  mutant: Mutant,
  unharmed: readonly Test[],
): Promise<readonly [Verdict, string]> {
  const { project, tests, only } = mutant
  const own = unharmed.filter(
    ({ file, name }) => tests.some((path) => file.endsWith(path)) && name.includes(only ?? ''),
  )
  const broken = own.find(({ passed }) => !passed)
  if (broken || own.length === 0) return ['fails without it', broken?.name ?? 'no such test']
  const path = join(folder, mutant.file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, mutated(mutant, text))
  const isOfDatabase = mutant.file.startsWith('drizzle/')
  const after = await run(folder, {
    project,
    tests,
    names: only === undefined ? [] : [only],
    more: ['--bail=1'],
    ...(!isOfDatabase && project !== 'unit' && { env: { MIGRATED_DATABASES: await migrated() } }),
  })
  writeFileSync(path, text)
  const failed = after.tests.find(({ passed }) => !passed)
  if (failed) return ['killed', failed.name]
  return after.passed ? ['SURVIVED', `${own.length} tests pass`] : ['does not load', after.said]
}

interface Test {
  readonly file: string
  readonly name: string
  readonly passed: boolean
}

interface Run {
  readonly passed: boolean
  /** The tests that ran; none where a file did not load or no stack started. */
  readonly tests: readonly Test[]
  readonly said: string
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

interface Asked {
  readonly project: string
  readonly tests: readonly string[]
  /** Only the tests whose names contain one of these; all where there is none. */
  readonly names: readonly string[]
  readonly more?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

async function run(folder: string, asked: Asked): Promise<Run> {
  const { project, tests: files, names, more = [] } = asked
  const told = join(folder, 'dist', 'mutant.json')
  rmSync(told, { force: true })
  const args = [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=json',
    `--outputFile.json=${told}`,
    ...more,
  ]
  if (names.length > 0) args.push('-t', names.map(inPattern).join('|'))
  const env = { ...process.env, ...asked.env, TESTS: 'all' } // a named test may be one that `npm test` leaves out
  const child = spawn('npx', [...args, ...files], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk
    })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (!existsSync(told)) return { passed: false, tests: [], said: lastLine(said) }
  const { testResults } = JSON.parse(readFileSync(told, 'utf8')) as Report
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status }) => ({ file, name: fullName, passed: status === 'passed' })),
  )
  const message = testResults.find(({ message }) => message !== '')?.message ?? said
  return { passed: code === 0, tests, said: lastLine(message) }
}

const inPattern = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? ''

const lineOf = ({ mutant, verdict, seconds, note }: Result): string =>
  `${verdict.padEnd(16)}  ${mutant.project.padEnd(9)}  ${String(seconds).padStart(4)} s  ${mutant.name}: ${note}`

function report(results: readonly Result[]): void {
  const others = results.filter(({ verdict }) => verdict !== 'killed')
  console.log(`\n${results.length - others.length} of ${results.length} mutants killed`)
  for (const result of others) console.log(lineOf(result))
  if (others.length > 0) process.exitCode = 1
}

if (values.help) console.log(HELP)
else if (values.list)
  for (const { name, project, file } of chosen) console.log(`${project}\t${file}\t${name}`)
else if (chosen.length === 0) fail('no mutant has such a name')
else await runAll()
