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

const id = 'gen_random_uuid()'
const many = {
  vouchers: {
    payment_id: id,
    attempt_id: id,
    status: `'expired'`,
    reference: `translate(md5(random()::text), 'abcdef', '012345')`,
    amount_minor: '1',
    currency: `'mxn'`,
    expires_at: 'now()',
    grace_ends_at: 'now()',
  },
  clabes: { payment_id: id, attempt_id: id, status: `'released'`, clabe: `lpad(n::text, 18, '0')` },
  unapplied_funds: {
    deposit_id: id,
    movement_id: id,
    status: `'open'`,
    reason: `'came_back'`,
    method: `'spei'`,
    amount_minor: '1',
    remaining_minor: '1',
    currency: `'mxn'`,
  },
}

test('of many vouchers, CLABEs and unapplied funds, those of a payment, attempt or transfer are found by it', async () => {
  const { tenantId } = await newMerchant()
  writtenByHand(tenantId)
  for (const [table, fields] of Object.entries(many)) {
    await pastTriggers(
      `insert into ${table} (tenant_id, id, created_at, updated_at, ${Object.keys(fields)})
       select $1, gen_random_uuid(), now(), now(), ${Object.values(fields)} from generate_series(1, 5000) n`,
      [tenantId],
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
    ['unapplied_funds', 'unapplied_funds_by_deposit (', countedDeposits({ attemptId })],
    ['clabes', 'attempt_id', fundsOfAttempt({ attemptId })],
  ] as const) {
    const { nodes } = await explained(tenantId, query)
    const found = nodes
      .filter((node) => node['Relation Name'] === table)
      .map((node) => `${node['Index Name']} ${node['Index Cond']}`)
    expect(found).not.toEqual([])
    for (const how of found) expect(how, `${table} by ${by}`).toContain(by)
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
