import type { Declaration } from '../../../src/http/declaration.ts'
import { sweep } from './contract.ts'
import { errors } from './errors.ts'
import { apiKeyLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/api-keys'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 40,
      name: 'API keys',
      description:
        'Credentials of a merchant’s backend. Statuses: `provisioning`, `active`, `rotating` (still works, its successor too), `revoking` (no longer works), `revoked`, `failed`.',
    },
  ],
  nouns: { 'api-keys': 'API key' },
  publishes: [sweep],
  jobs: {
    api_keys: {
      at: 150,
      runs: 'operations.ts#sweepKeys',
      table: 'api_keys',
      due: `d.status = 'revoking'
        or (d.status = 'rotating' and least(d.grace_ends_at, d.expires_at) <= $1)
        or (d.status = 'active' and d.expires_at <= $1)
        or (d.status = 'provisioning' and d.created_at <= $1 - interval '15 minutes')`,
      firstBy: 'updated_at',
    },
  },
  lookedUp: ['api_keys'],
  secret: { api_keys: ['digest'] },
  lifecycles: [apiKeyLifecycle],
  events: {
    api_key: {
      scopes: ['workspace:read'],
      shownBy: 'api_keys.get',
      types: {
        created: 'An API key was created.',
        activated: 'An API key works from now on.',
        failed: 'An API key could not be made ready and never worked.',
        rotated: 'An API key has a successor; it works beside it until its overlap ends.',
        revoking: 'An API key no longer works: it was revoked, or its time ended.',
        revoked: 'An API key is gone from every cache.',
        transfer_limit_set: {
          says: 'The amount above which a key’s transfers wait for approval has changed.',
          shownBy: 'api_keys.set_transfer_limit',
        },
      },
    },
  },
  mails,
  errors,
  constraints: {
    api_keys_one_successor: { code: 'api_key_not_rotatable' },
  },
}
