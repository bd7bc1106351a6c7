import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { FaultOrder } from '../../local/faults.ts'
import type { NeonFaultMode } from '../../local/neon-gateway.ts'
import { brokenRules, journalsOf, survivors } from '../support/books.ts'
import { dispute, disputeOf, disputesOf, evidence, lookAtDisputes, resolve } from '../support/disputes.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { paidByCard, paymentOf } from '../support/refunds.ts'
import { adminSql, control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

const modes = ['hang', 'late-commit'] as const
type At = { contains: string; skip?: number; mode: (typeof modes)[number] }
const each = (...calls: { contains: string; skip?: number }[]): At[] =>
  calls.flatMap((at) => modes.map((mode) => ({ ...at, mode })))

/** The card whose dispute has opened at the bank, and of which nobody told us yet. */
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

async function dies(at: At, work: () => Promise<unknown>): Promise<unknown> {
  const { contains, skip = 0, mode } = at
  const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
  const unanswered = work().catch((error: unknown) => error)
  await fault.hit()
  await control.crash('sandbox')
  const answer = await unanswered
  await faults.clear()
  return answer
}

async function stands(merchant: Merchant, payment: string, status: string, kinds: object, disputed: string) {
  await expect
    .poll(
      async () => {
        await lookAtDisputes(merchant.tenantId)
        return (await disputesOf(merchant)).map((one) => one.status)
      },
      { timeout: 20_000 },
    )
    .toEqual([status])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, ...kinds })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: disputed })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

const hearing = [
  { contains: 'simulator.untold' },
  { contains: 'simulator.fetch_dispute' },
  { contains: 'door.attempt_tenant' },
  { contains: 'door.publish' },
  { contains: 'simulator.told' },
]

test('killed while it hears that a dispute opened, or how it ended', async () => {
  const ends = [
    ['needs_response', { hold: 1 }, '10000'],
    ['won', { hold: 1, release: 1 }, '0'],
    ['lost', { hold: 1, lost: 1 }, '10000'],
  ] as const
  const cases = ends.flatMap((end) => each(...hearing).map((at) => ({ end, at })))
  await survivors('Worker killed hearing of a dispute', cases, async ({ end, at }) => {
    const [status, kinds, disputed] = end
    const { merchant, payment } = await unheard()
    if (status !== 'needs_response') {
      await control.trigger('sandbox')
      await atBank(merchant, `state = '${status}'`)
    }
    await dies(at, () => control.trigger('sandbox'))
    await stands(merchant, payment, status, kinds, disputed)
  })
})

test('killed while evidence is recorded and sent', async () => {
  const cases = each(
    { contains: 'door.publish' },
    { contains: 'simulator.submit_evidence' },
    { contains: 'door.publish', skip: 1 },
    { contains: 'simulator.told' },
  )
  await survivors('Worker killed over evidence', cases, async (at) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const key = { 'idempotency-key': randomUUID() }
    const body = { explanation: 'Signed for.' }
    const send = () => evidence(merchant, id, body, key)
    await dies(at, send)
    // Whoever saw no answer sends the same again.
    const again = await send()
    expect([again.status, again.body.evidence], again.text).toEqual([200, body])
    await stands(merchant, payment, 'under_review', { hold: 1 }, '10000')
    expect((await disputeOf(merchant, id)).evidence_submitted_at).not.toBeNull()
  })
})

const failures: { mode: NeonFaultMode; executed?: boolean }[] = [
  { mode: 'refuse' },
  { mode: 'reset-before-send' },
  { mode: 'reset-after-commit' },
  { mode: 'hang' },
  { mode: 'late-commit' },
  { mode: '5xx-html' },
  { mode: '5xx-html', executed: true },
  { mode: 'truncated-json' },
]

test('time-out, 500, cut connection at each boundary, once and twice', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '500' } })
  const cases = hearing
    .slice(1)
    .flatMap(({ contains }) =>
      failures.flatMap((failure) => [1, 2].map((times) => ({ contains, failure: { ...failure, times } }))),
    )
  await survivors('dispute under a failing network', cases, async ({ contains, failure }) => {
    const { merchant, payment } = await unheard()
    const order = { ...failure, match: { database: 'sandbox', contains } } as FaultOrder<NeonFaultMode>
    await faults.neon(order)
    await control.trigger('sandbox')
    await faults.clear()
    await stands(merchant, payment, 'needs_response', { hold: 1 }, '10000')
    const { id } = (await disputesOf(merchant))[0]!
    await faults.neon(order)
    // Whatever the lever answers: the bank has decided, and we shall know.
    await resolve(merchant, id, 'lost')
    await faults.clear()
    await stands(merchant, payment, 'lost', { hold: 1, lost: 1 }, '10000')
  })
  await control.reconfigure('sandbox')
})
