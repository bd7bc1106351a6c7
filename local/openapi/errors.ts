import * as z from 'zod'
import type { AuthRoute } from '../../functions/account/auth/routes.ts'
import { bearerErrors } from '../../src/http/access/declaration.ts'
import type { Contract } from '../../src/http/contract.ts'
import { Problem, type ProblemCode, type ProblemMore, typeOf } from '../../src/http/problems.ts'
import { changesVersion } from '../../src/http/request-context.ts'
import { refusals } from '../../src/http/schemas.ts'
import { declaredOf, stepUpOf } from '../access.ts'
import { errorCodes, errors } from '../declarations.ts'
import type { Schema } from './schemas.ts'

type Codes = readonly ProblemCode[]

const always: Codes = ['version_unknown', 'rate_limited', 'outcome_unknown', 'internal']
const stepUp: Codes = [
  'step_up_missing',
  'step_up_malformed',
  'step_up_invalid',
  'step_up_expired',
  'step_up_already_used',
  'step_up_session_mismatch',
  'step_up_tenant_mismatch',
  'step_up_environment_mismatch',
  'step_up_action_mismatch',
  'step_up_scope_mismatch',
  'step_up_idempotency_key_mismatch',
  'step_up_params_mismatch',
]
const idempotency: Codes = ['idempotency_key_invalid', 'idempotency_key_reused', 'reply_erased']
const bodyForm: Codes = ['body_malformed', 'body_too_large', 'content_type_unsupported']
const fields: Codes = ['parameter_missing', 'parameter_unknown', 'parameter_invalid']

/** Every error an operation can answer: what its contract declares and what its access, headers and shapes imply. */
export function codesOf(contract: Contract): ProblemCode[] {
  return distinct([
    ...declaredOf(contract.access, (kind, condition) => kind.errors(condition)).flat(),
    ...(stepUpOf(contract.access) ? stepUp : []),
    ...(contract.notFound ? [contract.notFound] : []),
    // Operations of the sandbox only, and path parameters of the wrong form.
    ...(contract.only || (contract.params && !contract.notFound) ? (['route_not_found'] as const) : []),
    ...(contract.idempotency === 'required' ? (['idempotency_key_missing'] as const) : []),
    ...(contract.idempotency === 'none' ? [] : idempotency),
    ...(contract.tables.length > 0 ? (['conflict'] as const) : []),
    ...(contract.method === 'GET' ? [] : (['if_match_invalid'] as const)),
    ...(changesVersion(contract) ? (['version_changed'] as const) : []),
    ...shapeCodes(contract),
    ...contract.errors,
    ...always,
  ])
}

/** The same for a route of the accounts, which the identity library answers. */
export function codesOfAccountRoute(route: AuthRoute): ProblemCode[] {
  const { guard, errors } = route
  return distinct([
    ...(guard === 'anyone' ? [] : [...bearerErrors, 'session_invalid' as const]),
    ...shapeCodes(route),
    ...errors,
    ...always,
  ])
}

/** An operation without body or query refuses one that is sent, also a body that is no object. */
const shapeCodes = ({
  method,
  body,
  query,
  upload,
}: Pick<Contract, 'method' | 'body' | 'query' | 'upload'>): Codes => [
  ...(method === 'GET' ? [] : upload ? (['content_type_unsupported'] as const) : bodyForm),
  ...(body || query ? fields : (['parameter_unknown'] as const)),
  ...(method === 'GET' || upload ? [] : (['parameter_invalid'] as const)),
  ...[body, query].flatMap((schema) => (schema ? ownCodes(schema) : [])),
]

/** The error codes of their own with which a schema's fields can be refused. */
function ownCodes(schema: z.ZodType): ProblemCode[] {
  const codes: ProblemCode[] = []
  const override = ({ zodSchema }: { zodSchema: z.core.$ZodTypes }) => {
    const own = refusals.get(zodSchema)
    if (own) codes.push(own.code)
  }
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override })
  return codes
}

const distinct = (codes: Codes) => errorCodes.filter((code) => codes.includes(code))

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The credential or the proof is missing, not valid, or of the wrong kind.',
  403: 'The credential does not allow this.',
  404: 'There is no such thing, or it is not yours: the two answer alike.',
  409: 'The state of things does not allow this now.',
  410: 'It was there and is no longer.',
  412: 'It has changed since you read it.',
  411: 'The length of the body is missing.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'A field breaks a rule, or the Idempotency-Key was used with another request.',
  423: 'Locked after too many wrong answers.',
  429: 'Too many requests.',
  500: 'Something went wrong on our side.',
  503: 'It is not known, or cannot be done, right now.',
}

/** Error responses, one per status and set of codes; equal ones are in the document once. */
export class ErrorResponses {
  readonly responses: Record<string, Schema> = {}
  readonly #names = new Map<string, string>()

  /** The responses of an operation that can answer these codes. */
  of(codes: Codes): Schema {
    const statuses = [...new Set(codes.map((code) => errors[code].status))].sort()
    return Object.fromEntries(
      statuses.map((status) => {
        const here = codes.filter((code) => errors[code].status === status)
        return [String(status), { $ref: `#/components/responses/${this.#nameOf(status, here)}` }]
      }),
    )
  }

  #nameOf(status: number, codes: Codes): string {
    const known = this.#names.get(codes.join())
    if (known) return known
    const alike = Object.keys(this.responses).filter((name) => name.startsWith(`error-${status}`)).length
    const name = `error-${status}${alike === 0 ? '' : `-${alike + 1}`}`
    this.#names.set(codes.join(), name)
    this.responses[name] = errorResponse(status, codes)
    return name
  }
}

function errorResponse(status: number, codes: Codes): Schema {
  const meaning = codes.map((code) => `- \`${code}\`: ${errors[code].message}`).join('\n')
  return {
    description: `${meanings[status]}\n\n${meaning}`,
    headers: errorHeaders(status, codes),
    'x-spindle-codes': codes,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } },
    },
  }
}

function errorHeaders(status: number, codes: Codes): Schema {
  const names = ['X-Request-Id', 'Spindle-Version']
  if (status === 429) names.push('Retry-After', 'RateLimit')
  if (status === 423 || codes.includes('outcome_unknown')) names.push('Retry-After')
  if (codes.includes('credential_missing')) names.push('WWW-Authenticate')
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** An example of one error; `/docs/errors` lists every code. */
export function exampleOf(code: ProblemCode, more: ProblemMore = {}): object {
  const { status, message } = errors[code]
  const requestId = 'req_7d0f2c1e9b3a4d5f8a6b7c8d9e0f1a2b'
  return new Problem(code, more).body([status, message], requestId, 'https://sandbox.spindle.example')
}

const code: Schema = { $ref: '#/components/schemas/ErrorCode' }

/** The shape that every error has, and the codes. */
export const errorSchemas = (): Record<string, Schema> => ({
  ErrorCode: {
    type: 'string',
    description:
      'What went wrong, for programs; each is explained under `/docs/errors`. More will be added: treat one that you do not know by its `type`, and by the status of the reply.',
    enum: errorCodes,
  },
  ErrorType: {
    type: 'string',
    description:
      'The kind of error. More may be added: treat one that you do not know by the status of the reply.',
    enum: [...new Set(errorCodes.map((each) => typeOf(errors[each].status)))],
  },
  ErrorResponse: {
    type: 'object',
    description: 'Every error has this shape. Branch on `code`; `message` is for people and may change.',
    required: ['error'],
    examples: [exampleOf('idempotency_key_reused')],
    properties: {
      error: {
        type: 'object',
        description: 'What went wrong.',
        required: ['type', 'code', 'message', 'param', 'doc_url', 'request_id', 'details'],
        properties: {
          type: { $ref: '#/components/schemas/ErrorType' },
          code,
          message: { type: 'string', description: 'For people; never contains internals.' },
          param: {
            type: ['string', 'null'],
            description:
              'The field or header that is at fault, dotted: `installment_pricing.merchant_markup_bps`.',
          },
          doc_url: { type: 'string', description: 'Where this error is explained, an absolute address.' },
          request_id: { type: 'string', description: 'The same as in X-Request-Id: quote it to support.' },
          details: {
            type: 'array',
            description: 'Every field at fault, at most 20.',
            items: {
              type: 'object',
              required: ['param', 'code', 'message'],
              properties: {
                param: { type: 'string', description: 'The field, dotted.' },
                code,
                message: { type: 'string', description: 'What is wrong with it, for people.' },
              },
            },
          },
        },
      },
    },
  },
})
