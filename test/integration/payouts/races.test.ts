import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { accountOf } from '../../support/bank-accounts.ts'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, pollDisputes } from '../../support/disputes.ts'
import { call } from '../../support/merchant.ts'
import {
  availableOf,
  entriesOf,
  funded,
  payOut,
  payoutsOf,
  settingsFor,
  settlesAs,
} from '../../support/payouts.ts'
import { refund } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const fifty = <T>(work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 50 }, (_, at) => work(at)))

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  status < 300 ? status : (body as { error: { code: string } }).error.code

test('50 payouts at once: one', async () => {
  const { merchant } = await funded([10_000, 20_000])
  const before = await availableOf(merchant)
  const replies = await fifty(() => payOut(merchant))
  const codes = replies.map(codeOf)
  expect(codes.filter((code) => code === 201)).toHaveLength(1)
  expect(codes.filter((code) => code !== 201 && code !== 'payout_nothing_available')).toEqual([])
  const [payout, ...more] = await payoutsOf(merchant)
  expect(more).toEqual([])
  expect(payout!.amount).toBe(before)
  await settlesAs(merchant, payout!.id, 'paid')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one Idempotency-Key 50 times: one payout, one reply', async () => {
  const { merchant } = await funded()
  const key = randomUUID()
  const replies = await fifty(() => payOut(merchant, { 'idempotency-key': key }))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 transfers against 5 payouts: never more than the balance, each cent once', async () => {
  const { merchant } = await funded([100_000])
  const before = BigInt((await availableOf(merchant))!)
  const transfer = () =>
    call('POST', '/v1/payment-operations/transfers', {
      bearer: merchant.apiKey,
      body: {
        amount: (before / 25n).toString(),
        currency: 'mxn',
        destination: { type: 'clabe', clabe: accountOf('18'), holder: 'Ana López' },
        concept: 'Semana 24',
      },
    })
  const replies = await fifty((at) => (at % 10 === 5 ? payOut(merchant).then((r) => r as never) : transfer()))
  const told = new Set(replies.map(codeOf))
  for (const code of told) expect([201, 'insufficient_funds', 'payout_nothing_available']).toContain(code)
  const left = BigInt((await availableOf(merchant))!)
  expect(left).toBeGreaterThanOrEqual(0n)
  const balances = await balancesOf(merchant.tenantId)
  expect(
    left +
      (balances['mxn/transfers_in_flight'] ?? 0n) +
      (balances['mxn/payouts_in_flight'] ?? 0n) +
      (balances['mxn/processor_clearing'] ?? 0n) +
      (balances['mxn/fee_expense'] ?? 0n) +
      (balances['mxn/iva_on_fees'] ?? 0n),
  ).toBe(0n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 refunds during a payout: the payout is the sum of its entries', async () => {
  const { merchant, payments } = await funded([100_000])
  const work = (at: number) =>
    at % 10 === 5
      ? payOut(merchant).then((reply) => reply as never)
      : refund(merchant, { payment_id: payments[0], amount: '500' })
  const replies = await fifty(work)
  const told = new Set(replies.map(codeOf))
  for (const code of told) expect([201, 'conflict', 'payout_nothing_available']).toContain(code)
  for (const reply of replies.filter((_, at) => at % 10 === 5))
    expect(['conflict', 'internal']).not.toContain(codeOf(reply))
  for (const { id, amount } of await payoutsOf(merchant)) {
    const sum = (await entriesOf(merchant, id)).reduce(
      (total, { amount_net }) => total + BigInt(amount_net),
      0n,
    )
    expect(sum.toString()).toBe(amount)
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the payout day in 10 scheduled runs at once, with 50 payouts by hand: one payout', async () => {
  const { merchant } = await funded()
  await adminSql('sandbox')(
    `update payout_settings set interval = 'daily', next_payout_on = (now() at time zone 'America/Mexico_City')::date
     where tenant_id = $1`,
    [merchant.tenantId],
  )
  await Promise.all([...Array.from({ length: 10 }, () => trigger('sandbox')), fifty(() => payOut(merchant))])
  expect(await payoutsOf(merchant)).toHaveLength(1)
  expect((await journalsOf(merchant.tenantId)).payout).toBe(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 cancels of one that the bank has: its money is back once', async () => {
  const { merchant } = await funded([10_000], '18')
  const before = await availableOf(merchant)
  const { body } = await payOut(merchant)
  const replies = await fifty(() =>
    call('POST', `/v1/payment-operations/payouts/${body.id}/cancel`, { bearer: merchant.apiKey }),
  )
  const codes = replies.map(codeOf)
  expect(new Set(codes)).toEqual(new Set([200]))
  expect(await availableOf(merchant)).toBe(before)
  expect((await journalsOf(merchant.tenantId)).payout_reversed).toBe(1)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('payouts while the account changes, refunds are made and a dispute opens: each cent once, to an account that was set', async () => {
  const { merchant, payments } = await funded([100_000, 50_000, 30_000], '98')
  await settingsFor(merchant, { account: '99' })
  const sql = adminSql('sandbox')
  const work = (at: number): Promise<unknown> => {
    if (at === 25) return dispute(merchant, payments[1]!)
    if (at % 3 === 0) return settingsFor(merchant, { account: at % 2 === 0 ? '98' : '99' })
    return at % 3 === 1
      ? payOut(merchant)
      : refund(merchant, { payment_id: payments[at % 2 === 0 ? 0 : 2], amount: '100' })
  }
  const replies = await fifty(work)
  const told = replies.filter((reply) => reply !== undefined) as { status: number; body: unknown }[]
  for (const code of new Set(told.map(codeOf)))
    expect([201, 'conflict', 'payout_nothing_available']).toContain(code)
  await pollDisputes(merchant.tenantId)
  for (const { id } of await payoutsOf(merchant)) await settlesAs(merchant, id, 'paid')
  const sent = await sql<{ clabe: string; amount: string; paid: string; state: string }>(
    `select p.destination_clabe as clabe, p.amount_minor::text as amount, o.amount_minor::text as paid, o.state
     from payouts p join simulator.bank_orders o on o.reference = p.id and o.clabe = p.destination_clabe
     where p.tenant_id = $1`,
    [merchant.tenantId],
  )
  const payoutsMade = await payoutsOf(merchant)
  expect(sent).toHaveLength(payoutsMade.length)
  for (const { clabe, amount, paid, state } of sent) {
    expect([accountOf('98'), accountOf('99')]).toContain(clabe)
    expect([paid, state]).toEqual([amount, 'paid'])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
