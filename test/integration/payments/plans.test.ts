import { expect, test } from 'vitest'
import { attemptsByPublicId } from '../../../functions/money/payments/store.ts'
import { explained } from '../../support/explain.ts'
import { newMerchant } from '../../support/merchant.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

// A session keeps the plan that it made while the tables were small: where the tables were joined, it began with all
// attempts of the workspace.
test('the attempts of a payment are found by its id, which is found first', async () => {
  const merchant = await newMerchant()
  const id = await paidByCard(merchant)
  const [payment] = await adminSql('sandbox')<{ public_id: string }>(
    'select public_id from payments where id = $1',
    [id],
  )
  const query = attemptsByPublicId({ publicId: payment!.public_id })
  expect(query.text).not.toContain('join')
  const { nodes } = await explained(merchant.tenantId, query)
  const [attempts] = nodes.filter((node) => node['Relation Name'] === 'payment_attempts')
  expect(attempts?.['Index Cond']).toMatch(/payment_id = /)
})
