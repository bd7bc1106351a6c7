const KEPT_CALLS = 5_000
const KEPT_CHARACTERS = 200

/** One HTTP call that reached a gateway. Times are milliseconds since the epoch, with fractions. */
export type Call = {
  sequence: number
  database: string
  /** The role of the connection string; empty at the Redis gateway. */
  role: string
  /** The first 200 characters of each statement, or each command's name and key. */
  statements: string[]
  startedAtMs: number
  /** Absent while it runs. */
  finishedAtMs?: number
}

/** Counts the calls of a gateway and remembers the latest. */
export class CallLog {
  #calls: Call[] = []
  #total = 0

  begin(database: string, role: string, statements: readonly string[]): Call {
    this.#total += 1
    const call: Call = {
      sequence: this.#total,
      database,
      role,
      statements: statements.map((statement) => statement.slice(0, KEPT_CHARACTERS)),
      startedAtMs: nowMs(),
    }
    this.#calls.push(call)
    if (this.#calls.length > KEPT_CALLS) this.#calls = this.#calls.slice(-KEPT_CALLS / 2)
    return call
  }

  finish(call: Call): void {
    call.finishedAtMs ??= nowMs()
  }

  /** How many calls have begun; the number of the latest. */
  get total(): number {
    return this.#total
  }

  /** The remembered calls whose sequence is greater than `sequence`. */
  since(sequence: number): Call[] {
    return this.#calls.filter((call) => call.sequence > sequence)
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
