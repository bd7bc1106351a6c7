import type * as z from 'zod'
import { type AuthRoute, type AuthRouteId, authRoutes } from '../functions/account/auth/routes.ts'
import type { Contract, RateClass } from '../src/http/contract.ts'
import { interfaceVersion } from '../src/http/envelope.ts'
import type { ProblemCode } from '../src/http/problems.ts'
import { changesVersion } from '../src/http/request-context.ts'
import { currency, tenantId } from '../src/http/schemas.ts'
import { declaredKinds, declaredOf, stepUpOf } from './access.ts'
import { accountExamples } from './openapi/account-examples.ts'
import { codesOf, codesOfAccountRoute, ErrorResponses, errorSchemas } from './openapi/errors.ts'
import { descriptionOf, headers, parameters } from './openapi/parts.ts'
import { Components, Examples, type Schema } from './openapi/schemas.ts'
import { introduction, tags } from './openapi/text.ts'
import { webhookParameters, webhookResponses, webhooks } from './openapi/webhooks.ts'
import { operations } from './operations.ts'

/** One operation as the document describes it, wherever it was declared. */
interface Described {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  readonly rate: RateClass
  readonly security: readonly Schema[]
  readonly headers: readonly string[]
  readonly replyHeaders: readonly string[]
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly upload?: Contract['upload']
  readonly download?: Contract['download']
  readonly isDrawn?: true
  readonly reply: { readonly status: number; readonly schema: z.ZodType }
  readonly notModified: boolean
  readonly codes: readonly ProblemCode[]
  readonly example: { readonly body?: unknown; readonly reply: unknown }
  readonly more: Schema
}

/** The OpenAPI 3.1 document of the interface, from the contracts. */
export function openapi({ repliesAreOpen = true, defaultsInWords = true } = {}): Schema {
  const components = new Components({ repliesAreOpen, defaultsInWords })
  const examples = new Examples()
  const errors = new ErrorResponses()
  const paths: Record<string, Schema> = {}
  for (const described of [
    ...authRoutes.map(ofAccountRoute),
    ...operations.map(({ contract }) => ofContract(contract)),
  ]) {
    const path = described.path.replaceAll(/\/:([a-z_]+)/gi, '/{$1}')
    paths[path] = {
      ...paths[path],
      [described.method.toLowerCase()]: operationOf(described, components, errors, examples),
    }
  }
  const messages = webhooks(components)
  const shared = shareParameters(paths)
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Spindle merchant payments',
      version: interfaceVersion,
      summary:
        'Payment links, cards, OXXO and SPEI, refunds, transfers, payouts and their ledger, for merchants in Mexico and Latin America',
      description: introduction,
    },
    servers: [
      { url: 'https://sandbox.spindle.example', description: 'Sandbox: a simulated processor, no money' },
      { url: 'https://api.spindle.example', description: 'Live' },
      { url: 'http://localhost:8787', description: 'Your machine: the sandbox of `npm start`' },
    ],
    tags,
    security: [{ apiKey: [] }],
    paths,
    webhooks: messages,
    components: {
      schemas: sorted({ ...components.schemas, ...errorSchemas() }),
      responses: { ...errors.responses, ...webhookResponses },
      securitySchemes: Object.fromEntries(declaredKinds.map(([, { scheme }]) => scheme)),
      parameters: { ...parameters, ...webhookParameters, ...shared },
      headers,
      examples: examples.examples,
    },
  }
}

const sorted = (record: Record<string, Schema>) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

function ofContract(contract: Contract): Described {
  const { idempotency, access, example, versioned, showsLive, method, location } = contract
  const stepUp = stepUpOf(access)
  return {
    ...contract,
    description: [
      contract.description,
      isPaged(contract) && listOrder,
      contract.only && 'Exists in the sandbox only.',
      contract.isDrawn &&
        'With `Accept: image/svg+xml` the reply is a picture, in the language of `Accept-Language`.',
      ...declaredOf(access, (kind, condition) => kind.says(condition)),
      stepUp &&
        `Needs a step-up proof for the action \`${stepUp.action}\` and the scope \`${stepUp.scope}\`, made with the same Idempotency-Key.`,
    ]
      .filter(Boolean)
      .join('\n\n'),
    security: declaredOf(access, ({ scheme: [name] }) => ({ [name]: [] })),
    headers: [
      ...(idempotency === 'required' ? ['IdempotencyKey'] : []),
      ...(idempotency === 'optional' ? ['OptionalIdempotencyKey'] : []),
      ...(stepUp ? ['StepUpToken'] : []),
      ...(changesVersion(contract) ? ['IfMatch'] : []),
      ...(versioned && method === 'GET' && !showsLive ? ['IfNoneMatch'] : []),
    ],
    replyHeaders: [
      ...(idempotency === 'none' ? [] : ['Idempotent-Replayed']),
      ...(location ? ['Location'] : []),
      ...(versioned && method !== 'DELETE' ? ['ETag'] : []),
    ],
    notModified: versioned === true && method === 'GET' && !showsLive,
    codes: codesOf(contract),
    example: example ?? { reply: null },
    // `x-spindle-step-up` of a condition's `stepUp`.
    more: Object.fromEntries(
      declaredOf(access, (_, condition) => Object.entries(condition))
        .flat()
        .map(([name, asked]) => [`x-spindle-${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`, asked]),
    ),
  }
}

/** What lists guarantee about their order; `introduction` says how to follow one. */
const listOrder =
  'Newest first, by `created_at` and then by `id`; pages behind a cursor do not shift. A row may appear a moment after its `created_at`.'

const isPaged = ({ query }: Contract): boolean =>
  query !== undefined && 'cursor' in (query as z.ZodObject).shape

const guardText: Readonly<Record<AuthRoute['guard'], string>> = {
  anyone: 'Takes no credential.',
  optional: 'Takes a customer session, or no credential.',
  session: 'Takes a customer session.',
  shown: 'Takes a customer session that has shown a second factor, or whose account has none.',
  recent:
    'Takes a customer session that has shown a second factor within ten minutes; of an account that has none, one that signed in within ten minutes.',
  second_step: 'Takes the `two_factor_token` of a sign-in under way, or a customer session.',
}

function ofAccountRoute(route: AuthRoute & { readonly id: AuthRouteId }): Described {
  return {
    ...route,
    description: guardText[route.guard],
    security: [
      ...(['anyone', 'optional', 'second_step'].includes(route.guard) ? [{}] : []),
      ...(route.guard === 'anyone' ? [] : [{ customerSession: [] }]),
    ],
    headers: [],
    replyHeaders: [],
    notModified: false,
    codes: codesOfAccountRoute(route),
    example: accountExamples[route.id],
    more: {},
  }
}

function operationOf(
  described: Described,
  components: Components,
  errors: ErrorResponses,
  examples: Examples,
): Schema {
  const { id, tag, summary, description, security, reply, body, example } = described
  const replyHeaders = ['X-Request-Id', 'Spindle-Version', 'RateLimit-Policy', ...described.replyHeaders]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security,
    parameters: [
      ...valuesIn('path', described, components),
      ...valuesIn('query', described, components),
      ...[...described.headers, 'SpindleVersion'].map((name) => ({
        $ref: `#/components/parameters/${name}`,
      })),
    ],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: components.requestOf(id, body), example: example.body },
            },
          },
        }
      : {}),
    ...(described.upload ? { requestBody: { required: true, content: fileContent(described.upload) } } : {}),
    responses: {
      [String(reply.status)]: {
        description: summary,
        headers: {
          ...Object.fromEntries(replyHeaders.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        },
        content: described.download
          ? fileContent({ type: described.download.type, example: example.reply })
          : {
              'application/json': {
                schema: components.schemaOf(reply.schema, 'output'),
                examples: examples.of(id, example.reply),
              },
              ...(described.isDrawn ? { 'image/svg+xml': { schema: { type: 'string' } } } : {}),
            },
      },
      ...(described.notModified
        ? {
            304: {
              description: 'It is as If-None-Match names it.',
              headers: { ETag: { $ref: '#/components/headers/ETag' } },
            },
          }
        : {}),
      ...errors.of(described.codes),
    },
    'x-spindle-rate': described.rate,
    ...described.more,
  }
}

const fileContent = ({ type, example }: { readonly type: string; readonly example: unknown }): Schema => ({
  [type]:
    type === 'application/json'
      ? { schema: { type: 'object' }, example: JSON.parse(String(example)) as unknown }
      : { schema: { type: 'string' }, example },
})

/** The general descriptions of currency and workspace do not describe a parameter. */
const ofItsOwn = (description: unknown) =>
  [currency.description, tenantId.description].includes(description as string) ? undefined : description

function valuesIn(where: 'path' | 'query', described: Described, components: Components): Schema[] {
  const type = where === 'path' ? described.params : described.query
  if (!type) return []
  const { properties = {}, required = [] } = components.schemaOf(type, 'input') as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    description: ofItsOwn(description) ?? descriptionOf(name, described.path),
    ...(schema.type === 'object' ? { style: 'deepObject', explode: true } : {}),
    schema,
  }))
}

/** Moves parameters that several operations share into components, under their own names; `paths` refers to them. */
function shareParameters(paths: Record<string, Schema>): Record<string, Schema> {
  const lists = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, Schema>).map(({ parameters }) => parameters as Schema[]),
  )
  const counts = new Map<string, number>()
  for (const text of lists.flat().map((each) => JSON.stringify(each)))
    counts.set(text, (counts.get(text) ?? 0) + 1)
  const shared: Record<string, Schema> = {}
  const references = new Map<string, Schema>()
  for (const [text, count] of counts) {
    const parameter = JSON.parse(text) as Schema
    if (count === 1 || '$ref' in parameter) continue
    let name = String(parameter.name)
    for (let number = 2; name in shared; number++) name = `${parameter.name}-${number}`
    shared[name] = parameter
    references.set(text, { $ref: `#/components/parameters/${name}` })
  }
  for (const list of lists)
    list.forEach((each, at) => {
      list[at] = references.get(JSON.stringify(each)) ?? each
    })
  return shared
}

export const openapiText = (document = openapi()): string => `${written(document, 140)}\n`

/** JSON in which each value that fits on a line is on one line. */
export function written(value: unknown, lineMax: number, indent = ''): string {
  const flat = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || flat.length + indent.length <= lineMax) return flat
  const inner = `${indent}  `
  const text = (each: unknown) => written(each, lineMax, inner)
  const lines = Array.isArray(value)
    ? value.map((each) => inner + text(each))
    : Object.entries(value).map(([key, each]) => `${inner}${JSON.stringify(key)}: ${text(each)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
