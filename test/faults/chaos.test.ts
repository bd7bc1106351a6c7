import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { brokenRules, chargesOf, pageState, paymentsOf, settleAttempts } from '../support/books.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import type { RedisFaultMode } from '../support/gateways/redis.ts'
import {
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  type PayForm,
  pay,
} from '../support/merchant.ts'
import { below, mulberry32 } from '../support/random.ts'
import { adminSql, control, faults } from '../support/stack.ts'

beforeAll(() => control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } }))
afterEach(() => faults.clear())
afterAll(() => control.reconfigure('sandbox'))

const neonModes: NeonFaultMode[] = [
  'refuse',
  'reset-before-send',
  'reset-after-commit',
  'hang',
  'late-commit',
  '5xx-html',
  '400-without-sqlstate',
  '507',
  'rate-limit',
  '53300',
  'truncated-json',
]
const redisModes: RedisFaultMode[] = [
  'refuse',
  'hang',
  'reset',
  '5xx',
  'nonsense',
  'stale',
  'swapped',
  'truncated',
]
const statements = [
  'door.publish',
  'door.authorize',
  'door.enter',
  'simulator.charge',
  'simulator.fetch',
  'simulator.cancel',
]
const tokens = [
  'tok_sbx_approve',
  'tok_sbx_approve',
  'tok_sbx_approve',
  'tok_sbx_decline_funds',
  'tok_sbx_timeout_then_paid',
  'tok_sbx_timeout_then_failed',
]

const buyersMax = 40
const faultsMax = 40
const patienceMs = 60_000
const rounds = Number(process.env.RUNS ?? 2)

type Buyer = { link: Link; form: PayForm; token: string }

/** A buyer who sends the same form until it leads to a page; null when another buyer took the link. */
async function insist({ link, form, token }: Buyer): Promise<string | null> {
  const endsAt = Date.now() + patienceMs
  while (Date.now() < endsAt) {
    const answer = await pay(link.public_id, form, token).catch(() => null)
    if (answer?.status === 303) return answer.location
    if (answer && answer.status < 500) return null
  }
  throw new Error('a buyer got no answer')
}

/** What a page says, which a buyer opens again where it says that it could not be read in time. */
async function stateAt(page: string): Promise<string | undefined> {
  for (;;) {
    const { status, state } = await pageState(page)
    if (status !== 503) return state
  }
}

async function strike(roll: (sides: number) => number): Promise<void> {
  const match = { database: 'sandbox' }
  for (let at = 0; at < faultsMax; at++) {
    const neon = { mode: neonModes[roll(neonModes.length)]!, skip: roll(80), executed: roll(2) === 0 }
    await faults.neon({ ...neon, match: { ...match, contains: statements[roll(statements.length)]! } })
    if (at % 4 === 0)
      await faults.redis({ mode: redisModes[roll(redisModes.length)]!, match, skip: roll(80) })
  }
}

async function round(seed: number): Promise<void> {
  const random = mulberry32(seed)
  const roll = (sides: number) => below(random, sides)
  const merchant: Merchant = await newMerchant()
  const links: Link[] = []
  for (let at = 0; at < 6; at++)
    links.push(await newLink(merchant, { usage: at < 4 ? 'single_use' : 'multi_use' }))
  const buyers: Buyer[] = []
  for (let at = 0; at < buyersMax; at++) {
    const link = links[at % links.length]!
    buyers.push({ link, form: await openLink(link.public_id), token: tokens[roll(tokens.length)]! })
  }
  await strike(roll)
  const paying = Promise.all(buyers.map(insist))
  paying.catch(() => {})
  await control.crash('sandbox')
  const pages = await paying
  await faults.clear()
  await settleAttempts(merchant.tenantId)

  expect(await brokenRules(merchant.tenantId)).toEqual([])
  const payments = await paymentsOf(merchant.tenantId)
  const shown = await Promise.all(pages.map((page) => page && stateAt(page)))
  const references = pages.map((page) => /spcs_[a-z0-9]{32}/.exec(page ?? '')?.[0])
  for (const payment of payments) {
    const at = references.indexOf(payment.public_id)
    // A form that was recorded led to its page, whose state matches our records.
    expect(at).toBeGreaterThanOrEqual(0)
    expect(shown[at]).toBe(payment.status === 'succeeded' ? 'succeeded' : 'declined')
    expect(payment.status === 'succeeded' || payment.status === 'requires_payment_method').toBe(true)
  }
  expect(new Set(references.filter(Boolean)).size).toBe(payments.length)
  for (const link of links) {
    const captured = (await chargesOf(link.public_id)).filter(({ state }) => state === 'captured').length
    const succeeded = await adminSql('sandbox')(
      `select id from payments where tenant_id = $1 and origin_id = $2 and status = 'succeeded'`,
      [merchant.tenantId, link.id],
    )
    expect(captured).toBe(succeeded.length)
  }
}

test('buyers pay correctly while everything fails at random', async () => {
  const first = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
  console.log(`everything fails at random: SEED=${first}`)
  for (let at = 0; at < rounds; at++) {
    try {
      await round(first + at)
    } catch (error) {
      console.log(`everything fails at random: survived ${at} of ${rounds}`)
      throw new Error(`SEED=${first + at}`, { cause: error })
    }
  }
  console.log(`everything fails at random: survived ${rounds} of ${rounds}, ${buyersMax} buyers each`)
})
