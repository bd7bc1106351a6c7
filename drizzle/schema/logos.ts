import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { logoLifecycle } from '../../functions/branding/lifecycle.ts'
import { changes, instant, known, ownKey, statusOf, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** The files of logos in the bucket. What a logo shows stands in its workspace's branding. */
export const logos = pgTable(
  'logos',
  {
    ...tenantRow,
    /** Its key in the bucket and its address, below logos/. */
    address: text('address').notNull(),
    status: statusOf(logoLifecycle),
    /** When its file is removed; null while the branding shows it, and once it is removed. */
    removeAt: instant('remove_at'),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('logos', t.tenantId),
      check('logos_status_known', known(t.status)),
      check('logos_address_form', sql`${t.address} ~ '^[0-9a-f]{32}$'`),
      check('logos_removal', sql`(${t.removeAt} is null) = (${t.status} in ('stored', 'removed'))`),
      uniqueIndex('logos_address').on(t.address),
      uniqueIndex('logos_one_stored').on(t.tenantId).where(sql`status = 'stored'`),
      index('logos_due').on(t.removeAt).where(sql`remove_at is not null`),
    ]
  },
)
