import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Json } from '../../../src/kernel/json.ts'
import { join } from '../../support/customer.ts'
import { newPerson } from '../../support/members.ts'
import { call } from '../../support/merchant.ts'
import { newScheduling, type Scheduling } from '../../support/report-schedules.ts'
import { getReport, over, started, verify } from '../../support/reporting.ts'
import { adminSql } from '../../support/stack.ts'
import { newWorld, take } from '../money/world.ts'

type Mapping = {
  accounts: { account: string; entry_kind: string | null; number: string }[]
  author: { user_id: string } | null
  set_at: string | null
  error?: { code: string; param: string | null }
}

const path = '/v1/reporting/account-mapping'

const set = ({ merchant, admin }: Scheduling, accounts: Json) =>
  call<Mapping>('PUT', path, {
    bearer: admin.token,
    headers: { 'idempotency-key': randomUUID() },
    body: { tenant_id: merchant.tenantId, accounts },
  })

const now = ({ merchant }: Scheduling) => getReport<Mapping>(merchant, '/account-mapping')

type Cells = Record<'account' | 'entry_kind' | 'account_number', string | null>

async function numbersOf({ merchant }: Scheduling, { id }: { readonly id: string }) {
  const { body } = await getReport<{ data: { cells: Cells }[] }>(merchant, `/runs/${id}/rows?limit=1000`)
  return body.data.map(({ cells }) => cells)
}

const available = (number: string, entry_kind: string | null = null) => ({
  account: 'merchant_available',
  entry_kind,
  number,
})

test('a poliza shows the merchant’s own numbers, and keeps those of when it was made', async () => {
  const of = await newScheduling()
  const { merchant } = of
  const world = { ...(await newWorld()), merchant }
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  const before = await over(merchant, await started(merchant, 'poliza'))
  await set(of, [
    available('102-01'),
    available('102-02', 'release'),
    { account: 'fee_expense', number: '601' },
  ])
  const first = await over(merchant, await started(merchant, 'poliza'))
  await set(of, [available('900')])
  const second = await over(merchant, await started(merchant, 'poliza'))
  const numbered = (rows: readonly Cells[], account: string) =>
    new Set(rows.filter((row) => row.account === account).map((row) => row.account_number))
  expect(new Set((await numbersOf(of, before)).map((row) => row.account_number))).toEqual(new Set([null]))
  const rows = await numbersOf(of, first)
  expect(numbered(rows, 'merchant_available')).toEqual(new Set(['102-02']))
  expect(numbered(rows, 'fee_expense')).toEqual(new Set(['601']))
  expect(numbered(rows, 'processor_clearing')).toEqual(new Set([null]))
  expect(numbered(await numbersOf(of, second), 'merchant_available')).toEqual(new Set(['900']))
  for (const run of [before, first, second])
    expect((await verify(merchant, run)).body).toMatchObject({ equal: true, file: 'equal' })
  const file = await getReport<never>(merchant, `/runs/${first.id}/file`)
  expect(file.text).toContain(',102-02')
})

test('it is empty before it is set, and what was set last is all of it', async () => {
  const of = await newScheduling()
  expect((await now(of)).body).toMatchObject({ accounts: [], author: null, set_at: null })
  await set(of, [available('1'), { account: 'waiter', number: '2' }])
  const { status, body } = await set(of, [available('3', 'capture'), available('4')])
  expect([status, body.accounts]).toEqual([200, [available('4'), available('3', 'capture')]])
  expect((await now(of)).body).toEqual(body)
  expect(body.author).toMatchObject({ user_id: of.admin.userId })
})

test.each([
  ['an account that there is not', [{ account: 'cash', number: '1' }], 'accounts.0.account'],
  ['no number', [{ account: 'fee_expense', number: '' }], 'accounts.0.number'],
  ['a formula', [{ account: 'fee_expense', number: '=1' }], 'accounts.0.number'],
  ['a kind in other words', [available('1', 'The capture')], 'accounts.0.entry_kind'],
  ['a kind that no journal has', [available('1', 'captured')], 'accounts.0.entry_kind'],
  ['an account twice', [available('1'), available('2')], 'accounts'],
])('%s is refused with the field', async (_, accounts, param) => {
  const of = await newScheduling()
  const { status, body } = await set(of, accounts as Json)
  expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param }])
})

test('a member who is no admin reads it and does not set it', async () => {
  const of = await newScheduling()
  const member = await newPerson()
  await join(member, of.merchant, 'member')
  const asMember = { ...of, admin: member }
  expect((await set(asMember, [])).body.error?.code).toBe('insufficient_role')
  const read = await call('GET', `${path}?tenant_id=${of.merchant.tenantId}`, { bearer: member.token })
  expect(read.status).toBe(200)
})

test.each([
  ['is no object', '[]'],
  ['is larger than 200 numbers', JSON.stringify({ merchant_available: '1'.repeat(40_000) })],
])('the database refuses a mapping that %s', async (_, accounts) => {
  const { merchant } = await newScheduling()
  const written = adminSql('sandbox')(
    `insert into report_account_mappings (tenant_id, id, accounts, created_by_user_id, created_by_email, created_at)
     values ($1, gen_random_uuid(), $2::jsonb, 'usr_1', 'ana@example.com', now())`,
    [merchant.tenantId, accounts],
  )
  await expect(written).rejects.toMatchObject({ constraint: 'report_account_mappings_accounts' })
})
