import { answer, type Listening, listenOnLoopback, readBody } from '../../local/gateway-server.ts'
import type { Environment } from '../../local/postgres.ts'
import type { WorkerLine, WorkerSettings } from '../../local/workers.ts'
import type { Call } from './gateways/call-log.ts'
import type { FaultOrder } from './gateways/faults.ts'
import type { NeonFaultMode } from './gateways/neon.ts'
import type { RedisFaultMode } from './gateways/redis.ts'
import type { ControlledStack } from './gateways/stack.ts'
import { Turns } from './owner-queue.ts'

export type GatewayName = 'neon' | 'redis'
export type Sequences = Record<GatewayName, number>

/** What a test may call on a stack in another process. Arguments and results are JSON. */
export type Control = {
  /** The number of the latest call at each gateway. */
  sequences(): Promise<Sequences>
  callsSince(sequences: Sequences): Promise<Record<GatewayName, Call[]>>
  injectNeon(order: FaultOrder<NeonFaultMode>): Promise<number>
  injectRedis(order: FaultOrder<RedisFaultMode>): Promise<number>
  withdraw(gateway: GatewayName, id: number): Promise<void>
  hits(gateway: GatewayName, id: number): Promise<number>
  /** Resolves once the fault has struck `hits` calls. */
  hit(gateway: GatewayName, id: number, hits: number): Promise<void>
  clearFaults(): Promise<void>
  setLatency(gateway: GatewayName, latencyMs: number): Promise<void>
  flushRedis(environment: Environment): Promise<void>
  /** Every key that Redis keeps for an environment, with its value. */
  redisEntries(environment: Environment): Promise<Record<string, string>>
  /** Runs the scheduled work once. Named callers take turns, so that no run meets another caller's unfinished work. */
  trigger(environment: Environment, caller?: string): Promise<void>
  /** Puts a message into the queue that wakes the sending of webhooks. */
  wake(environment: Environment, message: unknown): Promise<void>
  crash(environment: Environment): Promise<void>
  reconfigure(environment: Environment, settings?: WorkerSettings): Promise<void>
  workerLines(environment: Environment): Promise<readonly WorkerLine[]>
  workerPid(environment: Environment): Promise<number>
  /** The folder of the Worker's modules, and its variables. */
  upload(environment: Environment): Promise<{ folder: string; vars: Record<string, unknown> }>
}

function controlOf(stack: ControlledStack): Control {
  const turns = new Turns()
  return {
    sequences: async () => ({ neon: stack.neon.log.total, redis: stack.redis.log.total }),
    callsSince: async ({ neon, redis }) => ({
      neon: stack.neon.log.since(neon),
      redis: stack.redis.log.since(redis),
    }),
    injectNeon: async (order) => stack.neon.faults.inject(order),
    injectRedis: async (order) => stack.redis.faults.inject(order),
    withdraw: async (gateway, id) => stack[gateway].faults.withdraw(id),
    hits: async (gateway, id) => stack[gateway].faults.hits(id),
    hit: (gateway, id, hits) => stack[gateway].faults.hit(id, hits),
    clearFaults: async () => {
      stack.neon.faults.clear()
      stack.redis.faults.clear()
    },
    setLatency: async (gateway, latencyMs) => stack[gateway].setLatencyMs(latencyMs),
    flushRedis: (environment) => stack.redis.flush(environment),
    redisEntries: async (environment) => entriesOf(stack, environment),
    trigger: (environment, caller) =>
      caller === undefined
        ? stack[environment].trigger()
        : turns.take(caller, () => stack[environment].trigger()),
    wake: (environment, message) => stack[environment].worker.enqueue('WEBHOOKS', message),
    crash: (environment) => stack[environment].worker.crash(),
    reconfigure: (environment, settings) => stack[environment].worker.reconfigure(settings),
    workerLines: async (environment) => stack[environment].worker.lines(),
    workerPid: async (environment) => stack[environment].worker.pid(),
    upload: async (environment) => stack[environment].worker.upload(),
  }
}

/** In batches: a Worker waits for Redis only for its time limit, and other tests use Redis meanwhile. */
async function entriesOf(stack: ControlledStack, environment: Environment): Promise<Record<string, string>> {
  const [found] = await stack.redis.ask(environment, [['KEYS', '*']])
  const keys = found && 'result' in found ? (found.result as string[]) : []
  const entries: Record<string, string> = {}
  for (let at = 0; at < keys.length; at += 100) {
    const some = keys.slice(at, at + 100)
    const values = await stack.redis.ask(
      environment,
      some.map((key) => ['GET', key]),
    )
    for (const [index, key] of some.entries()) entries[key] = JSON.stringify(values[index])
  }
  return entries
}

/** Serves `Control` on 127.0.0.1: POST /{method} with the arguments as a JSON array. */
export async function serveControl(stack: ControlledStack): Promise<{ url: string; close(): Promise<void> }> {
  const control = controlOf(stack) as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
  const server: Listening = await listenOnLoopback(async (request, response) => {
    const method = control[(request.url ?? '').slice(1)]
    const body = await readBody(request, 1024 * 1024)
    if (!method || body === undefined) return answer(response, 404, '{"error":"no such method"}')
    try {
      const result = await method(...(JSON.parse(body) as unknown[]))
      answer(response, 200, JSON.stringify({ result: result ?? null }))
    } catch (cause) {
      answer(
        response,
        500,
        JSON.stringify({ error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
      )
    }
  })
  return { url: `http://127.0.0.1:${server.port}`, close: server.close }
}

/** The other end of `serveControl`. */
export function controlAt(url: string): Control {
  const call = async (method: string, args: unknown[]) => {
    const response = await fetch(`${url}/${method}`, { method: 'POST', body: JSON.stringify(args) })
    const { result, error } = (await response.json()) as { result?: unknown; error?: string }
    if (error !== undefined) throw new Error(`${method}: ${error}`)
    return result
  }
  return new Proxy({} as Control, {
    get:
      (_, method) =>
      (...args: unknown[]) =>
        call(String(method), args),
  })
}
