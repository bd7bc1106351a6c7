import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { authRoutes } from '../../functions/account/auth/routes.ts'
import { interfaceFile, interfaceText } from '../../local/interface-text.ts'
import { accountExamples } from '../../local/openapi/account-examples.ts'
import { codesOf } from '../../local/openapi/errors.ts'
import { openapi, openapiText } from '../../local/openapi.ts'
import { operations } from '../../local/operations.ts'
import type { ProblemCode } from '../../src/http/problems.ts'
import { eventTypeNames } from '../../src/kernel/event-types.ts'

type Operation = {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: object[]
  parameters: { name?: string; in?: string; description?: string; $ref?: string }[]
  responses: Record<string, { content?: Record<string, { schema: unknown; example?: unknown }> }>
}
const text = openapiText()
const document = openapi() as {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
  components: { parameters: Record<string, Operation['parameters'][number]> }
}
const referred = (parameter: Operation['parameters'][number]) =>
  parameter.$ref ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter
const told = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method,
    ...operation,
    parameters: operation.parameters.map(referred),
  })),
)
const contracts = operations.map(({ contract }) => contract)

test('no word of a path stands where an id may', () => {
  const paths = [...new Set(contracts.map(({ path }) => path))].map((path) => path.split('/'))
  const isId = (part: string) => part.startsWith(':')
  const ambiguous = paths.flatMap((one) =>
    paths
      .filter(
        (other) =>
          one.length === other.length &&
          one.some((part, at) => isId(part) && !isId(other[at]!)) &&
          one.every((part, at) => part === other[at] || isId(part) || isId(other[at]!)),
      )
      .map((other) => `${one.join('/')} and ${other.join('/')}`),
  )
  expect(ambiguous).toEqual([])
})

test('a request says its defaults in words: generators make a field with a `default` a required one', () => {
  const { schemas } = document.components as unknown as { schemas: Record<string, object> }
  const requests = Object.entries(schemas).filter(([name]) => name.endsWith('Request'))
  expect(requests.length).toBeGreaterThan(80)
  const withDefault = (schema: unknown): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    (('default' in schema && typeof schema.default !== 'object') || Object.values(schema).some(withDefault))
  expect(requests.filter(([, schema]) => withDefault(schema)).map(([name]) => name)).toEqual([])
  expect(JSON.stringify(schemas.PaymentLinksCreateRequest)).toContain('When it is left out: `null`.')
})

test('an object that events carry in another form says how it differs', () => {
  const { schemas } = document.components as unknown as { schemas: Record<string, { description?: string }> }
  const told = Object.entries(schemas).filter(([name]) => name.endsWith('InEvents'))
  expect(told.length).toBeGreaterThan(5)
  for (const [name, { description }] of told)
    expect(description, name).toMatch(/^The same as `\w+`, as events carry it: \S+/)
})

test('nothing in the document is described as undefined', () => {
  expect(text).not.toMatch(/"undefined"|\bundefined /)
})

test('docs/interface.txt is generated from the contracts as they are', () => {
  expect(readFileSync(interfaceFile, 'utf8') === interfaceText(), 'run `npm run openapi`').toBe(true)
})

test('the summary has a line for each operation and for each field', () => {
  const lines = interfaceText().split('\n')
  for (const { method, path, id } of [...contracts, ...authRoutes])
    expect(lines.filter((line) => line.startsWith(`${method} ${path} ${id} (`))).toHaveLength(1)
  expect(lines).toContain('PaymentLink.status: active|inactive|paid|archived')
})

test('the document is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  const refs = [...new Set([...text.matchAll(/"\$ref": ?"([^"]+)"/g)].map(([, ref]) => ref!))]
  expect(refs.length).toBeGreaterThan(100)
  const lost = refs.filter((ref) => at(document, ref.replace('#/', '').split('/')) === undefined)
  expect(lost).toEqual([])
}, 60_000)

const at = (value: unknown, path: string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

type Shape = {
  $ref?: string
  description?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  allOf?: Shape[]
  additionalProperties?: unknown
}
type Message = { allOf: [Shape, { properties: { type: { const: string }; data: Shape } }] }
type Webhook = { operationId: string; description: string; security: object[]; requestBody: Content<Message> }
type Content<Schema> = { content: { 'application/json': { schema: Schema } } }
const { schemas, ...parts } = (document as unknown as { components: Record<string, Record<string, Shape>> })
  .components as { schemas: Record<string, Shape> } & Record<string, Record<string, Shape>>
const messages = Object.entries(
  (document as unknown as { webhooks: Record<string, { post: Webhook }> }).webhooks,
)

/** The fields of a schema and of its inner schemas, by their paths. */
const fieldsIn = (shape: Shape, path: string): [path: string, field: Shape][] => [
  ...Object.entries(shape.properties ?? {}).flatMap(([name, field]): [string, Shape][] => [
    [`${path}.${name}`, field],
    ...fieldsIn(field, `${path}.${name}`),
  ]),
  ...[shape.items, ...(shape.anyOf ?? []), ...(shape.allOf ?? [])].flatMap((inner) =>
    inner ? fieldsIn(inner, path) : [],
  ),
]

const written = (shape: Shape): string =>
  shape.description ?? schemas[shape.$ref?.split('/').at(-1) ?? '']?.description ?? ''

test('every field, operation and message has a description', () => {
  const inline = told.flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.values(content ?? {}).flatMap(({ schema }) => fieldsIn(schema as Shape, operationId)),
    ),
  )
  const fields = [...Object.entries(schemas).flatMap(([name, schema]) => fieldsIn(schema, name)), ...inline]
  expect(fields.length).toBeGreaterThan(500)
  expect(fields.filter(([, field]) => written(field).length < 10).map(([path]) => path)).toEqual([])
  expect(
    told.filter(({ description }) => description.length < 20).map(({ operationId }) => operationId),
  ).toEqual([])
  expect(messages.filter(([, { post }]) => post.description.length < 20).map(([type]) => type)).toEqual([])
})

test('a message is distinguished by its type, and has the object of its type', () => {
  for (const [type, { post }] of messages) {
    const [envelope, own] = post.requestBody.content['application/json'].schema.allOf
    expect(envelope).toEqual({ $ref: '#/components/schemas/EventEnvelope' })
    expect(own.properties.type.const).toBe(type)
    const data = schemas[own.properties.data.$ref!.split('/').at(-1)!]!
    const object = schemas[data.properties!.object!.$ref!.split('/').at(-1)!]!
    expect([type, Object.keys(object.properties!).length > 3]).toEqual([type, true])
  }
  expect(messages.map(([type]) => type)).toEqual(eventTypeNames)
})

test('an integer is bounded by what it counts, not by what a double holds; a request names no negative amount', () => {
  expect(text).not.toMatch(/"m(in|ax)imum": ?-?9007199254740991/)
  const { schemas } = (openapi() as unknown as { components: { schemas: Record<string, object> } }).components
  const requests = Object.entries(schemas).filter(([name]) => name.endsWith('Request'))
  expect(requests.length).toBeGreaterThan(50)
  for (const [name, schema] of requests) expect(JSON.stringify(schema), name).not.toContain('"^-?\\\\d')
})

test('replies may gain fields, except the summary of an API key; requests may not', () => {
  const isClosed = (name: string) => JSON.stringify(schemas[name]).includes('"additionalProperties":false')
  const closed = Object.keys(schemas).filter(isClosed)
  expect(closed.filter((name) => !name.endsWith('Request'))).toEqual(['ApiKey'])
  expect(Object.keys(schemas).filter((name) => name.endsWith('Request') && !isClosed(name))).toEqual([])
})

/** Of the rules that Redocly recommends, those that a change could break. */
test('every operation states its security, and no name is double, unused or already taken by JavaScript', () => {
  expect((document as unknown as { security: object[] }).security).toEqual([{ apiKey: [] }])
  const posts = messages.map(([, { post }]) => post)
  const all = [...told, ...posts]
  expect(all.filter(({ security }) => !Array.isArray(security))).toEqual([])
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  expect(all.filter(({ operationId }) => !/^[a-z0-9_.]+$/.test(operationId))).toEqual([])
  const unused = Object.entries({ schemas, ...parts }).flatMap(([part, named]) =>
    Object.keys(named).filter(
      (name) => part !== 'securitySchemes' && !text.includes(`"#/components/${part}/${name}"`),
    ),
  )
  expect(unused).toEqual([])
  const ofBrowsers = [
    'Event',
    'Request',
    'Response',
    'Location',
    'Notification',
    'Document',
    'Node',
    'Text',
    'Range',
  ]
  expect(Object.keys(schemas).filter((name) => name in globalThis || ofBrowsers.includes(name))).toEqual([])
})

test('every operation and every route appears once, under a chapter that exists', () => {
  const ids = told.map(({ operationId }) => operationId)
  const declared = [...contracts, ...authRoutes].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...ids].sort()).toEqual([...declared].sort())
  const chapters = document.tags.map(({ name }) => name)
  expect([...new Set(told.flatMap(({ tags }) => tags))].sort()).toEqual([...chapters].sort())
  expect(told.filter(({ summary }) => !summary)).toEqual([])
})

describe.each(told)('$method $path', (operation) => {
  test('names its path parameters', () => {
    const wanted = [...operation.path.matchAll(/\{([a-z_]+)\}/gi)].map((match) => match[1])
    const named = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name)
    expect(named).toEqual(wanted)
  })

  test('says what each parameter is', () => {
    expect(operation.parameters.filter(({ description }) => !description)).toEqual([])
  })
})

describe.each(contracts)('$id', (contract) => {
  const { body, reply, example } = contract

  test('its examples are what its schemas allow', () => {
    expect(example).toBeDefined()
    expect(reply.schema.safeParse(example?.reply).error).toBeUndefined()
    if (body) expect(body.safeParse(example?.body).error).toBeUndefined()
  })

  test('declares no error twice, and requires no body where there is none', () => {
    expect(new Set(contract.errors).size).toBe(contract.errors.length)
    expect(contract.method === 'GET' && (body !== undefined || contract.idempotency === 'required')).toBe(
      false,
    )
  })

  test('declares the errors that its access and its headers imply', () => {
    const codes = codesOf(contract)
    const implied: ProblemCode[] = [
      'credential_missing',
      'credential_not_accepted',
      'rate_limited',
      'version_unknown',
      'internal',
      'parameter_unknown',
    ]
    if (contract.idempotency === 'required') implied.push('idempotency_key_missing', 'idempotency_key_reused')
    if (contract.access.session?.stepUp) implied.push('step_up_missing', 'step_up_params_mismatch')
    if (body) implied.push('body_malformed', 'content_type_unsupported', 'parameter_missing')
    const { api_key, device, pairing } = contract.access
    if (api_key) implied.push('insufficient_scope')
    else implied.push(device ? 'device_unpaired' : pairing ? 'pairing_code_locked' : 'session_invalid')
    expect(codes).toEqual(expect.arrayContaining([...implied, ...contract.errors]))
  })
})

test.each(authRoutes)('$id: its examples are what its schemas allow', (route) => {
  const { body, reply } = accountExamples[route.id]
  expect(route.reply.schema.safeParse(reply).error).toBeUndefined()
  const schema = (route as { body?: z.ZodType }).body
  if (schema) expect(schema.safeParse(body).error).toBeUndefined()
})
