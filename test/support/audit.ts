import { createHash } from 'node:crypto'
import type * as z from 'zod'
import type { list, verify } from '../../functions/account/audit-events/contract.ts'
import type { Verification } from '../../functions/account/audit-events/store.ts'
import { call, type Merchant } from './merchant.ts'
import { adminSql } from './stack.ts'

export type AuditEvents = z.output<typeof list.reply.schema>
export type AuditEvent = AuditEvents['data'][number]
export type Verified = z.output<typeof verify.reply.schema>

/** The whole trail of a merchant, oldest first, as its API key reads it. */
export async function trailOf(merchant: Merchant, filter = ''): Promise<AuditEvent[]> {
  const found: AuditEvent[] = []
  for (let cursor = ''; ; ) {
    const path = `/v1/workspace/audit-events?limit=100${filter}${cursor && `&cursor=${cursor}`}`
    const { body } = await call<AuditEvents>('GET', path, { bearer: merchant.apiKey })
    found.push(...body.data)
    cursor = body.next_cursor
    if (!body.has_more) return found.reverse()
  }
}

/** What the database says of a merchant's chain. */
export async function chainOf({ tenantId }: Merchant): Promise<Verification> {
  const [row] = await adminSql('sandbox')<{ found: Verification }>(
    'select door.verify_audit($1, 0, null, 100000) as found',
    [tenantId],
  )
  return row!.found
}

/** An audit event's digest, made as the interface describes it. */
export function digestOf(previous: string, { tenantId }: Merchant, event: AuditEvent): string {
  const { sequence, id, operation, actor, request_id, created_at, objects } = event
  const list = [
    previous,
    String(sequence),
    tenantId,
    id,
    operation,
    actor.type,
    actor.id,
    request_id,
    created_at,
  ]
  const content = [...list, ...objects.map((object) => `${object.type}:${object.id}`)]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
