import { AsyncLocalStorage } from 'node:async_hooks'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import type { WorkerLine, WorkerSettings } from '../../local/workers.ts'
import type { Bucket } from '../../src/env/settings.ts'
import { memoryBucket } from './bucket.ts'

/*
 * The sandbox's Worker in this process: the modules that are uploaded, in front of the stack's own gateways, Postgres and
 * Redis. A Worker keeps nothing between requests, so that dying is the same here as in workerd: its calls are cut off,
 * its code never goes on, its callers get an error, and the next request meets a new isolate. Only the thousandth of a
 * second that this takes differs, and that no process was killed.
 */

/** What a Worker is made of; see `bindings` of local/workers.ts. */
export interface Upload {
  readonly folder: string
  readonly vars: Record<string, unknown>
}

export interface Worker {
  fetch(request: Request, env: object, execution: object): Promise<Response>
  scheduled(event: object, env: object): Promise<void>
  queue(batch: { messages: { body: unknown }[] }, env: object): void
}

const running = new AsyncLocalStorage<Isolate>()
const require = createRequire(import.meta.url)
const realFetch = globalThis.fetch

class Isolate {
  readonly #worker: Worker
  readonly #env: object
  readonly #lines: WorkerLine[]
  readonly #gone = new AbortController()
  readonly #death = Promise.withResolvers<never>()

  constructor(worker: Worker, vars: object, lines: WorkerLine[], bucket: Bucket) {
    this.#worker = worker
    this.#lines = lines
    this.#env = { ...vars, FILES: bucket, WEBHOOKS: { send: this.#enqueue, sendBatch: this.#enqueueAll } }
    this.#death.promise.catch(() => {})
  }

  fetch(request: Request): Promise<Response> {
    const execution = { waitUntil: unheard, passThroughOnException: () => {} }
    return this.#run(() => this.#worker.fetch(request, this.#env, execution))
  }

  trigger(): Promise<void> {
    return this.#run(() => this.#worker.scheduled({}, this.#env))
  }

  die(): void {
    this.#gone.abort()
    this.#death.reject(new TypeError('the Worker died'))
  }

  /** A call of the Worker. One that died gets no answer. */
  async call(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    if (this.#gone.signal.aborted) return new Promise(() => {})
    const signals = [this.#gone.signal, ...(init.signal ? [init.signal] : [])]
    try {
      const response = await realFetch(input, { ...init, signal: AbortSignal.any(signals) })
      return this.#gone.signal.aborted ? new Promise(() => {}) : response
    } catch (error) {
      if (this.#gone.signal.aborted) return new Promise(() => {})
      throw error
    }
  }

  write(level: string, values: readonly unknown[]): void {
    this.#lines.push({ level, message: values.map(String).join(' '), atMs: Date.now() })
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    return Promise.race([running.run(this, work), this.#death.promise])
  }

  #enqueueAll = async (messages: Iterable<{ body: unknown; delaySeconds?: number }>): Promise<void> => {
    for (const { body, delaySeconds } of messages) await this.#enqueue(body, { delaySeconds })
  }

  #enqueue = async (body: unknown, options: { delaySeconds?: number | undefined } = {}): Promise<void> => {
    const deliver = () => {
      if (!this.#gone.signal.aborted)
        running.run(this, () => this.#worker.queue({ messages: [{ body }] }, this.#env))
    }
    setTimeout(deliver, (options.delaySeconds ?? 0) * 1_000).unref()
  }
}

const unheard = (work: Promise<unknown>): void => void work.catch(() => {})

/** A host of isolates, one after the other, at the address of the stack's Worker. */
export class Host {
  readonly lines: WorkerLine[] = []
  /** Requests and scheduled runs that came here. */
  served = 0
  readonly #worker: Worker
  readonly #vars: Record<string, unknown>
  readonly bucket = memoryBucket()
  #isolate: Isolate

  constructor({ folder, vars }: Upload) {
    this.#worker = load(folder)
    this.#vars = vars
    this.#isolate = new Isolate(this.#worker, vars, this.lines, this.bucket)
  }

  /** As a connection to the Worker does, with the redirects that `fetch` follows by itself. */
  async fetch(request: Request): Promise<Response> {
    this.served += 1
    const response = await this.#isolate.fetch(request)
    const location = response.headers.get('location')
    if (request.redirect !== 'follow' || response.status < 300 || response.status > 399 || !location)
      return response
    return fetch(new URL(location, request.url))
  }

  trigger = (): Promise<void> => {
    this.served += 1
    return this.#isolate.trigger()
  }

  crash = async (): Promise<void> => this.#replace(this.#vars)

  reconfigure = async (settings: WorkerSettings = {}): Promise<void> =>
    this.#replace(
      Object.fromEntries(
        Object.entries({ ...this.#vars, ...settings.vars }).filter(([, value]) => value !== null),
      ),
    )

  #replace(vars: Record<string, unknown>): void {
    this.#isolate.die()
    this.#isolate = new Isolate(this.#worker, vars, this.lines, this.bucket)
  }
}

/** Outside Vite, whose imports would compile each source file again for each file of tests. */
export function load(folder: string): Worker {
  return (require(join(folder, 'worker.js')) as { default: Worker }).default
}

Object.assign(globalThis, {
  unheardWork: unheard,
  FixedLengthStream: class extends TransformStream<Uint8Array, Uint8Array> {
    constructor(_length: number) {
      super()
    }
  },
})
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:workers'
      ? {
          url: 'data:text/javascript,export const waitUntil = globalThis.unheardWork',
          format: 'module',
          shortCircuit: true,
        }
      : next(specifier, context),
})

let here: { host: Host; origin: string } | undefined

/** The host that answers at the stack's address now; undefined where workerd does. */
export const hostHere = (): Host | undefined => here?.host

/** Runs `work` with the Worker at `origin` in this process. */
export async function inProcess<T>(upload: Upload, origin: string, work: () => Promise<T>): Promise<T> {
  const host = new Host(upload)
  here = { host, origin }
  try {
    const result = await work()
    if (host.served === 0) throw new Error('no request came to the Worker in this process')
    return result
  } finally {
    here = undefined
    await host.crash()
  }
}

globalThis.fetch = async (input, init) => {
  const isolate = running.getStore()
  if (isolate) return isolate.call(input, init)
  if (here && new URL(input instanceof Request ? input.url : input).origin === here.origin)
    return here.host.fetch(new Request(input, init))
  return realFetch(input, init)
}

for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
  const write = console[level]
  console[level] = (...values: unknown[]) => {
    const isolate = running.getStore()
    if (isolate) isolate.write(level, values)
    else write(...values)
  }
}
