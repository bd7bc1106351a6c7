import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Between, Reply, Work } from '../../../local/gateway.ts'
import { CallLog } from './call-log.ts'
import { type FaultOrder, Faults } from './faults.ts'

type Misbehave<Mode extends string> = (
  fault: FaultOrder<Mode>,
  work: Work,
  response: ServerResponse,
) => Promise<unknown>

/** What a test does to a gateway's calls: each is logged, delayed, and struck by a fault where one fits. */
export type GatewayControls<Mode extends string> = {
  log: CallLog
  faults: Faults<Mode>
  /** Added once to every HTTP call, before the work. */
  setLatencyMs(latencyMs: number): void
}

/** @param served is called with the true reply of a call that no fault struck */
export function controls<Mode extends string>(
  misbehave: Misbehave<Mode>,
  served: (work: Work, reply: Reply) => void = () => {},
): { between: Between; controls: GatewayControls<Mode> } {
  const log = new CallLog()
  const faults = new Faults<Mode>()
  let latencyMs = 0
  const between: Between = async (work, response) => {
    const call = log.begin(work.database, work.role, work.statements)
    beforeAnswer(response, () => log.finish(call))
    try {
      if (latencyMs > 0) await delay(latencyMs)
      const fault = faults.take(work.database, work.statements)
      if (fault) await misbehave(fault, work, response)
      else served(work, await work.serve())
    } finally {
      log.finish(call)
    }
  }
  const setLatencyMs = (ms: number) => {
    latencyMs = ms
  }
  return { between, controls: { log, faults, setLatencyMs } }
}

/** The client may go on, and be done, as soon as the first byte is sent. */
function beforeAnswer(response: ServerResponse, work: () => void): void {
  const { writeHead } = response
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    work()
    return writeHead.apply(response, head)
  }) as typeof writeHead
}

/** Resets the connection, as a crashed peer would. */
export function cut(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

/** Sends half of an answer's body. */
export function answerHalf(response: ServerResponse, body: string): void {
  if (response.destroyed) return
  const half = body.slice(0, Math.ceil(body.length / 2))
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(half) })
  response.end(half)
}

/** Resolves when the client disconnects, or after `delayMs` if given. */
export function untilGone(response: ServerResponse, delayMs?: number): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve()
    response.once('close', resolve)
    if (delayMs !== undefined) setTimeout(resolve, delayMs)
  })
}

export const HTML_ERROR_PAGE =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>'
