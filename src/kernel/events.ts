import type { EventType } from './event-types.ts'
import type { JsonObject } from './json.ts'
import type { EventDraft } from './plan.ts'

/** An event about a resource, as it is after the change; `before` holds the former values of what changed. */
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
  object,
  previousAttributes: before,
})
