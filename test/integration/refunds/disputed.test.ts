import { expect, test } from 'vitest'
import { brokenRules, journalsOf } from '../../support/books.ts'
import { dispute, disputeIs, disputeOf, resolve } from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import {
  paidByCard,
  paymentOf,
  refund,
  refundedAtProcessor,
  refundOf,
  settleRefunds,
} from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

test('a refund that waits for the balance gives way to a dispute: the money goes back once', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  await moveBalance(merchant.tenantId, -1_500_000n)
  const { body } = await refund(merchant, { payment_id: payment, amount: '1500000' })
  expect(body.status).toBe('pending')
  const { body: opened } = await dispute(merchant, payment)
  expect((await disputeOf(merchant, opened.id)).amount_held).toBe('2000000')
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')

  await moveBalance(merchant.tenantId, 1_500_000n)
  await settleRefunds(merchant.tenantId)
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
  await resolve(merchant, opened.id, 'lost')
  await disputeIs(merchant, opened.id, 'lost')
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '0',
    amount_disputed: '2000000',
  })
  expect(await journalsOf(merchant.tenantId)).not.toHaveProperty('refund')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('so it does to one that is told only when it is lost', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  await moveBalance(merchant.tenantId, -1_500_000n)
  const { body } = await refund(merchant, { payment_id: payment, amount: '2000000' })
  expect(body.status).toBe('pending')
  const [attempt] = await adminSql('sandbox')<{ id: string }>(
    `select id from payment_attempts where tenant_id = $1 and payment_id = $2`,
    [merchant.tenantId, payment],
  )
  // At the bank it was opened and lost before anybody told us; the scheduled job hears of it then.
  await adminSql('sandbox')(
    `insert into simulator.disputes (dispute_ref, reference, state, amount_minor, currency, reason, opens_at, evidence_due_by)
     values ('dp_' || gen_random_uuid(), $1, 'lost', 2000000, 'mxn', 'fraudulent', now() - interval '9 days',
       now() - interval '2 days')`,
    [attempt!.id],
  )
  await trigger('sandbox')
  expect((await refundOf(merchant, body.id)).status).toBe('canceled')
  expect(await paymentOf(merchant, payment)).toMatchObject({
    amount_refunded: '0',
    amount_disputed: '2000000',
  })
  await moveBalance(merchant.tenantId, 1_500_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

/** Moves what is available by a journal of nobody's: there and back. */
const moveBalance = (tenantId: string, amountMinor: bigint) =>
  adminSql('sandbox')(
    `with journal as (insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
       values ($1, gen_random_uuid(), 'test', gen_random_uuid(), 'test', 'mxn', now()) returning id)
     insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
     select $1, id, line, 'mxn', account, amount::bigint from journal,
       (values (1, 'merchant_available', $2), (2, 'processor_clearing', $3)) as lines(line, account, amount)`,
    [tenantId, amountMinor.toString(), (-amountMinor).toString()],
  )
