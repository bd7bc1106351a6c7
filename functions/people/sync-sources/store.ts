import { and, asc, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { customerContacts, customers } from '../../../drizzle/schema/customers.ts'
import {
  type RefusedRecord,
  syncFiles,
  syncRefusals,
  syncRuns,
  syncSources,
} from '../../../drizzle/schema/sync.ts'
import type { ProblemCode } from '../../../src/http/problems.ts'
import type { Row } from '../../../src/kernel/plan.ts'
import { build, ownTenant, select, slot } from '../../../src/platform/query.ts'
import { newest, rowsBy } from '../../../src/platform/rows.ts'
import type { ContactRow, CustomerRow } from '../customers/api-pure.ts'

export type SourceRow = Row<typeof syncSources>
export type RunRow = Row<typeof syncRuns>
export type FileRow = Row<typeof syncFiles>
export type RefusalRow = Row<typeof syncRefusals>

export const sourceById = rowsBy(syncSources, 'id')
export const sourcesPage = newest(syncSources, ['status'])
export const runById = rowsBy(syncRuns, 'id')
/** The run of a source that is not over: at most one. */
export const openRunOf = select<RunRow>(() =>
  build
    .select()
    .from(syncRuns)
    .where(and(ownTenant(syncRuns), eq(syncRuns.sourceId, slot('sourceId')), isNull(syncRuns.finishedAt))),
)
const itsSource = build
  .select({ id: syncRuns.sourceId })
  .from(syncRuns)
  .where(and(ownTenant(syncRuns), eq(syncRuns.id, slot('id'))))
export const sourceOfRun = select<SourceRow>(() =>
  build
    .select()
    .from(syncSources)
    .where(and(ownTenant(syncSources), eq(syncSources.id, itsSource))),
)
export const runsPage = newest(syncRuns, ['status'], eq(syncRuns.sourceId, slot('sourceId')))

export const fileById = rowsBy(syncFiles, 'id')
/** The file that a run of the source would read: at most one. */
export const storedFileOf = select<FileRow>(() =>
  build
    .select()
    .from(syncFiles)
    .where(
      and(ownTenant(syncFiles), eq(syncFiles.sourceId, slot('sourceId')), eq(syncFiles.status, 'stored')),
    ),
)

/** The files of a source that are not gone. */
export const filesOf = select<FileRow>(() =>
  build
    .select()
    .from(syncFiles)
    .where(
      and(ownTenant(syncFiles), eq(syncFiles.sourceId, slot('sourceId')), isNotNull(syncFiles.removeAt)),
    ),
)
export const runsOfFile = rowsBy(syncRuns, 'fileId')
const itsFile = build
  .select({ id: syncRuns.fileId })
  .from(syncRuns)
  .where(and(ownTenant(syncRuns), eq(syncRuns.id, slot('id'))))
export const fileOfRun = select<FileRow>(() =>
  build
    .select()
    .from(syncFiles)
    .where(and(ownTenant(syncFiles), eq(syncFiles.id, itsFile))),
)

/** The refused records of a run's slices, from one of them on: some slices at a time. */
export const refusalsOf = select<RefusalRow>(() =>
  build
    .select()
    .from(syncRefusals)
    .where(
      and(
        ownTenant(syncRefusals),
        eq(syncRefusals.runId, slot('id')),
        gte(syncRefusals.slice, sql`${slot('from')}::int`),
      ),
    )
    .orderBy(asc(syncRefusals.slice))
    .limit(20),
)

/** They are written with codes of the catalog. */
export const refusedIn = ({ records }: RefusalRow) =>
  records as readonly (RefusedRecord & { readonly code: ProblemCode })[]

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
