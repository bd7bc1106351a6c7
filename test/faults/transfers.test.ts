import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf, survivors } from '../support/books.ts'
import { dies, inTurn, killReconciler } from '../support/drills.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'
import {
  allWaits,
  approverOf,
  cancelTransfer,
  endow,
  incomingOf,
  isNow,
  paidAtBank,
  proveApproval,
  sendApproval,
  settleTransfers,
  statusesOf,
  toClabe,
  toTenant,
  transfer,
  transferOf,
} from '../support/transfers.ts'

afterEach(() => faults.clear())

const funds = 5_000n
const amount = 1_000n

type Statement = 'door.enter' | 'door.publish' | 'simulator.bank_send'
/** The call at which something goes wrong, and how many of its kind pass first. */
type Step = { name: string; statement: Statement; skip: number }

const toBank: Step[] = [
  { name: 'the transfer is recorded', statement: 'door.publish', skip: 0 },
  { name: 'the bank is asked', statement: 'simulator.bank_send', skip: 0 },
  { name: 'the outcome is recorded', statement: 'door.publish', skip: 1 },
]
const toWorkspace: Step[] = [
  { name: 'the transfer is recorded', statement: 'door.publish', skip: 0 },
  { name: 'it arrives in the other workspace', statement: 'door.publish', skip: 1 },
  { name: 'its arrival is recorded', statement: 'door.publish', skip: 2 },
]
const accounts = { '1': 'paid', '11': 'failed', '15': 'paid', '16': 'failed' } as const
type Account = keyof typeof accounts
const banks = Object.keys(accounts) as Account[]

type World = { merchant: Merchant; other: Merchant }
async function newWorld(): Promise<World> {
  const [merchant, other] = await Promise.all([newMerchant(), newMerchant()])
  await endow(merchant, funds)
  return { merchant, other }
}

/** Everything has ended, once: in our records, at the bank, in the other workspace, in the books of both. */
async function over({ merchant, other }: World, status: string, account: string | null): Promise<void> {
  await settleTransfers(merchant.tenantId)
  expect(await statusesOf(merchant.tenantId)).toEqual({ [status]: 1 })
  const left = status === 'paid' ? amount : 0n
  expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(funds - left)
  expect(await journalsOf(merchant.tenantId)).toEqual({
    incoming: 1,
    transfer: 1,
    [status === 'paid' ? 'transfer_paid' : 'transfer_reversed']: 1,
  })
  expect(await paidAtBank(merchant.tenantId)).toBe(account === null ? 0n : left)
  const arrived = (await incomingOf(other)).map((incoming) => incoming.amount)
  expect(arrived).toEqual(account === null && status === 'paid' ? [amount.toString()] : [])
  for (const { tenantId } of [merchant, other]) expect(await brokenRules(tenantId)).toEqual([])
}

type Kill = { step: Step; mode: 'hang' | 'late-commit'; account: Account | null }
const kills: Kill[] = (['hang', 'late-commit'] as const).flatMap((mode) => [
  ...inTurn(
    toBank.map((step) => ({ step, mode })),
    banks.map((account) => ({ account })),
    2,
  ),
  ...toWorkspace.map((step) => ({ step, mode, account: null })),
])

test('the Worker is killed in each step of a transfer', async () => {
  await survivors('Worker killed in a transfer', kills, async ({ step, mode, account }) => {
    const world = await newWorld()
    const { merchant, other } = world
    const fields = { destination: account === null ? toTenant(other) : toClabe(account) }
    const key = 'the same key, before and after'
    const strike = { contains: step.statement, skip: step.skip, mode }
    await dies(strike, () => transfer(merchant, fields, key))
    // The merchant, who may have seen no answer, sends the same once more.
    const again = await transfer(merchant, fields, key)
    expect(again.status, again.text).toBe(201)
    await over(world, account === null ? 'paid' : accounts[account], account)
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
type Spoilt = (typeof spoilt)[number]
type Boundary = { step: Step; how: Spoilt; account: Account | null }
const boundaries: Boundary[] = spoilt.flatMap((how) => [
  ...toBank.flatMap((step) => (['1', '11'] as const).map((account) => ({ step, how, account }))),
  ...toWorkspace.map((step) => ({ step, how, account: null })),
])

test('a time-out, a 500, a cut connection at each boundary of a transfer', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  await survivors('transfer with a fault at a boundary', boundaries, async ({ step, how, account }) => {
    const world = await newWorld()
    const { merchant, other } = world
    const fields = { destination: account === null ? toTenant(other) : toClabe(account) }
    const key = 'the same key, before and after'
    const match = { database: 'sandbox', contains: step.statement }
    const fault = await faults.neon({ ...how, match, skip: step.skip })
    const first = await transfer(merchant, fields, key)
    expect([201, 503], first.text).toContain(first.status)
    await fault.hit()
    const again = await transfer(merchant, fields, key)
    expect(again.status, again.text).toBe(201)
    await over(world, account === null ? 'paid' : accounts[account], account)
  })
  await control.reconfigure('sandbox')
})

test('the reconciler is killed in each of its steps', async () => {
  const steps = ['door.due', 'simulator.bank_fetch', 'door.publish'].flatMap((contains) =>
    (['hang', 'late-commit'] as const).flatMap((mode) =>
      (['1', '11', '15'] as const).map((account) => ({ contains, mode, account })),
    ),
  )
  await survivors('reconciler killed over a transfer', steps, async ({ contains, mode, account }) => {
    const world = await newWorld()
    const { merchant } = world
    const { body } = await transfer(merchant, { destination: toClabe(account) })
    if (account === '15') await lookedAt(merchant)
    else await isNow(merchant, body.id, 'processing')
    await due(merchant)
    await killReconciler({ contains, mode })
    await over(world, accounts[account], account)
  })
})

test('the Worker is killed in each step of a cancellation', async () => {
  const steps = ['simulator.bank_cancel', 'door.publish'].flatMap((contains) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ contains, mode })),
  )
  await survivors('Worker killed in a cancellation', steps, async ({ contains, mode }) => {
    const world = await newWorld()
    const { merchant } = world
    const { body } = await transfer(merchant, { destination: toClabe('18') })
    await isNow(merchant, body.id, 'processing')
    const key = 'the same key, before and after'
    const cancel = () => cancelTransfer(merchant, body.id, key)
    expect(await dies({ contains, mode }, cancel)).toBeInstanceOf(Error)
    // The reconciler may be quicker than the merchant's next try.
    if (mode === 'hang') await due(merchant).then(() => trigger('sandbox'))
    const again = await cancel()
    expect([again.status, again.body.status], again.text).toEqual([200, 'canceled'])
    await over(world, 'canceled', '18')
  })
})

test('the Worker is killed in each step of an approval', async () => {
  const steps = [
    ['door.publish', 0],
    ['simulator.bank_send', 0],
    ['door.publish', 1],
  ] as const
  const cases = steps.flatMap(([contains, skip]) =>
    (['hang', 'late-commit'] as const).map((mode) => ({ contains, skip, mode })),
  )
  await survivors('Worker killed in an approval', cases, async ({ contains, skip, mode }) => {
    const world = await newWorld()
    const { merchant } = world
    await allWaits(merchant)
    const customer = await approverOf(merchant)
    const { body } = await transfer(merchant)
    const key = randomUUID()
    const proof = await proveApproval(customer, merchant, body, key)
    const approve = () => sendApproval(customer, merchant, body, key, proof)
    await dies({ contains, skip, mode }, approve)
    // Sent again with the same proof: it was spent together with its effect, or not at all.
    const again = await approve()
    expect(again.status, again.text).toBe(200)
    await over(world, 'paid', '1')
  })
})

test('a bank that gets an order twice, and reports it twice, has one order', async () => {
  const world = await newWorld()
  const { merchant } = world
  const { body } = await transfer(merchant, { destination: toClabe('15') })
  await lookedAt(merchant)
  expect((await transferOf(merchant, body.id)).status).toBe('pending')
  // It answers, and the answer is lost.
  const fault = await faults.neon({
    mode: 'reset-after-commit',
    match: { database: 'sandbox', contains: 'simulator.bank_fetch' },
  })
  await due(merchant)
  await Promise.all([trigger('sandbox'), trigger('sandbox')])
  await fault.hit()
  await over(world, 'paid', '15')
})

/** The bank was asked after the reply and gave no answer: that too is recorded. */
const lookedAt = ({ tenantId }: Merchant) =>
  expect
    .poll(() =>
      adminSql('sandbox')('select from transfers where tenant_id = $1 and checks_count > 0', [tenantId]),
    )
    .toHaveLength(1)

const due = ({ tenantId }: Merchant) =>
  adminSql('sandbox')(
    `update transfers set next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
