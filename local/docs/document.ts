/** The parts of the OpenAPI document that the reference shows. */
export interface Document {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Shape>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Reply>>
    readonly headers: Readonly<Record<string, Header>>
    readonly examples: Readonly<Record<string, { readonly value: unknown }>>
  }
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly [string]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Referred<Parameter>[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Referred<Reply>>>
  readonly 'x-spindle-rate'?: string
}

export type Referred<T> = T | { readonly $ref: string }

export interface Header {
  readonly description: string
  readonly schema: Shape
  readonly example?: unknown
}

export interface Parameter extends Header {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
}

export interface Reply {
  readonly description: string
  readonly headers?: Readonly<Record<string, Referred<Header>>>
  readonly content?: Readonly<Record<string, Content>>
  readonly 'x-spindle-codes'?: readonly string[]
}

export interface Content {
  readonly schema: Shape
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Referred<{ readonly value: unknown }>>>
}

/** A JSON Schema, with the keywords that the document uses. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly description?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  readonly additionalProperties?: Shape | boolean
  readonly propertyNames?: Shape
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** What a reference of the document names, or the thing itself. */
export function referred<T extends object>(document: Document, thing: Referred<T>): T {
  if (!('$ref' in thing)) return thing
  const [, , kind, name] = thing.$ref.split('/') as [string, string, keyof Document['components'], string]
  const found = document.components[kind][name]
  if (!found) throw new Error(`The document has no ${thing.$ref}.`)
  return found as unknown as T
}
