import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { brokenRules, journalsOf, survivors } from '../support/books.ts'
import {
  accept,
  addFile,
  dispute,
  disputeOf,
  disputesOf,
  evidence,
  filesOf,
  pdf,
  pollDisputes,
  resolve,
} from '../support/disputes.ts'
import { beforeAndAfter, dies, failures, inTurn, killReconciler, onceAndTwice } from '../support/drills.ts'
import type { FaultOrder } from '../support/gateways/faults.ts'
import type { NeonFaultMode } from '../support/gateways/neon.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { paidByCard, paymentOf } from '../support/refunds.ts'
import { adminSql, control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

const modes = ['hang', 'late-commit'] as const
type At = { contains: string; skip?: number; mode: (typeof modes)[number] }
const each = (...calls: { contains: string; skip?: number }[]): At[] =>
  calls.flatMap((at) => modes.map((mode) => ({ ...at, mode })))

/** A card payment whose dispute has opened at the bank, without a notification to us yet. */
async function unheard() {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
  await atBank(merchant, `opens_at = now() - interval '1 minute'`)
  return { merchant, payment }
}

/** How the bank has the merchant's disputes. */
const atBank = (merchant: Merchant, set: string) =>
  adminSql('sandbox')(
    `update simulator.disputes set ${set} where reference in (select id from payment_attempts where tenant_id = $1)`,
    [merchant.tenantId],
  )

async function stands(merchant: Merchant, payment: string, status: string, kinds: object, disputed: string) {
  await expect
    .poll(
      async () => {
        await pollDisputes(merchant.tenantId)
        return (await disputesOf(merchant)).map((one) => one.status)
      },
      { timeout: 60_000 },
    )
    .toEqual([status])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, ...kinds })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: disputed })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

const hearing = [
  { contains: 'simulator.unconfirmed_disputes' },
  { contains: 'simulator.fetch_dispute' },
  { contains: 'door.attempt_tenant' },
  { contains: 'door.publish' },
  { contains: 'simulator.confirm_dispute' },
]

test('killed while it learns that a dispute opened, how it ended, or that it reopened', async () => {
  const words: [bank: string[], kinds: object, disputed: string][] = [
    [['needs_response'], { fee: 1, hold: 1 }, '10000'],
    [['needs_response', 'won'], { fee: 1, fee_returned: 1, hold: 1, release: 1 }, '0'],
    [['needs_response', 'lost'], { fee: 1, hold: 1, lost: 1 }, '10000'],
    [['needs_response', 'won', 'lost'], { fee: 2, fee_returned: 1, hold: 2, release: 1, lost: 1 }, '10000'],
    [['needs_response', 'won', 'under_review'], { fee: 2, fee_returned: 1, hold: 2, release: 1 }, '10000'],
    [['inquiry_needs_response', 'needs_response'], { fee: 1, hold: 1 }, '10000'],
  ]
  const ways = words.flatMap((word) => hearing.map((call) => ({ word, ...call })))
  const cases = inTurn(ways, beforeAndAfter).map(({ word, ...at }) => ({ word, at }))
  await survivors('Worker killed learning of a dispute', cases, async ({ word, at }) => {
    const [bank, kinds, disputed] = word
    const { merchant, payment } = await unheard()
    for (const state of bank.slice(0, -1)) {
      await atBank(merchant, `state = '${state}'`)
      await control.trigger('sandbox')
    }
    await atBank(merchant, `state = '${bank.at(-1)}'`)
    await killReconciler(at)
    await stands(merchant, payment, bank.at(-1)!, kinds, disputed)
  })
})

/*
 * One Worker asks the bank, and is slow at the call that is named; the bank changes its mind; another Worker asks and
 * is quick. Whichever records last, our record is what the bank says now.
 */
test("two Workers ask the bank, and the one that asked first is slower: the bank's latest answer stands", async () => {
  const boundaries = ['door.attempt_tenant', 'processor_ref', 'door.publish', 'simulator.confirm_dispute']
  const minds: [first: string, then: string][] = [
    ['won', 'lost'],
    ['lost', 'won'],
    ['won', 'under_review'],
    ['inquiry_closed', 'needs_response'],
  ]
  const cases = minds.flatMap(([first, then]) =>
    boundaries.flatMap((contains) => [true, false].map((isKnown) => ({ first, then, contains, isKnown }))),
  )
  await survivors('Worker that records late', cases, async ({ first, then, contains, isKnown }) => {
    const { merchant } = await unheard()
    if (isKnown) await control.trigger('sandbox')
    await atBank(merchant, `state = '${first}'`)
    const order = { mode: 'late-commit', delayMs: 1_000, match: { database: 'sandbox', contains } } as const
    const slow = await faults.neon(order)
    const earlier = control.trigger('sandbox')
    await slow.hit()
    await atBank(merchant, `state = '${then}'`)
    await control.trigger('sandbox')
    await earlier
    expect((await disputesOf(merchant)).map(({ status }) => status)).toEqual([then])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    await control.trigger('sandbox')
    expect((await disputesOf(merchant)).map(({ status }) => status)).toEqual([then])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('killed while evidence is recorded and sent: it is recorded and sent once', async () => {
  const cases = each(
    { contains: 'door.publish' },
    { contains: 'simulator.submit_evidence' },
    { contains: 'door.publish', skip: 1 },
    { contains: 'simulator.confirm_dispute' },
  )
  await survivors('Worker killed over evidence', cases, async (at) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const key = { 'idempotency-key': randomUUID() }
    const body = { explanation: 'Signed for.' }
    const send = () => evidence(merchant, id, body, key)
    await dies(at, send)
    // The merchant, who saw no answer, sends the same again.
    const again = await send()
    expect([again.status, again.body.evidence], again.text).toEqual([200, body])
    await stands(merchant, payment, 'under_review', { fee: 1, hold: 1 }, '10000')
    expect((await disputeOf(merchant, id)).evidence_submitted_at).not.toBeNull()
  })
})

test('killed while a file is given to the bank: it is given, and its evidence sent once', async () => {
  const cases = each(
    { contains: 'door.publish' },
    { contains: 'door.publish', skip: 1 },
    { contains: 'simulator.submit_evidence' },
    { contains: 'door.publish', skip: 2 },
  )
  await survivors('Worker killed over a file for evidence', cases, async (at) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const file = (await addFile(merchant, id)).body.id
    const key = { 'idempotency-key': randomUUID() }
    const send = () => evidence(merchant, id, { files: { receipt: file } }, key)
    await dies(at, send)
    const again = await send()
    expect([again.status, again.body.evidence_files], again.text).toEqual([200, { receipt: file }])
    await stands(merchant, payment, 'under_review', { fee: 1, hold: 1 }, '10000')
    const [row] = await adminSql('sandbox')<{ processor_ref: string }>(
      'select processor_ref from dispute_files where id = $1',
      [file],
    )
    expect(row!.processor_ref).toBe(`file_${file}`)
  })
})

test('killed while a file is uploaded: the same again stores it, once', async () => {
  const cases = each({ contains: 'door.publish' }, { contains: 'door.publish', skip: 1 })
  await survivors('Worker killed over an upload', cases, async (at) => {
    const merchant = await newMerchant()
    const { id } = (await dispute(merchant, await paidByCard(merchant))).body
    const key = { 'idempotency-key': randomUUID() }
    const send = () => addFile(merchant, id, pdf(), key)
    await dies(at, send)
    const again = await send()
    expect([again.status, again.body.status], again.text).toEqual([201, 'stored'])
    expect(await filesOf(merchant)).toEqual([again.body])
  })
})

test('killed while a dispute is accepted: it is lost, once', async () => {
  const cases = each(
    { contains: 'door.publish' },
    { contains: 'simulator.accept_dispute' },
    { contains: 'door.publish', skip: 1 },
    { contains: 'simulator.confirm_dispute' },
  )
  await survivors('Worker killed over giving in', cases, async (at) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const key = { 'idempotency-key': randomUUID() }
    const send = () => accept(merchant, id, key)
    await dies(at, send)
    const again = await send()
    expect([again.status, again.body.pending_action], again.text).toEqual([200, 'accept'])
    await stands(merchant, payment, 'lost', { fee: 1, hold: 1, lost: 1 }, '10000')
  })
})

test("time-out, 500, cut connection at each boundary, once and twice: the bank's decision is recorded", async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const cases = hearing.slice(1).flatMap(({ contains }) => failures.map((failure) => ({ contains, failure })))
  await survivors(
    'dispute under a failing network',
    inTurn(cases, onceAndTwice),
    async ({ contains, failure, times }) => {
      const { merchant, payment } = await unheard()
      const order = {
        ...failure,
        times,
        match: { database: 'sandbox', contains },
      } as FaultOrder<NeonFaultMode>
      await faults.neon(order)
      await control.trigger('sandbox')
      await faults.clear()
      await stands(merchant, payment, 'needs_response', { fee: 1, hold: 1 }, '10000')
      const { id } = (await disputesOf(merchant))[0]!
      await faults.neon(order)
      // Whatever the reply to the test control: the bank has decided, and we must learn it.
      await resolve(merchant, id, 'lost')
      await faults.clear()
      await stands(merchant, payment, 'lost', { fee: 1, hold: 1, lost: 1 }, '10000')
    },
  )
  await control.reconfigure('sandbox')
})
