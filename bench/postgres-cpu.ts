import { readdirSync, readFileSync } from 'node:fs'

/** The postmaster that listens on the port of this connection string. @throws Error when it runs elsewhere */
export function postmasterOf(databaseUrl: string): number {
  const { port } = new URL(databaseUrl)
  const found = pids().find((pid) => {
    const args = read(`/proc/${pid}/cmdline`).split('\0')
    return args.includes('-D') && args.includes(`port=${port}`)
  })
  if (found === undefined) throw new Error(`no PostgreSQL of this machine listens on port ${port}`)
  return found
}

/** CPU time of a PostgreSQL with all its processes, those that have ended included. */
export function postgresMicrosOf(postmaster: number): number {
  let micros = 0
  for (const pid of pids()) {
    const stat = statOf(pid)
    if (!stat) continue
    if (pid === postmaster) micros += stat.ownMicros + stat.endedChildrenMicros
    else if (stat.parent === postmaster) micros += runMicrosOf(pid) ?? stat.ownMicros
  }
  return micros
}

const pids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

/** An empty text for a process that has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const tickMicros = 10_000

function statOf(pid: number) {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return null
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = (...at: number[]) => at.reduce((sum, field) => sum + Number(fields[field]), 0)
  return {
    parent: Number(fields[1]),
    ownMicros: ticks(11, 12) * tickMicros,
    endedChildrenMicros: ticks(13, 14) * tickMicros,
  }
}

/** The exact run time of a process of one thread, as the backends are. */
function runMicrosOf(pid: number): number | undefined {
  const [nanoseconds] = read(`/proc/${pid}/schedstat`).split(' ')
  return nanoseconds ? Number(nanoseconds) / 1000 : undefined
}
