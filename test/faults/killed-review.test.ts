import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { brokenRules, journalsOf, paymentsOf, settleAttempts, survivors } from '../support/books.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { attemptOf, deciderOf, newContradicted, resolve, reversalsOf } from '../support/review.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'

afterEach(() => faults.clear())

const sql = adminSql('sandbox')

/** The decision and its subject, the calls it makes in order, and how it ends. */
const stories = [
  {
    name: 'give back what was taken',
    make: (merchant: Merchant) => newContradicted(merchant),
    decision: 'void_or_refund',
    asks: ['simulator.fetch', 'simulator.refund('],
    ends: {
      payment: 'canceled',
      attempt: 'canceled',
      resolution: 'refunded',
      journals: {},
      back: ['120001'],
    },
  },
  {
    name: 'let go what is held',
    make: (merchant: Merchant) => newContradicted(merchant, { manual: true }),
    decision: 'void_or_refund',
    asks: ['simulator.fetch', 'simulator.cancel'],
    ends: { payment: 'canceled', attempt: 'canceled', resolution: 'voided', journals: {}, back: [] },
  },
  {
    name: 'look again, it agrees',
    make: async (merchant: Merchant) => {
      const made = await newContradicted(merchant, { token: 'tok_sbx_mismatch_settles' })
      const { id } = await attemptOf(merchant, made.paymentId)
      await sql('update simulator.charges set settles_at = now() where reference = $1', [id])
      return made
    },
    decision: 'recheck',
    asks: ['simulator.fetch'],
    ends: {
      payment: 'succeeded',
      attempt: 'captured',
      resolution: 'agreed',
      journals: { capture: 1 },
      back: [],
    },
  },
] as const

type Story = (typeof stories)[number]

const boundaries = ({ asks }: Story) => [
  { contains: 'door.publish', skip: 0 },
  ...asks.map((contains) => ({ contains, skip: 0 })),
  { contains: 'door.publish', skip: 1 },
]

async function stands(merchant: Merchant, paymentId: string) {
  const { id, status, review } = await attemptOf(merchant, paymentId)
  return {
    payment: (await paymentsOf(merchant.tenantId))[0]!.status,
    attempt: status,
    resolution: review?.resolution ?? null,
    journals: await journalsOf(merchant.tenantId),
    back: (await reversalsOf(id)).map(({ amount_minor }) => amount_minor),
  }
}

/** Time passes: everything that is due is done. */
async function timePasses(merchant: Merchant) {
  await settleAttempts(merchant.tenantId)
  await sql(
    `update payment_attempts set next_check_at = now() - interval '1 second'
     where tenant_id = $1 and next_check_at is not null`,
    [merchant.tenantId],
  )
  await trigger('sandbox')
}

const cases = stories.flatMap((story) =>
  boundaries(story).flatMap((at) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ story, ...at, mode })),
  ),
)

test('the Worker is killed in each step of a decision: sent again, it is carried out once', async () => {
  await survivors('Worker killed over a decision', cases, async ({ story, contains, skip, mode }) => {
    const merchant = await newMerchant()
    const { paymentId } = await story.make(merchant)
    await deciderOf(merchant)
    const key = randomUUID()
    const send = () => resolve(merchant, paymentId, story.decision, { key })
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains }, skip })
    const answered = send().catch((error: unknown) => error)
    await fault.hit()
    const intent = contains === 'door.publish' && skip === 0
    if (!intent) expect(await answered).toMatchObject({ status: 200 })
    await control.crash('sandbox')
    if (intent) expect(await answered).toBeInstanceOf(Error)
    await faults.clear()
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    if (!intent) {
      await timePasses(merchant)
      expect(await stands(merchant, paymentId)).toEqual(story.ends)
    }
    // The merchant, who saw no answer or lost it, sends the same again.
    const again = await send()
    expect([again.status, again.body.id], again.text).toEqual([
      200,
      (await attemptOf(merchant, paymentId)).id,
    ])
    await timePasses(merchant)
    expect(await stands(merchant, paymentId)).toEqual(story.ends)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the reconciler is killed while it carries a decision out: it is carried out once', async () => {
  const kills = cases.filter(({ contains, skip }) => contains !== 'door.publish' || skip === 1)
  await survivors('reconciler killed over a decision', kills, async ({ story, contains, mode }) => {
    const merchant = await newMerchant()
    const { paymentId } = await story.make(merchant)
    await deciderOf(merchant)
    const before = await faults.neon({
      mode: 'hang',
      match: { database: 'sandbox', contains: 'simulator.fetch' },
    })
    const answered = resolve(merchant, paymentId, story.decision)
    await before.hit()
    expect((await answered).status).toBe(200)
    await control.crash('sandbox')
    await faults.clear()
    await sql(
      `update payment_attempts set next_check_at = now() - interval '1 second' where tenant_id = $1`,
      [merchant.tenantId],
    )
    const fault = await faults.neon({ mode, match: { database: 'sandbox', contains } })
    const cut = control.trigger('sandbox').catch((error: unknown) => error)
    await fault.hit()
    await control.crash('sandbox')
    await cut
    await faults.clear()
    await timePasses(merchant)
    expect(await stands(merchant, paymentId)).toEqual(story.ends)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
