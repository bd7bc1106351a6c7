import { and, desc, eq } from 'drizzle-orm'
import { auditEventObjects, auditEvents } from '../../../drizzle/schema/audit-events.ts'
import { lookedUp } from '../../../src/platform/listing.ts'
import { type BoundQuery, build, inWindow, rowsLimit, select, slot } from '../../../src/platform/query.ts'
import { filtered, newest } from '../../../src/platform/rows.ts'

export type AuditEventRow = typeof auditEvents.$inferSelect

const filters = ['actorType', 'actorId', 'operation'] as const

const allPage = newest(auditEvents, filters)

/** Of one object: each audit event is looked up, in the order of the object's own list. */
const pageOfObject = select<AuditEventRow>((has) => {
  const { row, columns } = lookedUp(
    auditEvents,
    and(eq(auditEvents.id, auditEventObjects.id), ...filtered(auditEvents, has, filters)),
  )
  return build
    .select(columns)
    .from(auditEventObjects)
    .crossJoinLateral(row)
    .where(and(...inWindow(auditEventObjects, has), eq(auditEventObjects.objectId, slot('objectId'))))
    .orderBy(desc(auditEventObjects.createdAt), desc(auditEventObjects.id))
    .limit(rowsLimit)
})

/** A page of the audit trail, newest first. */
export const auditEventsPage = (values: Readonly<Record<string, unknown>>): BoundQuery<AuditEventRow> =>
  values.objectId === undefined ? allPage(values) : pageOfObject(values)

export interface Verification {
  readonly checked: number
  readonly hasMore: boolean
  readonly firstBreak: { readonly sequence: number; readonly reason: 'missing' | 'edited' | 'head' } | null
  readonly last: { readonly sequence: number; readonly digest: string | null }
  readonly head: { readonly sequence: number | null; readonly digest: string | null }
}

const verifiedMax = 10_000

/** Checks the chain behind a row, at most `verifiedMax` rows of it. */
export const verification = (after: number, digest: string | undefined): BoundQuery<Verification> => ({
  text: 'select door.verify_own_audit($1::bigint, $2::text, $3::int)',
  values: [after, digest ?? null, verifiedMax],
  rows: (cells) => cells.map(([cell]) => JSON.parse(cell!) as Verification),
})
