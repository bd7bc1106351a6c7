import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { beforeAndAfter } from '../support/drills.ts'
import { newMerchant } from '../support/merchant.ts'
import { adminSql } from '../support/stack.ts'
import {
  connectedSource,
  diesReading,
  followed,
  newStripeSource,
  peopleOf,
  postSigned,
  pulled,
  type StripeStrike,
  setConnection,
  stripeAccount,
} from '../support/stripe-sync.ts'

const sql = adminSql('sandbox')

/** Before and after a call's effect. */
const around = (contains: string, skip = 0) => beforeAndAfter.map(({ mode }) => ({ contains, skip, mode }))
const before = (contains: string, skip = 0) => ({ contains, skip, mode: 'hang' }) as const

/** An account of two pages: five customers, of whom one has a phone number that is none. */
async function newAccount() {
  const account = stripeAccount()
  await account.order({ order: 'open', pageMax: 3 })
  const people = Array.from({ length: 5 }, (_, at) => ({
    name: `Ana ${at}`,
    phone: at === 4 ? 'none' : null,
  }))
  const ids = await account.save(people, { silently: true })
  // Accounts of other cases are left alone.
  await sql(
    `update stripe_connections set next_check_at = now() + interval '1 hour' where next_check_at is not null`,
  )
  return { account, ids, merchant: await newMerchant() }
}

/** Every case dies in process; with workerd one of each kind of call does. */
const ofCall = (strike: StripeStrike) => ('stripe' in strike ? 'stripe' : strike.contains)

const runsOf = (id: string) =>
  sql(
    `select status, created, updated, skipped, failed, slices_count,
       (select sum(jsonb_array_length(f.records))::int from sync_refusals f where f.run_id = r.id) as listed
     from sync_runs r where source_id = $1 order by created_at, id`,
    [id],
  )

const pull = { status: 'partial', created: 5, updated: 0, skipped: 0, failed: 1, slices_count: 2, listed: 1 }

const connects: StripeStrike[] = [before('from "stripe_connections"'), ...around('door.publish')]

test('the Worker is killed while an account is connected: sent again, it is pulled once', async () => {
  await survivors('Worker killed around a connection', connects, async (kill) => {
    const { merchant, account } = await newAccount()
    const id = await newStripeSource(merchant)
    const headers = { 'idempotency-key': randomUUID() }
    const connect = () => setConnection(merchant, id, { api_key: account.key }, headers)
    await diesReading(account, kill, connect)
    expect((await connect()).status).toBe(200)
    await pulled(id)
    expect(await runsOf(id)).toEqual([pull])
    expect(await peopleOf(merchant)).toHaveLength(5)
  })
})

const pulls: StripeStrike[] = [
  before('door.stripe_connection('),
  before('from "stripe_connections"'),
  { stripe: 0 },
  ...around('door.publish'),
  { stripe: 1 },
  before('door.sync_matches'),
  ...around('door.publish', 1),
  { stripe: 2 },
  ...around('door.publish', 2),
]

test('the Worker is killed while it pulls an account: the next one goes on, and no customer counts twice', async () => {
  await survivors(
    'Worker killed within a pull',
    pulls,
    async (kill) => {
      const { merchant, account, ids } = await newAccount()
      const id = await connectedSource(merchant, account.key)
      await diesReading(account, kill, () => pulled(id))
      await pulled(id)
      expect(await runsOf(id)).toEqual([pull])
      await account.save([{ id: ids[0]!, name: 'Berta' }, { name: 'Carla' }])
      const names = ['Ana 1', 'Ana 2', 'Ana 3', 'Ana 4', 'Berta', 'Carla']
      const follow = () => followed(id).then(async () => (await peopleOf(merchant)).map(({ name }) => name))
      // Of a slow machine Stripe's answer may be late: then the next run of the job reads.
      await expect.poll(async () => (await follow()).toSorted()).toEqual(names)
      expect(await runsOf(id)).toHaveLength(2)
    },
    ofCall,
  )
})

/** A slow machine may let Stripe's answer be late: then the next run of the job makes the call that is struck. */
async function repeated(work: () => Promise<unknown>) {
  for (const _ of [1, 2, 3]) await work()
}

/** A page of three events, then one of one. */
const pages = [
  { status: 'partial', created: 2, updated: 1, skipped: 0, failed: 1, slices_count: 1, listed: 1 },
  { status: 'succeeded', created: 0, updated: 1, skipped: 0, failed: 0, slices_count: 1, listed: null },
]

const readings: StripeStrike[] = [
  before('door.stripe_connection('),
  before('from "stripe_connections"'),
  { stripe: 0 },
  before('door.sync_matches'),
  ...around('door.publish'),
  { stripe: 1 },
  before('door.sync_matches', 1),
  ...around('door.publish', 1),
]

test('the Worker is killed while it reads events: each counts once, in its order', async () => {
  const { merchant, account, ids } = await newAccount()
  // Events are read on from this one.
  await account.save([{ id: ids[0]!, name: 'Ana' }])
  const id = await connectedSource(merchant, account.key)
  await pulled(id)
  await survivors(
    'Worker killed among events',
    readings,
    async (kill) => {
      const [runs, people] = [await runsOf(id), await peopleOf(merchant)]
      const name = randomUUID().replaceAll(/\d/g, 'x')
      await account.save([
        { id: ids[0]!, name },
        { name, phone: 'none' },
        { name },
        { id: ids[0]!, name: 'Ana' },
      ])
      await diesReading(account, kill, () => repeated(() => followed(id)))
      const read = () => followed(id).then(async () => (await runsOf(id)).slice(runs.length))
      await expect.poll(read).toEqual(pages)
      const after = await peopleOf(merchant)
      expect(after.length - people.length).toBe(2)
      expect(after.filter((one) => one.name === name)).toHaveLength(2)
      expect(after.find((one) => one.ids[0] === ids[0])).toMatchObject({ name: 'Ana' })
    },
    ofCall,
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

const connectionOf = (id: string) =>
  sql<{ version: number }>('select version from stripe_connections where id = $1', [id])
/** As if its events had just been read. */
const waits = (id: string) =>
  sql(`update stripe_connections set next_check_at = now() + interval '10 minutes' where id = $1`, [id])

const posts: StripeStrike[] = [
  before('door.stripe_connection('),
  ...around('door.claim_stripe_reading'),
  { stripe: 0 },
  before('door.sync_matches'),
  ...around('door.publish'),
]

test('the Worker is killed over a posted event: the scheduled job reads it, once', async () => {
  const { merchant, account, ids } = await newAccount()
  const id = await connectedSource(merchant, account.key)
  const secret = 'whsec_of_this_source_alone'
  await setConnection(merchant, id, { webhook_secret: secret })
  await pulled(id)
  await survivors(
    'Worker killed over a posted event',
    posts,
    async (kill) => {
      const runs = await runsOf(id)
      const name = randomUUID().replaceAll(/\d/g, 'x')
      await waits(id)
      await account.save([{ id: ids[0]!, name }])
      await diesReading(account, kill, () => postSigned(id, secret))
      const named = () =>
        followed(id).then(async () => (await peopleOf(merchant)).filter((one) => one.name === name))
      await expect.poll(named).toHaveLength(1)
      expect(await runsOf(id)).toHaveLength(runs.length + 1)
    },
    ofCall,
  )
  // Posted again, it starts a reading that finds nothing.
  const runs = await runsOf(id)
  await waits(id)
  const [{ version } = { version: 0 }] = await connectionOf(id)
  await postSigned(id, secret)
  await expect.poll(async () => (await connectionOf(id))[0]!.version).toBeGreaterThan(version)
  expect(await runsOf(id)).toEqual(runs)
  expect(await peopleOf(merchant)).toHaveLength(5)
})
