import type { Declaration } from '../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { processorCredentialLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  neighbours: ['payments'],
  lookedUp: ['processor_credentials'],
  secret: { processor_credentials: ['secret_key', 'webhook_secret'] },
  lifecycles: [processorCredentialLifecycle],
  events: {
    processor_credential: {
      scopes: ['workspace:read'],
      shownBy: 'processor_credentials.update',
      types: {
        superseded: 'Another account of yours became the active one; this one serves what it took.',
        updated: 'The keys of your own account at a processor were set.',
      },
    },
  },
  errors,
  constraints: {
    processor_credentials_one: 'stale',
    processor_credentials_account: 'stale',
  },
  samples: {
    'processor_credentials.update': { other: { publishable_key: 'pk_test_of-another-account' } },
  },
}
