import { plannedQueries } from '../../../local/planned.ts'
/** Which calls a fault strikes; a call must match every given part. */
export type FaultMatch = {
  /** The logical database: 'sandbox', 'live' or 'identity'. */
  database?: string
  /** A text that one of the call's statements or commands contains. */
  contains?: string
}

export type FaultOrder<Mode extends string> = {
  mode: Mode
  match?: FaultMatch
  /** How many calls it strikes; default 1. `Infinity` until withdrawn (over JSON: leave it out and give `always`). */
  times?: number
  always?: boolean
  /** How many fitting calls pass unharmed first; default 0. */
  skip?: number
  /** Whether the call took effect before its answer was spoilt, for the modes that allow both. */
  executed?: boolean
  /** For the modes that wait. Default: until the client gives up. */
  delayMs?: number
}

type Pending<Mode extends string> = FaultOrder<Mode> & {
  id: number
  left: number
  skips: number
  hits: number
  waiters: { hits: number; resolve: () => void }[]
}

/** A gateway's injected faults. Each strikes a counted number of matching calls, then is spent. */
export class Faults<Mode extends string> {
  #pending: Pending<Mode>[] = []
  #all = new Map<number, Pending<Mode>>()
  #nextId = 1

  /** @returns an id for `withdraw` and `hit` */
  inject(order: FaultOrder<Mode>): number {
    const id = this.#nextId++
    const left = order.always ? Number.POSITIVE_INFINITY : (order.times ?? 1)
    const pending = { ...order, id, left, skips: order.skip ?? 0, hits: 0, waiters: [] }
    this.#pending.push(pending)
    this.#all.set(id, pending)
    return id
  }

  withdraw(id: number): void {
    this.#pending = this.#pending.filter((fault) => fault.id !== id)
  }

  clear(): void {
    this.#pending = []
  }

  /** The fault that strikes this call, if one does. */
  take(database: string, statements: readonly string[]): FaultOrder<Mode> | undefined {
    if (this.#pending.length === 0) return undefined
    for (const fault of this.#pending) {
      if (!withinLimit(fault.match, database, statements)) continue
      if (fault.skips-- > 0) continue
      fault.left -= 1
      fault.hits += 1
      if (fault.left <= 0) this.withdraw(fault.id)
      for (const waiter of fault.waiters) if (fault.hits >= waiter.hits) waiter.resolve()
      return fault
    }
    return undefined
  }

  /** How many calls the fault has struck. */
  hits(id: number): number {
    return this.#all.get(id)?.hits ?? 0
  }

  /** Resolves once the fault has struck `hits` calls. */
  hit(id: number, hits = 1): Promise<void> {
    const fault = this.#all.get(id)
    if (!fault || fault.hits >= hits) return Promise.resolve()
    return new Promise((resolve) => fault.waiters.push({ hits, resolve }))
  }
}

function withinLimit(
  match: FaultMatch | undefined,
  database: string,
  statements: readonly string[],
): boolean {
  if (!match) return true
  if (match.database !== undefined && match.database !== database) return false
  const { contains } = match
  return contains === undefined || statements.some((statement) => asWritten(statement).includes(contains))
}

const planned = await plannedQueries()

/** A statement with the query that it asks a database function for. */
const asWritten = (statement: string): string => {
  const [, name] = /\bdoor\.(planned_\w+)\(/.exec(statement) ?? []
  return name ? `${statement} ${planned[name]}` : statement
}
