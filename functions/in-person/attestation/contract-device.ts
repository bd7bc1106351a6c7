import * as z from 'zod'
import {
  attestationFailures,
  attestationProviders,
  phoneAttestations,
} from '../../../drizzle/schema/devices.ts'
import { contract } from '../../../src/http/contract.ts'
import { timestamp, uuid } from '../../../src/http/schemas.ts'
import { app } from './contract.ts'

/** How long a challenge may be used. */
export const challengeMinutes = 5
/** How often a phone tries within an hour: the schema counts them. */
export const attestationTriesMax = 20
/** How long an attestation stands; the schema holds it too. */
export const attestationDays = 30

const ofPhone = {
  method: 'POST',
  tag: 'Devices',
  access: { device: { kinds: ['phone'] } },
  idempotency: 'none',
  rate: 'write',
} as const
const phone = '0190a6d2-7c3e-7b1a-9f00-000000000062'
const exampleChallenge = '3q2-7wAAAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBk'

export const createChallenge = contract({
  ...ofPhone,
  id: 'device.create_attestation_challenge',
  path: '/v1/device/attestation-challenges',
  tables: ['devices', 'attestation_challenges'],
  summary: 'Ask for a challenge to be attested',
  description:
    'For the calling phone, in its present pairing, once, within five minutes. Each request makes another, and the one before it is good for nothing. App Attest signs the SHA-256 of its text; a classic request of Play Integrity takes it as the nonce.',
  reply: {
    status: 200,
    schema: z
      .strictObject({
        object: z.literal('attestation_challenge'),
        device_id: uuid.describe('The phone that it is for.'),
        challenge: z
          .string()
          .min(16)
          .optional()
          .describe('256 random bits in base64url. Only this reply has it.'),
        expires_at: timestamp.describe('Until when it may be used.'),
      })
      .meta({ id: 'AttestationChallenge' }),
  },
  errors: [],
  example: {
    reply: {
      object: 'attestation_challenge',
      device_id: phone,
      challenge: exampleChallenge,
      expires_at: '2026-06-13T12:05:00.000Z',
    },
  },
})

const failureText =
  'Why not. `wrong_nonce`: of another challenge. `untrusted_chain`, `expired_certificate`: not certified by Apple. `wrong_signature`: not signed by the key, or not by Google for this app. `wrong_key`: the id is not of the key, or the key was not attested since the phone was paired. `wrong_app`: none of your apps. `wrong_certificate`: signed by another certificate. `wrong_counter`: the key has signed before. `wrong_environment`: a build for development, in live. `unrecognized_app`: not as Google Play has it. `unverified_device`: the phone is not as it was made. `too_old`: a token of more than five minutes ago.'

const PhoneAttestation = z
  .strictObject({
    id: uuid,
    object: z.literal('phone_attestation'),
    device_id: uuid.describe('The phone.'),
    status: z.enum(['verified', 'failed']).describe('A failed one leaves the one before as it is.'),
    failure: z.enum(attestationFailures).nullable().describe(failureText),
    provider: z.enum(attestationProviders).describe('Who speaks for the phone.'),
    app: z.string().describe('The app that the phone said.'),
    environment: z
      .enum(phoneAttestations.environment.enumValues)
      .nullable()
      .describe('For what the app was built; null where it failed.'),
    verified_at: timestamp.nullable().describe('When it was verified; null where it failed.'),
    expires_at: timestamp.nullable().describe('Until when it stands; null where it failed.'),
    created_at: timestamp,
  })
  .meta({ id: 'PhoneAttestation' })

const example = {
  id: '0190a6d2-7c3e-7b1a-9f00-00000000006a',
  object: 'phone_attestation',
  device_id: phone,
  status: 'verified',
  failure: null,
  provider: 'sandbox',
  app: 'com.example.pos',
  environment: 'production',
  verified_at: '2026-06-13T12:00:00.000Z',
  expires_at: '2026-07-13T12:00:00.000Z',
  created_at: '2026-06-13T12:00:00.000Z',
} as const

export const attest = contract({
  ...ofPhone,
  id: 'device.attest',
  path: '/v1/device/attestations',
  tables: ['devices', 'attestation_challenges', 'phone_attestations', 'phone_apps'],
  summary: 'Attest the calling phone',
  description:
    'The phone sends what its platform says of it and of its app. Whether that was verified or failed, the reply is 200 and says it; the challenge is used up. Where that reply was lost, the same request is answered with it again. A verified one takes the place of the one before, and stands for 30 days or until the phone is unpaired. `sandbox` is there in the sandbox alone: the phone makes a key of P-256 and signs the text `<challenge>.<app>.<outcome>`.',
  body: z.strictObject({
    provider: z
      .enum(attestationProviders)
      .describe('`app_attest` of Apple, `play_integrity` of Google, or `sandbox`.'),
    challenge: z.string().min(16).max(128).describe('The challenge that the phone was given.'),
    app: app.describe('The app that runs on the phone, by the name that `phone_apps` have.'),
    key: z
      .string()
      .regex(/^[A-Za-z0-9+/_-]{40,90}={0,2}$/, 'must be in base64 or base64url')
      .nullable()
      .default(null)
      .describe(
        'App Attest: the id of the key, in base64. Sandbox: the public key, an uncompressed point of P-256 (65 bytes) in base64url without padding. Play Integrity: null.',
      ),
    statement: z
      .string()
      .min(16)
      .max(20_000)
      .describe(
        'App Attest: the attestation object of a new key, or an assertion by one that this phone attested in its present pairing, in base64. Play Integrity: the token. Sandbox: the signature, 64 bytes of r and s in base64url.',
      ),
    outcome: z
      .enum(['genuine', ...attestationFailures])
      .default('genuine')
      .describe('Sandbox: how it shall end, `genuine` or a failure. The others ignore it.'),
  }),
  reply: { status: 200, schema: PhoneAttestation },
  errors: [
    'attestation_challenge_invalid',
    'attestation_challenge_used',
    'attestation_challenge_expired',
    'attestation_tried_too_often',
    'attestation_provider_unavailable',
  ],
  example: {
    body: {
      provider: 'sandbox',
      challenge: exampleChallenge,
      app: example.app,
      key: 'BIjANKGQqn28WgYVAcZUKAOUJYIZiz8cxUZzyjua0gtBUoJnpU9f26BGn6-0a7aZCjlr8E-UpJ1DIMgcerJAo5g',
      statement: 'MEQCIEnoFP9BHrz1QrLzhjI3dEPJ1gP0pVDYFNEr7HWLx7Oo',
      outcome: 'genuine',
    },
    reply: example,
  },
})
