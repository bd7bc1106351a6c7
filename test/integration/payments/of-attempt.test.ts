import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  clabeOfAttempt,
  clabesOfPayment,
  countedDeposits,
  fundsOfAttempt,
  voucherOfAttempt,
  vouchersOf,
} from '../../../functions/money/payments/store.ts'
import { explained, pastTriggers } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

test('of many vouchers and CLABEs, those of a payment or attempt are found by it', async () => {
  const { tenantId } = await newMerchant()
  writtenByHand(tenantId)
  for (const [table, columns, values] of [
    [
      'vouchers',
      'reference, amount_minor, currency, expires_at, grace_ends_at',
      `translate(md5(random()::text), 'abcdef', '012345'), 1, 'mxn', now(), now()`,
    ],
    ['clabes', 'clabe', `lpad(n::text, 18, '0')`],
  ] as const) {
    await pastTriggers(
      `insert into ${table} (tenant_id, id, payment_id, attempt_id, status, created_at, updated_at, ${columns})
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $2, now(), now(), ${values}
       from generate_series(1, 5000) n`,
      [tenantId, table === 'vouchers' ? 'expired' : 'released'],
    )
    await adminSql('sandbox')(`analyze ${table}`)
  }
  const attemptId = randomUUID()
  const paymentId = randomUUID()
  for (const [table, by, query] of [
    ['vouchers', 'attempt_id', voucherOfAttempt({ attemptId })],
    ['vouchers', 'payment_id', vouchersOf({ paymentId })],
    ['clabes', 'attempt_id', clabeOfAttempt({ attemptId })],
    ['clabes', 'payment_id', clabesOfPayment({ paymentId })],
    ['clabes', 'attempt_id', countedDeposits({ attemptId })],
    ['clabes', 'attempt_id', fundsOfAttempt({ attemptId })],
  ] as const) {
    const { nodes } = await explained(tenantId, query)
    const conditions = nodes
      .filter((node) => node['Relation Name'] === table)
      .map((node) => node['Index Cond'])
    expect(conditions, `${table} by ${by}`).toEqual([expect.stringContaining(by)])
  }
})

test('an attempt has one CLABE', async () => {
  const { tenantId } = await newMerchant()
  writtenByHand(tenantId)
  const attemptId = randomUUID()
  const lend = (clabe: string) =>
    pastTriggers(
      `insert into clabes (tenant_id, id, payment_id, attempt_id, status, clabe, created_at, updated_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), $2, 'released', $3, now(), now())`,
      [tenantId, attemptId, clabe],
    )
  await lend('000000000000000001')
  await expect(lend('000000000000000002')).rejects.toMatchObject({ constraint: 'clabes_one_per_attempt' })
})
