import { createReadStream, existsSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bucket } from '../src/env/settings.ts'
import { load } from '../test/support/isolate.ts'

// A process of its own, whose heap has a limit: the Worker's modules, and a bucket that keeps its objects on disk.

/** What the parent sends. `files`: a folder that is there. */
export interface Ordered {
  readonly folder: string
  readonly vars: Readonly<Record<string, unknown>>
  readonly origin: string
  readonly apiKey: string
  readonly files: string
  readonly period: { readonly from: string; readonly to: string }
}

/** The most that was seen, in bytes: what is alive in each call of the bucket; the heap with its garbage, and what lies outside. */
export interface Peak {
  readonly alive: number
  readonly heap: number
  readonly outside: number
}

/** What comes back: before any request, in the run, in its verification, and in its download. */
export interface Held {
  readonly rows: number
  readonly fileBytes: number
  readonly idle: Peak
  readonly made: Peak
  readonly verified: Peak
  readonly read: Peak
}

/** A run that its turns leave is taken up again after half a minute. */
const patienceMs = 30 * 60_000
let peak = { alive: 0, heap: 0, outside: 0 }

function look(): void {
  const { heapUsed: heap, external: outside } = process.memoryUsage()
  peak = { ...peak, heap: Math.max(peak.heap, heap), outside: Math.max(peak.outside, outside) }
}

/** What is alive: after a collection. */
function weigh(): void {
  look()
  gc!()
  const { heapUsed, external } = process.memoryUsage()
  peak = { ...peak, alive: Math.max(peak.alive, heapUsed + external) }
}

async function peakOf(work: () => Promise<unknown>): Promise<Peak> {
  peak = { alive: 0, heap: 0, outside: 0 }
  weigh()
  await work()
  weigh()
  return peak
}

/** It weighs the memory in each call: a part, or what it was made of, is held then. */
function bucketIn(files: string): Bucket {
  const pathOf = (key: string) => join(files, key.replaceAll('/', '+'))
  return {
    async put(key, content) {
      look()
      await writeFile(
        pathOf(key),
        new Uint8Array(await new Response(content as ReadableStream).arrayBuffer()),
      )
      look()
      return { etag: key }
    },
    async get(key) {
      weigh()
      const path = pathOf(key)
      if (!existsSync(path)) return null
      const body = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>
      return { body, size: statSync(path).size, etag: key }
    },
    delete: async (keys) => {
      for (const key of keys) rmSync(pathOf(key), { force: true })
    },
    list: async () => ({ objects: [], truncated: false }),
  }
}

async function held({ folder, vars, origin, apiKey, files, period }: Ordered): Promise<Held> {
  const worker = load(folder)
  const queue = { send: async () => {}, sendBatch: async () => {} }
  const env = { ...vars, FILES: bucketIn(files), WEBHOOKS: queue }
  const execution = { waitUntil: () => {}, passThroughOnException: () => {} }
  const asked = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    }
    const sent = { method, headers, body: body ? JSON.stringify(body) : null }
    const reply = await worker.fetch(new Request(`${origin}/v1/reporting/runs${path}`, sent), env, execution)
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply
  }
  type Run = { id: string; status: string; rows_count: number }
  const idle = await peakOf(async () => {})
  const run = (await (await asked('POST', '', { type: 'balance.activity', period })).json()) as Run
  let rows = 0
  const made = await peakOf(async () => {
    for (const endsAt = Date.now() + patienceMs; Date.now() < endsAt; await delay(500)) {
      await worker.scheduled({}, env)
      const now = (await (await asked('GET', `/${run.id}`)).json()) as Run
      rows = now.rows_count
      if (now.status === 'succeeded') return
      if (!['queued', 'running'].includes(now.status)) throw new Error(`the run has ${now.status}`)
    }
    throw new Error(`the run did not end in ${patienceMs / 60_000} minutes`)
  })
  const verified = await peakOf(async () => {
    const { equal } = (await (await asked('POST', `/${run.id}/verify`)).json()) as { equal: boolean }
    if (!equal) throw new Error('the run is not what the books say')
  })
  let fileBytes = 0
  const read = await peakOf(async () => {
    for await (const chunk of (await asked('GET', `/${run.id}/file`)).body!) {
      fileBytes += (chunk as Uint8Array).length
      look()
    }
  })
  return { rows, fileBytes, idle, made, verified, read }
}

process.once('message', async (ordered: Ordered) => {
  const watching = setInterval(look, 10)
  const found = await held(ordered)
  clearInterval(watching)
  process.send?.(found, () => process.disconnect?.())
})
