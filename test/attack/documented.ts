import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapiText } from '../../local/openapi.ts'

type Schema = { $ref?: string } & Record<string, unknown>
type Documented = { description: string; content?: Record<string, { schema: Schema }>; $ref?: string }

export type Endpoint = {
  operationId: string
  method: string
  path: string
  parameters: { name: string; in: string; required?: boolean; schema: Schema }[]
  body: Schema | undefined
  responses: Record<string, Documented>
}

const document = JSON.parse(openapiText()) as {
  paths: Record<string, Record<string, Record<string, unknown>>>
} & Record<string, unknown>

/** Resolves a `$ref` of the document. */
export function resolved<T>(value: T): T {
  const ref = (value as { $ref?: string } | undefined)?.$ref
  if (ref === undefined) return value
  const found = ref
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((place, part) => (place as Record<string, unknown>)[part], document)
  return resolved(found as T)
}

export const endpoints: readonly Endpoint[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
    .map(([method, operation]) => {
      const {
        operationId,
        parameters = [],
        requestBody,
        responses,
      } = operation as never as {
        operationId: string
        parameters?: Endpoint['parameters']
        requestBody?: { content: Record<string, { schema: Schema }> }
        responses: Endpoint['responses']
      }
      return {
        operationId,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map(resolved),
        body: resolved(resolved(requestBody)?.content['application/json']?.schema),
        responses,
      }
    }),
)

const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
formats.default(ajv)
ajv.addSchema({ ...document, $id: 'openapi.json' })
const validators = new Map<string, ReturnType<typeof ajv.compile>>()

/** How a reply differs from the document; undefined when it does not. */
export function offDocument(endpoint: Endpoint, status: number, body: string): string | undefined {
  const response = resolved(endpoint.responses[String(status)])
  if (!response) return `status ${status} is not documented`
  const schema = response.content?.['application/json']?.schema
  if (!schema) return undefined
  const name = `${endpoint.operationId} ${status}`
  let validate = validators.get(name)
  if (!validate) {
    // References lead into the document, so the schema has to be found in it.
    validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')) as Schema)
    validators.set(name, validate)
  }
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return 'the body is no JSON'
  }
  return validate(json) ? undefined : ajv.errorsText(validate.errors)
}
