import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { all, newWorld, request, type World } from '../contract/requests.ts'
import { newCustomer } from '../support/customer.ts'
import { below, oneOf, shuffled } from '../support/random.ts'
import { stack } from '../support/stack.ts'
import { type Endpoint, endpoints, offDocument } from './documented.ts'
import { invented } from './invented.ts'
import { isLong, random, rounds, timeoutMs } from './time.ts'

/* Random requests, made up from openapi.json: the document describes each reply, and none is a 5xx. */

const perRound = isLong ? 2_000 : 500
const atOnce = 16

/** Real requests, so that some pass the first check: their ids exist, their bodies are complete. */
async function realRequests(world: World): Promise<Map<string, Awaited<ReturnType<typeof request>>>> {
  const real = new Map<string, Awaited<ReturnType<typeof request>>>()
  for (const [id, operation] of shuffled(random, all).slice(0, isLong ? all.length : 40)) {
    const made = await request(operation, world).catch(() => undefined)
    if (made) real.set(id, made)
  }
  return real
}

async function sendOne(
  world: World,
  endpoint: Endpoint,
  real: Map<string, Awaited<ReturnType<typeof request>>>,
) {
  const known = random() < 0.7 ? real.get(endpoint.operationId) : undefined
  let path = known?.path ?? endpoint.path
  const query = new URLSearchParams(known?.query)
  const headers: Record<string, string> = { ...known?.headers }
  headers.authorization ??= `Bearer ${oneOf(random, [world.merchant.apiKey, world.customer.token])}`
  if (random() < 0.9) headers['idempotency-key'] = random() < 0.2 ? 'the-same-key-again' : randomUUID()
  for (const { name, in: place, required, schema } of endpoint.parameters) {
    if (place === 'path')
      path = path.replace(`{${name}}`, encodeURIComponent(String(invented(random, schema)).toWellFormed()))
    if (place === 'query' && (required || random() < 0.3)) query.set(name, String(invented(random, schema)))
    if (place === 'header' && !(name.toLowerCase() in headers) && random() < 0.1)
      headers[name] = String(invented(random, schema)).replaceAll(/[^\x20-\x7e]/g, '?')
  }
  let body: string | null = null
  if (endpoint.body || random() < 0.05) {
    if (random() < 0.95) headers['content-type'] = 'application/json'
    const whole = {
      ...(known?.body ?? {}),
      ...(invented(random, endpoint.body ?? {}, known ? 0.2 : 1) as object),
    }
    body = JSON.stringify(random() < 0.05 ? invented(random, {}) : whole) ?? ''
    if (random() < 0.03) body = body.slice(0, below(random, body.length))
  }
  const search = query.toString()
  const url = stack.sandbox.directUrl + path + (search ? `?${search}` : '')
  const response = await fetch(url, {
    method: endpoint.method,
    headers,
    body: endpoint.method === 'GET' ? null : body,
    redirect: 'manual',
  })
  const text = await response.text()
  const wrong =
    response.status >= 500 ? `answered ${response.status}` : offDocument(endpoint, response.status, text)
  return (
    wrong && {
      wrong,
      request: `${endpoint.method} ${path} ${search} ${body}`,
      headers,
      reply: text.slice(0, 500),
    }
  )
}

test('every reply to a made-up request is a documented one', { timeout: timeoutMs }, async () => {
  const counts: Record<string, number> = {}
  let sent = 0
  const customer = await newCustomer()
  const findings = new Map<string, object>()
  await rounds('fuzz', async () => {
    const world = await newWorld(customer)
    const real = await realRequests(world)
    for (let at = 0; at < perRound; at += atOnce) {
      const some = Array.from({ length: atOnce }, () => oneOf(random, endpoints))
      const results = await Promise.all(some.map((endpoint) => sendOne(world, endpoint, real)))
      for (const [index, found] of results.entries()) {
        sent += 1
        const { operationId } = some[index] as Endpoint
        counts[operationId] = (counts[operationId] ?? 0) + 1
        if (found) findings.set(`${operationId}: ${found.wrong}`, found)
      }
    }
  })
  expect([...findings.keys()], JSON.stringify([...findings], null, 1)).toEqual([])
  console.log(`fuzz: ${sent} requests over ${Object.keys(counts).length} operations, none off the document`)
  expect(sent).toBeGreaterThanOrEqual(perRound)
})
