import { randomInt, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

// The load generator, in a process of its own: keep-alive connections with one request under way on each. Plain sockets
// and minimal HTTP, because it competes with the measured process for CPU.

export type Load = {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  /**
   * The requests, in turn: each connection starts with its own. `{fresh}` becomes 32 characters unique per request,
   * `{card}` the four digits of one of ten thousand cards, and in a header `{network}` an address of some network.
   */
  requests?: readonly { path?: string; body?: string }[]
  expectedStatus: number
  connections: number
  durationMs: number
}

export type LoadResult = { count: number; elapsedMs: number; latenciesMs: number[] }

const HEADER_END = Buffer.from('\r\n\r\n')

async function run(load: Load): Promise<LoadResult> {
  const latenciesMs: number[] = []
  const startedMs = performance.now()
  const endMs = startedMs + load.durationMs
  await Promise.all(
    Array.from({ length: load.connections }, (_, number) =>
      oneConnection(load, number, endMs, (ms) => latenciesMs.push(ms)),
    ),
  )
  return { count: latenciesMs.length, elapsedMs: performance.now() - startedMs, latenciesMs }
}

/** Sends one request after another until the time is up. */
function oneConnection(
  load: Load,
  number: number,
  endMs: number,
  done: (latencyMs: number) => void,
): Promise<void> {
  const { hostname, port } = new URL(load.url)
  const next = messagesOf(load, number)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    let sentMs = 0
    const send = () => {
      sentMs = performance.now()
      socket.write(next())
    }
    onReplies(socket, (status, text) => {
      if (status !== load.expectedStatus) {
        socket.destroy()
        return reject(new Error(`${load.method} ${load.url}: ${status} ${text()}`))
      }
      const nowMs = performance.now()
      done(nowMs - sentMs)
      if (nowMs < endMs) return send()
      socket.destroy()
      resolve()
    })
    socket.once('connect', send)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error(`${load.url} closed the connection`)))
  })
}

/** The messages of one connection, one a call. */
function messagesOf(load: Load, number: number): () => string {
  const { host, pathname, search } = new URL(load.url)
  const requests = (load.requests ?? [{}]).map(({ path = pathname + search, body }) => {
    const head = [`${load.method} ${path} HTTP/1.1`, `Host: ${host}`]
    for (const [name, value] of Object.entries(load.headers)) head.push(`${name}: ${value}`)
    return { head: head.join('\r\n'), body }
  })
  let at = number
  return () => {
    const { head: asked, body } = requests[at % requests.length]!
    const head = asked.replace('{network}', someNetwork)
    at += load.connections
    const key = load.method === 'POST' ? `\r\nIdempotency-Key: ${randomUUID()}` : ''
    if (body === undefined) return `${head}${key}\r\n\r\n`
    const sent = body.replaceAll('{fresh}', randomUUID().replaceAll('-', '')).replace('{card}', someCard)
    return `${head}${key}\r\nContent-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`
  }
}

const someCard = () => String(randomInt(10_000)).padStart(4, '0')
const someNetwork = () => ['198', ...Array.from({ length: 3 }, () => randomInt(256))].join('.')

/** Calls back for every whole reply; the replies carry Content-Length or are chunked. */
function onReplies(socket: Socket, reply: (status: number, text: () => string) => void): void {
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const headEnd = received.indexOf(HEADER_END)
    if (headEnd < 0) return
    const head = received.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const bodyStart = headEnd + HEADER_END.length
    const whole =
      length === undefined
        ? received.length > bodyStart && received.toString('latin1', received.length - 5) === '0\r\n\r\n'
        : received.length >= bodyStart + Number(length)
    if (!whole) return
    const answered = received
    received = Buffer.alloc(0)
    reply(Number(head.slice(9, 12)), () => answered.toString('utf8'))
  })
}

if (import.meta.main) {
  process.on('message', (load: Load) => {
    run(load).then(
      (result) => process.send?.({ result }),
      (cause: Error) => process.send?.({ failed: cause.message }),
    )
  })
}
