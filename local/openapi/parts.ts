import { interfaceVersion } from '../../src/http/envelope.ts'
import { ratePolicyHeader } from '../../src/http/stages/rate-limit.ts'
import { nouns } from '../declarations.ts'

const sharedDescriptions: Readonly<Record<string, string>> = {
  limit: 'The most items that a page has.',
  cursor: '`next_cursor` of the page before; send it with the same filters.',
  'created_at.gt': 'Only what was created after this time.',
  'created_at.gte': 'Only what was created at this time or later.',
  'created_at.lt': 'Only what was created before this time.',
  'created_at.lte': 'Only what was created at this time or earlier.',
  'occurred_at.gt': 'Only what happened after this time.',
  'occurred_at.gte': 'Only what happened at this time or later.',
  'occurred_at.lt': 'Only what happened before this time.',
  'occurred_at.lte': 'Only what happened at this time or earlier.',
  status: 'Only what has this status.',
  method: 'Only what was paid, or is to be paid, in this way.',
  currency: 'Only this currency.',
  reason: 'Only what has this reason.',
  type: 'Only events of this type.',
  event_type: 'Only deliveries of events of this type.',
  tenant_id: 'Id of the workspace.',
  payment_id: 'Only what belongs to this payment.',
  endpoint_id: 'Only deliveries to this endpoint.',
  event_id: 'Only deliveries of this event.',
  resource_id: 'Only events of this resource.',
  customer_id: 'Only payments of this customer.',
  origin_type: 'Only payments with an origin of this kind.',
  origin_id: 'Only payments with this origin, for instance the payment link with this id.',
  destination_type: 'Only transfers to a destination of this type.',
  source_type: 'Only movements that this type of resource made.',
  reference: 'The number of the voucher: `method_details.reference` of its payment.',
}

/** What the resource of a path is called: by its last segment before `:id`, with the one before that where areas share it. */
export function nounOf(path: string): string | undefined {
  const [, area = '', last = path.split('/').at(-1)!] = /([^/]*)\/([^/]*)\/:(?:\w+_)?id/.exec(path) ?? []
  return nouns[`${area}/${last}`] ?? nouns[last]
}

/**
 * The description of a parameter whose contract has none, by its name; for `id` by the path segment before it.
 * @throws Error where the name alone is not enough
 */
export function descriptionOf(name: string, path: string): string {
  const noun = name === 'id' ? nounOf(path) : undefined
  const description = noun ? `Id of the ${noun}.` : sharedDescriptions[name]
  if (!description) throw new Error(`The parameter ${name} of ${path} needs a description.`)
  return description
}

/** Headers that operations share. */
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Your own name for this one mutation: 8 to 255 characters, in UTF-8. The same key with the same request has its effect once and is answered with the first reply.',
  schema: { type: 'string', minLength: 8, maxLength: 255 },
  example: 'order-1024-link',
}

export const parameters = {
  IdempotencyKey: { ...idempotencyKey, required: true },
  OptionalIdempotencyKey: { ...idempotencyKey, required: false },
  StepUpToken: {
    name: 'x-sp-step-up-token',
    in: 'header',
    required: true,
    description: 'The `step_up_token` of an answered step-up challenge.',
    schema: { type: 'string', minLength: 32, maxLength: 4096 },
    example: 'iJ0w3mQ9u2b8Xn1kZ7cV5tR4yH6sE0aDpLfGqWoMxUe',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description:
      'The `version` that you mean to change, in double quotes. If it has changed, nothing happens: 412 `version_changed`.',
    schema: { type: 'string', pattern: '^(W/)?"[1-9][0-9]{0,8}"$' },
    example: '"3"',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` that you have read. While it is the same, the answer is 304 without a body.',
    schema: { type: 'string' },
    example: '"3"',
  },
  SpindleVersion: {
    name: 'Spindle-Version',
    in: 'header',
    required: false,
    description: 'The interface version that the request was written for.',
    schema: { type: 'string', enum: [interfaceVersion] },
  },
}

/** Headers of replies. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this request; your own when you sent a sensible one.',
    schema: { type: 'string' },
    example: 'req_7d0f2c1e9b3a4d5f8a6b7c8d9e0f1a2b',
  },
  'Spindle-Version': {
    description: 'The interface version of this reply.',
    schema: { type: 'string' },
    example: interfaceVersion,
  },
  ETag: {
    description: 'The `version` of the resource, as If-Match takes it.',
    schema: { type: 'string' },
    example: '"3"',
  },
  Location: {
    description: 'Where what was created is read.',
    schema: { type: 'string' },
    example: '/v1/payment-links/0190a6d2-7c3e-7b1a-9f00-000000000003',
  },
  'RateLimit-Policy': {
    description: 'The limit that applies: requests `q` per `w` seconds.',
    schema: { type: 'string' },
    example: ratePolicyHeader('write'),
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the reply that the Idempotency-Key got before; absent otherwise.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 60 },
  RateLimit: {
    description: 'What is left of the limit (`r`) and for how many seconds (`t`).',
    schema: { type: 'string' },
    example: '"read";r=0;t=60',
  },
  'WWW-Authenticate': {
    description: 'The scheme of credentials.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
}
