import { readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { generate } from 'selfsigned'
import { StackError } from './errors.ts'

export type Edge = {
  port: number
  /** Where connections go from now on: workerd's own socket. */
  forwardTo(directUrl: string): void
  close(): Promise<void>
}

export type Certificate = { private: string; cert: string; notAfterMs: number }

const TLS_HANDSHAKE = 0x16

/**
 * One port of 127.0.0.1 that speaks http and https: payment links are https by contract, and http spares API callers a
 * certificate exception. The first byte shows which it is; the bytes then pass through unchanged.
 * @throws StackError when the port is taken; `advice` is the command that chooses another
 */
export async function startEdge(certificate: Certificate, port = 0, advice = ''): Promise<Edge> {
  let upstream = { host: '127.0.0.1', port: 0 }
  const sockets = new Set<Socket>()
  const forward = (client: Socket) => {
    const worker = connect(upstream)
    worker.setNoDelay(true)
    client.pipe(worker)
    worker.pipe(client)
    for (const [one, other] of [
      [client, worker],
      [worker, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }
  const tls = createTlsServer(
    { key: certificate.private, cert: certificate.cert, ALPNProtocols: ['http/1.1'] },
    forward,
  )
  tls.on('tlsClientError', () => {}) // a browser that does not trust the certificate disconnects
  const server = createServer({ noDelay: true }, (client) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client))
    client.on('error', () => client.destroy())
    client.once('data', (first: Buffer) => {
      client.pause()
      client.unshift(first)
      if (first[0] === TLS_HANDSHAKE) tls.emit('connection', client)
      else forward(client)
    })
  })
  await listen(server, port, advice)
  return {
    port: (server.address() as AddressInfo).port,
    forwardTo: (directUrl) => {
      upstream = { host: '127.0.0.1', port: Number(new URL(directUrl).port) }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

function listen(server: Server, port: number, advice: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE'
      reject(
        new StackError(
          taken
            ? `Port ${port} is taken: stop what listens there${advice && `, or choose another with \`${advice}\``}`
            : `Port ${port} cannot be used: ${cause.message}`,
        ),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

/** A certificate for localhost, kept in `file` if given and renewed when it is about to expire. */
export async function localCertificate(file?: string): Promise<Certificate> {
  const dayMs = 24 * 60 * 60 * 1000
  if (file) {
    try {
      const kept = JSON.parse(await readFile(file, 'utf8')) as Certificate
      if (kept.notAfterMs > Date.now() + 7 * dayMs) return kept
    } catch {} // none yet
  }
  const notAfterMs = Date.now() + 365 * dayMs
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(notAfterMs),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const certificate = { private: made.private, cert: made.cert, notAfterMs }
  if (file) await writeFile(file, JSON.stringify(certificate), { mode: 0o600 })
  return certificate
}
