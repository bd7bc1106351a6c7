import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
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
