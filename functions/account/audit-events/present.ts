import type { AuditEventRow, Verification } from './store.ts'

/** An audit event as the interface shows it. */
export const presentAuditEvent = (row: AuditEventRow) => ({
  id: row.id,
  object: 'audit_event' as const,
  sequence: row.sequence,
  operation: row.operation,
  actor: { type: row.actorType, id: row.actorId },
  objects: row.objects.map((object) => {
    const [type, id] = object.split(':') as [string, string]
    return { type, id }
  }),
  request_id: row.requestId,
  created_at: row.createdAt.toISOString(),
  digest: row.digest,
})

export const presentVerification = ({ checked, hasMore, firstBreak, last, head }: Verification) => ({
  object: 'audit_verification' as const,
  intact: firstBreak === null,
  checked_count: checked,
  first_break: firstBreak,
  last,
  head,
  has_more: hasMore,
})
