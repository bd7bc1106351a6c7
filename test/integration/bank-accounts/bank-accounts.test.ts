import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { judge } from '../../../local/workspace.ts'
import {
  accountNow,
  accountOf,
  addAccount,
  type BankAccount,
  disableAccount,
  newBankAccount,
} from '../../support/bank-accounts.ts'
import { type Customer, join, newCustomer } from '../../support/customer.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { payOut, settingsFor } from '../../support/payouts.ts'
import { Client } from '../../support/postgres.ts'
import { eventsOf } from '../../support/refunds.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const path = '/v1/workspace/bank-accounts'
let customer: Customer
beforeAll(async () => {
  customer = await newCustomer()
})

async function workspace(role: 'owner' | 'admin' | 'member' = 'owner'): Promise<Merchant> {
  const merchant = await newMerchant()
  await join(customer, merchant, role)
  return merchant
}

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim()

const becomes = (merchant: Merchant, id: string, status: string) =>
  expect.poll(async () => (await accountNow(merchant, id)).status).toBe(status)

/** The reconciler, as in the coming minutes. */
async function poll({ tenantId }: Merchant) {
  await adminSql('sandbox')(
    `update bank_accounts set next_check_at = now() - interval '1 second'
     where tenant_id = $1 and next_check_at is not null`,
    [tenantId],
  )
  await trigger('sandbox')
}

test.each([
  ['99', 'verified', null],
  ['11', 'rejected', 'account_closed'],
  ['12', 'rejected', 'account_not_found'],
  ['13', 'rejected', 'holder_mismatch'],
  ['14', 'rejected', 'declined_by_bank'],
])('the bank answers for account …%s: %s', async (digits, status, rejection_code) => {
  const merchant = await workspace()
  const clabe = accountOf(digits)
  const added = await addAccount(customer, merchant, { clabe, holder: 'Café Azul' })
  expect(added.status, added.text).toBe(201)
  expect(added.body).toMatchObject({
    status: 'pending_verification',
    clabe_last4: clabe.slice(-4),
    bank_name: 'BBVA México',
    verification: 'deposit',
  })
  await becomes(merchant, added.body.id, status)
  expect(await accountNow(merchant, added.body.id)).toMatchObject({ rejection_code })
  const events = await eventsOf(merchant.tenantId, added.body.id)
  expect(events.map(({ type }) => type)).toEqual(['bank_account.created', `bank_account.${status}`])
  const everywhere = await adminSql('sandbox')(
    `select object::text as said from events where tenant_id = $1
     union all select data::text from mail_notices where tenant_id = $1
     union all select reply_body from idempotency_claims where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(everywhere.length).toBeGreaterThan(2)
  expect(JSON.stringify([everywhere, added.text])).not.toContain(clabe.slice(3, 14))
})

test('a silent bank is asked again; one that stays silent leaves the account waiting', async () => {
  const merchant = await workspace()
  const added = await addAccount(customer, merchant, { clabe: accountOf('15'), holder: 'Café Azul' })
  const waits = await addAccount(customer, merchant, { clabe: accountOf('18'), holder: 'Café Azul' })
  // The first question is asked after the reply: it may come after a look.
  const seen = () => poll(merchant).then(() => accountNow(merchant, added.body.id))
  await expect.poll(async () => (await seen()).status).toBe('verified')
  expect((await accountNow(merchant, waits.body.id)).status).toBe('pending_verification')
})

test('a deposit that comes back rejects the account it had verified, and nothing is paid out to it', async () => {
  const merchant = await workspace()
  const { body } = await addAccount(customer, merchant, { clabe: accountOf('17'), holder: 'Café Azul' })
  await becomes(merchant, body.id, 'verified')
  await settingsFor(merchant, { account: '17' })
  await poll(merchant)
  expect(await accountNow(merchant, body.id)).toMatchObject({
    status: 'rejected',
    rejection_code: 'account_closed',
  })
  const events = await eventsOf(merchant.tenantId, body.id)
  expect(events.map(({ type }) => type)).toEqual([
    'bank_account.created',
    'bank_account.verified',
    'bank_account.rejected',
  ])
  expect(codeOf(await payOut(merchant))).toBe('409 payout_account_not_verified')
})

test('a deposit that arrives while reviewers judge the account: one outcome', async () => {
  const merchant = await workspace()
  const { body } = await addAccount(customer, merchant, { clabe: accountOf('15'), holder: 'Café Azul' })
  const clients = Array.from(
    { length: 4 },
    () => new Client({ connectionString: stack.databases.sandbox.ownerUrl }),
  )
  const reviews = clients.map(async (client, at) => {
    await client.connect()
    const verdict = at % 2 === 0 ? 'verified' : 'refused_in_review'
    await judge(
      { client, tenantId: merchant.tenantId, by: 'ana.ruiz' },
      { accountId: body.id, verdict, coolDownHours: 24 },
    )
  })
  const outcomes = await Promise.allSettled([...reviews, poll(merchant), poll(merchant)])
  await Promise.all(clients.map((client) => client.end()))
  expect(outcomes.slice(0, 4).filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1)
  const { status } = await accountNow(merchant, body.id)
  const events = await eventsOf(merchant.tenantId, body.id)
  expect(events.map(({ type }) => type)).toEqual(['bank_account.created', `bank_account.${status}`])
})

test('the holder is held against the fiscal profile, and a mismatch is shown', async () => {
  const merchant = await workspace()
  const fiscal_profile = {
    rfc: 'EKU9003173C9',
    legal_name: 'ESCUELA KEMPER URGATE',
    tax_regime: '601',
    postal_code: '42501',
  }
  const before = await addAccount(customer, merchant, { clabe: accountOf('97'), holder: 'Ana' })
  await call('PATCH', '/v1/workspace', { bearer: merchant.apiKey, body: { fiscal_profile } })
  const own = { clabe: accountOf('98'), holder: 'Escuela Kemper Urgate SA de CV' }
  const others = { clabe: accountOf('99'), holder: 'Ana Ruiz' }
  const [same, other] = [
    await addAccount(customer, merchant, own),
    await addAccount(customer, merchant, others),
  ]
  expect([before, same, other].map(({ body }) => body.holder_matches_legal_name)).toEqual([null, true, false])
})

test('accounts are read by a key and by any member; an API key changes none, a member neither', async () => {
  const merchant = await workspace('member')
  const { id } = await newBankAccount(merchant)
  const { tenantId: tenant_id, apiKey } = merchant
  for (const [bearer, query] of [
    [apiKey, ''],
    [customer.token, `?tenant_id=${tenant_id}`],
  ] as const) {
    const list = await call<{ data: BankAccount[] }>('GET', path + query, { bearer })
    expect(list.body.data.map((account) => account.id)).toEqual([id])
    expect((await call('GET', `${path}/${id}${query}`, { bearer })).body).toMatchObject({ id })
  }
  const account = { clabe: accountOf('99'), holder: 'Ana' }
  expect(codeOf(await call('POST', path, { bearer: apiKey, body: { tenant_id, ...account } }))).toBe(
    '401 credential_not_accepted',
  )
  const asKey = call('POST', `${path}/${id}/disable`, { bearer: apiKey, body: { tenant_id } })
  expect(codeOf(await asKey)).toBe('401 credential_not_accepted')
  expect(codeOf(await addAccount(customer, merchant, account))).toBe('403 insufficient_role')
  expect(codeOf(await disableAccount(customer, merchant, id))).toBe('403 insufficient_role')
  expect((await accountNow(merchant, id)).status).toBe('verified')
})

test('a disabled account is over, and its CLABE may be added again', async () => {
  const merchant = await workspace()
  const { id, clabe } = await newBankAccount(merchant)
  expect((await disableAccount(customer, merchant, id)).body).toMatchObject({ status: 'disabled' })
  expect(codeOf(await disableAccount(customer, merchant, id))).toBe('409 bank_account_over')
  expect((await addAccount(customer, merchant, { clabe, holder: 'Ana' })).status).toBe(201)
})

test('one CLABE added 50 times at once under keys of their own: one account', async () => {
  const merchant = await workspace()
  const account = { clabe: accountOf('99'), holder: 'Café Azul' }
  const replies = await Promise.all(Array.from({ length: 50 }, () => addAccount(customer, merchant, account)))
  const codes = replies.map(codeOf)
  expect(codes.filter((code) => code === '201')).toHaveLength(1)
  expect(codes.filter((code) => code !== '201' && code !== '409 bank_account_exists')).toEqual([])
})

test('one Idempotency-Key 50 times: one account, one deposit', async () => {
  const merchant = await workspace()
  const account = { clabe: accountOf('99'), holder: 'Café Azul' }
  const key = randomUUID()
  const first = await addAccount(customer, merchant, account, key)
  const again = await Promise.all(
    Array.from({ length: 49 }, () => addAccount(customer, merchant, account, key)),
  )
  expect(new Set([first, ...again].map(({ text }) => text)).size).toBe(1)
  await becomes(merchant, first.body.id, 'verified')
  const deposits = await adminSql('sandbox')(
    'select amount_minor::int from simulator.bank_orders where reference = $1',
    [first.body.id],
  )
  expect(deposits).toEqual([{ amount_minor: 1 }])
})
