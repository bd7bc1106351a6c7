import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { metadataEntries } from '../../drizzle/schema/metadata.ts'
import { build, inWindow, type Listed, ownTenant, rowsLimit, type Selectable, slot } from './query.ts'

/** The metadata entry that a list is filtered by, from the slots `metadataKey` and `metadataValue`. */
const metadataSlot = sql`(select door.metadata_entry(${slot('metadataKey')}, ${slot('metadataValue')}))`

/**
 * At most one row of the own tenant, for a lateral join. Postgres does not flatten a subquery with a limit: it looks
 * this row up for each outer row, never the other way round.
 */
export function lookedUp<T extends PgTable & Listed>(table: T, condition: SQL | undefined) {
  const row = build
    .select()
    .from(table as PgTable)
    .where(and(ownTenant(table), condition))
    .limit(1)
    .as('row')
  const columns = Object.keys(getTableColumns(table)).map((key) => [
    key,
    (row as unknown as Record<string, unknown>)[key],
  ])
  return { row, columns: Object.fromEntries(columns) as unknown as T['_']['columns'] }
}

type ResourceWithMetadata = (typeof metadataEntries.resource.enumValues)[number]

/** Whether a row of a list has the metadata that the list is filtered by. */
export function hasMetadata(table: PgTable & Listed, resource: ResourceWithMetadata): SQL {
  const entries = metadataEntries
  const entry = build
    .select({ id: entries.id })
    .from(entries)
    .where(
      and(
        ownTenant(entries),
        eq(entries.resource, resource),
        eq(entries.entry, metadataSlot),
        eq(entries.createdAt, table.createdAt),
        eq(entries.id, table.id),
      ),
    )
  // Postgres does not flatten a subquery with an offset either.
  return sql`exists (${entry} offset 0)`
}

/** The positions in the window of rows that have the metadata a list is filtered by: what an index alone answers. */
export const withMetadata = (resource: ResourceWithMetadata, has: (slot: string) => boolean) =>
  build
    .select({ createdAt: metadataEntries.createdAt, id: metadataEntries.id })
    .from(metadataEntries)
    .where(
      and(
        ...inWindow(metadataEntries, has),
        eq(metadataEntries.resource, resource),
        eq(metadataEntries.entry, metadataSlot),
      ),
    )

/**
 * A page of a table that keeps metadata entries, newest first. Postgres learns the tenant only at run time, so it plans
 * for a workspace of average size; in a large one it would join whole sets. So the query's shape fixes the join order:
 * with a filter that finds few rows (`few`) each row is looked up among the entries, otherwise each entry among the
 * rows.
 */
export function newestPage<T extends PgTable & Listed>(
  table: T,
  resource: ResourceWithMetadata,
  has: (slot: string) => boolean,
  filters: readonly (SQL | undefined)[],
  few: boolean,
): Selectable<T['$inferSelect']> {
  const entries = metadataEntries
  const isEntry = and(eq(entries.resource, resource), eq(entries.entry, metadataSlot))
  if (has('metadataKey') && !few) {
    const { row, columns } = lookedUp(table, and(eq(table.id, entries.id), ...filters))
    return build
      .select(columns as Record<string, PgColumn>)
      .from(entries)
      .crossJoinLateral(row)
      .where(and(...inWindow(entries, has), isEntry))
      .orderBy(desc(entries.createdAt), desc(entries.id))
      .limit(rowsLimit) as unknown as Selectable<T['$inferSelect']>
  }
  return build
    .select()
    .from(table as PgTable)
    .where(
      and(...inWindow(table, has), ...filters, has('metadataKey') ? hasMetadata(table, resource) : undefined),
    )
    .orderBy(desc(table.createdAt), desc(table.id))
    .limit(rowsLimit) as unknown as Selectable<T['$inferSelect']>
}
