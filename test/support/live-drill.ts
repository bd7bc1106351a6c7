import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { notifyingTypes } from '../../src/processors/stripe/notifications.ts'
import { join, newCustomer } from './customer.ts'
import { call, type Link, type Merchant, newMerchant, type Reply } from './merchant.ts'
import { below, oneOf, type Random, shuffled } from './random.ts'
import { adminSql, control, trigger } from './stack.ts'
import { directUrl, hook, server, sql } from './stripe-live.ts'
import { type Keys, known, other, own, setKeys } from './stripe-own-accounts.ts'
import { type Fault, webhookSecret } from './stripe-server.ts'

// The live Worker among servers that die, with a Stripe that tells things late, twice, in another order or not at all.

/** A workspace, and the account that takes its money: the environment's, or its own. */
export interface Seller {
  readonly merchant: Merchant
  readonly account: string
  readonly hook: string
  readonly secret: string
}

export async function newSeller(keys?: Keys, account = 'acct_environment'): Promise<Seller> {
  const merchant = await newMerchant({ environment: 'live' })
  if (!keys) return { merchant, account, hook, secret: webhookSecret }
  known(keys, account)
  const customer = await newCustomer()
  await join(customer, merchant)
  const reply = await setKeys(customer, merchant, keys)
  expect(reply.status, reply.text).toBe(200)
  return { merchant, account, hook: `${hook}/${merchant.tenantId}`, secret: keys.webhook_secret }
}

/** Two workspaces on the environment's account, and two with accounts of their own. */
export const newSellers = async (): Promise<Seller[]> => [
  await newSeller(),
  await newSeller(),
  await newSeller(own, 'acct_own'),
  await newSeller(other, 'acct_other'),
]

const patienceMs = 60_000

/** Tries until there is an answer, as callers do while servers die; null where none came. */
export async function insist<T>(work: () => Promise<T | null>, forMs = patienceMs): Promise<T | null> {
  for (const endsAtMs = Date.now() + forMs; ; await delay(100)) {
    const answer = await work().catch(() => null)
    if (answer !== null || Date.now() > endsAtMs) return answer
  }
}

/** Rows, whatever Postgres goes through meanwhile. */
export async function rows<Row extends Record<string, unknown>>(text: string, params: unknown[] = []) {
  const found = await insist(() => sql<Row>(text, params))
  if (found === null) throw new Error(`Postgres did not come back for: ${text}`)
  return found
}

/** A request of a merchant, repeated under its key while no server answers it. */
export async function ask<Body = Record<string, unknown>>(
  { merchant }: Seller,
  path: string,
  body: object = {},
): Promise<Reply<Body> | null> {
  const headers = { 'idempotency-key': randomUUID() }
  const options = { environment: 'live', bearer: merchant.apiKey, headers, body } as const
  return insist(async () => {
    const reply = await call<Body>('POST', path, options)
    return reply.status < 500 ? reply : null
  })
}

/** A link for sale; null where the account does not take its method now. */
export async function offer(seller: Seller, fields: object): Promise<Link | null> {
  const reply = await ask<Link>(seller, '/v1/payment-links', { currency: 'mxn', ...fields })
  if (reply?.status === 422) expect(reply.text).toContain('payment_method_inactive')
  else expect(reply?.status, reply?.text).toBe(201)
  return reply?.status === 201 ? reply.body : null
}

/**
 * The events of all accounts on their way to us: of ten, one is lost, two come late, two come three times, and all in
 * another order. `isOn` false: all are lost.
 */
export class Postman {
  isOn = true
  readonly counts = { told: 0, lost: 0, late: 0, again: 0 }
  readonly #known = new Set<string>()
  readonly #late: Kept[] = []
  readonly #random: Random
  readonly #sellers: readonly Seller[]

  constructor(random: Random, sellers: readonly Seller[]) {
    this.#random = random
    this.#sellers = sellers
  }

  async round(): Promise<void> {
    const fresh = server.events.all.filter(({ event }) => !this.#known.has(event.id))
    const now: Kept[] = []
    for (const each of fresh) {
      this.#known.add(each.event.id)
      const fate = below(this.#random, 10)
      if (!this.isOn || fate === 0) this.counts.lost += 1
      else if (fate < 3) this.#late.push(each)
      else now.push(each, ...(fate < 5 ? [each, each] : []))
    }
    await this.#tell(shuffled(this.#random, now))
  }

  /** What was late arrives. */
  async late(): Promise<void> {
    const all = this.#late.splice(0)
    this.counts.late += all.length
    await this.#tell(shuffled(this.#random, all))
  }

  async #tell(all: readonly Kept[]): Promise<void> {
    for (let at = 0; at < all.length; at += 8)
      await Promise.all(all.slice(at, at + 8).map((each) => this.#post(each)))
  }

  async #post(kept: Kept): Promise<void> {
    const seller = this.#sellers.find(({ account }) => account === kept.owner)
    if (!seller) return
    const { body, signature } = await server.signed(kept.event, { secret: seller.secret })
    const headers = { 'stripe-signature': signature }
    const reply = await fetch(directUrl + seller.hook, { method: 'POST', body, headers }).catch(() => null)
    // Stripe repeats what nobody took.
    if (!reply?.ok) this.#late.push(kept)
    else if (kept.delivered) this.counts.again += 1
    else this.counts.told += 1
    if (reply?.ok) server.events.delivered(kept.event.id)
  }
}

type Kept = (typeof server.events.all)[number]

const inBursts: readonly Fault[] = ['429', '429_lock', '429_long']
const single: readonly Fault[] = ['409', '500', '500_after', 'cut', 'cut_after', 'time_out', 'time_out_after']
const struck = [/POST .*payment_intents$/, /POST .*(capture|cancel)$/, /POST .*(refunds|customers)/, /GET /]

/** Of eight two kill the Worker and one Postgres; two are bursts, and three single faults. */
const kinds = [0, 1, 2, 3, 4, 5, 6, 7]

export type Killed = Record<'workers' | 'postgres' | 'bursts' | 'faults', number>

/** Kills the Worker and Postgres and lets Stripe fail, at random moments, until `until.done`. */
export async function killing(random: Random, until: { done: boolean }, killed: Killed): Promise<void> {
  for (let turn = 0, order: number[] = []; !until.done; turn++) {
    await delay(500 + below(random, 2_500))
    if (turn % kinds.length === 0) order = shuffled(random, kinds)
    const what = order[turn % kinds.length]!
    if (what < 2) {
      await control.crash('live')
      killed.workers += 1
      while (!until.done && !(await isUp())) await delay(100)
    } else if (what === 2) {
      killed.postgres += await killPostgres()
    } else if (what < 5) {
      server.failNext(/./, oneOf(random, inBursts), 5 + below(random, 20))
      killed.bursts += 1
    } else {
      server.failNext(oneOf(random, struck), oneOf(random, single))
      killed.faults += 1
    }
  }
}

const isUp = () =>
  fetch(`${directUrl}/v1`).then(
    (response) => response.arrayBuffer().then(() => true),
    () => false,
  )

/**
 * Kills a process of Postgres that works for the Worker: the server ends all others and recovers from its log. A server
 * that was given from outside is not on this machine: there connections end.
 */
async function killPostgres(): Promise<number> {
  const ofWorkers = `from pg_stat_activity where datname = current_database() and application_name = 'neon-gateway'`
  const isOurs = !process.env.DATABASE_URL
  const found = await rows<{ pid: number }>(
    isOurs
      ? `select pid ${ofWorkers} order by random() limit 1`
      : `select pid, pg_terminate_backend(pid) ${ofWorkers}`,
  )
  if (isOurs) for (const { pid } of found) process.kill(pid, 'SIGKILL')
  return Math.min(found.length, 1)
}

/** What Postgres confirmed survives its death, as in production; the stack's own setting gives that up for speed. */
export async function durable(isOn: boolean): Promise<void> {
  for (const name of ['live', 'identity'] as const) {
    const admin = adminSql(name)
    const [row] = await admin<{ name: string }>('select quote_ident(current_database()) as name')
    await admin(
      `alter database ${row!.name} ${isOn ? 'set synchronous_commit = on' : 'reset synchronous_commit'}`,
    )
    await admin(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'neon-gateway'`,
    )
  }
}

/** As the coming hours: what is due of these workspaces, once. */
export async function hours(sellers: readonly Seller[]): Promise<void> {
  const tenants = sellers.map(({ merchant }) => merchant.tenantId)
  for (const table of ['payment_attempts', 'refunds', 'disputes'])
    await rows(
      `update ${table} set next_check_at = now() where next_check_at is not null and tenant_id = any($1)`,
      [tenants],
    )
  await rows('update processor_notifications set next_try_at = now() where next_try_at is not null')
  await rows('update processor_event_reads set next_read_at = now()')
  await trigger('live').catch(() => {})
}

/** A week goes by at Stripe: its events are older, and its Idempotency-Keys are forgotten. */
export function weekAtStripe(): void {
  for (const { event } of server.events.all) event.created -= 7 * 86_400
  server.forgetKeys()
}

/** Whether the events of each account were read to the last one. */
async function isReadToTheEnd(tenants: readonly string[]): Promise<boolean> {
  const places = await rows<{ account: string; event_id: string | null }>(
    `select coalesce(c.account_ref, 'acct_environment') as account, r.event_id from processor_event_reads r
     left join processor_credentials c on c.id::text = r.account where r.account = '' or c.tenant_id = any($1)`,
    [tenants],
  )
  return places.every(({ account, event_id: place }) => {
    const isLast = ({ owner, event }: Kept) =>
      owner === account && notifyingTypes.includes(event.type as never)
    return (server.events.all.find(isLast)?.event.id ?? place) === place
  })
}

/**
 * So long nothing may change although something is open. A breaker is open for fifteen seconds, and on a busy machine it
 * opens again when its one try takes longer than `PROCESSOR_TIMEOUT_MS`: this is the time of several tries.
 */
const stillMs = 90_000

/** Runs what is due until nothing changes any more, and nothing is open, or for a while nothing did. */
export async function settle(
  sellers: readonly Seller[],
  isOpen: (tenants: readonly string[]) => Promise<boolean>,
): Promise<void> {
  const tenants = sellers.map(({ merchant }) => merchant.tenantId)
  const standing = async () =>
    JSON.stringify([
      await rows(
        `select (select count(*)::int from events where tenant_id = any($1)) as told,
           (select count(*)::int from processor_notifications) as heard,
           (select count(*)::int from processor_notifications where processed_at is null) as open`,
        [tenants],
      ),
      await rows('select account, event_id from processor_event_reads order by account'),
    ])
  let before = ''
  for (let changedAtMs = Date.now(); Date.now() - changedAtMs < stillMs; ) {
    await hours(sellers)
    const now = await standing()
    if (now !== before) changedAtMs = Date.now()
    else if (!(await isOpen(tenants)) && (await isReadToTheEnd(tenants))) return
    else await delay(500)
    before = now
  }
}
