import { expect, test } from 'vitest'
import { uuidv7 } from '../../../src/kernel/ids.ts'
import { newBankAccount } from '../../support/bank-accounts.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')
const [set, other] = ['032180000118359719', '646180111805034237']

/**
 * Inserts a payout to `clabe`, past all code, where the account `set` cools down until `coolDown`: the schema decides.
 */
async function payOut(coolDown: string, clabe: string, status = 'verified'): Promise<string> {
  const { tenantId } = await newMerchant()
  const account = await newBankAccount({ tenantId }, { clabe: set, holder: 'Ana', status })
  await sql(`update bank_accounts set cool_down_ends_at = ${coolDown} where id = $1`, [account.id])
  await sql(
    `insert into payout_settings (tenant_id, id, currency, interval, amount_minor_min, bank_account_id, version, created_at, updated_at)
     values ($1, $2, 'mxn', 'manual', 0, $3, 1, now(), now())`,
    [tenantId, uuidv7(Date.now()), account.id],
  )
  try {
    await sql(
      `insert into payouts (tenant_id, id, status, amount_minor, currency, gross_minor, fee_minor, entries_count,
         destination_clabe, destination_holder, processor, created_at, updated_at)
       values ($1, $2, 'pending', 100, 'mxn', 100, 0, 1, $3, 'Ana', 'simulator', now(), now())`,
      [tenantId, uuidv7(Date.now()), clabe],
    )
    return 'written'
  } catch (error) {
    return (error as { constraint?: string }).constraint ?? String(error)
  }
}

test.each<[when: string, coolDown: string, clabe: string, status?: string]>([
  ['before the cool-down is over', "now() + interval '1 minute'", set],
  ['to another account than the one that is set', 'null', other],
  ['to an account that is not verified', 'null', set, 'pending_verification'],
  ['to a disabled account', 'null', set, 'disabled'],
])('a payout %s is refused by the schema', async (_when, coolDown, clabe, status) => {
  expect(await payOut(coolDown, clabe, status)).toBe('payouts_account_cooled')
})

test.each([
  ['that never cooled down', 'null'],
  ['whose cool-down is over', "now() - interval '1 second'"],
])('one to an account %s is not refused because of the account', async (_which, coolDown) => {
  expect(await payOut(coolDown!, set!)).not.toBe('payouts_account_cooled')
})
