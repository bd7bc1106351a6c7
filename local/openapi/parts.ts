import { interfaceVersion } from '../../src/http/envelope.ts'

/** The two kinds of bearer. */
export const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'sk_sbx_… or sk_live_…',
    description: 'An API key of the environment whose base address is called.',
  },
  customerSession: {
    type: 'http',
    scheme: 'bearer',
    description: 'The `token` of a sign-in. It ends after 12 hours. An API key is refused here.',
  },
}

/** Headers that operations share. */
export const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Your own name for this one mutation, printable ASCII. The same key with the same request has its effect once and is answered with the first reply.',
    schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[\\x20-\\x7e]{8,255}$' },
    example: 'order-1024-link',
  },
  StepUpToken: {
    name: 'x-sp-step-up-token',
    in: 'header',
    required: true,
    description: 'The `step_up_token` of an answered step-up challenge.',
    schema: { type: 'string', minLength: 32, maxLength: 4096 },
    example: 'iJ0w3mQ9u2b8Xn1kZ7cV5tR4yH6sE0aDpLfGqWoMxUe',
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
