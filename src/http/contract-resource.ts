import * as z from 'zod'
import type { BearerAccess } from './access/kinds.ts'
import { type Contract, contract, reads, writes } from './contract.ts'
import type { ProblemCode } from './problems.ts'
import { listOf, listQuery, timestamp, uuid } from './schemas.ts'

// The Worker has this file as it has an area's contracts: without schemas of replies and examples.

/** A resource as the interface shows it: its own fields, between those that every resource has. */
export const shown = <const Name extends string, Fields extends z.ZodRawShape>(
  object: Name,
  fields: Fields,
) =>
  z.strictObject({
    id: uuid,
    object: z.literal(object),
    ...fields,
    version: z.int().min(1),
    created_at: timestamp,
    updated_at: timestamp,
  })

/** An example of it, just created. */
export const exampleOf = <const Name extends string, const Fields extends object>(
  object: Name,
  id: string,
  fields: Fields,
) =>
  ({
    id,
    object,
    ...fields,
    version: 1,
    created_at: '2026-06-13T12:00:00.000Z',
    updated_at: '2026-06-13T12:00:00.000Z',
  }) as const

/** What is left to say of a resource that was deleted. */
const gone = <const Name extends string>(object: Name) =>
  z.strictObject({
    id: uuid,
    object: z.literal(object),
    deleted: z.literal(true).describe('Always true: it is deleted.'),
  })

/** A body whose fields may all be left out, but not at once. */
export const atLeastOne = <Body extends z.ZodType<object>>(body: Body): Body =>
  body.refine((asked) => Object.keys(asked).length > 0, 'must name at least one field')

const byId = z.strictObject({ id: uuid })

/** What the contracts of one resource have in common. */
interface Resource<
  Schema extends z.ZodType,
  Example extends { readonly id: string },
  One extends z.ZodType = typeof byId,
  Parent extends z.ZodType = z.ZodUndefined,
> {
  readonly tag: string
  /** Of the list; one of them is found at `:id` below it. */
  readonly path: string
  /** Where one is found otherwise. */
  readonly one?: { readonly path: string; readonly params: One }
  /** Where a list is that of a parent; new ones are added there too. */
  readonly within?: { readonly path: string; readonly params: Parent; readonly notFound: ProblemCode }
  readonly reads: BearerAccess
  readonly writes: BearerAccess
  /** What its changes may write, where they do not say it themselves. */
  readonly tables: readonly string[]
  readonly notFound: ProblemCode
  /** It shows its `version`. */
  readonly versioned?: true
  readonly schema: Schema
  readonly example: Example
}

/** What each contract says itself; `errors` beside those that its kind has anyway. */
type Said = Pick<Contract, 'id' | 'summary'> &
  Partial<Pick<Contract, 'access' | 'description' | 'errors' | 'showsLive' | 'tables' | 'versioned'>>

/** What a plain resource offers: each function makes a contract from what that contract alone has to say. */
export function resource<
  Schema extends z.ZodType,
  Example extends { readonly id: string },
  One extends z.ZodType = typeof byId,
  Parent extends z.ZodType = z.ZodUndefined,
>(declared: Resource<Schema, Example, One, Parent>) {
  const { tag, path, within, tables, notFound, schema, example } = declared
  const versioned = declared.versioned ? { versioned: declared.versioned } : {}
  const all: Pick<Contract<Parent>, 'path' | 'params' | 'notFound'> = within ?? { path }
  const ofParent = within ? [within.notFound] : []
  const itself: unknown = declared.one ?? { params: byId, path: `${path}/:id` }
  const one = { ...(itself as NonNullable<typeof declared.one>), notFound }
  const reading = { ...reads, tag, access: declared.reads }
  const writing = { ...writes, tag, access: declared.writes }
  const changing = { ...writing, tables, ...versioned }
  return {
    /** For contracts by hand: what a read says, a change, and either of one of them. */
    reading,
    writing,
    one,
    /** Adds one. Its `example` is the body that leads to the resource's. */
    create: <Body extends z.ZodType>(said: Said & { body: Body; example: object }) =>
      contract({
        ...changing,
        ...all,
        location: `${path}/:id`,
        ...said,
        reply: { status: 201, schema },
        errors: [...ofParent, ...(said.errors ?? [])],
        example: { body: said.example, reply: example },
      }),
    /** A page of them, newest first. */
    list: <Filters extends z.ZodRawShape = Record<never, never>>({
      filters = {} as Filters,
      ...said
    }: Said & { filters?: Filters }) =>
      contract({
        ...reading,
        ...all,
        ...said,
        query: z.strictObject({ ...filters, ...listQuery }),
        reply: { status: 200, schema: listOf(schema) },
        errors: ['cursor_invalid', ...ofParent, ...(said.errors ?? [])],
        example: { reply: { object: 'list', data: [example], has_more: false, next_cursor: '' } },
      }),
    get: (said: Said) =>
      contract({
        ...reading,
        ...versioned,
        ...one,
        ...said,
        reply: { status: 200, schema },
        errors: [notFound, ...(said.errors ?? [])],
        example: { reply: example },
      }),
    /** Sets the named ones of its `fields`. Its `example` is a body. */
    update: <Fields extends z.ZodRawShape>({ fields, ...said }: Said & { fields: Fields; example: object }) =>
      contract({
        ...changing,
        ...one,
        method: 'PATCH',
        idempotency: 'optional',
        ...said,
        body: atLeastOne(z.strictObject(fields).partial()),
        reply: { status: 200, schema },
        errors: [notFound, ...(said.errors ?? [])],
        example: { body: said.example, reply: { ...example, ...said.example, version: 2 } },
      }),
    /** Another step of its life, at `<path>/:id/<step>`. Its `example` is what differs after it. */
    move: (step: string, said: Said & { example: object }) =>
      contract({
        ...changing,
        ...one,
        path: `${one.path}/${step}`,
        ...said,
        reply: { status: 200, schema },
        errors: [notFound, ...(said.errors ?? [])],
        example: { reply: { ...example, ...said.example } },
      }),
    /** Its reply names the `object` that is gone. */
    remove: <const Name extends string>(object: Name, said: Said) =>
      contract({
        ...writing,
        tables,
        ...one,
        method: 'DELETE',
        idempotency: 'none',
        ...said,
        reply: { status: 200, schema: gone(object) },
        errors: [notFound, ...(said.errors ?? [])],
        example: { reply: { id: example.id, object, deleted: true } },
      }),
  }
}
