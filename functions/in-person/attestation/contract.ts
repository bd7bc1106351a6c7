import * as z from 'zod'
import { phoneApps } from '../../../drizzle/schema/phone-apps.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { paged, tenantId, textOf, timestamp, uuid } from '../../../src/http/schemas.ts'

export const tag = 'Tap to Pay'

/** Apps of a workspace that count: the schema counts them. */
export const phoneAppsMax = 20

const iosForm = /^[A-Z0-9]{10}[.][A-Za-z0-9.-]+$/
const androidForm = /^[A-Za-z][A-Za-z0-9_]*(?:[.][A-Za-z][A-Za-z0-9_]*)+$/

const platform = z.enum(phoneApps.platform.enumValues).describe('For which phones it is.')
export const app = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a team and a bundle between a dot, or a package')
const appText = 'iOS: team id and bundle id, `TEAM123456.com.example.pos`. Android: the name of the package.'
const digest = textOf(/^[0-9a-f]{64}$/, 'must be 64 lowercase hexadecimal digits')
const base64Key = z
  .string()
  .max(400)
  .regex(/^[A-Za-z0-9+/]{40,}={0,2}$/, 'must be a key in base64')

const PhoneApp = z
  .strictObject({
    id: uuid,
    object: z.literal('phone_app'),
    status: z
      .enum(phoneApps.status.enumValues)
      .describe('Phones are attested with an `active` one; a removed one stays to be read.'),
    platform,
    app: z.string().describe(appText),
    certificate_digests: z
      .array(z.string())
      .describe('Of Android: SHA-256 of the certificates that sign it, in hexadecimal.'),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'PhoneApp' })

const exampleApp = {
  id: '0190a6d2-7c3e-7b1a-9f00-000000000069',
  object: 'phone_app',
  status: 'active',
  platform: 'ios',
  app: 'TEAM123456.com.example.pos',
  certificate_digests: [],
  version: 1,
  created_at: '2026-06-13T12:00:00.000Z',
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const path = '/v1/tap-to-pay/apps'
const deciding = { ...decides, tag, errors: ['workspace_not_found', 'insufficient_role'] } as const

export const setApp = contract({
  ...deciding,
  id: 'phone_apps.set',
  path,
  summary: 'Set an app of your phones',
  description:
    'Phones prove that they run one of these. An app that is there already gets the new digests and keys, and what it has attested of Android ends. Android needs the two keys of Play Integrity that the Play Console shows once you manage the encryption of its responses yourself; they are encrypted at rest and never shown again. The step-up proof has the action `phone_app.set` and the scope `workspace:write`; its params_hash is over {platform, app, certificate_digests, decryption_key, verification_key}, with [] and null where they are absent.',
  access: { session: { role: 'admin', stepUp: { action: 'phone_app.set', scope: 'workspace:write' } } },
  tables: ['phone_apps'],
  body: z
    .strictObject({
      tenant_id: tenantId,
      platform,
      app: app.describe(appText),
      certificate_digests: z
        .array(digest)
        .max(10)
        .default([])
        .describe(
          'Android: SHA-256 of the certificates that sign it, as the Play Console shows them, without colons.',
        ),
      decryption_key: base64Key
        .nullable()
        .default(null)
        .describe('Android: the decryption key of Play Integrity, in base64; never shown again.'),
      verification_key: base64Key
        .nullable()
        .default(null)
        .describe('Android: the verification key of Play Integrity, in base64; never shown again.'),
    })
    .superRefine((said, context) => {
      const isAndroid = said.platform === 'android'
      const wrong = (at: keyof typeof said, message: string) =>
        context.addIssue({ code: 'custom', path: [at], message })
      if (!(isAndroid ? androidForm : iosForm).test(said.app))
        wrong('app', isAndroid ? 'must be a package' : 'must be a team and a bundle between a dot')
      if (isAndroid !== said.certificate_digests.length > 0)
        wrong('certificate_digests', isAndroid ? 'must name one at least' : 'must be empty for iOS')
      for (const key of ['decryption_key', 'verification_key'] as const)
        if (isAndroid !== (said[key] !== null))
          wrong(key, isAndroid ? 'must be set for Android' : 'must be absent for iOS')
    }),
  reply: { status: 200, schema: PhoneApp },
  errors: [...deciding.errors, 'phone_app_limit_reached'],
  example: {
    body: { tenant_id: 'tn_demo', platform: 'ios', app: exampleApp.app },
    reply: exampleApp,
  },
})

export const listApps = contract({
  ...reads,
  tag,
  access: { api_key: { scopes: ['tap_to_pay:read'] } },
  id: 'phone_apps.list',
  path,
  summary: 'List the apps of your phones',
  ...paged(PhoneApp, exampleApp),
})

export const removeApp = contract({
  ...deciding,
  params: z.strictObject({ id: uuid }),
  notFound: 'phone_app_not_found',
  id: 'phone_apps.remove',
  path: `${path}/:id/remove`,
  summary: 'Remove an app of your phones',
  description:
    'No phone is attested with it any more, and what it has attested ends. The step-up proof has the action `phone_app.remove` and the scope `workspace:write`; its params_hash is over {phone_app_id}.',
  access: { session: { role: 'admin', stepUp: { action: 'phone_app.remove', scope: 'workspace:write' } } },
  tables: ['phone_apps'],
  body: z.strictObject({ tenant_id: tenantId }),
  reply: { status: 200, schema: PhoneApp },
  errors: [...deciding.errors, 'phone_app_not_found', 'phone_app_removed'],
  example: {
    body: { tenant_id: 'tn_demo' },
    reply: { ...exampleApp, status: 'removed', version: 2 },
  },
})

const isRequired = z
  .boolean()
  .describe('Whether a phone opens a session of Tap to Pay only while its attestation is valid.')

const Settings = z
  .strictObject({
    object: z.literal('attestation_settings'),
    required: isRequired,
    updated_at: timestamp.nullable().describe('When they were set; null before.'),
  })
  .meta({ id: 'AttestationSettings' })

const exampleSettings = {
  object: 'attestation_settings',
  required: true,
  updated_at: '2026-06-13T12:00:00.000Z',
} as const

const settingsPath = '/v1/tap-to-pay/attestation-settings'

export const getSettings = contract({
  ...reads,
  tag,
  access: { api_key: { scopes: ['tap_to_pay:read'] } },
  id: 'attestation_settings.get',
  path: settingsPath,
  summary: 'Get whether phones must be attested',
  reply: { status: 200, schema: Settings },
  errors: [],
  example: { reply: exampleSettings },
})

export const setSettings = contract({
  ...deciding,
  method: 'PUT',
  id: 'attestation_settings.set',
  path: settingsPath,
  summary: 'Set whether phones must be attested',
  description:
    'From the next session on; one that is open goes on. The step-up proof has the action `attestation_settings.set` and the scope `workspace:write`; its params_hash is over {required}.',
  access: {
    session: { role: 'admin', stepUp: { action: 'attestation_settings.set', scope: 'workspace:write' } },
  },
  tables: ['attestation_settings'],
  body: z.strictObject({ tenant_id: tenantId, required: isRequired }),
  reply: { status: 200, schema: Settings },
  example: { body: { tenant_id: 'tn_demo', required: true }, reply: exampleSettings },
})
