import { leftOut } from '../generated/event-fields.ts'
import { canonicalJson } from './canonical.ts'
import type { EventType } from './event-types.ts'
import type { JsonObject } from './json.ts'
import type { EventDraft } from './plan.ts'

/** An event about a resource, as it is shown after the change and before it; `before` is empty for a new one. */
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
  object: asTold(resource.type, object),
  previousAttributes: asTold(resource.type, formerValues(before, object)),
})

/**
 * The former values of a presented row's changed fields. The order of an object's keys is no change: Postgres returns
 * JSON in its own order. Counters that the door fills in are left to it.
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
 * A resource as events show it. A receiver of all events may lack the right to read each resource, so its area says which
 * fields they leave out, and a destination bank account is shown by its last four digits, like a card. Everything else is
 * as the interface shows it.
 */
export function asTold(resource: string, shown: JsonObject): JsonObject {
  const object = withoutFields(shown, (leftOut as Readonly<Record<string, readonly string[]>>)[resource])
  const destination = object.destination as JsonObject | null | undefined
  if (typeof destination?.clabe !== 'string') return object
  const { clabe, holder: _, ...rest } = destination
  return { ...object, destination: { ...rest, clabe_last4: clabe.slice(-4) } }
}

const withoutFields = (object: JsonObject, names: readonly string[] = []): JsonObject =>
  names.length === 0
    ? object
    : Object.fromEntries(Object.entries(object).filter(([key]) => !names.includes(key)))
