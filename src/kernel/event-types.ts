import { eventScopes, eventTypes } from '../generated/events.ts'

export type EventType = keyof typeof eventTypes

/** What events can be about: `payment` of `payment.succeeded`. */
export type EventResource = EventType extends `${infer Resource}.${string}` ? Resource : never

/** What events of a type are about. */
export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as EventResource

export const eventTypeNames = Object.keys(eventTypes) as [EventType, ...EventType[]]

/** True when an endpoint's pattern takes events of this type: `*`, `payment.*` or the type itself. */
export const takes = (pattern: string, type: EventType): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** The types that none of these scopes lets read. */
export const unreadableTypes = (scopes: readonly string[]): EventType[] =>
  eventTypeNames.filter((type) => !eventScopes[resourceOf(type)].some((scope) => scopes.includes(scope)))

/** The first type that these patterns take and that none of these scopes lets read; undefined where there is none. */
export const unreadableType = (
  patterns: readonly string[],
  scopes: readonly string[],
): EventType | undefined =>
  unreadableTypes(scopes).find((type) => patterns.some((pattern) => takes(pattern, type)))
