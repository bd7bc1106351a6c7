import { randomInt } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StackError } from './errors.ts'

/** Below the ports that systems give to outgoing connections (Linux 32,768, others 49,152): a connection takes none of these. */
const PORTS = { min: 20_000, max: 32_000 }
/** Of this user: another one's files could not be taken away. A file's name is a port, and its text the process that has it. */
export const portsFolder = join(tmpdir(), `spindle-ports-${process.getuid?.() ?? 0}`)

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and stays free of outgoing connections while its server restarts.
 * No other process of this user gets it while this one lives: stacks that start at the same time choose theirs before
 * they listen.
 */
export async function freePort(attemptsMax = 50): Promise<number> {
  sweep()
  const port = randomInt(PORTS.min, PORTS.max)
  if (claim(port) && (await isFree(port))) return port
  if (attemptsMax <= 1) throw new StackError(`No free port found between ${PORTS.min} and ${PORTS.max}`)
  return freePort(attemptsMax - 1)
}

/** Whether the port is now this process's. The file comes with its text, so that no claim is without a process. */
export function claim(port: number): boolean {
  const mine = join(portsFolder, `of-${process.pid}`)
  mkdirSync(portsFolder, { recursive: true })
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, join(portsFolder, String(port)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

let isSwept = false
/** Once a process: takes away what processes that are dead had. */
export function sweep(isAgain = false): void {
  if (isSwept && !isAgain) return
  isSwept = true
  mkdirSync(portsFolder, { recursive: true })
  for (const name of readdirSync(portsFolder)) {
    const file = join(portsFolder, name)
    try {
      if (!isAlive(Number(readFileSync(file, 'utf8')))) rmSync(file, { force: true })
    } catch {
      // Another process has taken it away.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
