import { uuidv7 } from '../../../src/kernel/ids.ts'
import { adminSql } from '../../support/stack.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples, World } from '../samples.ts'

/** As a mail that bounced leaves it. */
async function newSuppression({ merchant }: Pick<World, 'merchant'>): Promise<string> {
  const id = uuidv7(Date.now())
  await adminSql('sandbox')(
    `insert into mail_suppressions (tenant_id, id, status, reason, recipient_digest, kind, created_at, updated_at)
     values ($1, $2, 'active', 'hard_bounce', $3, 'payment_receipt', date_trunc('milliseconds', clock_timestamp()), now())`,
    [merchant.tenantId, id, `digest of ${id}`],
  )
  return id
}

export const samples: AreaSamples = {
  makers: { '/v1/workspace/mail-suppressions/': newSuppression },
  lists: { 'mail_suppressions.list': withKey('/v1/workspace/mail-suppressions', newSuppression) },
}
