import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenRules } from '../support/books.ts'
import {
  durable,
  hours,
  type Killed,
  killing,
  newSellers,
  Postman,
  rows,
  type Seller,
  settle,
  weekAtStripe,
} from '../support/live-drill.ts'
import { refundsEnd, stories } from '../support/live-stories.ts'
import {
  balanceStory,
  disputed,
  each,
  held,
  kept,
  refunded,
  taken,
  warned,
  wrong,
} from '../support/live-totals.ts'
import { mulberry32, oneOf } from '../support/random.ts'
import { trigger } from '../support/stack.ts'
import { server, setUp, withStripe } from '../support/stripe-live.ts'
import { keyOne } from '../support/stripe-own-accounts.ts'

/*
 * Payments of all methods through Stripe while workerd and Postgres are killed, notifications are lost, repeated, shuffled
 * and late, for a week none comes, Stripe limits the rate, and an account loses a method. Then our books and Stripe's are
 * the same, by account, method and day. `LIVE_PAYMENTS=2000` is the large form.
 */

const paymentsMax = Number(process.env.LIVE_PAYMENTS ?? 18)
const atOnce = 6
const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
const random = mulberry32(seed)

withStripe({})
beforeAll(async () => {
  await setUp({
    STRIPE_MERCHANT_ACCOUNTS: 'true',
    SECRETS_KEYS: JSON.stringify({ 1: keyOne }),
    PROCESSOR_TIMEOUT_MS: '2500',
    DATABASE_TIMEOUT_MS: '2000',
  })
  await durable(true)
})
afterAll(() => durable(false))

/** Buyers pay, several at once, while what `chaos` names goes on. */
async function stretch(count: number, sellers: readonly Seller[], postman: Postman, killed: Killed) {
  const until = { done: false }
  const goOn = async (work: () => Promise<unknown>, everyMs: number) => {
    while (!until.done) {
      await work()
      await delay(everyMs)
    }
  }
  const chaos = Promise.all([
    killing(random, until, killed),
    goOn(() => postman.round(), 200),
    goOn(() => trigger('live').catch(() => {}), 2_000),
  ])
  let left = count
  const buyers = Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await oneOf(random, stories)({ seller: oneOf(random, sellers), random })
  })
  await Promise.all(buyers).finally(() => {
    until.done = true
  })
  await chaos
  server.forgetFaults()
  refundsEnd(random)
  await postman.round()
}

/** An account may not take OXXO for a while: it is read that it may not, and later that it may. */
async function capability(sellers: readonly Seller[], state: 'active' | 'inactive') {
  server.settings('acct_own').capabilities.oxxo_payments = state
  await rows('update processor_credentials set next_check_at = now() where next_check_at is not null')
  await hours(sellers)
}

test('through a week without notifications and while servers die, every cent is where Stripe has it', async () => {
  console.log(`live: SEED=${seed}, ${paymentsMax} payments`)
  server.searchDelayMs = 1_500
  const sellers = await newSellers()
  const tenants = sellers.map(({ merchant }) => merchant.tenantId)
  const postman = new Postman(random, sellers)
  const killed: Killed = { workers: 0, postgres: 0, bursts: 0, faults: 0 }
  await hours(sellers)
  const third = Math.ceil(paymentsMax / 3)

  await stretch(third, sellers, postman, killed)
  postman.isOn = false
  await capability(sellers, 'inactive')
  await stretch(third, sellers, postman, killed)
  weekAtStripe()
  await hours(sellers)
  postman.isOn = true
  await capability(sellers, 'active')
  await postman.late()
  await stretch(paymentsMax - 2 * third, sellers, postman, killed)
  // A refund that no server could send yet is on its way too before all of them end.
  server.refundStatus = 'succeeded'
  await hours(sellers)
  refundsEnd(random)
  await postman.round()
  await postman.late()
  weekAtStripe()
  await settle(sellers, async () => (await wrong(tenants)).length > 0)

  console.log(`live: ${JSON.stringify({ ...killed, ...postman.counts, intents: server.intents.size })}`)
  expect(await wrong(tenants)).toEqual([])
  for (const compared of [taken, each, refunded, disputed, warned, held]) {
    const { theirs, ours } = await compared(tenants)
    const differing = [...theirs, ...ours].filter((line) => theirs.includes(line) !== ours.includes(line))
    for (const line of compared === held ? differing : [])
      console.log(line, JSON.stringify(await balanceStory(line.split(' ')[0]!)))
    expect(ours, compared.name).toEqual(theirs)
  }
  const { theirs, ours } = await kept(sellers)
  expect(ours).toEqual(theirs)
  for (const tenant of tenants) expect(await brokenRules(tenant, 'live')).toEqual([])
  expect(server.complaints).toEqual([])
})
