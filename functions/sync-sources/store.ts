import { and, eq, sql } from 'drizzle-orm'
import { customerContacts, customers } from '../../drizzle/schema/customers.ts'
import { syncRuns, syncSources } from '../../drizzle/schema/sync.ts'
import type { Row } from '../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../src/platform/query.ts'
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

const matched = sql`door.sync_matches(${slot('keys')}::jsonb) found`

export const matches = select<Match>(() =>
  build.select({ key: sql<string>`key`, customerId: sql<string>`customer_id` }).from(matched),
)

/** Computed once, so that each id is looked up in the index. */
const found = sql`array(select customer_id from ${matched})`

export const matchedCustomers = select<CustomerRow>(() =>
  build
    .select()
    .from(customers)
    .where(and(ownTenant(customers), sql`${customers.id} = any (${found})`)),
)

export const matchedContacts = select<ContactRow>(() =>
  build
    .select()
    .from(customerContacts)
    .where(
      and(
        ownTenant(customerContacts),
        sql`${customerContacts.customerId} = any (${found})`,
        eq(customerContacts.status, 'active'),
      ),
    ),
)
