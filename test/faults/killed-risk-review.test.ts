import { afterEach, expect, test } from 'vitest'
import { brokenRules, paymentsOf, settleAttempts, survivors } from '../support/books.ts'
import { paymentOf, refundedAtProcessor, settleRefunds } from '../support/refunds.ts'
import { type Guarded, manual, newReviewing, readyToReject, reviewed, seen } from '../support/risk.ts'
import { adminSql, control, faults } from '../support/stack.ts'

afterEach(() => faults.clear())

/** What is rejected, the calls that give the money back, and how it ends. */
const stories = [
  { name: 'refunded', fields: {}, asks: ['simulator.refund('], ends: ['succeeded', '120000', 120_000n] },
  {
    name: 'let go',
    fields: manual,
    asks: ['simulator.fetch', 'simulator.cancel'],
    ends: ['canceled', '0', 0n],
  },
] as const

const cases = stories.flatMap((story) =>
  [
    { contains: 'door.publish', skip: 0 },
    ...story.asks.map((contains) => ({ contains, skip: 0 })),
    { contains: 'door.publish', skip: 1 },
  ].flatMap((at) => (['hang', 'late-commit'] as const).map((mode) => ({ story, ...at, mode }))),
)

async function stands({ merchant }: Guarded, id: string) {
  const { status } = (await paymentsOf(merchant.tenantId)).find((payment) => payment.id === id)!
  return [
    status,
    (await paymentOf(merchant, id)).amount_refunded,
    await refundedAtProcessor(merchant.tenantId),
  ]
}

/** Time passes: everything that is due is done. */
async function timePasses({ tenantId }: Guarded['merchant']) {
  for (const table of ['payment_attempts', 'refunds'])
    await adminSql('sandbox')(
      `update ${table} set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
      [tenantId],
    )
  await settleAttempts(tenantId)
  await settleRefunds(tenantId)
}

test('the Worker is killed in each step of a rejection: the review has ended and the money goes back, or neither', async () => {
  await survivors('Worker killed over a rejection', cases, async ({ story, contains, skip, mode }) => {
    const guarded = await newReviewing()
    const paid = await reviewed(guarded, story.fields)
    const send = await readyToReject(guarded, paid.review.id)
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const answered = send().catch((error: unknown) => error)
    await fault.hit()
    const deciding = contains === 'door.publish' && skip === 0
    if (!deciding) expect(await answered).toMatchObject({ status: 200 })
    await control.crash('sandbox')
    if (deciding) expect(await answered).toBeInstanceOf(Error)
    await faults.clear()
    expect(await brokenRules(guarded.merchant.tenantId)).toEqual([])
    await timePasses(guarded.merchant)
    const { body } = await seen(guarded, `reviews/${paid.review.id}`)
    if (body.status === 'rejected') expect(await stands(guarded, paid.id)).toEqual(story.ends)
    else expect([deciding, body.status, mode]).toEqual([true, 'open', 'hang'])
    // The admin, who saw no answer or lost it, sends the same again.
    expect(await send()).toMatchObject({ status: 200, body: { id: paid.review.id, status: 'rejected' } })
    await timePasses(guarded.merchant)
    expect(await stands(guarded, paid.id)).toEqual(story.ends)
    expect(await brokenRules(guarded.merchant.tenantId)).toEqual([])
  })
})
