import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'

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

test('a posting without an account is refused', async () => {
  const { tenantId } = await newMerchant()
  const id = randomUUID()
  const client = new pg.Client(stack.databases.sandbox.adminUrl)
  await client.connect()
  try {
    // Without the trigger that opens the account.
    const posting = client.query(`begin; alter table ledger_postings disable trigger open_account;
      insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at)
      values ('${tenantId}', '${id}', 'payment', '${id}', 'release', 'mxn', now());
      insert into ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
      values ('${tenantId}', '${id}', 1, 'mxn', 'merchant_available', 1), ('${tenantId}', '${id}', 2, 'mxn', 'processor_clearing', -1)`)
    await expect(posting).rejects.toMatchObject({ code: '23503', constraint: 'ledger_postings_account' })
  } finally {
    await client.end()
  }
})
