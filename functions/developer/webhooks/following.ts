import type { Settings } from '../../../src/env/settings.ts'
import { Problem } from '../../../src/http/problems.ts'
import { canonicalJson } from '../../../src/kernel/canonical.ts'
import type { Json } from '../../../src/kernel/json.ts'
import { fromBase64Url, seal, toBase64Url, unseal } from '../../../src/platform/crypto.ts'

/** A follower's position: every event at or before it was shown, or is not for this follower. */
export interface Place {
  readonly tenantId: string
  readonly commitOrder: bigint
  readonly position: bigint
}

type Filters = Readonly<Record<string, unknown>>

/** Reads the cursor of a follower; it opens only with the filters that it was made for. */
export async function openPlace(settings: Settings, filters: Filters): Promise<Place | null> {
  const { cursor } = filters
  if (typeof cursor !== 'string' || cursor === '') return null
  const sealed = fromBase64Url(cursor)
  const text = sealed === null ? null : await unseal(settings.signingSecrets, purpose(filters), sealed)
  if (text === null) throw cursorInvalid()
  const [tenantId, commitOrder, position] = JSON.parse(text) as [string, string, string]
  return { tenantId, commitOrder: BigInt(commitOrder), position: BigInt(position) }
}

/**
 * A page of a followed list. It always has a next cursor: when there is nothing more yet, the one that continues with
 * the next event. `horizon` was read before the rows: once no rows are left, everything before it has been shown.
 */
export async function placedPage<Row extends Omit<Place, 'tenantId'>, Shown>(
  settings: Settings,
  filters: Filters & { readonly limit: number },
  from: Place | null,
  read: { readonly tenantId: string; readonly horizon: bigint; readonly rows: readonly Row[] },
  present: (row: Row) => Shown,
) {
  const { tenantId, horizon, rows } = read
  // A cursor of another workspace, or of a history that was rolled back: continuing from it would skip events.
  if (from && (from.tenantId !== tenantId || from.commitOrder > horizon)) throw cursorInvalid()
  const shown = rows.slice(0, filters.limit)
  const last = shown.at(-1)
  const more = rows.length > filters.limit
  const next = last && (more || last.commitOrder >= horizon) ? last : { commitOrder: horizon, position: 0n }
  const text = JSON.stringify([tenantId, String(next.commitOrder), String(next.position)])
  return {
    object: 'list' as const,
    data: shown.map(present),
    has_more: more,
    next_cursor: toBase64Url(await seal(settings.signingSecrets, purpose(filters), text)),
  }
}

const cursorInvalid = () => new Problem('cursor_invalid', { param: 'cursor' })

/** The page size may change between pages, nothing else may. */
function purpose({ cursor: _, limit: __, ...bound }: Filters): string {
  return `following:${canonicalJson(bound as Json)}`
}
