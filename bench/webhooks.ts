import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { send } from '../local/merchant.ts'
import type { Postgres } from '../local/postgres.ts'
import { Client } from '../test/support/postgres.ts'
import { type Figures, type Spent, spentBy } from './interleave.ts'
import { newMerchant } from './merchant.ts'
import type { Bare } from './workerd.ts'

const endpoints = 5
/** As many connections at once as a sweep has. */
const atOnce = 5

export type Webhooks = { ours: Figures[]; floor: Figures[] }

/**
 * Deliveries per second and their CPU: a sweep that sends waiting deliveries of five endpoints, against a floor that
 * signs and fetches as many messages of the same size to the same server, and records nothing.
 */
export async function webhooks(
  { postgres, ours, floor, baseUrl }: { postgres: Postgres; ours: Bare; floor: Bare; baseUrl: string },
  { rounds, events }: { rounds: number; events: number },
): Promise<Webhooks> {
  let received = 0
  let body = ''
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      body = text
    })
    request.on('end', () => {
      received += 1
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const client = new Client({ connectionString: postgres.adminUrl('sandbox') })
  await client.connect()
  try {
    const { tenantId } = await listening(baseUrl, url)
    const taken: Webhooks = { ours: [], floor: [] }
    for (let round = 0; round <= rounds; round++) {
      await happen(client, tenantId, events)
      received = 0
      const mine = await timed(ours, () => ours.tick())
      if (received < events * endpoints) throw new Error(`only ${received} deliveries arrived`)
      const count = received
      const bare = await timed(floor, () => floorSends(floor, { url, count, body, atOnce }))
      if (round === 0) continue // warms up
      taken.ours.push(figures(mine, count))
      taken.floor.push(figures(bare, count))
    }
    return taken
  } finally {
    await client.end()
    server.close()
    server.closeAllConnections()
  }
}

async function listening(baseUrl: string, url: string) {
  const merchant = await newMerchant(baseUrl, 'Listener', 0)
  for (let made = 0; made < endpoints; made++) {
    const reply = await send(baseUrl, '/v1/webhooks/endpoints', {
      bearer: merchant.apiKey,
      key: randomUUID(),
      body: { url, event_types: ['payment.succeeded'] },
    })
    if (reply.status !== 201) throw new Error(`no endpoint: ${reply.status} ${await reply.text()}`)
  }
  return merchant
}

/** Events of a payment's size, as a publish would insert them: the deliveries come with them. */
const happen = (client: pg.Client, tenantId: string, events: number) =>
  client.query(
    `insert into events (tenant_id, id, type, resource_type, resource_id, sequence, object, previous_attributes, request_id, created_at)
     select $1, gen_random_uuid(), 'payment.succeeded', 'payment', gen_random_uuid(), 1,
       jsonb_build_object('object', 'payment', 'text', repeat('x', 1100)), '{"status":"processing"}', 'bench', now()
     from generate_series(1, $2::int)`,
    [tenantId, events],
  )

async function floorSends(floor: Bare, order: object): Promise<void> {
  const reply = await fetch(`${floor.url}/deliver`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  })
  if (!reply.ok) throw new Error(`floor: ${reply.status} ${await reply.text()}`)
}

async function timed(worker: Bare, work: () => Promise<void>) {
  const [before, startedMs] = [spentBy(worker), performance.now()]
  await work()
  const [elapsedMs, after] = [performance.now() - startedMs, spentBy(worker)]
  return { elapsedMs, worker: after.worker - before.worker, postgres: after.postgres - before.postgres }
}

const figures = ({ elapsedMs, worker, postgres }: Spent & { elapsedMs: number }, count: number): Figures => ({
  perSecond: (count / elapsedMs) * 1000,
  cpuMicros: worker / count,
  postgresMicros: postgres / count,
  p50Ms: 0,
  p95Ms: 0,
  p99Ms: 0,
  requests: count,
})
