import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { attemptsOf, brokenRules, pageState, settleAttempts, survivors } from '../support/books.ts'
import { payInCash } from '../support/cash.ts'
import { failures, inTurn, onceAndTwice } from '../support/drills.ts'
import type { FaultOrder } from '../support/gateways/faults.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { call, type Merchant, newLink, newMerchant, openLink } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { deposit, depositsOf, lent, lentNow, standing, unappliedFundsOf } from '../support/spei.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'

afterEach(() => faults.clear())

const modes = ['hang', 'late-commit'] as const

/** What arrives, and what must result, whatever is killed meanwhile. */
const stories = [
  { name: 'exact', before: 0, amount: 120_000, ends: 'succeeded 120000 quarantined', unapplied: [] },
  { name: 'short', before: 0, amount: 50_000, ends: 'requires_action 50000 assigned', unapplied: [] },
  { name: 'the rest', before: 50_000, amount: 70_000, ends: 'succeeded 120000 quarantined', unapplied: [] },
  {
    name: 'over',
    before: 0,
    amount: 130_000,
    ends: 'succeeded 120000 quarantined',
    unapplied: ['overpaid 10000/10000'],
  },
] as const

/** The calls between a transfer's arrival and the reply to its sender, in order. */
const boundaries = [
  { contains: 'simulator.spei_arrive', skip: 0 },
  { contains: 'simulator.spei_deposit(', skip: 0 }, // notified, not fetched
  { contains: 'door.clabe_tenant', skip: 0 },
  { contains: 'door.publish', skip: 0 }, // fetched, not booked
  { contains: 'simulator.spei_confirm', skip: 0 }, // booked, not confirmed
  { contains: 'door.publish', skip: 1 }, // confirmed, not answered
] as const

type Story = (typeof stories)[number]

async function begun({ before }: Story) {
  const merchant = await newMerchant()
  const payment = await lent(merchant)
  if (before > 0) await deposit(merchant, payment.clabe, before)
  return { merchant, ...payment }
}

async function ended(merchant: Merchant, paymentId: string, story: Story): Promise<void> {
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  expect(await standing(merchant, paymentId)).toBe(story.ends)
  expect(await unappliedFundsOf(merchant)).toEqual(story.unapplied)
  expect(await depositsOf(merchant)).toHaveLength(story.before > 0 ? 2 : 1)
}

test('the Worker is killed in each step of a transfer that arrives', async () => {
  const ways = boundaries.flatMap((at) => modes.map((mode) => ({ ...at, mode })))
  const told = stories.map((story) => ({ story }))
  const cases = inTurn(ways, told, 2)
  await survivors('Worker killed over a SPEI transfer', cases, async ({ story, contains, skip, mode }) => {
    const { merchant, clabe, paymentId } = await begun(story)
    const key = { 'idempotency-key': randomUUID() }
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const unanswered = deposit(merchant, clabe, story.amount, {}, key).catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    expect(await unanswered).toBeInstanceOf(Error)
    await faults.clear()
    const arrived = contains !== 'simulator.spei_arrive' || (await arrivesLate(merchant, clabe, mode, story))
    // Its notification is repeated: the reconciler learns of the transfer without a request.
    await trigger('sandbox')
    if (arrived) await ended(merchant, paymentId, story)
    // The sender, who saw no answer, sends it again.
    expect((await deposit(merchant, clabe, story.amount, {}, key)).status).toBe(201)
    await ended(merchant, paymentId, story)
    await trigger('sandbox')
    await ended(merchant, paymentId, story)
  })
})

/** Waits a moment for what the gateway still carries out for a dead Worker. */
async function arrivesLate(merchant: Merchant, clabe: string, mode: string, { before }: Story) {
  if (mode === 'hang') return false
  const there = async () =>
    (
      await adminSql('sandbox')(
        'select deposit_ref from simulator.spei_deposits where account = door.workspace_id($1) and clabe = $2',
        [merchant.tenantId, clabe],
      )
    ).length
  await expect.poll(there).toBe(before > 0 ? 2 : 1)
  return true
}

test('time-out, 500, cut connection at each boundary, once and twice', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const ways = boundaries.flatMap((at, index) =>
    failures.map((failure) => ({ story: stories[index % stories.length]!, ...at, ...failure })),
  )
  const cases = inTurn(ways, onceAndTwice)
  await survivors('SPEI transfer under a failing network', cases, async ({ story, contains, ...one }) => {
    const { merchant, clabe, paymentId } = await begun(story)
    const key = { 'idempotency-key': randomUUID() }
    const order = { ...one, match: { database: 'sandbox', contains } } as FaultOrder<NeonFaultMode>
    const fault = await faults.neon(order)
    const first = await deposit(merchant, clabe, story.amount, {}, key)
    expect([201, 503], first.text).toContain(first.status)
    expect(await fault.hits()).toBe(one.times)
    await faults.clear()
    const again = await deposit(merchant, clabe, story.amount, {}, key)
    expect(again.status, again.text).toBe(201)
    // With so short a time-out a busy machine may need the next scheduled run as well.
    const settled = async () => {
      await trigger('sandbox')
      return brokenRules(merchant.tenantId)
    }
    await expect.poll(settled).toEqual([])
    await ended(merchant, paymentId, story)
  })
  await control.reconfigure('sandbox')
})

test('a notification that comes 50 times at once, and again at the end, is booked once', async () => {
  await survivors('SPEI transfer reported 50 times', share(stories, 3), async (story) => {
    const { merchant, clabe, paymentId } = await begun(story)
    const same = { clave_rastreo: 'FIFTY', operated_on: '2026-06-13' }
    await Promise.all(Array.from({ length: 50 }, () => deposit(merchant, clabe, story.amount, same)))
    await ended(merchant, paymentId, story)
    await deposit(merchant, clabe, story.amount, same)
    await ended(merchant, paymentId, story)
  })
})

test('the Worker is killed while a CLABE is lent', async () => {
  const steps = [
    { contains: 'door.publish', skip: 0 },
    { contains: 'simulator.lend_clabe', skip: 0 },
    { contains: 'door.publish', skip: 1 },
  ]
  const cases = steps.flatMap((step) => modes.map((mode) => ({ ...step, mode })))
  await survivors('Worker killed while a CLABE is lent', cases, async ({ contains, skip, mode }) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, { payment_method_types: ['card', 'spei'] })
    const form = await openLink(link.public_id, '?method=spei')
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const unanswered = payInCash(link.public_id, form, 'spei').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    expect(await unanswered).toBeInstanceOf(Error)
    await faults.clear()
    if (mode === 'late-commit')
      await expect.poll(async () => (await attemptsOf(merchant.tenantId)).length).toBe(1)
    await settleAttempts(merchant.tenantId, 2)
    const again = await payInCash(link.public_id, form, 'spei')
    expect(again.status).toBe(303)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    const { clabe, paymentId } = await lentNow(merchant, link)
    if (clabe === '') {
      // The processor never received the attempt, and its reference was closed.
      expect((await pageState(again.location!)).state).toBe('declined')
      return
    }
    await deposit(merchant, clabe, 120_000)
    expect(await standing(merchant, paymentId)).toBe('succeeded 120000 quarantined')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the reconciler is killed in each step of an expiry with something received', async () => {
  const steps = [
    'door.due',
    'simulator.spei_deposits_of',
    'simulator.fetch_any',
    'simulator.cancel_any',
    'door.publish',
  ]
  const cases = steps.flatMap((contains) => modes.map((mode) => ({ contains, mode })))
  await survivors(
    'reconciler killed over the expiry of a SPEI payment',
    cases,
    async ({ contains, mode }) => {
      const merchant = await newMerchant()
      const { clabe, paymentId } = await lent(merchant)
      await deposit(merchant, clabe, 40_000)
      await deposit(merchant, clabe, 30_000)
      await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P12D' } })
      const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
      const cut = control.trigger('sandbox').catch((error: unknown) => error)
      await fault.hit()
      await control.crash('sandbox')
      await cut
      await faults.clear()
      await settleAttempts(merchant.tenantId)
      expect(await standing(merchant, paymentId)).toBe('expired 0 quarantined')
      expect((await unappliedFundsOf(merchant)).sort()).toEqual([
        'incomplete 30000/30000',
        'incomplete 40000/40000',
      ])
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    },
  )
})
