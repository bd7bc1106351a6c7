import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

// No foreign key holds a posting's account: triggers do.

test.each([
  ['is deleted', 'delete from ledger_accounts where tenant_id = $1'],
  ['gets another name', `update ledger_accounts set code = 'merchant_reserved' where tenant_id = $1`],
  ['gets another currency', `update ledger_accounts set currency = 'usd' where tenant_id = $1`],
])('the database refuses that an account of the ledger %s', async (_, statement) => {
  const merchant = await newMerchant()
  const { public_id } = await newLink(merchant)
  await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  const accounts = () =>
    adminSql('sandbox')('select * from ledger_accounts where tenant_id = $1 order by code', [
      merchant.tenantId,
    ])
  const before = await accounts()
  expect(before.length).toBeGreaterThan(0)
  await expect(adminSql('sandbox')(statement, [merchant.tenantId])).rejects.toMatchObject({ code: 'SP460' })
  expect(await accounts()).toEqual(before)
})

test('each posting adds to an account, of whatever kind', async () => {
  const merchant = await newMerchant()
  const { public_id } = await newLink(merchant)
  await pay(public_id, await openLink(public_id), 'tok_sbx_approve')
  const posted = await adminSql('sandbox')<{ isThere: boolean }>(
    `select exists (select from ledger_accounts a where (a.tenant_id, a.currency, a.code)
       = (p.tenant_id, p.currency, p.account_code)) as "isThere" from ledger_postings p where p.tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(posted.length).toBeGreaterThan(0)
  expect(posted.filter(({ isThere }) => !isThere)).toEqual([])
})
