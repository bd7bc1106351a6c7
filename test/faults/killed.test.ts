import { afterEach, expect, test } from 'vitest'
import { answerBank } from '../support/bank.ts'
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
import { challenged, otherWay } from '../support/challenge.ts'
import { call, type Link, type Merchant, newLink, newMerchant, openLink, pay } from '../support/merchant.ts'
import { adminSql, control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

/** Where the Worker is killed: its call that hangs at the gateway, and whether that call still takes effect. */
type Step = {
  name: string
  statement: 'door.publish' | 'simulator.charge'
  skip: number
  mode: 'hang' | 'late-commit'
}

const steps: Step[] = [
  { name: 'before the intent is recorded', statement: 'door.publish', skip: 0, mode: 'hang' },
  { name: 'while the intent is recorded', statement: 'door.publish', skip: 0, mode: 'late-commit' },
  { name: 'before the processor is asked', statement: 'simulator.charge', skip: 0, mode: 'hang' },
  { name: 'while the processor works', statement: 'simulator.charge', skip: 0, mode: 'late-commit' },
  { name: 'before the outcome is published', statement: 'door.publish', skip: 1, mode: 'hang' },
  { name: 'while the outcome is published', statement: 'door.publish', skip: 1, mode: 'late-commit' },
]

const outcomes = [
  ['tok_sbx_approve', 'succeeded'],
  ['tok_sbx_decline_funds', 'declined'],
  ['tok_sbx_3ds_challenge', 'requires_action'],
  ['tok_sbx_timeout_then_paid', 'succeeded'],
  ['tok_sbx_timeout_then_failed', 'declined'],
  ['tok_sbx_amount_mismatch', 'under_review'],
] as const

type Case = { step: Step; token: string; ends: string; usage: string }

const cases: Case[] = steps.flatMap((step) =>
  outcomes.map(([token, ends], at) => ({ step, token, ends, usage: at % 2 ? 'multi_use' : 'single_use' })),
)

/** Pays, kills the Worker in the given step, and answers the form that was sent. */
async function payAndDie(link: Link, { step, token }: Case) {
  const form = await openLink(link.public_id)
  const { statement, skip, mode } = step
  const fault = await faults.neon({ mode, match: { database: 'sandbox', contains: statement }, skip })
  const unanswered = pay(link.public_id, form, token).catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  expect(await unanswered).toBeInstanceOf(Error)
  return form
}

/** Waits until what the gateway still carries out for a dead Worker is there. */
async function arrived(merchant: Merchant, link: Link, { step, token }: Case): Promise<void> {
  if (step.mode !== 'late-commit') return
  const there = async () => {
    if (step.statement === 'simulator.charge') return (await chargesOf(link.public_id)).length
    if (step.skip === 0) return (await attemptsOf(merchant.tenantId)).length
    const moved = await attemptsOf(merchant.tenantId)
    return moved.filter(({ status }) => status !== 'submitting').length
  }
  await expect.poll(there, { message: token }).toBe(1)
}

async function drill(one: Case): Promise<void> {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: one.usage })
  const form = await payAndDie(link, one)
  await arrived(merchant, link, one)
  const recorded = (await attemptsOf(merchant.tenantId)).length === 1
  expect(recorded).toBe(
    !(one.step.skip === 0 && one.step.statement === 'door.publish' && one.step.mode === 'hang'),
  )

  await settleAttempts(merchant.tenantId, one.ends === 'requires_action' ? 2 : 20)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  // If the processor never received the attempt, its reference was closed there.
  const asked = (await chargesOf(link.public_id)).length === 1
  const ends = asked ? one.ends : 'declined'
  const captured = ends === 'succeeded'
  expect(await journalsOf(merchant.tenantId)).toEqual(captured ? { capture: 1 } : {})
  if (recorded) {
    const [payment] = await paymentsOf(merchant.tenantId)
    expect(await pageState(`/${link.public_id}/${payment!.public_id}`)).toEqual({ status: 200, state: ends })
  }

  // The buyer, who saw no answer, sends the same form again: the same payment, or the first if nothing was recorded.
  const again = await pay(link.public_id, form, one.token)
  expect(again.status).toBe(303)
  await settleAttempts(merchant.tenantId, one.ends === 'requires_action' ? 2 : 20)
  expect(await pageState(again.location!)).toEqual({ status: 200, state: recorded ? ends : one.ends })
  expect(await paymentsOf(merchant.tenantId)).toHaveLength(1)
  expect((await chargesOf(link.public_id)).length).toBe(asked || !recorded ? 1 : 0)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  const read = await call<Link>('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
  const paid = one.usage === 'single_use' && (recorded ? ends : one.ends) === 'succeeded'
  expect(read.body.status).toBe(paid ? 'paid' : 'active')
}

test('the Worker is killed in each step of a card payment: nothing is lost or charged twice', async () => {
  await survivors('Worker killed in a card payment', cases, drill)
})

test("the Worker is killed while it records the buyer's answer to the bank: it is recorded once", async () => {
  const modes = ['hang', 'late-commit'] as const
  const kills = ['simulator.answer_challenge', 'simulator.fetch', 'door.publish'].flatMap((contains) =>
    modes.map((mode) => ({ contains, mode })),
  )
  await survivors('Worker killed after a bank challenge', kills, async ({ contains, mode }) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const { location } = await pay(link.public_id, await openLink(link.public_id), 'tok_sbx_3ds_challenge')
    const [attempt] = await attemptsOf(merchant.tenantId)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
    const unanswered = answerBank(attempt!.id, 'approve').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    expect(await unanswered).toBeInstanceOf(Error)
    await faults.clear()
    await answerBank(attempt!.id, 'approve')
    await settleAttempts(merchant.tenantId)
    expect(await pageState(location!)).toEqual({ status: 200, state: 'succeeded' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the reconciler is killed in each of its steps: the next run completes them', async () => {
  const steps = [
    { contains: 'door.waiting_jobs' },
    { contains: 'door.due' },
    { contains: 'simulator.fetch' },
    { contains: 'door.publish' },
    { contains: 'door.waiting_jobs', skip: 1 }, // behind the job
  ]
  const kills = steps.flatMap((step) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ skip: 0, ...step, mode })),
  )
  await survivors('reconciler killed', kills, async ({ contains, skip, mode }) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const { location } = await pay(
      link.public_id,
      await openLink(link.public_id),
      'tok_sbx_timeout_then_paid',
    )
    await adminSql('sandbox')(
      `update payment_attempts set next_check_at = now() - interval '1 second' where tenant_id = $1`,
      [merchant.tenantId],
    )
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const cut = control.trigger('sandbox').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await cut
    await faults.clear()
    await settleAttempts(merchant.tenantId)
    expect(await pageState(location!)).toEqual({ status: 200, state: 'succeeded' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while a buyer gives up the challenge of the bank', async () => {
  const kills = (['simulator.fetch', 'simulator.cancel', 'door.publish'] as const).flatMap((contains) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ contains, mode })),
  )
  await survivors('Worker killed while a challenge is given up', kills, async ({ contains, mode }) => {
    const one = await challenged()
    const { merchant, link, path, reference } = one
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
    const unanswered = otherWay(one).catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    expect(await unanswered).toBeInstanceOf(Error)
    await faults.clear()
    const isClosed =
      contains === 'door.publish' || (contains === 'simulator.cancel' && mode === 'late-commit')
    const charges = async () => (await chargesOf(link.public_id)).map(({ state }) => state).join()
    await expect.poll(charges).toBe(isClosed ? 'canceled' : 'challenge')

    await settleAttempts(merchant.tenantId, isClosed ? 20 : 2)
    const state = isClosed ? 'declined' : 'requires_action'
    expect(await pageState(path)).toEqual({ status: 200, state })
    expect(await journalsOf(merchant.tenantId)).toEqual({})

    // The buyer, who saw no answer, asks again, and pays with another card.
    const again = await otherWay(one)
    expect([again.status, again.leadsTo]).toEqual([303, `/${link.public_id}?retry=${reference}`])
    expect(await charges()).toBe('canceled')
    const form = await openLink(link.public_id, `?retry=${reference}`)
    await pay(link.public_id, form, 'tok_sbx_approve')
    expect(await pageState(path)).toEqual({ status: 200, state: 'succeeded' })
    expect((await attemptsOf(merchant.tenantId)).map(({ status }) => status)).toEqual(['expired', 'captured'])
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
