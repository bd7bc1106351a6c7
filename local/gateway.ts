import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { CallLog } from './call-log.ts'
import { reasonOf } from './errors.ts'
import { type FaultOrder, Faults } from './faults.ts'
import { answer, listenOnLoopback } from './gateway-server.ts'

/** A call as its gateway has read it. */
export type Work<Mode extends string> = {
  database: string
  role: string
  statements: readonly string[]
  behave(): Promise<void>
  misbehave(fault: FaultOrder<Mode>): Promise<void>
}

export type Gateway<Mode extends string> = {
  url: string
  log: CallLog
  faults: Faults<Mode>
  /** Added once to every HTTP call, before the work. */
  setLatencyMs(latencyMs: number): void
  stop(): Promise<void>
}

/**
 * What the gateways have in common: each call is logged, delayed, and struck by a fault where one fits.
 * @param read undefined for a request that is no call and has been answered
 */
export async function startGateway<Mode extends string>(
  read: (request: IncomingMessage, response: ServerResponse) => Promise<Work<Mode> | undefined>,
): Promise<Gateway<Mode>> {
  const log = new CallLog()
  const faults = new Faults<Mode>()
  let latencyMs = 0
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const work = await read(request, response)
    if (!work) return
    const { database, role, statements } = work
    const call = log.begin(database, role, statements)
    try {
      if (latencyMs > 0) await delay(latencyMs)
      const fault = faults.take(database, statements)
      await (fault ? work.misbehave(fault) : work.behave())
    } finally {
      log.finish(call)
    }
  }
  const server = await listenOnLoopback((request, response) => {
    serve(request, response).catch((cause) =>
      answer(response, 500, JSON.stringify({ message: reasonOf(cause), error: reasonOf(cause) })),
    )
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    log,
    faults,
    setLatencyMs: (ms) => {
      latencyMs = ms
    },
    stop: server.close,
  }
}
