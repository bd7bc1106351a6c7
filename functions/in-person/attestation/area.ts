import type { Declaration } from '../../../src/http/declaration.ts'
import { phoneAppsMax } from './contract.ts'
import { attestationTriesMax } from './contract-device.ts'
import { errors } from './errors.ts'
import { challengeLifecycle, phoneAppLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  nouns: { apps: 'app' },
  appendOnly: ['phone_attestations'],
  lookedUp: ['phone_apps'],
  secret: { phone_apps: ['decryption_key', 'verification_key'] },
  deadlines: [{ table: 'attestation_challenges', columns: ['expires_at'], while: "status = 'issued'" }],
  lifecycles: [challengeLifecycle, phoneAppLifecycle],
  errors,
  limits: {
    phone_apps: { most: phoneAppsMax, unit: 'count', says: 'Apps of phones that are not removed.' },
    attestation_tries: {
      most: attestationTriesMax,
      unit: 'count',
      says: 'How often a phone tries to be attested within an hour.',
    },
  },
  constraints: {
    attestation_challenges_one: 'stale',
    attestation_settings_one: 'stale',
    phone_apps_one: 'stale',
    phone_apps_limit: { code: 'phone_app_limit_reached' },
    // Another assertion of the same key was first.
    phone_attestations_counter: 'stale',
    phone_attestations_hourly: { code: 'attestation_tried_too_often' },
    tap_sessions_attested: { code: 'phone_not_attested' },
  },
  samples: {
    'phone_apps.set': { other: { app: 'TEAM123456.com.example.other' } },
    'attestation_settings.set': { other: { required: false } },
  },
}
