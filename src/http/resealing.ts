import { change, type Plan, type TableLike } from '../kernel/plan.ts'
import type { BoundQuery } from '../platform/query.ts'
import { openSecret, sealSecret } from '../platform/secrets.ts'
import { publishPlan } from './publishing.ts'
import { eachOf } from './scheduled.ts'
import type { Services } from './services.ts'

/** A row with secrets sealed under another key than the current one, as door.sealed_secrets returns it. */
export interface SealedRow {
  readonly tenantId: string
  readonly id: string
  readonly version: number
  /** What the row belongs to, where its secrets are bound to that. */
  readonly ownerId: string | null
  /** By the column's name in the code. */
  readonly sealed: Readonly<Record<string, string>>
}

export interface Resealing {
  /** As door.sealed_otherwise knows it. */
  readonly tableName: string
  readonly table: TableLike
  /** What publishes the change. */
  readonly operation: string
  /** What a column's secret is bound to. */
  readonly about: (row: SealedRow, column: string) => string
}

/**
 * Scheduled: seals again, row by row, what another key than the current one seals, so that the other key can be
 * removed. No event: nothing changes for the merchant. A row that cannot be opened is logged and delays no other.
 */
export const resealAll = (
  services: Services,
  { tableName, table, operation, about }: Resealing,
  requestId: string,
  now: Date,
): Promise<void> => {
  const { settings, db } = services
  const find = async (limit: number) => {
    const values = [tableName, settings.secretsKeys.current, now.toISOString(), limit]
    const found = await db.call('door.sealed_otherwise(text,text,timestamptz,int)', values)
    return JSON.parse(found!) as { tenantId: string; id: string }[]
  }
  return eachOf(
    services,
    { job: `reseal_${tableName}`, requestId, now, find },
    async (credential, { id }) => {
      const { rows } = await db.read(operation, credential, [sealedSecrets(tableName, id)])
      const [row] = rows[0]
      if (!row) return
      const columns = await Promise.all(
        Object.entries(row.sealed).map(async ([column, sealed]): Promise<[string, string]> => {
          const bound = about(row, column)
          return [column, await sealSecret(settings, bound, await openSecret(settings, bound, sealed))]
        }),
      )
      const plan = planReseal(table, row, Object.fromEntries(columns), now)
      await publishPlan(services, { operation, credential, requestId, now }, plan)
    },
  )
}

/** One row of the tenant that is authorised; null when it is gone. */
const sealedSecrets = (tableName: string, id: string): BoundQuery<SealedRow | null> => ({
  text: 'select door.sealed_secrets($1, $2::uuid)',
  values: [tableName, id],
  rows: (cells) => cells.map(([cell]) => (cell ? (JSON.parse(cell) as SealedRow) : null)),
})

const planReseal = (
  table: TableLike,
  { id, version }: SealedRow,
  sealed: Readonly<Record<string, string>>,
  now: Date,
): Plan<object> => ({
  writes: [change(table, { id, version }, { ...sealed, updatedAt: now })],
  events: [],
  reply: {},
})
