import type { Merchant } from './merchant.ts'
import { adminSql } from './stack.ts'

/** A merchant's own account, written straight into the database: in live a processor knows it. Returns its id. */
export async function bring(
  { tenantId }: Pick<Merchant, 'tenantId'>,
  accountRef: string | null,
  status = 'active',
): Promise<string> {
  const [row] = await adminSql('sandbox')<{ id: string }>(
    `insert into processor_credentials (tenant_id, id, processor, account_ref, status, secret_key, secret_key_last4,
       webhook_secret, publishable_key, version, created_at, updated_at)
     values ($1, gen_random_uuid(), 'stripe', $2, $3, '1.AAAA', 'AAAA', '1.AAAA', 'pk', 1, now(), now()) returning id`,
    [tenantId, accountRef, status],
  )
  return row!.id
}
