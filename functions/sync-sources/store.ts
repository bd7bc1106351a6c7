import { and, eq, inArray, sql } from 'drizzle-orm'
import { customerContacts, customers } from '../../drizzle/schema/customers.ts'
import { customerExternalIds, syncRuns, syncSources } from '../../drizzle/schema/sync.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { build, ownTenant, type Selectable, select, slot } from '../../src/platform/query.ts'
import { newest, rowsBy } from '../../src/platform/rows.ts'
import type { ContactRow, CustomerRow } from '../customers/api-pure.ts'

export type SourceRow = Row<typeof syncSources>
export type RunRow = Row<typeof syncRuns>

export const sourceById = rowsBy(syncSources, 'id')
export const sourcesPage = newest(syncSources, ['status'])
export const runById = rowsBy(syncRuns, 'id')
export const runsPage = newest(syncRuns, ['sourceId', 'status'])

/** The customer that a key of a record finds: `Keys` of plan-records.ts. */
export interface Match {
  readonly key: string
  readonly customerId: string
}

const matched = sql`door.sync_matches(${slot('keys')}::jsonb) customer_external_ids`

/** What each key finds; the columns of the function are named as those of its first table. */
export const matches = select<Match>(
  () =>
    build
      .select({ key: customerExternalIds.externalId, customerId: customerExternalIds.customerId })
      .from(matched) as unknown as Selectable<Match>,
)

export const matchedCustomers = select<CustomerRow>(() =>
  build
    .select()
    .from(customers)
    .where(and(ownTenant(customers), inArray(customers.id, sql`(select customer_id from ${matched})`))),
)

export const matchedContacts = select<ContactRow>(() =>
  build
    .select()
    .from(customerContacts)
    .where(
      and(
        ownTenant(customerContacts),
        inArray(customerContacts.customerId, sql`(select customer_id from ${matched})`),
        eq(customerContacts.status, 'active'),
      ),
    ),
)
