import type * as z from 'zod'
import type { DeclaredMail } from '../kernel/declared-mail.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Lifecycle } from '../kernel/lifecycle.ts'
import type { Publishing, Scope } from './contract.ts'
import type { ProblemCode } from './problems.ts'

/**
 * What an area adds to the service beside its operations: `area` of its `area.ts`. Only tools and tests load it. From
 * all of them `npm run generate` derives the rights in the database, the catalogs of errors and events in
 * src/generated, openapi.json and the error pages.
 */
export interface Declaration {
  /** Where it is found, and what makes its routes. */
  readonly routes?: readonly Routes[]
  /** Folders of stored files that everybody with an address may read. */
  readonly publicFiles?: readonly string[]
  /** Its chapters of the reference, in the order of all chapters by `at`. */
  readonly tags?: readonly Tag[]
  /** What the last segment of a path before `:id` is called: `{ refunds: 'refund' }`, or `{ 'table-pay/sessions': 'bill' }`. */
  readonly nouns?: Readonly<Record<string, string>>
  /** What it publishes beside its operations: pages and scheduled jobs. */
  readonly publishes?: readonly Publishing[]
  /** Its scheduled jobs. Every run, once a minute, does those of the service that have something to do. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** Tables whose rows are never changed or deleted. */
  readonly appendOnly?: readonly string[]
  /** Columns, by their table, that a publish moves by a delta. */
  readonly counters?: Readonly<Record<string, readonly string[]>>
  /** Tables that the role which authorizes callers and finds due work reads across tenants. */
  readonly lookedUp?: readonly string[]
  /** Columns, by their table, that the Worker cannot read: digests and ciphertexts. */
  readonly secret?: Readonly<Record<string, readonly string[]>>
  /** What its tables hold of persons, by table: an erasure and an export of a person follow from it. */
  readonly personalData?: PersonalTables
  /** Resources that the rest of the service handles by their kind: `payment_link`. */
  readonly kinds?: Readonly<Record<string, Kind>>
  /** Dates and times that a sandbox's clock brings nearer. */
  readonly deadlines?: readonly Deadlines[]
  readonly lifecycles?: readonly Lifecycle[]
  /** Its events by what they are about: `payment`. */
  readonly events?: Readonly<Record<string, Events>>
  readonly errors?: Readonly<Record<string, DeclaredError>>
  /** The mails that it sends, by kind: `mails` of its mails.ts, which the run that sends them loads too. */
  readonly mails?: Readonly<Record<string, DeclaredMail>>
  /** What it refuses more of, by name: shown among a workspace's limits, from the constants that refuse. */
  readonly limits?: Readonly<Record<string, DeclaredLimit>>
  /** What a refusal by a constraint means. */
  readonly constraints?: Readonly<Record<string, ConstraintMeaning>>
  /** What tests of every operation and `npm run trigger` send beyond the examples, by operation. */
  readonly samples?: Readonly<Record<string, Sample>>
}

export interface Routes {
  /** Beginnings of paths: an `Area`'s `at`. */
  readonly at: readonly string[]
  /** `operations`, or a function that returns them or other routes. */
  readonly by: Exported
  /**
   * A file with the operations that are read most, which imports only what these need. It exports `operations`, or a
   * function that takes the OriginFacts of everything sold here and returns them.
   */
  readonly reads?: Exported
  /** What that function is given: what is sold here, loaded or to be loaded, or the way to the identity database. */
  readonly given?: 'origins' | 'sold' | 'identity'
}

export interface Tag {
  /** Chapters run by this number. */
  readonly at: number
  readonly name: string
  readonly description: string
}

export interface DeclaredLimit {
  readonly most: number
  readonly unit: 'count' | 'bytes' | 'days'
  readonly says: string
}

/** A file of the area's folder and what it exports: `origin.ts#linkOrigin`. */
export type Exported = `${string}.ts#${string}`

export interface Job {
  /** Jobs run one after the other by this number. */
  readonly at: number
  /** The function that runs it, with a JobRun and the origins. */
  readonly runs: Exported
  /** What that function is given beside: the way to the mails that all areas declare. */
  readonly given?: 'mails'
  /** The table in which `door.due` finds its work; absent where it finds its work itself. */
  readonly table?: string
  /**
   * SQL: which rows `d` are due at the time $1, on the day $2 in Mexico City. Absent where a run leases rows by their
   * next_check_at. Without a table: whether the job has something to do; absent where every run starts it.
   */
  readonly due?: string
  /** SQL: which of the rows `d` that a run leases are this job's, where several jobs share a table. */
  readonly only?: string
  /** The column by which the longest waiting row comes first. */
  readonly firstBy?: string
}

export interface Kind {
  readonly table: string
  /** Found by its public_id, without a credential. */
  readonly hasPublicIds?: true
  /** Its list is filtered by metadata. */
  readonly hasMetadata?: true
  /**
   * What an attempt to pay it holds until it ends, in this order: names in drizzle/sql/039_payments_holds.sql. `stock` takes
   * what its column `stock` says, and its payments grant what its column `delivers` says.
   */
  readonly holds?: readonly string[]
  /** From its first payment on its terms stay; absent: they may change while others pay it. */
  readonly freezes?: true
  /** It is for sale: its HostedOrigin. */
  readonly origin?: Exported
  /** Its OriginFacts: what lists of payments say of it, without what sells it. */
  readonly facts?: Exported
}

/**
 * A table with data of persons. Its SQL names the row `t`, the workspace `p_tenant`, and of the person `p_customers` (the
 * customer and all that became part of it), `p_emails` and `p_email_digests` (every address of theirs).
 */
export interface PersonalData {
  /** SQL: which rows are the person's. Absent: none is looked for. */
  readonly whose?: string
  /** SQL: which of these rows an erasure has not emptied yet; absent: all of them. */
  readonly while?: string
  /** SQL: what an erasure sets in them, or that it deletes them. Absent: it leaves them as they are. */
  readonly erasure?: 'delete' | { readonly set: string }
  /** Instead of an erasure by these: the function of the area's SQL that does a part of an erasure, `door.erase_<by>`. */
  readonly by?: string
  /** SQL: rows with the same value go together, since one of them leads to the others. */
  readonly together?: string
  /** Other data is found by it: it goes after all others, or in the very end. */
  readonly goes?: 'later' | 'last'
  /** The part of an export in which these rows are shown to the person; absent: they are left out. */
  readonly shownAs?: string
  readonly columns: readonly PersonalColumns[]
  /** Its other texts and lists, between blanks. */
  readonly impersonal?: string
}

/** By table; several where some rows have another fate. */
export type PersonalTables = Readonly<Record<string, PersonalData | readonly PersonalData[]>>

export interface PersonalColumns {
  readonly names: readonly string[]
  /** `deleted` with the row, `emptied` in the row that stays, or `kept`. */
  readonly fate: 'deleted' | 'emptied' | 'kept'
  readonly why: string
  /** Why an export leaves them out; absent: it shows them. */
  readonly withheld?: string
}

export interface Deadlines {
  readonly table: string
  readonly columns: readonly string[]
  /** SQL: the rows in which they are still open. Absent: wherever one is set. */
  readonly while?: string
}

export interface Events {
  /**
   * Any of these lets an API key read the events: those that read the resource itself. A resource that no API key reads
   * needs `workspace:read`.
   */
  readonly scopes: readonly [Scope, ...Scope[]]
  /** The operation whose reply shows what the events carry. */
  readonly shownBy: string
  /** Fields of that reply that events leave out: a receiver of all events may lack the right to read the resource. */
  readonly leaveOut?: readonly string[]
  /** `created` of `payment.created`, with what happened. */
  readonly types: Readonly<Record<string, string | DeclaredEvent>>
}

export interface DeclaredEvent {
  readonly says: string
  /** Where another operation than the resource's shows its object. */
  readonly shownBy?: string
  /** Fields that it carries beyond its resource's. */
  readonly adds?: { readonly fields: z.ZodRawShape; readonly example: JsonObject }
  /** The operation with which `npm run trigger` makes it; without one it has a story in local/simulate.ts. */
  readonly trigger?: string
  /** Why no API key can make it. */
  readonly unmade?: string
}

export interface Sample {
  /** Operations that lead a new resource into a state that allows this one, in turn. */
  readonly after?: readonly string[]
  /** Fields of the body that make another request of its example. */
  readonly other?: JsonObject
  /** Fields of the body that no two resources of a workspace may share. */
  readonly unique?: readonly string[]
}

export interface DeclaredError {
  readonly status: number
  readonly message: string
  /** What a developer should do about it. */
  readonly advice: string
}

/** One error of an area: HTTP status, public text and advice. */
export const problem = (status: number, message: string, advice: string): DeclaredError => ({
  status,
  message,
  advice,
})

/**
 * The caller's error, with the field that is at fault where one is; or `stale`: another request was first, so the plan
 * is made again on fresh rows.
 */
export type ConstraintMeaning = 'stale' | { readonly code: ProblemCode; readonly param?: string }
