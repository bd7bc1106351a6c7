import { afterEach, beforeAll, expect, test } from 'vitest'
import { accountNow, accountOf, addAccount } from '../support/bank-accounts.ts'
import { survivors } from '../support/books.ts'
import { type Customer, join, newCustomer } from '../support/customer.ts'
import { beforeAndAfter, dies, failures, inTurn, killReconciler } from '../support/drills.ts'
import { type Merchant, newMerchant } from '../support/merchant.ts'
import { eventsOf } from '../support/refunds.ts'
import { adminSql, control, faults, trigger } from '../support/stack.ts'

afterEach(() => faults.clear())

let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

/** What the bank answers about an account with these digits; 15 and 16 are silent at first. */
const banks = { '99': 'verified', '11': 'rejected', '15': 'verified', '16': 'rejected' } as const
type Digits = keyof typeof banks
const accounts = (Object.keys(banks) as Digits[]).map((digits) => ({ digits }))

const steps = [
  { contains: 'door.publish', skip: 0 },
  { contains: 'simulator.bank_send', skip: 0 },
  { contains: 'door.publish', skip: 1 },
]

const key = 'the same key, before and after'
const holder = 'Café Azul'

async function newWorld(): Promise<Merchant> {
  const merchant = await newMerchant()
  await join(customer, merchant)
  return merchant
}

const add = (merchant: Merchant, digits: Digits) =>
  addAccount(customer, merchant, { clabe: accountOf(digits), holder }, key)

const isDue = ({ tenantId }: Merchant) =>
  adminSql('sandbox')(
    `update bank_accounts set next_check_at = now() - interval '1 second'
     where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )

/** One account, one deposit at the bank, one outcome: in the row, in the events. */
async function over(merchant: Merchant, digits: Digits): Promise<void> {
  const again = await add(merchant, digits)
  expect(again.status, again.text).toBe(201)
  const { id } = again.body
  const status = banks[digits]
  for (let look = 0; look < 8 && (await accountNow(merchant, id)).status !== status; look++) {
    await isDue(merchant)
    await trigger('sandbox')
  }
  expect(await accountNow(merchant, id)).toMatchObject({ status })
  expect((await eventsOf(merchant.tenantId, id)).map(({ type }) => type)).toEqual([
    'bank_account.created',
    `bank_account.${status}`,
  ])
  const orders = await adminSql('sandbox')(
    `select o.state, o.amount_minor::int from simulator.bank_orders o join bank_accounts b on b.id = o.reference
     where b.tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(orders).toEqual([{ state: status === 'verified' ? 'paid' : 'failed', amount_minor: 1 }])
}

test('the Worker is killed in each step of adding an account: one deposit, one outcome', async () => {
  const cases = inTurn(
    beforeAndAfter.flatMap((mode) => steps.map((step) => ({ ...mode, ...step }))),
    accounts,
    2,
  )
  await survivors('Worker killed while an account is verified', cases, async ({ digits, ...strike }) => {
    const merchant = await newWorld()
    await dies(strike, () => add(merchant, digits))
    await over(merchant, digits)
  })
})

test('a call fails in each step of adding an account: one deposit, one outcome', async () => {
  await control.reconfigure('sandbox', { vars: { DATABASE_TIMEOUT_MS: '1500' } })
  const cases = inTurn(
    failures.flatMap((how) => steps.map((step) => ({ how, step }))),
    accounts,
  )
  await survivors('a fault while an account is verified', cases, async ({ how, step, digits }) => {
    const merchant = await newWorld()
    const match = { database: 'sandbox', contains: step.contains }
    const fault = await faults.neon({ ...how, match, skip: step.skip })
    const first = await add(merchant, digits)
    expect([201, 503], first.text).toContain(first.status)
    await fault.hit()
    await over(merchant, digits)
  })
  await control.reconfigure('sandbox')
})

test('the reconciler is killed while it looks at a deposit', async () => {
  const ways = ['door.due', 'simulator.bank_fetch', 'door.publish'].map((contains) => ({ contains }))
  const silent = [{ digits: '15' }, { digits: '16' }] as const
  const cases = inTurn(
    ways.flatMap((way) => beforeAndAfter.map((mode) => ({ ...way, ...mode }))),
    silent,
  )
  await survivors('reconciler killed over a deposit', cases, async ({ digits, ...strike }) => {
    const merchant = await newWorld()
    const { body } = await add(merchant, digits)
    const polled = async () =>
      (
        await adminSql('sandbox')<{ checks_count: number }>(
          'select checks_count from bank_accounts where id = $1',
          [body.id],
        )
      )[0]!.checks_count
    await expect.poll(polled).toBeGreaterThan(0)
    await isDue(merchant)
    await killReconciler(strike)
    await over(merchant, digits)
  })
})
