import { afterEach, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf, survivors } from '../support/books.ts'
import { beforeAndAfter, dies, inTurn, killReconciler } from '../support/drills.ts'
import { call, type Merchant, newMerchant } from '../support/merchant.ts'
import { multiply, payOut, payoutOf, payoutsOf, pollPayouts, settingsFor } from '../support/payouts.ts'
import { paidByCard } from '../support/refunds.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'
import { endow } from '../support/transfers.ts'

afterEach(() => faults.clear())

const funds = 5_000n
const key = { 'idempotency-key': 'the same key, before and after' }

/** The call at which something goes wrong, and how many of its kind pass first. */
type Step = { name: string; statement: string; skip: number }
const steps: Step[] = [
  { name: 'the payout is recorded', statement: 'door.publish', skip: 0 },
  { name: 'the bank is asked', statement: 'simulator.bank_send', skip: 0 },
  { name: 'the outcome is recorded', statement: 'door.publish', skip: 1 },
]
const accounts = { '1': 'paid', '11': 'failed', '15': 'paid', '16': 'failed', '17': 'returned' } as const
type Account = keyof typeof accounts
const banks = Object.keys(accounts) as Account[]
const kinds = {
  paid: { payout_paid: 1 },
  failed: { payout_reversed: 1 },
  canceled: { payout_reversed: 1 },
  returned: { payout_paid: 1, payout_returned: 1 },
} as const

async function newWorld(account: string): Promise<Merchant> {
  const merchant = await newMerchant()
  await endow(merchant, funds)
  await settingsFor(merchant, { account })
  return merchant
}

const paidAtBank = async ({ tenantId }: Merchant): Promise<bigint> => {
  const [row] = await adminSql('sandbox')<{ sum: string }>(
    `select coalesce(sum(amount_minor), 0)::text as sum from simulator.bank_orders
     where state = 'paid' and reference in (select id from payouts where tenant_id = $1)`,
    [tenantId],
  )
  return BigInt(row!.sum)
}

/**
 * Everything has ended, once: in our records, at the bank, in the books. Looks at the bank until we record its answer.
 */
async function over(merchant: Merchant, status: keyof typeof kinds): Promise<void> {
  for (let look = 0; look < 8 && (await payoutsOf(merchant))[0]?.status !== status; look++)
    await pollPayouts(merchant)
  expect((await payoutsOf(merchant)).map((payout) => payout.status)).toEqual([status])
  await pollPayouts(merchant)
  const left = status === 'paid' ? funds : 0n
  const balances = await balancesOf(merchant.tenantId)
  expect([balances['mxn/merchant_available'], balances['mxn/payouts_in_flight']]).toEqual([funds - left, 0n])
  expect(await journalsOf(merchant.tenantId)).toEqual({ incoming: 1, payout: 1, ...kinds[status] })
  expect(await paidAtBank(merchant)).toBe(left)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
}

const died = ['hang', 'late-commit'] as const

test('the Worker is killed in each step of a payout: it has one outcome', async () => {
  const ways = died.flatMap((mode) => steps.map((step) => ({ mode, step })))
  const told = banks.map((account) => ({ account }))
  const cases = inTurn(ways, told, 3)
  await survivors('Worker killed in a payout', cases, async ({ mode, step, account }) => {
    const merchant = await newWorld(account)
    await dies({ contains: step.statement, mode, skip: step.skip }, () => payOut(merchant, key))
    // The merchant, who may have seen no answer, sends the same once more.
    const again = await payOut(merchant, key)
    expect(again.status, again.text).toBe(201)
    await over(merchant, accounts[account])
  })
})

const spoilt = [
  { mode: 'hang' },
  { mode: 'refuse' },
  { mode: 'reset-before-send' },
  { mode: 'reset-after-commit' },
  { mode: 'late-commit' },
  { mode: '5xx-html', executed: false },
  { mode: '5xx-html', executed: true },
  { mode: 'truncated-json' },
] as const

test('a time-out, a 500, a cut connection at each boundary of a payout: it has one outcome', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const cases = spoilt.flatMap((how) =>
    steps.flatMap((step) => (['1', '11'] as const).map((account) => ({ how, step, account }))),
  )
  await survivors('payout with a fault at a boundary', cases, async ({ how, step, account }) => {
    const merchant = await newWorld(account)
    const match = { database: 'sandbox', contains: step.statement }
    const fault = await faults.neon({ ...how, match, skip: step.skip })
    const first = await payOut(merchant, key)
    expect([201, 503], first.text).toContain(first.status)
    await fault.hit()
    const again = await payOut(merchant, key)
    expect(again.status, again.text).toBe(201)
    await over(merchant, accounts[account])
  })
  await control.reconfigure('sandbox')
})

test('the reconciler is killed when the day of a payout has come', async () => {
  const cuts = [
    ['balance_activity', 0],
    ['door.publish', 0],
    ['simulator.bank_send', 0],
    ['door.publish', 1],
  ] as const
  const ways = cuts.flatMap(([contains, skip]) =>
    (['1', '11'] as const).map((account) => ({ contains, skip, account })),
  )
  const cases = inTurn(ways, beforeAndAfter)
  await survivors('reconciler killed on a payout day', cases, async ({ contains, skip, mode, account }) => {
    const merchant = await newWorld(account)
    await adminSql('sandbox')(
      `update payout_settings set interval = 'daily', next_payout_on = (now() at time zone 'America/Mexico_City')::date
       where tenant_id = $1`,
      [merchant.tenantId],
    )
    await killReconciler({ contains, mode, skip })
    await trigger('sandbox')
    await over(merchant, accounts[account])
  })
})

test('the reconciler is killed between two sets of funds on the day of a payout', async () => {
  const cuts = [
    { contains: 'door.publish', skip: 0, mode: 'late-commit' },
    { contains: '"payments"."id" = any', skip: 1, mode: 'hang' },
    { contains: 'door.publish', skip: 1, mode: 'hang' },
  ] as const
  await survivors('reconciler killed over released funds', cuts, async (cut) => {
    const merchant = await newMerchant()
    await settingsFor(merchant, { interval: 'daily' })
    await paidByCard(merchant)
    await multiply(merchant, 600)
    const today = `(now() at time zone 'America/Mexico_City')::date`
    const sql = adminSql('sandbox')
    await sql(`update payments set available_on = ${today} where tenant_id = $1`, [merchant.tenantId])
    await sql(`update payout_settings set next_payout_on = ${today} where tenant_id = $1`, [
      merchant.tenantId,
    ])
    await killReconciler(cut)
    expect(await payoutsOf(merchant)).toEqual([])
    await trigger('sandbox')
    const payouts = await payoutsOf(merchant)
    expect(payouts.map(({ entries_count }) => entries_count)).toEqual([601])
    expect(await journalsOf(merchant.tenantId)).toMatchObject({ capture: 601, release: 601, payout: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the reconciler is killed while it looks at a payout', async () => {
  const ways = ['door.due', 'simulator.bank_fetch', 'door.publish'].flatMap((contains) =>
    (['1', '11', '15', '17'] as const).map((account) => ({ contains, account })),
  )
  const cases = inTurn(ways, beforeAndAfter)
  await survivors('reconciler killed over a payout', cases, async ({ contains, mode, account }) => {
    const merchant = await newWorld(account)
    const { body } = await payOut(merchant)
    await asked(merchant, body.id)
    await due(merchant)
    await killReconciler({ contains, mode })
    await over(merchant, accounts[account])
  })
})

test('the Worker is killed in each step of a cancellation: the payout is canceled once', async () => {
  const cases = ['simulator.bank_cancel', 'door.publish'].flatMap((contains) =>
    died.map((mode) => ({ contains, mode })),
  )
  await survivors('Worker killed in the cancellation of a payout', cases, async ({ contains, mode }) => {
    const merchant = await newWorld('18')
    const { body } = await payOut(merchant)
    await asked(merchant, body.id)
    const cancel = () =>
      call('POST', `/v1/payment-operations/payouts/${body.id}/cancel`, {
        bearer: merchant.apiKey,
        headers: key,
      })
    expect(await dies({ contains, mode }, cancel)).toBeInstanceOf(Error)
    await pollPayouts(merchant)
    const again = await cancel()
    expect([again.status, again.body.status], again.text).toEqual([200, 'canceled'])
    await over(merchant, 'canceled')
  })
})

/** The bank was asked after the reply, whatever its answer. */
const asked = (merchant: Merchant, id: string) =>
  expect
    .poll(async () => {
      const [row] = await adminSql('sandbox')<{ checks_count: number }>(
        'select checks_count from payouts where id = $1',
        [id],
      )
      return (await payoutOf(merchant, id)).status !== 'pending' || row!.checks_count > 0
    })
    .toBe(true)

const due = ({ tenantId }: Merchant) =>
  adminSql('sandbox')(
    `update payouts set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
