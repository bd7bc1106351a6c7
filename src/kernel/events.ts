import { canonicalJson } from './canonical.ts'
import type { EventType } from './event-types.ts'
import type { JsonObject } from './json.ts'
import type { EventDraft } from './plan.ts'

/** An event about a resource, as it is shown after the change and was before it; nothing before for what is new. */
export const event = (
  id: string,
  type: EventType,
  resource: { readonly type: string; readonly id: string },
  object: JsonObject,
  before: JsonObject = {},
): EventDraft => ({
  id,
  type,
  resourceType: resource.type,
  resourceId: resource.id,
  object: asTold(object),
  previousAttributes: asTold(formerValues(before, object)),
})

/**
 * What the changed fields of a presented row had been. The order of an object's keys is no change: Postgres returns what
 * it keeps as JSON in an order of its own. Counters that the door puts in are left to it.
 */
export function formerValues(before: JsonObject, after: JsonObject): JsonObject {
  const changed = Object.entries(before).filter(
    ([key, value]) =>
      key !== 'version' &&
      key !== 'updated_at' &&
      value !== after[key] &&
      canonicalJson(value ?? null) !== canonicalJson(after[key] ?? null),
  )
  return Object.fromEntries(changed)
}

/**
 * A resource as events tell it: whoever hears of all resources need not be allowed to read each of them, so a bank
 * account that money goes to is known by its last four digits, as a card is. Everything else is as the interface shows it.
 */
export function asTold(object: JsonObject): JsonObject {
  const destination = object.destination as JsonObject | null | undefined
  if (typeof destination?.clabe !== 'string') return object
  const { clabe, holder: _, ...rest } = destination
  return { ...object, destination: { ...rest, clabe_last4: clabe.slice(-4) } }
}
