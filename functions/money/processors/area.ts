import type { Declaration } from '../../../src/http/declaration.ts'
import { outcome } from './contract.ts'
import { errors } from './errors.ts'
import { processorCredentialLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/payment-operations/processor-credentials'], by: 'operations.ts#operations' }],
  publishes: [outcome],
  jobs: {
    processor_credentials: {
      at: 215,
      runs: 'check.ts#checkAccounts',
      table: 'processor_credentials',
    },
    environment_accounts: {
      at: 216,
      runs: 'check.ts#checkOwnAccount',
      due: 'exists (select from public.environment_accounts d where d.next_check_at <= $1)',
    },
  },
  deadlines: [{ table: 'processor_credentials', columns: ['next_check_at'] }],
  lookedUp: ['processor_credentials'],
  secret: { processor_credentials: ['secret_key', 'webhook_secret'] },
  lifecycles: [processorCredentialLifecycle],
  events: {
    processor_credential: {
      scopes: ['workspace:read'],
      shownBy: 'processor_credentials.update',
      types: {
        superseded: 'Another account of yours became the active one; this one serves what it took.',
        updated: 'The keys of your own account at a processor were set, or what it may take has changed.',
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
