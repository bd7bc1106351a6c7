import { countedAt } from '../../functions/insight/insights/plan.ts'
import type { Guarded } from './risk.ts'
import { adminSql, trigger } from './stack.ts'

export type Insight = {
  id: string
  status: string
  kind: string
  advice: { es: string; en: string }
  evidence: Record<string, unknown>
  answered_by: { user_id: string; email: string } | null
  ended_at: string | null
  version: number
  error?: { code: string }
}

export const hourMs = 3_600_000
const sql = adminSql('sandbox')

/** A kept hour of so many hours and weeks before `ends`. */
export type Kept = { hours: number; weeks?: number } & Record<string, number>

/**
 * Has the workspace look like one of twenty weeks, in which `kept` was counted until the last hour, and has that hour
 * counted and judged. `arrange` moves what it made into the hour that begins then.
 */
export async function watched(
  { merchant: { tenantId } }: Guarded,
  kept: readonly Kept[],
  arrange: (begins: Date) => Promise<unknown> = async () => {},
): Promise<void> {
  for (;;) {
    const ends = countedAt(new Date())
    const begins = new Date(ends.getTime() - hourMs)
    await sql('delete from insight_hours where tenant_id = $1', [tenantId])
    for (const { hours, weeks = 0, ...counts } of kept) {
      const names = Object.keys(counts)
      await sql(
        `insert into insight_hours (tenant_id, id, begins_at, ${names.join()})
         values ($1, gen_random_uuid(), $2, ${names.map((_, at) => `$${at + 3}`).join()})`,
        [tenantId, new Date(ends.getTime() - (hours + weeks * 168) * hourMs), ...Object.values(counts)],
      )
    }
    await arrange(begins)
    await sql(
      `update insight_watches set counted_since = now() - interval '20 weeks', counted_to = $2,
         next_check_at = now() where tenant_id = $1`,
      [tenantId, begins],
    )
    await trigger('sandbox')
    // An hour ended meanwhile: then another one was judged.
    if (countedAt(new Date()).getTime() === ends.getTime()) return
  }
}

/** As if so many hours had gone by since the last look. */
export const hoursPass = ({ merchant: { tenantId } }: Guarded, hours: number): Promise<unknown> =>
  sql(
    `update insight_watches set seen = (select coalesce(jsonb_object_agg(s.key,
       to_jsonb(to_char((s.value #>> '{}')::timestamptz at time zone 'UTC' - $2 * interval '1 hour', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '{}')
       from jsonb_each(seen) s) where tenant_id = $1`,
    [tenantId, hours],
  )

/** A day of six refunds, where there were none in the weeks before it. */
export const manyRefunds: readonly Kept[] = [{ hours: 5, refunds_count: 6 }]
