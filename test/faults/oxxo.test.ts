import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  pageState,
  paymentsOf,
  settleAttempts,
  survivors,
} from '../support/books.ts'
import { newVoucher, payInCash, vouchersOf } from '../support/cash.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { call, type Link, type Merchant, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { control, counts, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

/** A call of ours to the database or the processor: which one, and how many alike go before it. */
type Boundary = { statement: string; skip?: number }
type Strike = Boundary & { mode: NeonFaultMode }

const strikesAt = (boundaries: readonly Boundary[], modes: readonly NeonFaultMode[]): Strike[] =>
  boundaries.flatMap((boundary) => modes.map((mode) => ({ ...boundary, mode })))

const struck = ({ statement, skip = 0, mode }: Strike) =>
  faults.neon({ mode, skip, match: { database: 'sandbox', contains: statement } })

/** Begins `work` and kills the Worker in its call that the strike is about. */
async function killed(strike: Strike, work: () => Promise<unknown>): Promise<void> {
  const fault = await struck(strike)
  const start = await counts.start()
  const unanswered = work().catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  expect(await unanswered).toBeInstanceOf(Error)
  await faults.clear()
  // The gateway may still carry out a call of a dead Worker for a moment.
  const running = async () =>
    (await counts.since(start)).neon.filter((made) => made.finishedAtMs === undefined)
  await expect.poll(running).toEqual([])
}

/** Does `work` while its call is struck, and again until it is answered as it should be. */
async function insisted(strike: Strike, work: () => Promise<{ status: number }>): Promise<void> {
  const fault = await struck(strike)
  await expect.poll(async () => (await work().catch(() => ({ status: 599 }))).status).toBeLessThan(400)
  expect(await fault.hits(), 'the boundary was reached').toBe(1)
  await faults.clear()
}

type Through = (strike: Strike, work: () => Promise<{ status: number }>) => Promise<void>

const till = (merchant: Merchant, reference: string, late: boolean, key: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/pay`, {
    bearer: merchant.apiKey,
    body: { late },
    headers: { 'idempotency-key': key },
  })

const linkOf = async (merchant: Merchant, link: Link) =>
  (await call<Link>('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })).body.status

/** A buyer gets a voucher through a strike, with as many tries as it takes, and pays it. */
async function issue(strike: Strike, through: Through): Promise<void> {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const form = await openLink(link.public_id)
  await through(strike, () => payInCash(link.public_id, form, 'oxxo'))
  await settleAttempts(merchant.tenantId, 2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])

  // The same form again is the same payment, whatever its outcome.
  let { location } = await payInCash(link.public_id, form, 'oxxo')
  await settleAttempts(merchant.tenantId, 2)
  expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  const [payment] = await paymentsOf(merchant.tenantId)
  if (payment!.status === 'requires_payment_method') {
    // The processor never received the attempt, and its reference was closed: the buyer tries again.
    const again = await openLink(link.public_id, `?retry=${payment!.public_id}`)
    location = (await payInCash(link.public_id, again, 'oxxo')).location
  }
  expect(await pageState(location!)).toEqual({ status: 200, state: 'awaits_payment' })
  const out = (await vouchersOf(merchant.tenantId)).filter(({ status }) => status === 'issued')
  expect(out).toHaveLength(1)
  expect((await till(merchant, out[0]!.reference, false, randomUUID())).status).toBe(200)
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(await linkOf(merchant, link)).toBe('paid')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

/** A till takes the cash through a strike; the payment, or the unapplied funds, are booked once. */
const take =
  (late: boolean) =>
  async (strike: Strike, through: Through): Promise<void> => {
    const merchant = await newMerchant()
    const { link, location, reference } = await newVoucher(merchant)
    if (late)
      await call('POST', `/v1/sandbox/oxxo/${reference}/expire`, {
        bearer: merchant.apiKey,
      })
    const key = randomUUID()
    await through(strike, () => till(merchant, reference, late, key))
    await settleAttempts(merchant.tenantId, 2)
    expect((await till(merchant, reference, late, key)).status).toBe(200)
    expect(await journalsOf(merchant.tenantId)).toEqual(late ? { deposit: 1 } : { capture: 1 })
    expect((await pageState(location)).state).toBe(late ? 'expired' : 'succeeded')
    expect(await linkOf(merchant, link)).toBe(late ? 'active' : 'paid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  }

/** A buyer with a voucher pays by card instead, through a strike. */
async function replace(strike: Strike, through: Through): Promise<void> {
  const merchant = await newMerchant()
  const { link } = await newVoucher(merchant)
  const [first] = await paymentsOf(merchant.tenantId)
  const form = await openLink(link.public_id, `?retry=${first!.public_id}`)
  await through(strike, () => pay(link.public_id, form, 'tok_sbx_approve'))
  await settleAttempts(merchant.tenantId, 2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  await pay(link.public_id, form, 'tok_sbx_approve')
  await settleAttempts(merchant.tenantId, 2)
  const live = (await attemptsOf(merchant.tenantId)).filter(({ status }) => status === 'captured').length
  const cards = (await chargesOf(link.public_id)).filter(({ state }) => state === 'captured').length
  expect(cards, 'charged at most once, and known when it was').toBe(live)
  expect(live).toBeLessThanOrEqual(1)
  // A buyer who asks again is served what the link now offers.
  if (live === 0) await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_approve')
  expect(await linkOf(merchant, link)).toBe('paid')
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

type Story = [
  name: string,
  drill: (strike: Strike, through: Through) => Promise<void>,
  boundaries: Boundary[],
]

const stories: Story[] = [
  [
    'a voucher is issued',
    issue,
    [
      { statement: 'door.publish' },
      { statement: 'simulator.issue_voucher' },
      { statement: 'door.publish', skip: 1 },
    ],
  ],
  [
    'cash is taken in time',
    take(false),
    [
      { statement: 'simulator.pay_voucher' },
      { statement: 'simulator.fetch_any' },
      { statement: 'door.publish' },
      { statement: 'door.publish', skip: 1 },
    ],
  ],
  [
    'cash is taken late',
    take(true),
    [
      { statement: 'simulator.pay_voucher' },
      { statement: 'simulator.fetch_any' },
      { statement: 'door.publish' },
      { statement: 'door.publish', skip: 1 },
    ],
  ],
  [
    'a card instead of the voucher',
    replace,
    [
      { statement: 'simulator.cancel_any' },
      { statement: 'door.publish' },
      { statement: 'door.publish', skip: 1 },
      { statement: 'simulator.charge' },
      { statement: 'door.publish', skip: 2 },
    ],
  ],
]

describe('the Worker is killed', () => {
  test.each(stories)('while %s', async (name, drill, boundaries) => {
    const strikes = strikesAt(boundaries, ['hang', 'late-commit'])
    await survivors(`Worker killed while ${name}`, strikes, (strike) => drill(strike, killed))
  })
})

describe('the call fails', () => {
  beforeAll(() => control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } }))
  afterAll(() => control.reconfigure('sandbox'))

  const modes: NeonFaultMode[] = [
    'refuse',
    'reset-before-send',
    'reset-after-commit',
    'hang',
    'late-commit',
    '5xx-html',
    'truncated-json',
  ]
  test.each(stories)('while %s', async (name, drill, boundaries) => {
    const strikes = strikesAt(boundaries, modes)
    await survivors(`call failed while ${name}`, strikes, (strike) => drill(strike, insisted))
  })
})
