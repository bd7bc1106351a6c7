import { Stale } from '../../../src/http/publishing.ts'
import { Misfit } from '../../../src/http/schemas.ts'
import { problemIn } from '../../../src/http/stages/issues.ts'
import { SyncRecord } from './contract.ts'
import type { Found, Incoming, SyncRecord as Record } from './plan-records.ts'

/** What came as a record, checked. */
export function incomingOf(value: unknown): Incoming {
  const { success, data, error } = SyncRecord.safeParse(value)
  return success ? { record: data } : checked(new Misfit(value, error.issues))
}

/** A record that was checked before; a misfit keeps its id where that is one. */
export function checked(item: Record | Misfit): Incoming {
  if (!(item instanceof Misfit)) return { record: item }
  const { code, more } = problemIn({ issues: item.issues }, item.value, { schema: SyncRecord })
  const named = SyncRecord.shape.external_id.safeParse(
    (item.value as { external_id?: unknown } | null)?.external_id,
  )
  return {
    externalId: named.success ? named.data : null,
    fault: { code, param: more.param, message: more.message },
  }
}

/**
 * What was read for some records, by one statement after the other. Where a merge or an erasure came between two of them,
 * a match is of a customer that was not read, and would be made again: then it is read again.
 */
export function whole(
  matches: Found['matches'],
  customers: Found['customers'],
  contacts: Found['contacts'],
): Omit<Found, 'source'> {
  const ids = new Set(customers.map(({ id }) => id))
  if (matches.some(({ customerId }) => !ids.has(customerId))) throw new Stale()
  return { matches, customers, contacts }
}
