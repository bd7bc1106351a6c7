import { expect, test } from 'vitest'
import { dispute, resolve } from '../../support/disputes.ts'
import { writesRowsByHand } from '../../support/kept-books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

writesRowsByHand()

const sql = adminSql('sandbox')

async function disputed() {
  const merchant = await newMerchant()
  return { merchant, id: (await dispute(merchant, await paidByCard(merchant))).body.id }
}

const book = (id: string, kind: string, round: number) =>
  sql(
    `insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, round, currency, created_at)
     select tenant_id, gen_random_uuid(), 'dispute', id, $2, $3, currency, now() from disputes where id = $1`,
    [id, kind, round],
  )

test('a dispute costs one fee at a time, whatever the round, and none is given back twice', async () => {
  const { merchant, id } = await disputed()
  for (const round of [1, 2, 7]) await expect(book(id, 'fee', round)).rejects.toThrow(/once|booked already/)
  await resolve(merchant, id, 'won')
  await expect(book(id, 'fee_returned', 2)).rejects.toThrow('booked already')
  await book(id, 'fee', 2)
  await expect(book(id, 'fee', 3)).rejects.toThrow('booked already')
})

test.each([
  ['a won dispute costs nothing', `status = 'won', fee_minor = 1`],
  ['nor does an inquiry', `status = 'inquiry_closed', held_minor = 0`],
  ['no fee is below zero', 'fee_minor = -1, fee_iva_minor = 0'],
  ['no tax without a fee', 'fee_minor = 0, fee_iva_minor = 1'],
])('%s', async (_what, set) => {
  const { id } = await disputed()
  await expect(sql(`update disputes set ${set} where id = $1`, [id])).rejects.toThrow(
    'disputes_fee_until_won',
  )
})
