import { and, eq, exists, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { metadataEntries } from '../../drizzle/schema/metadata.ts'
import type { Term } from '../kernel/fold.ts'
import { lookedUp, newestPage, withMetadata } from './listing.ts'
import { build, inWindow, type Listed, ownTenant, rowsLimit, type Selectable, slot } from './query.ts'

const termsMax = 8
const slots = Array.from({ length: termsMax }, (_, at) => [`term${at}`, `termEnd${at}`] as const)

/** The slots of a search: each a range of terms, or one term where it has no end. */
export const termSlots = (terms: readonly Term[]): Record<string, string> =>
  Object.fromEntries(
    terms.flatMap(({ term, whole }, at) => [
      [`term${at}`, term],
      // Postgres keeps no text with a higher letter.
      ...(whole ? [] : [[`termEnd${at}`, `${term}\u{10ffff}`]]),
    ]),
  )

interface Searched<T extends PgTable & Listed> {
  readonly table: T
  /** What a row is found by, in the order of the list: its `id` is the row's. */
  readonly terms: PgTable & Listed & { readonly term: PgColumn }
  readonly resource: (typeof metadataEntries.resource.enumValues)[number]
  readonly has: (slot: string) => boolean
  readonly filters: readonly (SQL | undefined)[]
  /** Of the terms: where these do not stand in the table's row alone. */
  readonly among?: SQL
  /** Whether a filter finds few rows. */
  readonly few: boolean
}

/**
 * A page, newest first, of rows that have all the terms in the slots. A single term is walked in the order of the list;
 * the beginnings of words, and a term beside metadata, are each read from their index alone and intersected, so that the
 * work is bounded by how many rows match them. Other terms are then looked up for each row found.
 */
export function searchedPage<T extends PgTable & Listed>(search: Searched<T>): Selectable<T['$inferSelect']> {
  const { table, resource, has, filters, few } = search
  const asked = slots.filter(([name]) => has(name))
  if (asked.length === 0) return newestPage(table, resource, has, filters, few)

  const ranges = asked.filter(([, end]) => has(end))
  const walked = ranges.length > 0 ? ranges : asked.slice(0, 1)
  const found = sql`(${sql.join(
    [
      ...walked.map((term) => matching(search, term)),
      ...(has('metadataKey') ? [withMetadata(resource, has)] : []),
    ].map((positions) => sql`${positions}`),
    sql` intersect `,
  )} order by created_at desc, id desc offset 0) found`
  const { row, columns } = lookedUp(
    table,
    and(
      eq(table.id, sql`found.id`),
      ...filters,
      ...asked.filter((term) => !walked.includes(term)).map((term) => exists(matching(search, term, true))),
    ),
  )
  return build
    .select(columns as Record<string, PgColumn>)
    .from(found)
    .crossJoinLateral(row)
    .orderBy(sql`found.created_at desc, found.id desc`)
    .limit(rowsLimit) as unknown as Selectable<T['$inferSelect']>
}

/** The positions of rows with a term, or with one that begins so; `ofFound`: of the one that was found. */
function matching(
  { terms, has, among }: Pick<Searched<PgTable & Listed>, 'terms' | 'has' | 'among'>,
  [start, end]: readonly [string, string],
  ofFound = false,
) {
  const isFound = sql`(${terms.createdAt}, ${terms.id}) = (found.created_at, found.id)`
  return build
    .selectDistinct({ createdAt: terms.createdAt, id: terms.id })
    .from(terms as PgTable)
    .where(
      and(
        ...(ofFound ? [ownTenant(terms), isFound] : inWindow(terms, has)),
        among,
        ...(has(end)
          ? [gte(terms.term, slot(start)), lt(terms.term, slot(end))]
          : [eq(terms.term, slot(start))]),
      ),
    )
}
