import type { Settings } from '../env/settings.ts'
import { canonicalJson } from '../kernel/canonical.ts'
import type { Json } from '../kernel/json.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../platform/crypto.ts'
import { Problem } from './problems.ts'

/** The last row of the page before: lists run newest first by (created_at, id). */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** A position as a cursor holds it. Only the database knows a request's tenant: it is compared with this one. */
export interface Opened extends Position {
  readonly tenantId: string
}

/** A page of a list in the interface's envelope. Ask the store for `limit + 1` rows: an extra row means more. */
export interface Page<Shown> {
  readonly object: 'list'
  readonly data: Shown[]
  readonly has_more: boolean
  /** Empty on the last page. */
  readonly next_cursor: string
}

type Filters = Readonly<Record<string, unknown>>

/** Reads a cursor; it opens only for its own operation and filters. An empty one counts as none. */
export async function openCursor(
  settings: Settings,
  operation: string,
  filters: Filters,
): Promise<Opened | null> {
  const { cursor } = filters
  if (typeof cursor !== 'string' || cursor === '') return null
  const sealed = fromBase64Url(cursor)
  const text =
    sealed === null ? null : await unseal(settings.signingSecrets, purpose(operation, filters), sealed)
  if (text === null) throw new Problem('cursor_invalid', { param: 'cursor' })
  const [tenantId, createdAt, id] = JSON.parse(text) as [string, string, string]
  return { tenantId, createdAt: new Date(createdAt), id }
}

export async function pageOf<Row extends Position, Shown>(
  settings: Settings,
  operation: string,
  filters: Filters & { readonly limit: number },
  tenantId: string,
  rows: readonly Row[],
  present: (row: Row) => Shown,
): Promise<Page<Shown>> {
  const shown = rows.slice(0, filters.limit)
  const last = shown.at(-1)
  const more = rows.length > filters.limit && last !== undefined
  return {
    object: 'list',
    data: shown.map(present),
    has_more: more,
    next_cursor: more ? await makeCursor(settings, operation, filters, { ...last, tenantId }) : '',
  }
}

async function makeCursor(
  settings: Settings,
  operation: string,
  filters: Filters,
  { tenantId, createdAt, id }: Opened,
): Promise<string> {
  const text = JSON.stringify([tenantId, createdAt.toISOString(), id])
  return toBase64Url(await seal(settings.signingSecrets, purpose(operation, filters), text))
}

/** Only the page size may change between pages. */
function purpose(operation: string, filters: Filters): string {
  const { cursor: _, limit: __, ...bound } = filters
  return `cursor:${operation}:${canonicalJson(bound as Json)}`
}

export type ListQuery = Filters & { readonly limit: number } & {
  readonly [Time in `${'created_at' | 'occurred_at'}.${Bound}`]?: string | undefined
}

type Bound = 'gt' | 'gte' | 'lt' | 'lte'

/** The values of a store's list query: one row more than the page, the window and the cursor's position. */
export const windowOf = (query: ListQuery, position: Position | null) => ({
  rows: query.limit + 1,
  createdAfter: bound(query, 'gt'),
  createdFrom: bound(query, 'gte'),
  createdBefore: bound(query, 'lt'),
  createdTo: bound(query, 'lte'),
  afterCreatedAt: position?.createdAt,
  afterId: position?.id,
})

export type Window = ReturnType<typeof windowOf>

/** The one metadata key that a list is filtered by. */
export function metadataOf(filter: Readonly<Record<string, string>> | undefined) {
  const [[metadataKey, metadataValue] = []] = Object.entries(filter ?? {})
  return { metadataKey, metadataValue }
}

/** Postgres takes fewer offsets from UTC than the interface does. */
function bound(query: ListQuery, name: Bound): Date | undefined {
  const timestamp = query[`created_at.${name}`] ?? query[`occurred_at.${name}`]
  return timestamp === undefined ? undefined : new Date(timestamp)
}
