import { and, desc, eq, getTableColumns, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import {
  type BoundQuery,
  build,
  inWindow,
  type Listed,
  ownTenant,
  pages,
  rowsLimit,
  type Selectable,
  select,
  slot,
} from './query.ts'

type TenantTable = PgTable & Pick<Listed, 'tenantId'>
type ColumnName<T extends PgTable> = keyof T['_']['columns'] & string
type Query<Row> = (values?: Record<string, unknown>) => BoundQuery<Row>

/** Compares each named column with the slot of its name. */
const equal = <T extends PgTable>(table: T, names: readonly ColumnName<T>[]): SQL[] =>
  names.map((name) => eq(getTableColumns(table)[name]!, slot(name)))

/** The tenant's rows whose named columns have the values of the same names. */
export const rowsBy = <T extends TenantTable>(
  table: T,
  ...names: readonly [ColumnName<T>, ...ColumnName<T>[]]
): Query<T['$inferSelect']> =>
  select(
    () =>
      build
        .select()
        .from(table as PgTable)
        .where(and(ownTenant(table), ...equal(table, names))) as unknown as Selectable<T['$inferSelect']>,
  )

/** A list's filters by a column's value, of those that a call has. */
export const filtered = <T extends PgTable>(
  table: T,
  has: (slot: string) => boolean,
  names: readonly ColumnName<T>[],
): SQL[] => equal(table, names.filter(has))

/** A list's page, newest first: filtered by column, within `always`. */
export const newest = <T extends PgTable & Listed>(
  table: T,
  filters: readonly ColumnName<T>[] = [],
  always?: SQL,
): Query<T['$inferSelect']> =>
  select(
    (has) =>
      build
        .select()
        .from(table as PgTable)
        .where(and(...inWindow(table, has), always, ...filtered(table, has, filters)))
        .orderBy(desc(table.createdAt), desc(table.id))
        .limit(rowsLimit) as unknown as Selectable<T['$inferSelect']>,
    always ? [] : pages,
  )
