import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StackError } from './errors.ts'

/** Below the ports that systems give to outgoing connections (Linux 32,768, others 49,152): a connection takes none of these. */
const PORTS = { min: 20_000, max: 32_000 }
/** Of this user: another one's files could not be taken away. */
export const portsFolder = join(tmpdir(), `spindle-ports-${process.getuid?.() ?? 0}`)
const own = new Set<string>()

/**
 * A TCP port of 127.0.0.1 that was free a moment ago, and stays free of outgoing connections while its server restarts.
 * No other process of this user gets it while this one lives: stacks that start at the same time choose theirs before
 * they listen.
 */
export async function freePort(attemptsMax = 50): Promise<number> {
  const port = randomInt(PORTS.min, PORTS.max)
  if (claim(port) && (await isFree(port))) return port
  if (attemptsMax <= 1) throw new StackError(`No free port found between ${PORTS.min} and ${PORTS.max}`)
  return freePort(attemptsMax - 1)
}

/** Whether the port is now this process's: a file with its number says so. One whose process is dead says nothing. */
export function claim(port: number): boolean {
  const file = join(portsFolder, String(port))
  if (own.size === 0) {
    mkdirSync(portsFolder, { recursive: true })
    process.once('exit', () => {
      for (const each of own) rmSync(each, { force: true })
    })
  }
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    if (isAlive(Number(readFileSync(file, 'utf8').trim() || process.pid))) return false
    rmSync(file, { force: true })
    return false
  }
  own.add(file)
  return true
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
