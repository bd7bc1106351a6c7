import { expect, test } from 'vitest'
import { dispute } from '../../support/disputes.ts'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { paidByCard } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

test('an attempt is finished by the processor that took it, and by no other', async () => {
  const merchant = await newMerchant()
  const { public_id } = await newLink(merchant)
  await pay(public_id, await openLink(public_id), 'tok_sbx_timeout_then_paid')
  const attempt = async () =>
    (await sql('select status from payment_attempts where tenant_id = $1', [merchant.tenantId]))[0]
  const takenBy = async (processor: string) => {
    await sql('update payment_attempts set processor = $2, next_check_at = now() where tenant_id = $1', [
      merchant.tenantId,
      processor,
    ])
    await sql('delete from due_failures where tenant_id = $1', [merchant.tenantId])
    await trigger('sandbox')
  }
  await takenBy('another')
  expect(await attempt()).toEqual({ status: 'unknown' })
  await takenBy('simulator')
  expect(await attempt()).toEqual({ status: 'captured' })
})

test('a dispute is asked about at the processor that reported it, and at no other', async () => {
  const merchant = await newMerchant()
  await dispute(merchant, await paidByCard(merchant))
  const checksCount = async (processor: string) => {
    await sql(
      'update disputes set processor = $2, checks_count = 0, next_check_at = now() where tenant_id = $1',
      [merchant.tenantId, processor],
    )
    await sql('delete from due_failures where tenant_id = $1', [merchant.tenantId])
    await trigger('sandbox')
    const [row] = await sql('select checks_count::int as n from disputes where tenant_id = $1', [
      merchant.tenantId,
    ])
    return row!.n
  }
  expect([await checksCount('another'), await checksCount('simulator')]).toEqual([0, 1])
})
