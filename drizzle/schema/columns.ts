import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  check,
  customType,
  type ExtraConfigColumn,
  foreignKey,
  index,
  integer,
  type PgColumn,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { workspaceOfKey } from '../../src/kernel/ids.ts'
import { type Lifecycle, statusesOf } from '../../src/kernel/lifecycle.ts'

/*
 * Keys, checks and indexes stand under the label `CONSTRAINTS`, which the Worker's build drops (local/bundle.ts).
 */

/**
 * The workspace of a row: its id as the code and the interface write it, of which Postgres keeps the 16 bytes behind
 * `tn_`. In SQL, `door.workspace_key` and `door.workspace_id` turn one into the other.
 */
export const workspaceKey = customType<{ data: string; driverData: string }>({
  dataType: () => 'uuid',
  fromDriver: workspaceOfKey,
})

/** Every tenant table starts with these; the primary key is always (tenant_id, id), so foreign keys carry the tenant. */
export const tenantRow = {
  tenantId: workspaceKey('tenant_id').notNull(),
  id: uuid('id').notNull(),
}

/** Counts the changes of a row; `publish` refuses a change made against another version. */
export const version = { version: integer('version').notNull().default(1) }

/** To the millisecond, as in the code and the interface: a cursor names exactly its row. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })

export const createdAt = { createdAt: instant('created_at').notNull() }
export const updatedAt = { updatedAt: instant('updated_at').notNull() }

/** A row that changes. */
export const changes = { ...version, ...createdAt, ...updatedAt }

export const minor = (name: string) => bigint(name, { mode: 'bigint' })

export const amount = { amountMinor: minor('amount_minor').notNull(), currency: text('currency').notNull() }

/** What the reconciler asks a processor about: when it asks next (null once it is over), how often it has asked. */
export const polled = {
  nextCheckAt: instant('next_check_at'),
  checksCount: integer('checks_count').notNull(),
  resolvedAt: instant('resolved_at'),
}

/** Why a bank did not pay out what was sent to it. */
export const bankFailures = [
  'account_closed',
  'account_not_found',
  'holder_mismatch',
  'declined_by_bank',
  'processing_error',
] as const

export const environments = ['sandbox', 'live'] as const

/** By bytes, so that a range of texts is what begins with the same ones. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** A row's status, of the type that its lifecycle declares. */
export const statusOf = <const L extends Lifecycle>(declared: L) =>
  text('status', { enum: statusesOf(declared) }).notNull()

/** A file in the bucket, whose row comes before it and outlives it (src/kernel/stored-files.ts). */
export const storedFile = <const L extends Lifecycle>(declared: L) => ({
  /** Its key in the bucket and its address, below its folder. */
  address: text('address').notNull(),
  status: statusOf(declared),
  /** When the file is removed; null while it is shown, and once it is removed. */
  removeAt: instant('remove_at'),
})

/** The checks and indexes of a table of such files. `kept`: the statuses in which none has a day of its removal. */
export const ofStoredFile = (
  table: string,
  t: { readonly address: PgColumn; readonly status: PgColumn; readonly removeAt: PgColumn },
  kept: readonly string[] = ['stored', 'removed'],
) => [
  check(`${table}_status_known`, known(t.status)),
  check(`${table}_address_form`, sql`${t.address} ~ '^[a-z0-9]{32}$'`),
  check(`${table}_removal`, sql`(${t.removeAt} is null) = (${isOneOf(t.status, kept)})`),
  uniqueIndex(`${table}_address`).on(t.address),
  index(`${table}_due`).on(t.removeAt).where(sql`remove_at is not null`),
]

/** The CHECK of a column that holds one of its declared words: its type and its CHECK are one list. */
export function known(column: PgColumn): SQL {
  // In a table's constraints Drizzle gives columns that keep their words in `config` alone.
  const { enumValues } = (column as unknown as { config: { enumValues?: readonly string[] } }).config
  if (!enumValues) throw new Error(`${column.name} declares no words`)
  return isOneOf(column, enumValues)
}

export const isOneOf = (column: PgColumn, list: readonly string[]): SQL => sql`${column} in (${words(list)})`

/** Words of the code as SQL literals, between commas. */
export const words = (list: readonly string[]): SQL => sql.raw(list.map((word) => `'${word}'`).join(', '))

interface Keys {
  readonly tenantId: AnyPgColumn
  readonly id: AnyPgColumn
}

/** The primary key of a tenant table. */
export const ownKey = ({
  tenantId,
  id,
}: {
  readonly tenantId: ExtraConfigColumn
  readonly id: ExtraConfigColumn
}) => primaryKey({ columns: [tenantId, id] })

/** A foreign key to a row of the same tenant. */
export const refersTo = (
  name: string,
  { tenantId }: Pick<Keys, 'tenantId'>,
  column: AnyPgColumn,
  other: Keys,
) => foreignKey({ name, columns: [tenantId, column], foreignColumns: [other.tenantId, other.id] })
