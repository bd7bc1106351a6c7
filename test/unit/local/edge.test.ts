import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type Listening, listenOnLoopback, readBody } from '../../../local/gateway-server.ts'
import { type Certificate, type Edge, localCertificate, startEdge } from '../../../local/tls-proxy.ts'

let worker: Listening
let edge: Edge
let certificate: Certificate

beforeAll(async () => {
  worker = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request, 1_000_000)
    answer(
      response,
      200,
      JSON.stringify({ host: request.headers.host, url: request.url, bytes: body?.length }),
    )
  })
  certificate = await localCertificate()
  edge = await startEdge(certificate)
  edge.forwardTo(`http://127.0.0.1:${worker.port}`)
})
afterAll(async () => {
  await edge.close()
  await worker.close()
})

test.each(['http', 'https'] as const)(
  '%s reaches the Worker through the one port, bytes untouched',
  async (scheme) => {
    const send = scheme === 'http' ? httpRequest : httpsRequest
    const reply = await new Promise<string>((resolve, reject) => {
      const options = {
        host: 'localhost',
        port: edge.port,
        path: '/splink_x',
        method: 'POST',
        ca: certificate.cert,
      }
      const request = send(options, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(text))
      })
      request.on('error', reject)
      request.end('x'.repeat(300_000))
    })
    expect(JSON.parse(reply)).toEqual({ host: `localhost:${edge.port}`, url: '/splink_x', bytes: 300_000 })
  },
)

test('a taken port is named, with the command that chooses another', async () => {
  await expect(startEdge(certificate, edge.port, 'npm start -- --port-live=PORT')).rejects.toThrow(
    `Port ${edge.port} is taken: stop what listens there, or choose another with \`npm start -- --port-live=PORT\``,
  )
})
