import type * as z from 'zod'
import type { ProblemCode } from './problems.ts'

/** Every scope an API key can have, as the interface lists them. */
export const scopes = [
  'bookable_payments:read',
  'bookable_payments:write',
  'admission_control:manage',
  'admission_control:redeem',
  'customer_hub.contacts:write',
  'customer_hub.notes:write',
  'customer_hub.provider_sync:write',
  'customer_hub.segments:read',
  'customer_hub.segments:write',
  'customer_hub:read',
  'customer_hub:write',
  'digital_catalog.inventory:read',
  'digital_catalog.inventory:write',
  'digital_catalog:read',
  'digital_catalog:write',
  'hosted_checkout:read',
  'hosted_checkout:write',
  'intelligence:read',
  'payment_links:read',
  'payment_links:write',
  'physical_checkout:read',
  'physical_checkout:write',
  'table_pay:read',
  'table_pay:write',
  'policies:read',
  'refunds:read',
  'refunds:write',
  'reporting:read',
  'tap_to_pay:read',
  'tap_to_pay:write',
  'terminal:read',
  'terminal:write',
  'ticketing:read',
  'ticketing:write',
  'transfers:read',
  'transfers:write',
  'webhooks:read',
  'webhooks:write',
  'workspace:read',
  'workspace:write',
] as const

export type Scope = (typeof scopes)[number]
export type Role = 'member' | 'admin' | 'owner'

/** Who may call. The database's table door_operations is made from it; nothing in the Worker decides. */
export type Access =
  /** A merchant's API key with any of these scopes. */
  | { readonly kind: 'api_key'; readonly scopes: readonly Scope[] }
  /** A signed-in customer with at least this role in the workspace that `tenant_id` names. */
  | { readonly kind: 'session'; readonly role: Role }
  /** Any signed-in customer: no workspace yet. */
  | { readonly kind: 'customer' }
  /** The signed-in customer whose step-up challenge the path names. */
  | { readonly kind: 'challenge' }
  /** Whoever holds the unguessable address of a payment link. */
  | { readonly kind: 'public' }
  /** The service's own scheduled work. */
  | { readonly kind: 'system' }

export const apiKey = (...scopes: [Scope, ...Scope[]]): Access => ({ kind: 'api_key', scopes })
export const session = (role: Role): Access => ({ kind: 'session', role })
export const customer: Access = { kind: 'customer' }
export const challenge: Access = { kind: 'challenge' }
export const publicLink: Access = { kind: 'public' }
export const system: Access = { kind: 'system' }

export type RateClass = 'read' | 'write' | 'public' | 'auth'

/** What the database has to know of everything that is published: its name, who may, and the tables it may write. */
export interface Publishing {
  readonly id: string
  readonly access: Access
  readonly tables: readonly string[]
  readonly stepUp?: { readonly action: string; readonly scope: string }
}

/** One operation of the interface: data only. Middleware, OpenAPI, rights in the database and the test matrix follow. */
export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends Publishing {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** An operation that exists in one environment only; the other answers route_not_found. */
  readonly only?: 'sandbox'
  /** Of the Idempotency-Key: a change of fields that are named may do without, since it comes to the same twice. */
  readonly idempotency: 'required' | 'optional' | 'none'
  /** Where what it created is read: a path with the reply's fields (`:id`, `:key.id`), or the body's, in it. */
  readonly location?: string
  /** About one resource that shows its `version`: the reply's ETag, and what If-Match and If-None-Match may name. */
  readonly versioned?: true
  readonly rate: RateClass
  readonly params?: Params
  /** What a path parameter of the wrong form answers: the same as an id that is not there. */
  readonly notFound?: ProblemCode
  readonly query?: Query
  readonly body?: Body
  readonly reply: { readonly status: 200 | 201; readonly schema: Reply }
  readonly errors: readonly ProblemCode[]
  readonly example?: { readonly body?: unknown; readonly reply: unknown }
}

export const contract = <
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodType,
>(
  declared: Contract<Params, Query, Body, Reply>,
): Contract<Params, Query, Body, Reply> => declared
