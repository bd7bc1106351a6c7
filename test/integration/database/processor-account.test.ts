import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { paidByCard, refund } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')
const accountOf = async (kind: 'attempt' | 'refund', id: string) =>
  (
    await sql<{ found: boolean }>('select door.processor_account($1, $2, $3) is not null as found', [
      'stripe',
      kind,
      id,
    ])
  )[0]!.found

test('a refund goes to the account that its money came to: of the attempt, not of the payment', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { body } = await refund(merchant, { payment_id: payment })
  const [attempt] = await sql<{ id: string }>('select id from payment_attempts where payment_id = $1', [
    payment,
  ])
  const bring = (ago: string) =>
    sql(
      `insert into processor_credentials (tenant_id, id, processor, status, secret_key, secret_key_last4,
         webhook_secret, publishable_key, version, created_at, updated_at)
       values ($1, gen_random_uuid(), 'stripe', 'active', '1.AAAA', 'AAAA', '1.AAAA', 'pk', 1, now() - $2::interval, now())
       on conflict (tenant_id, processor) do update set created_at = excluded.created_at`,
      [merchant.tenantId, ago],
    )
  // The payment began an hour ago; the merchant brought the account before its second card, which paid.
  await sql(`update payments set created_at = created_at - interval '1 hour' where id = $1`, [payment])
  await bring('30 minutes')
  expect([await accountOf('attempt', attempt!.id), await accountOf('refund', body.id)]).toEqual([true, true])
  // Or after it.
  await sql(`update payment_attempts set created_at = created_at - interval '40 minutes' where id = $1`, [
    attempt!.id,
  ])
  expect([await accountOf('attempt', attempt!.id), await accountOf('refund', body.id)]).toEqual([
    false,
    false,
  ])
})

test('a notification that nobody could hear is tried for a month', async () => {
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
