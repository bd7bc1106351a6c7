import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterAll, afterEach, expect, inject } from 'vitest'
import type { StackAddresses } from './global-setup.ts'
import { type Environment, rowsOf, snapshotOf } from './since.ts'

/*
 * Holds everything that any test receives to what is published. Every reply under /v1 that comes to `fetch` has a
 * status and an error code that openapi.json declares for its operation, and a body of the declared schema, with no
 * further field; every event that a test caused has the object that is published for its type. stack.ts calls
 * `holdToPublished`, once.
 */

type Schema = { readonly [key: string]: unknown }
type Response_ = {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, object>>
  readonly 'x-spindle-codes'?: readonly string[]
}
type Operation = { readonly operationId: string; readonly responses: Readonly<Record<string, Response_>> }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
  readonly components: { readonly responses: Readonly<Record<string, Response_>> }
}

interface Published {
  readonly document: Document
  /** What is wrong with a value, by the schema at a place of the document. */
  readonly faults: (pointer: readonly string[], value: unknown) => string[]
}

let published: Promise<Published> | undefined
const readPublished = (): Promise<Published> => {
  published ??= load()
  return published
}

async function load(): Promise<Published> {
  const document = (await (await fetchBelow(inject('documentUrl'))).json()) as Document
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    addUsedSchema: false,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  const faults = (pointer: readonly string[], value: unknown): string[] => {
    const place = pointer
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const validate = compiled.get(place) ?? ajv.compile({ $ref: `openapi#/${place}` })
    compiled.set(place, validate)
    if (validate(value)) return []
    return validate
      .errors!.slice(0, 4)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  }
  return { document, faults }
}

let fetchBelow = globalThis.fetch
const watched = new Set<string>()
const looking = new Set<Promise<void>>()
const deviations: string[] = []

function watch(work: Promise<string[]>): void {
  const looked = work.then((found) => void deviations.push(...found)).finally(() => looking.delete(looked))
  looking.add(looked)
}

async function nothingDeviates(): Promise<void> {
  while (looking.size > 0) await Promise.all(looking)
  expect([...new Set(deviations.splice(0))], 'what openapi.json publishes').toEqual([])
}

/** From now on. Each file is checked separately. */
export function holdToPublished(stack: StackAddresses): void {
  for (const { directUrl, baseUrl } of [stack.sandbox, stack.live]) watched.add(directUrl).add(baseUrl)
  if (globalThis.fetch !== watchedFetch) {
    fetchBelow = globalThis.fetch
    globalThis.fetch = watchedFetch
  }
  const since = Promise.all([snapshotOf(stack, 'sandbox'), snapshotOf(stack, 'live')])
  since.catch(() => {})
  afterEach(nothingDeviates)
  afterAll(async () => {
    const [sandbox, live] = await since
    watch(faultsOfEvents(stack, 'sandbox', sandbox!))
    watch(faultsOfEvents(stack, 'live', live!))
    await nothingDeviates()
  })
}

const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetchBelow(input, init)
  const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
  const method = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toLowerCase()
  if (watched.has(origin) && pathname.startsWith('/v1/')) {
    const copy = response.clone()
    // A reply that was cut off on its way shows nothing about us.
    watch(
      copy.text().then(
        (text) => {
          const type = copy.headers.get('content-type') ?? ''
          return faultsOfReply(method, pathname, { status: copy.status, type, text })
        },
        () => [],
      ),
    )
  }
  return response
}

async function faultsOfReply(
  method: string,
  path: string,
  { status, type, text }: { readonly status: number; readonly type: string; readonly text: string },
): Promise<string[]> {
  if (!['get', 'post', 'patch', 'delete'].includes(method)) return []
  const { document, faults } = await readPublished()
  const body = parsed(text)
  const found = operationAt(document, method, path)
  if (!found) return ofNoOperation(path, status, body)
  const [at, { operationId, responses }] = found
  const tell = (what: string) => [`${operationId} (${method.toUpperCase()} ${at}) ${status}: ${what}`]
  const declared = responses[status]
  if (!declared) return tell(`is not declared: ${codeOf(body)}`)
  const name = declared.$ref?.split('/').at(-1)
  const response = name === undefined ? declared : document.components.responses[name]!
  const codes = response['x-spindle-codes']
  if (codes && !codes.includes(codeOf(body))) return tell(`the code ${codeOf(body)} is not declared`)
  if (!response.content) return text === '' ? [] : tell('has a body, which is not declared')
  // A file, or a picture of what is there as JSON too.
  if (!response.content['application/json'] || (type !== 'application/json' && type in response.content))
    return []
  const pointer =
    name === undefined
      ? ['paths', at, method, 'responses', String(status)]
      : ['components', 'responses', name]
  return faults([...pointer, 'content', 'application/json', 'schema'], body).flatMap(tell)
}

/**
 * Refusals that belong to no operation: of the address or method, before them of an unknown version, and those of the
 * addresses that the simulator, processors and the provider of mails call.
 */
function ofNoOperation(path: string, status: number, body: unknown): string[] {
  if (/^\/v1\/(processors|mails|customer-hub\/stripe-events)\//.test(path) || [404, 405].includes(status))
    return []
  if (codeOf(body) === 'version_unknown') return []
  return [`${path} is no operation and answers ${status}: ${codeOf(body)}`]
}

const codeOf = (body: unknown): string =>
  String((body as { error?: { code?: unknown } } | undefined)?.error?.code ?? 'no error code')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const patterns = new Map<string, RegExp>()

function operationAt({ paths }: Document, method: string, path: string): [string, Operation] | null {
  if (paths[path]?.[method]) return [path, paths[path][method]]
  for (const [at, operations] of Object.entries(paths)) {
    if (!patterns.has(at)) patterns.set(at, new RegExp(`^${at.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`))
    if (operations[method] && patterns.get(at)!.test(path)) return [at, operations[method]]
  }
  return null
}

type Told = { id: string; type: string; object: Schema; before: Schema }

/**
 * Checks every event that the Workers have made since. Events that a test wrote by hand have a request id that no
 * request can have.
 */
async function faultsOfEvents(
  stack: StackAddresses,
  environment: Environment,
  since: string,
): Promise<string[]> {
  const events = await rowsOf<Told>(
    stack,
    environment,
    `select id, type, object, previous_attributes as before from events
     where xmin::text::bigint >= $1::bigint and length(request_id) >= 8`,
    [since],
  )
  if (events.length === 0) return []
  const { document, faults } = await readPublished()
  return events.flatMap(({ type, object, before }) => {
    const at = [
      'webhooks',
      type,
      'post',
      'requestBody',
      'content',
      'application/json',
      'schema',
      'allOf',
      '1',
    ]
    if (!document.webhooks[type]) return [`event ${type}: is not published`]
    const data = [...at, 'properties', 'data']
    // Former fields have the form of the same fields now, but a deletion's schema allows only the final status.
    const former = {
      ...object,
      ...before,
      ...(type === 'webhook_endpoint.deleted' && { status: object.status }),
    }
    return [
      ...faults(data, { object, previous_attributes: before }),
      ...faults(data, { object: former, previous_attributes: {} }).map((fault) => `before: ${fault}`),
    ].map((fault) => `event ${type}: ${fault}`)
  })
}
