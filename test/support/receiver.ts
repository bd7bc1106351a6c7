import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { call, type Merchant } from './merchant.ts'

/** A message as it came in, byte for byte. */
export type Received = {
  path: string
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export type Answer = (received: Received, response: ServerResponse) => void

export type Receiver = {
  url: string
  received: Received[]
  /** What was sent to one of its paths. */
  at(path: string): Received[]
  /** How a path answers from now on; 200 by default. */
  answer(path: string, how: Answer | number): void
  close(): Promise<void>
}

/** A merchant's server on this machine. It records what it receives and answers as set by `answer`. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, Answer | number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? '/'
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { path, headers: request.headers, body, atMs: Date.now() }
      received.push(one)
      const how = answers.get(path) ?? 200
      if (typeof how === 'number') response.writeHead(how).end('ok')
      else how(one, response)
    })
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    answer: (path, how) => answers.set(path, how),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export type Endpoint = {
  id: string
  url: string
  status: string
  event_types: string[]
  disabled_reason: string | null
  failing_since: string | null
}

export type Issued = { object: string; endpoint: Endpoint; one_time_value?: string }

export async function newEndpoint(
  merchant: Merchant,
  url: string,
  eventTypes: readonly string[] = ['*'],
): Promise<Endpoint & { secret: string }> {
  const { status, body, text } = await call<Issued>('POST', '/v1/webhooks/endpoints', {
    bearer: merchant.apiKey,
    environment: merchant.environment,
    body: { url, event_types: eventTypes },
  })
  if (status !== 201) throw new Error(`no endpoint: ${status} ${text}`)
  return { ...body.endpoint, secret: body.one_time_value! }
}

export type Event = {
  id: string
  object: string
  type: string
  api_version: string
  environment: string
  created_at: string
  sequence: number
  data: { object: Record<string, unknown>; previous_attributes: Record<string, unknown> }
}

/** Verifies with the unmodified package. @throws what the package throws */
export const verify = (secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): Event =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Event
