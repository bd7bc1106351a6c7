import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { cancel, capture, newAuthorized, type PaymentBody } from '../support/authorized.ts'
import { answerBank } from '../support/bank.ts'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  paymentsOf,
  settleAttempts,
  survivors,
} from '../support/books.ts'
import { inTurn } from '../support/drills.ts'
import { type Merchant, newMerchant, type Reply } from '../support/merchant.ts'
import { adminSql, control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

type Wish = 'capture' | 'capture of a part' | 'cancel' | 'cancel of a challenge'
type Case = {
  wish: Wish
  /** Where the Worker is killed: its call that hangs at the gateway, and whether that call still takes effect. */
  statement: 'door.publish' | 'simulator.c'
  skip: number
  mode: 'hang' | 'late-commit'
  /** Who finishes what the Worker left. */
  finishes: 'the same key' | 'the reconciler'
}

const wishes: readonly Wish[] = ['capture', 'capture of a part', 'cancel', 'cancel of a challenge']
const steps = [
  { statement: 'door.publish', skip: 0 }, // the intent
  { statement: 'simulator.c', skip: 0 }, // the processor's call
  { statement: 'door.publish', skip: 1 }, // the outcome
] as const

const cases: Case[] = inTurn(
  wishes.flatMap((wish) =>
    steps.flatMap((step) => (['hang', 'late-commit'] as const).map((mode) => ({ wish, ...step, mode }))),
  ),
  [{ finishes: 'the same key' }, { finishes: 'the reconciler' }] as const,
)

const send = (
  merchant: Merchant,
  paymentId: string,
  wish: Wish,
  key: string,
): Promise<Reply<PaymentBody>> => {
  if (wish === 'capture') return capture(merchant, paymentId, { key })
  if (wish === 'capture of a part') return capture(merchant, paymentId, { amount: '50000', key })
  return cancel(merchant, paymentId, { key })
}

const wanted = {
  capture: { payment: 'succeeded', attempt: 'captured', charge: 'captured', journals: { capture: 1 } },
  'capture of a part': {
    payment: 'partially_captured',
    attempt: 'captured',
    charge: 'captured',
    journals: { capture: 1 },
  },
  cancel: { payment: 'canceled', attempt: 'canceled', charge: 'canceled', journals: {} },
  'cancel of a challenge': { payment: 'canceled', attempt: 'canceled', charge: 'canceled', journals: {} },
}

async function stands(merchant: Merchant, publicId: string) {
  const [payment] = await paymentsOf(merchant.tenantId)
  const [attempt] = await attemptsOf(merchant.tenantId)
  return {
    payment: payment!.status,
    attempt: attempt!.status,
    charge: (await chargesOf(publicId))[0]!.state,
    journals: await journalsOf(merchant.tenantId),
  }
}

/** Waits a moment for what the gateway still carries out for a dead Worker. */
async function arrived(merchant: Merchant, publicId: string, { statement, skip, mode, wish }: Case) {
  if (mode !== 'late-commit') return
  const there = async () => {
    if (statement === 'simulator.c') return (await stands(merchant, publicId)).charge === wanted[wish].charge
    if (skip === 1) return (await stands(merchant, publicId)).payment === wanted[wish].payment
    const [attempt] = await adminSql('sandbox')<{ intent: string | null }>(
      'select intent from payment_attempts where tenant_id = $1',
      [merchant.tenantId],
    )
    return attempt!.intent !== null
  }
  await expect.poll(there, { message: wish }).toBe(true)
}

async function drill(one: Case): Promise<void> {
  const { wish, statement, skip, mode } = one
  const merchant = await newMerchant()
  const token = wish === 'cancel of a challenge' ? 'tok_sbx_3ds_challenge' : 'tok_sbx_approve'
  const { link, paymentId } = await newAuthorized(merchant, { token })
  const key = randomUUID()
  const fault = await faults.neon({ mode, match: { database: 'sandbox', contains: statement }, skip })
  const unanswered = send(merchant, paymentId, wish, key).catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  expect(await unanswered).toBeInstanceOf(Error)
  await arrived(merchant, link.public_id, one)
  expect(await brokenRules(merchant.tenantId)).toEqual([])

  const intended = !(statement === 'door.publish' && skip === 0 && mode === 'hang')
  if (one.finishes === 'the reconciler') {
    await settleAttempts(merchant.tenantId, 2)
    // Without a recorded intent nothing began: the merchant asks again.
    if (intended) expect(await stands(merchant, link.public_id)).toEqual(wanted[wish])
  }
  const again = await send(merchant, paymentId, wish, key)
  expect([again.status, again.body.status], again.text).toEqual([200, wanted[wish].payment])
  const replay = await send(merchant, paymentId, wish, key)
  expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', again.text])
  expect(await stands(merchant, link.public_id)).toEqual(wanted[wish])
  if (wish === 'cancel of a challenge') {
    await answerBank((await attemptsOf(merchant.tenantId))[0]!.id, 'approve')
    expect(await stands(merchant, link.public_id)).toEqual(wanted[wish])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

test('the Worker is killed in each step of a capture and of a cancel', async () => {
  await survivors('Worker killed in a capture or cancel', cases, drill)
})

test('the reconciler is killed while it finishes what a dead Worker left', async () => {
  const kills = wishes.flatMap((wish) =>
    [
      'simulator.fetch',
      wish.startsWith('capture') ? 'simulator.capture' : 'simulator.cancel',
      'door.publish',
    ].flatMap((contains) => (['hang', 'late-commit'] as const).map((mode) => ({ wish, contains, mode }))),
  )
  await survivors('reconciler killed after a capture or cancel', kills, async ({ wish, contains, mode }) => {
    const merchant = await newMerchant()
    const token = wish === 'cancel of a challenge' ? 'tok_sbx_3ds_challenge' : 'tok_sbx_approve'
    const { link, paymentId } = await newAuthorized(merchant, { token })
    const key = randomUUID()
    const before = await faults.neon({
      mode: 'hang',
      match: {
        database: 'sandbox',
        contains: wish.startsWith('capture') ? 'simulator.capture' : 'simulator.cancel',
      },
    })
    const unanswered = send(merchant, paymentId, wish, key).catch((error: unknown) => error)
    await before.hit()
    await control.crash('sandbox')
    expect(await unanswered).toBeInstanceOf(Error)
    await faults.clear()
    await adminSql('sandbox')(
      `update payment_attempts set next_check_at = now() - interval '1 second' where tenant_id = $1`,
      [merchant.tenantId],
    )
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
    const cut = control.trigger('sandbox').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await cut
    await faults.clear()
    await settleAttempts(merchant.tenantId)
    expect(await stands(merchant, link.public_id)).toEqual(wanted[wish])
    const again = await send(merchant, paymentId, wish, key)
    expect([again.status, again.body.status], again.text).toEqual([200, wanted[wish].payment])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('Postgres or the processor refuse, break off or answer garbage, then recover: nothing is lost or doubled', async () => {
  const modes = [
    'refuse',
    'reset-before-send',
    'reset-after-commit',
    '5xx-html',
    '400-without-sqlstate',
    '507',
    'truncated-json',
  ] as const
  const harms = wishes.flatMap((wish) =>
    ['simulator.', 'door.publish'].flatMap((contains) => modes.map((mode) => ({ wish, contains, mode }))),
  )
  await survivors('capture or cancel with a bad connection', harms, async ({ wish, contains, mode }) => {
    const merchant = await newMerchant()
    const token = wish === 'cancel of a challenge' ? 'tok_sbx_3ds_challenge' : 'tok_sbx_approve'
    const { link, paymentId } = await newAuthorized(merchant, { token })
    const key = randomUUID()
    await faults.neon({ mode, always: true, match: { database: 'sandbox', contains } })
    let reply = await send(merchant, paymentId, wish, key)
    await faults.clear()
    // Where the processor did not answer, the reply was the unchanged payment: the same key continues.
    const isOver = () => reply.status !== 503 && reply.body.status === wanted[wish].payment
    for (let tries = 0; !isOver() && tries < 3; tries++) reply = await send(merchant, paymentId, wish, key)
    expect([reply.status, reply.body.status], reply.text).toEqual([200, wanted[wish].payment])
    expect(await stands(merchant, link.public_id)).toEqual(wanted[wish])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
