import type { EventType } from './event-types.ts'
import type { JsonObject } from './json.ts'

/** What a plan needs to know of a table: the types of its rows. Drizzle's tables have this shape. */
export interface TableLike {
  readonly $inferInsert: object
  readonly $inferSelect: object
}

/** A row without the tenant, which the database stamps: what plans make and presenters show. */
export type Row<T extends TableLike> = Omit<T['$inferSelect'], 'tenantId'>
/** A row as it was read, with its tenant. */
export type Owned<Row> = Row & { readonly tenantId: string }
type NewRow<T extends TableLike> = Omit<T['$inferInsert'], 'tenantId'>
/** What a write needs of a row as it was read: its status too, where its table has one. */
export type AsRead<T extends TableLike> = Pick<Row<T>, Extract<keyof Row<T>, 'id' | 'version' | 'status'>> & {
  readonly id: string
  readonly version: number
  readonly status?: string
}
export type Patch<T extends TableLike> = Partial<Omit<T['$inferSelect'], 'tenantId' | 'id' | 'version'>>

export interface Posting {
  readonly account: string
  /** Positive adds to the account, negative takes from it. */
  readonly amountMinor: bigint
}

/** The least that these accounts must hold together, in the journal's currency, once it is posted. */
export interface Floor {
  readonly accounts: readonly string[]
  readonly balanceMinorMin: bigint
}

export interface Journal {
  readonly id: string
  readonly sourceType: string
  readonly sourceId: string
  readonly entryKind: string
  /** Counts the rounds of a source that begins again; 1 when absent. */
  readonly round?: number
  readonly currency: string
  readonly createdAt: Date
  readonly postings: readonly Posting[]
  readonly leaves?: Floor
}

/** One write of a publish. The kind is chosen by contention: see docs/decisions/one-door.md. */
export type Write =
  | { readonly kind: 'insert'; readonly table: TableLike; readonly rows: readonly object[] }
  | {
      readonly kind: 'change'
      readonly table: TableLike
      readonly id: string
      readonly version: number
      readonly fromStatus: string | null
      readonly set: object
    }
  | { readonly kind: 'adjust'; readonly table: TableLike; readonly id: string; readonly deltas: object }
  | {
      readonly kind: 'expect'
      readonly table: TableLike
      readonly id: string
      readonly where: object
      readonly unexpired: string | null
    }
  | ({ readonly kind: 'post' } & Journal)
  | {
      readonly kind: 'changeEach'
      readonly table: TableLike
      readonly rows: readonly Versioned[]
      readonly set: object
    }
  | { readonly kind: 'postEach'; readonly journals: readonly Journal[] }

/** A write whose row the publish returns. */
export type Expect = Extract<Write, { kind: 'expect' }>

/** Of the rows that a publish returned, the last with this id: as it was when all writes before it were done. */
export const rowWithId = <T extends { readonly id?: string | null }>(
  expected: readonly T[],
  id: string,
): T | undefined => expected.findLast((row) => row.id === id)

/** A row as it was read. */
interface Versioned {
  readonly id: string
  readonly version: number
  readonly fromStatus: string | null
}

/** New rows. The database stamps the tenant; one that a row names is left out. */
export const insert = <T extends TableLike>(
  table: T,
  ...rows: readonly (NewRow<T> & { readonly tenantId?: string })[]
): Write => ({ kind: 'insert', table, rows: rows.map(({ tenantId: _, ...row }) => row) })

/** A change of a row as it was read: refused when its version has changed or the status move is not legal. */
export const change = <T extends TableLike>(table: T, row: AsRead<T>, set: Patch<T>): Write => ({
  kind: 'change',
  table,
  id: row.id,
  version: row.version,
  fromStatus: row.status ?? null,
  set,
})

/** A delta on a hot counter: never a version conflict, refused by the column's CHECK. */
export const adjust = <T extends TableLike>(
  table: T,
  id: string,
  deltas: { readonly [K in keyof Row<T>]?: number | bigint },
): Write => ({ kind: 'adjust', table, id, deltas })

/** A condition on a row that is relied on but not rewritten; `unexpired` names a time that must be null or ahead. */
export const expect = <T extends TableLike>(
  table: T,
  id: string,
  where: Patch<T> & { readonly version?: number },
  unexpired: (keyof Row<T> & string) | null = null,
): Expect => ({ kind: 'expect', table, id, where, unexpired })

/** A double-entry journal; refused when the accounts would hold less than its `leaves`. */
export const post = (journal: Journal): Write => ({ kind: 'post', ...journal })

/** The same change of many rows as they were read: all of them or none, by one statement. */
export const changeEach = <T extends TableLike>(
  table: T,
  rows: readonly AsRead<T>[],
  set: Patch<T>,
): Write => ({
  kind: 'changeEach',
  table,
  rows: rows.map(({ id, version, status }) => ({ id, version, fromStatus: status ?? null })),
  set,
})

/** Many journals of one currency each, by one statement. */
export const postEach = (journals: readonly Journal[]): Write => ({ kind: 'postEach', journals })

export interface EventDraft {
  readonly id: string
  readonly type: EventType
  readonly resourceType: string
  readonly resourceId: string
  readonly object: JsonObject
  readonly previousAttributes: JsonObject
  readonly counted?: Counted
}

/**
 * Counters of an event's object that `adjust` changes without reading: the door fills in their values after the writes,
 * as decimal strings, and computes the former ones from the delta. One of the plan's writes must lock the row. Columns
 * that the database itself fills are shown the same way. `fields`: by field of the event's object.
 */
export interface Counted {
  readonly table: TableLike
  readonly id: string
  readonly fields: Readonly<Record<string, CountedField>>
}

interface CountedField {
  readonly column: string
  /** How much this plan adds to it; null: shown as it is. */
  readonly delta: bigint | null
  /** What it was before these writes, if it is no counter: a former value where it has changed. */
  readonly before?: string | null
  /** Shown is how much of this column it is: `none`, `partial` or `full`. */
  readonly whole?: string
}

/** What an operation wants done, as data. Publishing it is atomic. */
export interface Plan<Reply> {
  readonly writes: readonly Write[]
  readonly events: readonly EventDraft[]
  readonly reply: Reply
  /** What only the first reply carries: not stored, so no replay has it. */
  readonly once?: object
  /** The resource that the audit trail names. */
  readonly subjectId?: string
}

/** A rule said no: one of the operation's declared errors. */
export interface Refusal<Code extends string = string> {
  readonly refused: Code
  readonly param?: string
  readonly message?: string
}

export const refuse = <Code extends string>(
  refused: Code,
  more: { param?: string; message?: string } = {},
): Refusal<Code> => ({
  refused,
  ...more,
})

export const isRefusal = (value: object): value is Refusal => 'refused' in value
