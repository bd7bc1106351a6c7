import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { operationOf } from '../../local/samples.ts'
import { mintApiKey } from '../../src/kernel/api-key.ts'
import { bearer, newWorld, request, send } from '../contract/requests.ts'
import { faults, latency, stack } from '../support/stack.ts'

/** With 40 ms at both gateways half of the requests are answered within one trip and little more. */
describe('40 ms away', () => {
  const p50MaxMs = 1.1 * 40 + 5
  beforeAll(() => latency.set({ neonMs: 40, redisMs: 40 }))
  afterAll(() => latency.set({}))
  afterEach(() => faults.clear())

  const kinds: [kind: string, redis: string][] = ['read', 'create', 'replay'].flatMap((kind) =>
    ['answers', 'hangs'].map((redis): [string, string] => [kind, redis]),
  )
  test.each(kinds)('%s, while Redis %s', async (kind, redis) => {
    const world = await newWorld()
    const create = await request(operationOf('payment_links.create'), world)
    const list = await request(operationOf('payment_links.list'), world)
    const fresh = () => ({
      ...create,
      headers: { ...create.headers, 'idempotency-key': crypto.randomUUID() },
    })
    await send(create)
    const next = { read: () => list, create: fresh, replay: () => create }[kind]!
    if (redis === 'hangs') await faults.redis({ mode: 'hang', always: true })
    for (let at = 0; at < 10; at++) await send(next())
    const live = mintApiKey({ environment: 'live' }).token
    const refused = { ...list, headers: { ...list.headers, ...bearer(live) } }
    const rounds: Round[] = []
    while (rounds.length < 6 && !rounds.some(isNear)) {
      const ours = () => send(next())
      rounds.push(await round({ ours, refused: () => send(refused), trip: bareTrip, near: ours }))
    }
    expect(rounds.some(isNear), JSON.stringify(rounds)).toBe(true)
  })

  // A busy machine slows every trip and every request. Then we compare with a bare call of the gateway plus a request
  // that is refused without a trip, or with the same request while nothing is far away, sample beside sample: a second
  // trip would still stand out.
  const isNear = ({ ours, refused, trip, near }: Round) =>
    ours <= Math.max(p50MaxMs, Math.min(1.1 * trip + 5 + refused, 1.8 * trip)) || ours - near <= p50MaxMs - 5
})

type Round = Record<'ours' | 'refused' | 'trip' | 'near', number>

/** The p50 of each in ms, the samples taken in turn. */
async function round(kinds: Record<keyof Round, () => Promise<unknown>>): Promise<Round> {
  const samples: Record<keyof Round, number[]> = { ours: [], refused: [], trip: [], near: [] }
  for (let at = 0; at < 31; at++) {
    for (const kind of ['ours', 'refused', 'trip'] as const) samples[kind].push(await took(kinds[kind]))
    await latency.set({})
    samples.near.push(await took(kinds.near))
    await latency.set({ neonMs: 40, redisMs: 40 })
  }
  const { ours, refused, trip, near } = samples
  return { ours: middle(ours), refused: middle(refused), trip: middle(trip), near: middle(near) }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const middle = (samples: number[]) => samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)]!

const bareTrip = async () => {
  const headers = { 'Neon-Connection-String': stack.databases.sandbox.workerUrl }
  const body = JSON.stringify({ query: 'select 1', params: [] })
  const reply = await fetch(stack.neonUrl, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  await reply.text()
}
