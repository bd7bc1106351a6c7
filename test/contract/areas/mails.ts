import { uuidv7 } from '../../../src/kernel/ids.ts'
import { newEmail } from '../../support/customer.ts'
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

/** As a publish leaves a mail. */
async function newMail({ merchant }: Pick<World, 'merchant'>): Promise<string> {
  const id = uuidv7(Date.now())
  await adminSql('sandbox')(
    `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
     values ($1, $2, 'payment_link', 'en', $3, '{}', 'waiting', now() + interval '1 day',
       date_trunc('milliseconds', clock_timestamp()), now())`,
    [merchant.tenantId, id, newEmail()],
  )
  return id
}

export const samples: AreaSamples = {
  makers: {
    '/v1/workspace/mail-suppressions/': newSuppression,
    '/v1/workspace/mails/': newMail,
  },
  lists: {
    'mail_suppressions.list': withKey('/v1/workspace/mail-suppressions', newSuppression),
    'mails.list': withKey('/v1/workspace/mails', newMail),
  },
}
