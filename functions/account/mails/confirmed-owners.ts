import { memberships } from '../../../drizzle/schema/tenants.ts'
import type { Settings } from '../../../src/env/settings.ts'
import { change, type Write } from '../../../src/kernel/plan.ts'
import { identitySql } from '../../../src/platform/postgres.ts'
import type { Owner } from './store.ts'

const confirmed = `
  select id from users where email_verified and id in (select jsonb_array_elements_text($1::jsonb))`

/**
 * What records that an owner of the workspace has a confirmed address: nothing where that is known. Null where none has,
 * so that the business mails no person. Asks the database of accounts only while none is known.
 */
export async function confirmedOwners(
  settings: Settings,
  owners: readonly Owner[],
  now: Date,
): Promise<readonly Write[] | null> {
  if (owners.some(({ emailUnconfirmed }) => !emailUnconfirmed)) return []
  const ids = JSON.stringify(owners.map(({ userId }) => userId))
  const found = new Set((await identitySql(settings)(confirmed, [ids])).map(({ id }) => id))
  const known = owners.filter(({ userId }) => found.has(userId))
  return known.length === 0
    ? null
    : known.map((owner) => change(memberships, owner, { emailUnconfirmed: false, updatedAt: now }))
}
