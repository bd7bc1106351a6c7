import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { bring } from '../../support/processor-accounts.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')
const accountOf = async (kind: 'account' | 'attempt' | 'sale', id: string) =>
  (
    await sql<{ id: string | null }>(`select door.processor_account('stripe', $1, $2)->>'id' as id`, [
      kind,
      id,
    ])
  )[0]!.id

/** Another attempt at this payment, at the given account. */
const attemptAt = (payment: string, account: string) =>
  sql<{ id: string }>(
    `insert into payment_attempts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
       'number', 2, 'status', 'declined', 'decline_code', 'card_declined', 'account_id', $2::uuid))).*
     from payment_attempts a where payment_id = $1 returning id`,
    [payment, account],
  )

test('an account is found by its id and by what went to it; a sale finds the active one', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const before = await bring(merchant, 'acct_before', 'superseded')
  const active = await bring(merchant, 'acct_active', 'active')
  const link = await newLink(merchant)
  const [theirs] = await attemptAt(payment, before)
  const [ours] = await sql<{ id: string }>(
    'select id from payment_attempts where payment_id = $1 and number = 1',
    [payment],
  )
  expect(await accountOf('account', before)).toBe(before)
  expect(await accountOf('attempt', theirs!.id)).toBe(before)
  expect(await accountOf('attempt', ours!.id)).toBeNull()
  expect(await accountOf('sale', link.public_id)).toBe(active)
})

test('an attempt cannot name the account of another merchant', async () => {
  const [merchant, foreign] = [await newMerchant(), await newMerchant()]
  const payment = await paidByCard(merchant)
  const account = await bring(foreign, 'acct_foreign', 'active')
  await expect(attemptAt(payment, account)).rejects.toThrow('payment_attempts_account')
})

test('one account is active', async () => {
  const merchant = await newMerchant()
  await bring(merchant, 'acct_one', 'active')
  await expect(bring(merchant, 'acct_two', 'active')).rejects.toThrow('processor_credentials_one')
})

test('an account has a known state of every method, and of nothing else', async () => {
  const merchant = await newMerchant()
  const id = await bring(merchant, 'acct_methods', 'active')
  const set = (methods: unknown) =>
    sql('update processor_credentials set methods = $2 where id = $1', [id, JSON.stringify(methods)])
  const states = { card: 'active', oxxo: 'off', spei: null }
  await set(states)
  for (const wrong of [
    { ...states, card: 'maybe' },
    { ...states, card: 1 },
    { ...states, cheque: 'active' },
    { card: 'active', oxxo: 'off' },
    Object.keys(states),
    'active',
    null,
  ])
    await expect(set(wrong), JSON.stringify(wrong)).rejects.toThrow('processor_credentials_methods_known')
})

test('a notification that cannot be handled is retried for a month', async () => {
  const event = `evt_${randomUUID()}`
  const row =
    'select tries_count, next_try_at is not null as waits from processor_notifications where event_id = $1'
  const old = (age: string) =>
    sql(
      `update processor_notifications set received_at = now() - $2::interval, next_try_at = now() - interval '10 years'
       where event_id = $1`,
      [event, age],
    )
  await sql('select door.keep_notification($1, $2, $3, $4, $5)', [
    'stripe',
    '',
    event,
    'refund',
    randomUUID(),
  ])
  await old('29 days')
  await sql('select door.waiting_notifications(now(), 1)')
  expect(await sql(row, [event])).toEqual([{ tries_count: 1, waits: true }])
  await old('31 days')
  await sql('select door.waiting_notifications(now(), 100)')
  expect(await sql(row, [event])).toEqual([])
})
