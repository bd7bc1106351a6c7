import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listening = { port: number; close(): Promise<void> }

/** An HTTP server on 127.0.0.1 for workerd: never closes idle connections first, sends small answers at once. */
export async function listenOnLoopback(handle: RequestListener, port = 0): Promise<Listening> {
  const server: Server = createServer(
    { keepAlive: true, noDelay: true, keepAliveTimeout: 0, requestTimeout: 0 },
    handle,
  )
  server.timeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The whole body, or undefined when it is longer than `limitBytes` or the client left. */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limitBytes) chunks.push(chunk)
      else resolve(undefined)
    })
    request.on('end', () =>
      resolve((chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8')),
    )
    request.on('error', () => resolve(undefined))
  })
}

export function answer(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'application/json',
): void {
  if (response.destroyed) return
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
