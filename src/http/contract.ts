import type * as z from 'zod'
import type { Access, BearerAccess } from './access/kinds.ts'
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

export type RateClass = 'read' | 'write' | 'public' | 'auth'

/** In a list of tables: those of everything that is for sale. */
export const originTables = 'payment_origins'

/** What the database must know of everything that publishes: its name, its callers and the tables it may write. */
export interface Publishing {
  readonly id: string
  readonly access: Access
  readonly tables: readonly string[]
}

/** One operation of the interface: data only. Middleware, OpenAPI, database rights and test matrix derive from it. */
export interface Contract<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> extends Publishing {
  readonly access: BearerAccess
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** An operation that exists in one environment only; the other answers route_not_found. */
  readonly only?: 'sandbox'
  /** Whether it takes an Idempotency-Key. `optional` for a change of named fields: repeating it has the same result. */
  readonly idempotency: 'required' | 'optional' | 'none'
  /** Path of what it created, with fields of the reply or the body in it: `:id`, `:key.id`. */
  readonly location?: string
  /** About one resource that shows its `version`: the reply's ETag, compared with If-Match and If-None-Match. */
  readonly versioned?: true
  /** A read that also shows what moves without a new version: it is never answered 304. */
  readonly showsLive?: true
  readonly rate: RateClass
  readonly params?: Params
  /** The error for a path parameter of the wrong form: the same as for an id that does not exist. */
  readonly notFound?: ProblemCode
  readonly query?: Query
  readonly body?: Body
  /** Where a body may be longer than the 64 KiB of every other. */
  readonly bodyKiBMax?: number
  /** The body is a file of this type instead of JSON: the handler streams it. */
  readonly upload?: { readonly type: string; readonly example: string }
  readonly reply: { readonly status: 200 | 201; readonly schema: Reply }
  /** The reply is a file of this type and name instead of JSON: the handler answers its stream, or how it is `Saved`. */
  readonly download?: { readonly type: string; readonly name: string }
  /** The reply is a picture where the request accepts `image/svg+xml` rather than JSON: `drawn` says how it is drawn. */
  readonly isDrawn?: true
  readonly errors: readonly ProblemCode[]
  readonly example?: { readonly body?: unknown; readonly reply: unknown }
}

/** A file whose type and name only its handler knows. */
export interface Saved {
  readonly stream: ReadableStream<Uint8Array>
  readonly type: string
  readonly name: string
}

export const contract = <
  Params extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
  Reply extends z.ZodType = z.ZodType,
>(
  declared: Contract<Params, Query, Body, Reply>,
): Contract<Params, Query, Body, Reply> => declared

/** The body of an operation, checked. */
export type BodyOf<C extends { readonly body?: z.ZodType }> = z.output<NonNullable<C['body']>>

/** What an operation that only reads declares, beside who may call it. */
export const reads = { method: 'GET', tables: [], idempotency: 'none', rate: 'read' } as const
/** An operation by a merchant's backend that creates or changes something. */
export const writes = { method: 'POST', idempotency: 'required', rate: 'write' } as const
/** A decision of a signed-in customer. */
export const decides = { method: 'POST', idempotency: 'required', rate: 'auth' } as const
