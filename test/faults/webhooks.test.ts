import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { survivors } from '../support/books.ts'
import { call, type Merchant, newLink, newMerchant } from '../support/merchant.ts'
import { newEndpoint, type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'

let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())
afterEach(() => faults.clear())

const sql = adminSql('sandbox')
let paths = 0

type Told = { merchant: Merchant; id: string; secret: string; path: string }

async function toldMerchant(): Promise<Told> {
  paths += 1
  const path = `/${paths}`
  const merchant = await newMerchant()
  const { id, secret } = await newEndpoint(merchant, receiver.url + path, ['payment_link.*'])
  return { merchant, id, secret, path }
}

/** As if every lease and every wait of the merchant had ended. */
const timePasses = ({ merchant }: Told) =>
  sql(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second'
     where tenant_id = $1 and next_attempt_at is not null`,
    [merchant.tenantId],
  )

/** Waits without moving time: no Worker was killed, so no lease has to end. */
const settled = ({ merchant }: Told) =>
  expect
    .poll(
      async () => {
        const [row] = await sql<{ n: number }>(
          `select count(*)::int n from webhook_deliveries where tenant_id = $1 and status <> 'succeeded'`,
          [merchant.tenantId],
        )
        return row!.n
      },
      { timeout: 60_000 },
    )
    .toBe(0)

/** Sweeps until nothing waits, as the coming minutes would; then checks what arrived. */
async function everythingArrived(told: Told, events: number): Promise<void> {
  const { merchant, secret, path } = told
  await expect
    .poll(
      async () => {
        await timePasses(told)
        await trigger('sandbox')
        const [row] = await sql<{ n: number }>(
          `select count(*)::int n from webhook_deliveries where tenant_id = $1 and status <> 'succeeded'`,
          [merchant.tenantId],
        )
        return row!.n
      },
      { timeout: 60_000 },
    )
    .toBe(0)
  const received = receiver.at(path)
  const bodies = new Map<string, Set<string>>()
  for (const each of received) {
    const { id } = verify(secret, each)
    expect(each.headers['webhook-id']).toBe(id)
    bodies.set(id, (bodies.get(id) ?? new Set()).add(each.body))
  }
  expect(bodies.size).toBe(events)
  for (const same of bodies.values()) expect(same.size).toBe(1)
}

type Kill = { name: string; contains: string; skip: number; mode: 'hang' | 'late-commit'; events: number }

/** Steps from a change to its delivery: publish of the change, claim, publish of the outcome. */
const kills: Kill[] = [
  { name: 'before the commit', contains: 'door.publish', skip: 0, mode: 'hang', events: 0 },
  { name: 'between commit and enqueue', contains: 'door.publish', skip: 0, mode: 'late-commit', events: 1 },
  { name: 'before the claim', contains: 'door.claim_deliveries', skip: 0, mode: 'hang', events: 1 },
  {
    name: 'between claim and send',
    contains: 'door.claim_deliveries',
    skip: 0,
    mode: 'late-commit',
    events: 1,
  },
  { name: 'between send and record', contains: 'door.publish', skip: 1, mode: 'hang', events: 1 },
  { name: 'while it is recorded', contains: 'door.publish', skip: 1, mode: 'late-commit', events: 1 },
]

test('the Worker is killed on the way from a change to its merchant', async () => {
  await survivors('Worker killed around a webhook', kills, async ({ contains, skip, mode, events }) => {
    const told = await toldMerchant()
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const asked = newLink(told.merchant).catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await asked
    await faults.clear()
    if (mode === 'late-commit' && skip === 0 && contains === 'door.publish') {
      await expect
        .poll(
          async () =>
            (
              await sql('select from events where tenant_id = $1 and type = $2', [
                told.merchant.tenantId,
                'payment_link.created',
              ])
            ).length,
        )
        .toBe(1)
    }
    await everythingArrived(told, events)
  })
})

const sweepKills = ['door.waiting_endpoints', 'door.claim_deliveries', 'door.publish'].flatMap((contains) =>
  (['hang', 'late-commit'] as const).map((mode) => ({ contains, mode })),
)

test('the Worker is killed during the sweep', async () => {
  await survivors('sweep killed', sweepKills, async ({ contains, mode }) => {
    const told = await toldMerchant()
    receiver.answer(told.path, 503)
    await newLink(told.merchant)
    await expect.poll(() => receiver.at(told.path).length).toBe(1)
    await expect
      .poll(
        async () =>
          (
            await sql(`select from webhook_deliveries where tenant_id = $1 and status = 'retrying'`, [
              told.merchant.tenantId,
            ])
          ).length,
      )
      .toBe(1)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
    await sweptUntil(told, fault.hit())
    await control.crash('sandbox')
    receiver.answer(told.path, 200)
    await faults.clear()
    await everythingArrived(told, 1)
  })
})

/** Sweeps again where the queue's own retry was first and put the next one off. */
async function sweptUntil(told: Told, hit: Promise<unknown>): Promise<void> {
  let isHit = false
  const struck = hit.then(() => {
    isHit = true
  })
  while (!isHit) {
    await timePasses(told)
    await Promise.race([struck, trigger('sandbox').catch(() => {})])
  }
}

test('a queue that loses every message: the sweep finds everything', async () => {
  await control.reconfigure('sandbox', { queuesLose: true })
  try {
    const told = await toldMerchant()
    for (let at = 0; at < 20; at++) await newLink(told.merchant)
    expect(receiver.at(told.path)).toEqual([])
    await trigger('sandbox')
    expect(receiver.at(told.path)).toHaveLength(20)
    await everythingArrived(told, 20)
  } finally {
    await control.reconfigure('sandbox')
  }
})

test('messages that are doubled, reordered or about unknown endpoints: each event is sent once', async () => {
  const [told, other] = [await toldMerchant(), await toldMerchant()]
  const message = { tenantId: told.merchant.tenantId, endpointId: told.id }
  const strange = [
    { tenantId: other.merchant.tenantId, endpointId: told.id },
    { tenantId: told.merchant.tenantId, endpointId: other.id },
    { tenantId: '', endpointId: randomUUID() },
  ]
  const noise = Array.from({ length: 40 }, (_, at) =>
    control.wake('sandbox', at % 4 ? message : strange[at % 3]),
  )
  const links = Array.from({ length: 20 }, () => newLink(told.merchant))
  await Promise.all([...noise, ...links])
  await settled(told)
  await everythingArrived(told, 20)
  expect(receiver.at(told.path)).toHaveLength(20)
  expect(receiver.at(other.path)).toEqual([])
})

test('two sweeps, and drains beside them, send nothing twice', async () => {
  await control.reconfigure('sandbox', { queuesLose: true })
  const told = await toldMerchant()
  try {
    for (let at = 0; at < 40; at++) await newLink(told.merchant)
  } finally {
    await control.reconfigure('sandbox')
  }
  const message = { tenantId: told.merchant.tenantId, endpointId: told.id }
  await Promise.all([
    trigger('sandbox'),
    trigger('sandbox'),
    control.wake('sandbox', message),
    trigger('sandbox'),
  ])
  await settled(told)
  await everythingArrived(told, 40)
  expect(receiver.at(told.path)).toHaveLength(40)
})

test('the database away while outcomes are recorded: sent again after the lease, same bytes', async () => {
  const told = await toldMerchant()
  const fault = await faults.neon({
    mode: 'refuse',
    match: { database: 'sandbox', contains: 'door.publish' },
    skip: 1,
    times: 2,
  })
  await newLink(told.merchant)
  await fault.hit(2)
  await everythingArrived(told, 1)
  expect(receiver.at(told.path).length).toBeGreaterThanOrEqual(2)
  const [delivery] = (
    await call<{ data: { id: string }[] }>('GET', '/v1/webhooks/deliveries', { bearer: told.merchant.apiKey })
  ).body.data
  const path = `/v1/webhooks/deliveries/${delivery!.id}`
  const { body } = await call('GET', path, { bearer: told.merchant.apiKey })
  // The unrecorded attempt leaves a gap in the numbers.
  expect(body.attempts).toMatchObject([{ number: 2, status: 'succeeded' }])
})
