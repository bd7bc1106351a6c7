import { sql } from 'drizzle-orm'
import { pgTable, uniqueIndex } from 'drizzle-orm/pg-core'
import { logoLifecycle } from '../../functions/page/branding/lifecycle.ts'
import { changes, ofStoredFile, ownKey, storedFile, tenantRow } from './columns.ts'
import { ofTenant } from './tenants.ts'

/** The files of logos in the bucket. What a logo shows stands in its workspace's branding. */
export const logos = pgTable(
  'logos',
  {
    ...tenantRow,
    ...storedFile(logoLifecycle),
    ...changes,
  },
  (t) => {
    CONSTRAINTS: return [
      ownKey(t),
      ofTenant('logos', t.tenantId),
      ...ofStoredFile('logos', t),
      uniqueIndex('logos_one_stored').on(t.tenantId).where(sql`status = 'stored'`),
    ]
  },
)
