import * as z from 'zod'

export type Schema = { [key: string]: unknown }

/** Schemas for which the interface promises that no other fields appear. */
const complete: ReadonlySet<string> = new Set(['ApiKey'])

/** Collects the named schemas, so that each is in the document once. */
export class Components {
  readonly schemas: Record<string, Schema> = {}
  readonly #repliesAreOpen: boolean

  readonly #defaultsInWords: boolean

  /**
   * `repliesAreOpen`: whether replies may get more fields; tests allow exactly the declared ones. `defaultsInWords`: whether
   * the description of a request's field says its default. Generators take a field with a `default` for a required one.
   */
  constructor({
    repliesAreOpen,
    defaultsInWords,
  }: {
    readonly repliesAreOpen: boolean
    readonly defaultsInWords: boolean
  }) {
    this.#repliesAreOpen = repliesAreOpen
    this.#defaultsInWords = defaultsInWords
  }

  /** The JSON Schema of what a caller may send (`input`) or gets (`output`); schemas with a `meta` id become references. */
  schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
    const isOpen = io === 'output' && this.#repliesAreOpen
    const {
      $schema: _,
      $defs = {},
      ...root
    } = z.toJSONSchema(type, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const { id } = z.globalRegistry.get(zodSchema) ?? {}
        if (this.#defaultsInWords && io === 'input' && jsonSchema.default !== undefined) {
          const { default: value, description } = jsonSchema
          delete jsonSchema.default
          jsonSchema.description = [description, saidOf(value)].filter(Boolean).join(' ')
        }
        if (isOpen && jsonSchema.additionalProperties === false && !complete.has(id ?? ''))
          delete jsonSchema.additionalProperties
        // What a double holds exactly bounds no amount of anything.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      },
    }) as Schema
    for (const [name, schema] of Object.entries($defs as Record<string, Schema>)) this.#add(name, schema)
    return this.#named(referring(root) as Schema)
  }

  /** The body of an operation, named after it: `payment_links.create` takes a `PaymentLinksCreateRequest`. */
  requestOf(operation: string, type: z.ZodType): Schema {
    const schema = this.schemaOf(type, 'input')
    if ('$ref' in schema) return schema
    const name = `${pascal(operation)}Request`
    this.#add(name, { description: `What \`${operation}\` takes.`, ...schema })
    return { $ref: `#/components/schemas/${name}` }
  }

  #named(schema: Schema): Schema {
    const { id, ...rest } = schema
    const name = typeof id === 'string' ? id : nameOfList(rest)
    if (!name) return schema
    this.#add(name, rest)
    return { $ref: `#/components/schemas/${name}` }
  }

  #add(name: string, schema: Schema): void {
    const { id: _, ...rest } = referring(schema) as Schema
    const known = this.schemas[name]
    if (known && JSON.stringify(known) !== JSON.stringify(rest))
      throw new Error(`Two schemas are named ${name}.`)
    this.schemas[name] = rest
  }
}

const saidOf = (value: unknown) =>
  `When it is left out: \`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\`.`

/** A list envelope is named after what it lists. */
function nameOfList({ properties }: Schema): string | null {
  const { object, data } = (properties ?? {}) as Record<string, Schema>
  const item = (data?.items as Schema | undefined)?.$ref
  return object?.const === 'list' && typeof item === 'string' ? `${item.split('/').at(-1)}List` : null
}

/** References as OpenAPI writes them; a pattern beside a format is dropped. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'pattern' || !('format' in value))
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string')
        return [key, inner.replace('#/$defs/', '#/components/schemas/')]
      const isShape = key === 'properties' && typeof (inner as Schema).type !== 'string'
      return [key, isShape ? described(referring(inner) as Record<string, Schema>) : referring(inner)]
    }),
  )
}

/** Descriptions of fields that mean the same everywhere. */
const sharedFields: Readonly<Record<string, string>> = {
  id: 'Id; it never changes.',
  created_at: 'Time of creation.',
  updated_at: 'Time of the last change.',
  version: 'Starts at 1; each change adds one. `If-Match` names it.',
}

function described(properties: Record<string, Schema>): Record<string, Schema> {
  const entries = Object.entries(properties).map(([name, schema]): [string, Schema] => {
    const always =
      name === 'object' && 'const' in schema ? `What this is: always \`${schema.const}\`.` : undefined
    const carried =
      name === 'object' && '$ref' in schema ? 'The resource, as it was after the change.' : undefined
    const description = schema.description ?? always ?? carried ?? sharedFields[name]
    return [name, description === undefined ? schema : { ...schema, description }]
  })
  return Object.fromEntries(entries)
}

/** `webhook_endpoint.deleted` as the name of a schema: `WebhookEndpointDeleted`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[._])([a-z])/g, (_all, letter: string) => letter.toUpperCase())

/** Collects examples of replies, so that operations with the same one share it. */
export class Examples {
  readonly examples: Record<string, Schema> = {}
  readonly #names = new Map<string, string>()

  of(operation: string, value: unknown): Schema {
    const text = JSON.stringify(value)
    const name = this.#names.get(text) ?? operation
    this.#names.set(text, name)
    this.examples[name] = { value }
    return { reply: { $ref: `#/components/examples/${name}` } }
  }
}
