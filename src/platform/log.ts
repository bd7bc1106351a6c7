import { containsCardNumber } from '../kernel/card-number.ts'
import { Fault } from '../kernel/fault.ts'

export type Level = 'error' | 'warn' | 'info'

/** A log line besides its error: our own names and ids, never a value that a caller, buyer or processor sent. */
export interface LogFacts {
  /** The operation, route or job that it happened in. */
  readonly place: string
  readonly requestId: string | null
  /** Of the resource that the work was about. */
  readonly id?: string
  /** How often this has failed so far. */
  readonly failures?: number | undefined
  /** What happened, in words of ours. */
  readonly what?: string
}

/**
 * Writes a line to our log. Of an error it writes the kind and where it was thrown, never the message: drivers and
 * libraries put values into it.
 */
export function log(level: Level, { place, requestId, id, failures, what }: LogFacts, error?: unknown): void {
  const line = {
    level,
    place,
    request_id: requestId,
    id: harmless(id),
    failures,
    what,
    ...(error === undefined ? {} : errorFacts(error)),
  }
  console[level](JSON.stringify(line))
}

/** Catches an error of work that no caller waits for and that a scheduled job repeats. */
export const logFailure =
  (place: string, { requestId }: Pick<LogFacts, 'requestId'>, id?: string) =>
  (error: unknown): void =>
    log('error', { place, requestId, ...(id === undefined ? {} : { id }) }, error)

function errorFacts(error: unknown): object {
  const chain = causesOf(error)
  const named = chain.find((each) => each instanceof Fault)
  const constraint = chain.map((each) => identifier(each.constraint)).find(Boolean)
  return {
    what: named instanceof Fault ? harmless(named.message) : constraint,
    code: chain.map(codeOf).find(Boolean) ?? nameOf(error),
    at: chain.map(placeOf).find(Boolean),
  }
}

type Loose = Readonly<Record<string, unknown>>

/** An error and what it was caused by. */
function causesOf(error: unknown, most = 5): Loose[] {
  if (typeof error !== 'object' || error === null || most === 0) return []
  return [error as Loose, ...causesOf((error as Loose).cause, most - 1)]
}

/** The SQLSTATE, or what a library calls this error. */
const codeOf = ({ sqlState, code, type }: Loose): string | undefined =>
  identifier(sqlState) ?? identifier(code) ?? identifier(type)

const nameOf = (error: unknown): string =>
  (error instanceof Error ? identifier(error.name) : undefined) ?? typeof error

/** The value if it looks like a program's identifier, and not like text that a person or a bank wrote. */
const identifier = (value: unknown): string | undefined =>
  typeof value === 'string' &&
  /^(?:[A-Za-z]+(?:[_.-][A-Za-z]+)*|[0-9A-Z]{5})$/.test(value) &&
  value.length <= 64
    ? value
    : undefined

const harmless = (text: string | undefined): string | undefined =>
  text !== undefined && containsCardNumber(text) ? undefined : text

const frame = /^\s+at (?:.*[( /])?((?:(?:src|functions)\/[\w./-]+|[\w.-]+)\.[cm]?[jt]s:\d+:\d+)\)?$/

/** File, line and column of the first frame that is ours. */
function placeOf({ stack, message }: Loose): string | undefined {
  if (typeof stack !== 'string') return undefined
  const frames = typeof message === 'string' ? stack.slice(stack.indexOf(message) + message.length) : stack
  const ours = frames.split('\n').find((line) => frame.test(line) && !/node_modules|node:/.test(line))
  return ours === undefined ? undefined : harmless(frame.exec(ours)?.[1])
}
