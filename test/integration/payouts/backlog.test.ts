import { expect, test } from 'vitest'
import { activityPage, openOutgoing } from '../../../functions/money/payouts/store.ts'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { explained, pastTriggers } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { availableOf, funded, multiply, payOut, payoutsOf, settingsFor } from '../../support/payouts.ts'
import { paidByCard, refund, refundOf, settleRefunds } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { endow } from '../../support/transfers.ts'

// A large run: BACKLOG=1600 npx vitest run test/integration/payouts/backlog.test.ts
const each = Number(process.env.BACKLOG ?? 200)
const sql = adminSql('sandbox')
const today = `(now() at time zone 'America/Mexico_City')::date`

/** A merchant whose payout day has come, with that many captured payments whose funds are due by it. */
async function withBacklog(count: number): Promise<Merchant> {
  const merchant = await newMerchant()
  await settingsFor(merchant, { interval: 'daily' })
  await paidByCard(merchant)
  await multiply(merchant, count - 1)
  await sql(`update payments set available_on = ${today} where tenant_id = $1`, [merchant.tenantId])
  await sql(`update payout_settings set next_payout_on = ${today} where tenant_id = $1`, [merchant.tenantId])
  return merchant
}

const dayIsSet = async ({ tenantId }: Merchant) =>
  (
    await sql(`select next_payout_on <= ${today} as set from payout_settings where tenant_id = $1`, [
      tenantId,
    ])
  )[0]!.set

test('a backlog of funds on the day of a payout: one payout carries all of it', async () => {
  const merchants = await Promise.all(Array.from({ length: 4 }, () => withBacklog(each)))
  const startedAt = performance.now()
  await trigger('sandbox')
  const perSecond = (4 * each) / ((performance.now() - startedAt) / 1000)
  console.log(`4 merchants with ${each} payments released and paid out: ${Math.round(perSecond)} payments/s`)
  for (const merchant of merchants) {
    const [payout, ...more] = await payoutsOf(merchant)
    expect([payout?.entries_count, more]).toEqual([each, []])
    expect(await journalsOf(merchant.tenantId)).toMatchObject({ capture: each, release: each, payout: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  }
})

/** A journal over zero is refused. */
const stuck = [
  ['the funds', 'net_minor = 0', 'net_minor = amount_captured_minor - fee_processing_minor - fee_iva_minor'],
  ['the reserve', `reserve_release_on = ${today}`, 'reserve_release_on = null'],
] as const
test.each(stuck)(
  'while %s of one payment cannot be released, the payout waits',
  async (_what, wrong, right) => {
    const merchant = await withBacklog(3)
    const { tenantId } = merchant
    const one = '(select id from payments where tenant_id = $1 order by id limit 1)'
    await sql(`update payments set ${wrong} where id = ${one}`, [tenantId])
    await trigger('sandbox')
    expect([await payoutsOf(merchant), await dayIsSet(merchant)]).toEqual([[], true])
    // The day does not move on, whatever the schedule read before.
    await expect(
      sql(`update payout_settings set next_payout_on = ${today} + 1 where tenant_id = $1`, [tenantId]),
    ).rejects.toMatchObject({ constraint: 'payout_settings_funds_released' })
    await sql(`update payments set ${right} where id = ${one}`, [tenantId])
    await sql('delete from due_failures where tenant_id = $1', [tenantId])
    await trigger('sandbox')
    const payouts = await payoutsOf(merchant)
    expect(payouts.map(({ entries_count }) => entries_count)).toEqual([3])
    expect(await dayIsSet(merchant)).toBe(false)
    expect(await brokenRules(tenantId)).toEqual([])
  },
)

test('funds that become due only after the day of a payout do not hold it', async () => {
  const merchant = await withBacklog(3)
  const { tenantId } = merchant
  const one = '(select id from payments where tenant_id = $1 order by id limit 1)'
  await sql(`update payments set net_minor = 0 where id = ${one}`, [tenantId])
  await sql(`update payments set available_on = ${today} - 1 where tenant_id = $1 and id <> ${one}`, [
    tenantId,
  ])
  await sql(`update payout_settings set next_payout_on = ${today} - 1 where tenant_id = $1`, [tenantId])
  await trigger('sandbox')
  expect((await payoutsOf(merchant)).map(({ entries_count }) => entries_count)).toEqual([2])
  expect(await dayIsSet(merchant)).toBe(false)
  await sql(`update payments set ${stuck[0][2]} where id = ${one}`, [tenantId])
  expect(await brokenRules(tenantId)).toEqual([])
})

test('a refund that waits for the balance comes before the payouts of each day', async () => {
  const { merchant, payments } = await funded([2_000_000])
  const { tenantId } = merchant
  expect((await payOut(merchant)).status).toBe(201)
  const { id } = (await refund(merchant, { payment_id: payments[0], amount: '1500000' })).body
  const payoutDay = () =>
    sql(`update payout_settings set interval = 'daily', next_payout_on = ${today} where tenant_id = $1`, [
      tenantId,
    ])
  for (const available of ['200000', '400000']) {
    await endow(merchant, 200_000n)
    await payoutDay()
    await settleRefunds(tenantId, 1)
    expect((await refundOf(merchant, id)).status).toBe('pending')
    expect((await payOut(merchant)).body).toMatchObject({ error: { code: 'payout_nothing_available' } })
    expect([await availableOf(merchant), await dayIsSet(merchant)]).toEqual([available, true])
  }
  // The last 10,000.00 may be owed.
  await endow(merchant, 200_000n)
  await settleRefunds(tenantId, 2)
  expect((await refundOf(merchant, id)).status).toBe('succeeded')
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect(await brokenRules(tenantId)).toEqual([])
})

test('what is rare among many open movements is found without a walk through them', async () => {
  const { tenantId } = await newMerchant()
  writtenByHand(tenantId)
  await pastTriggers(
    `insert into balance_activity (tenant_id, id, currency, source_type, source_id, entry_kind, amount_minor, created_at)
     select $1, gen_random_uuid(), case when n = 2 then 'usd' else 'mxn' end, case when n = 1 then 'refund' else 'payment' end, gen_random_uuid(),
       case when n = 1 then 'refund' else 'release' end, case when n = 1 then -1 else 1 end, now() + n * interval '1 second'
     from generate_series(1, 20000) n`,
    [tenantId],
  )
  await sql('analyze balance_activity')
  for (const query of [
    openOutgoing({ currency: 'mxn', rows: 2_501 }),
    activityPage({ sourceType: 'refund', rows: 21 }),
    activityPage({ currency: 'usd', rows: 21 }),
  ]) {
    const { buffers } = await explained(tenantId, query)
    expect(buffers, query.text).toBeLessThan(50)
  }
})
