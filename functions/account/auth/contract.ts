import * as z from 'zod'
import { environments } from '../../../drizzle/schema/columns.ts'
import { factorMethods, stepUpChallenges } from '../../../drizzle/schema/step-up.ts'
import { contract } from '../../../src/http/contract.ts'
import { idempotencyKey, tenantId, timestamp, uuid } from '../../../src/http/schemas.ts'

const Challenge = z
  .strictObject({
    id: uuid,
    object: z.literal('step_up_challenge'),
    status: z
      .enum(stepUpChallenges.status.enumValues)
      .describe(
        '`verified` until its proof is used, then `consumed`. `failed` after too many wrong answers.',
      ),
    action: z.enum(stepUpChallenges.action.enumValues).describe('What is to be done with the proof.'),
    scope: z.enum(stepUpChallenges.scope.enumValues).describe('The scope of that action.'),
    tenant_id: tenantId,
    tenant_environment: z.enum(environments).describe('The environment that it is to be done in.'),
    methods: z
      .array(z.enum(factorMethods))
      .describe('Second factors that this account can answer with, the best first'),
    webauthn_options: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('For navigator.credentials.get, when a passkey is enrolled'),
    expires_at: timestamp.describe('Expires at this time.'),
    created_at: timestamp,
  })
  .meta({ id: 'StepUpChallenge' })

const exampleChallenge = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000007',
  object: 'step_up_challenge',
  status: 'pending',
  action: 'api_key.create',
  scope: 'api_keys:write',
  tenant_id: 'tn_demo',
  tenant_environment: 'sandbox',
  methods: ['totp', 'backup_code'],
  webauthn_options: null,
  expires_at: '2026-06-13T12:05:00.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
} as const

export const createChallenge = contract({
  id: 'step_up.create_challenge',
  method: 'POST',
  path: '/v1/auth/step-up/challenges',
  location: '/v1/auth/step-up/challenges/:id',
  tag: 'Step-up',
  summary: 'Begin a step-up',
  description:
    'Names the mutation that is to be proven: its action, workspace, environment, Idempotency-Key and params_hash. Answer the challenge within 5 minutes with a second factor.',
  access: { session: { role: 'member' } },
  tables: ['step_up_challenges'],
  idempotency: 'none',
  rate: 'auth',
  body: z.strictObject({
    action: z.enum(stepUpChallenges.action.enumValues).describe('What is to be done with the proof.'),
    scope: z.enum(stepUpChallenges.scope.enumValues).describe('The scope of that action.'),
    tenant_id: tenantId,
    tenant_environment: z.enum(environments).describe('The environment that it is to be done in.'),
    idempotency_key: idempotencyKey.describe('The Idempotency-Key that the operation will be called with.'),
    params_hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a lowercase SHA-256')
      .describe('The SHA-256 of what is to be done, as the operation says.'),
    method: z
      .enum(factorMethods)
      .optional()
      .describe('The second factor that will answer; any that is enrolled when absent.'),
  }),
  reply: { status: 201, schema: Challenge },
  errors: ['workspace_not_found', 'tenant_environment_mismatch', 'step_up_method_unavailable'],
  example: {
    body: {
      action: 'api_key.create',
      scope: 'api_keys:write',
      tenant_id: 'tn_demo',
      tenant_environment: 'sandbox',
      idempotency_key: 'create-storefront-key',
      params_hash: 'c807457de80bfe13f0bb60d71575dfb9fbe1e801827ffc6917250cff02185a55',
    },
    reply: exampleChallenge,
  },
})

const ofChallenge = {
  params: z.strictObject({ id: uuid }),
  notFound: 'step_up_challenge_not_found',
  access: { challenge: {} },
  tag: 'Step-up',
  idempotency: 'none',
} as const

export const getChallenge = contract({
  ...ofChallenge,
  id: 'step_up.get_challenge',
  method: 'GET',
  path: '/v1/auth/step-up/challenges/:id',
  summary: 'Get a step-up challenge',
  tables: [],
  rate: 'read',
  reply: { status: 200, schema: Challenge },
  errors: ['step_up_challenge_not_found'],
  example: { reply: exampleChallenge },
})

export const verifyChallenge = contract({
  ...ofChallenge,
  id: 'step_up.verify_challenge',
  method: 'POST',
  path: '/v1/auth/step-up/challenges/:id/verify',
  summary: 'Answer a step-up challenge',
  description:
    'With `totp` the response is the six digits, with `backup_code` the code, with `webauthn` the credential of navigator.credentials.get as JSON. The token goes into x-sp-step-up-token of the mutation, once, within 5 minutes, from the same session.',
  tables: ['step_up_challenges'],
  rate: 'auth',
  body: z.strictObject({
    method: z.enum(factorMethods).describe('The second factor that answers.'),
    response: z
      .union([z.string().min(1).max(64), z.record(z.string(), z.unknown())])
      .describe('The code, or what navigator.credentials.get answered.'),
  }),
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('step_up_proof'),
        step_up_token: z
          .string()
          .min(32)
          .max(4096)
          .describe('The proof, for `x-sp-step-up-token`. It works once.'),
        expires_at: timestamp.describe('Expires at this time.'),
      })
      .meta({ id: 'StepUpProof' }),
  },
  errors: [
    'step_up_challenge_not_found',
    'step_up_challenge_over',
    'step_up_method_unavailable',
    'step_up_response_wrong',
    'step_up_code_already_used',
    'step_up_locked',
    'step_up_session_mismatch',
  ],
  example: {
    body: { method: 'totp', response: '123456' },
    reply: {
      object: 'step_up_proof',
      step_up_token: 'iJ0w3mQ9u2b8Xn1kZ7cV5tR4yH6sE0aDpLfGqWoMxUe',
      expires_at: '2026-06-13T12:06:00.000Z',
    },
  },
})
