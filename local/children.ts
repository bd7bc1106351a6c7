import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reasonOf, StackError } from './errors.ts'

type GuardianOrder =
  | { hold: number; signal: NodeJS.Signals }
  | { release: number }
  | { holdFolder: string }
  | { releaseFolder: string }

let guardian: ChildProcess | undefined

/** Starts the guardian on first use: the process that ends our children if this process is killed. */
function tellGuardian(order: GuardianOrder): void {
  if (!guardian) {
    guardian = spawn(process.execPath, [fileURLToPath(new URL('./reaper.cjs', import.meta.url))], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    guardian.unref()
    guardian.stdin?.on('error', () => {})
    if (guardian.stdin && 'unref' in guardian.stdin) (guardian.stdin as import('node:net').Socket).unref()
  }
  guardian.stdin?.write(`${JSON.stringify(order)}\n`)
}

/** The guardian ends the process `pid` when this process ends, however it ends. */
export function hold(pid: number, signal: NodeJS.Signals = 'SIGTERM'): void {
  tellGuardian({ hold: pid, signal })
}

/** To be called when the process `pid` has ended. */
export function release(pid: number): void {
  tellGuardian({ release: pid })
}

/** A new folder under the system's temporary one, removed by `drop` or by this process's end. */
export function temporaryFolder(purpose: string): { path: string; drop: () => Promise<void> } {
  const path = mkdtempSync(join(tmpdir(), `spindle-${purpose}-`))
  chmodSync(path, 0o711) // when we are root, PostgreSQL runs as another user and must be able to enter
  tellGuardian({ holdFolder: path })
  return {
    path,
    drop: async () => {
      await rm(path, { recursive: true, force: true })
      tellGuardian({ releaseFolder: path })
    },
  }
}

/** A server that ended unexpectedly; `restarted` when it runs again. */
export type Death = { server: string; how: string; restarted: boolean }

export type KeptServer = { pid(): number; stop(): Promise<void> }

const deathsMax = 3
const deathsWithinMs = 60_000

/**
 * Starts a server and starts it again when it dies. `onDeath` gets every death. After more than three deaths within a
 * minute, or when the server does not start again, it stays down.
 * @param start resolves once the server takes connections, always on the same port
 */
export async function keepRunning(
  server: string,
  start: () => Promise<ChildProcess>,
  stopSignal: NodeJS.Signals,
  onDeath: (death: Death) => void = () => {},
): Promise<KeptServer> {
  let stopping = false
  let restart: Promise<unknown> = Promise.resolve()
  const diedAtMs: number[] = []
  let child = watched(await start())

  function watched(started: ChildProcess): ChildProcess {
    started.once('exit', (code, signal) => {
      if (stopping) return
      restart = startAgain(signal ? `killed by ${signal}` : `exit code ${code}`)
    })
    return started
  }

  async function startAgain(how: string): Promise<void> {
    diedAtMs.push(Date.now())
    const isHopeless = diedAtMs.filter((atMs) => atMs > Date.now() - deathsWithinMs).length > deathsMax
    try {
      if (isHopeless) throw new StackError(`it died more than ${deathsMax} times within a minute`)
      child = watched(await start())
      onDeath({ server, how, restarted: true })
    } catch (cause) {
      onDeath({ server, how: `${how}; ${reasonOf(cause)}`, restarted: false })
    }
  }

  return {
    pid: () => child.pid as number,
    stop: async () => {
      stopping = true
      await restart
      await endProcess(child, stopSignal)
    },
  }
}

/** Sends `signal`, waits for the exit, and after `graceMs` kills. Safe to call on a process that has ended. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals,
  graceMs = 10_000,
): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await exited
  clearTimeout(timer)
}
