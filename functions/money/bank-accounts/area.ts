import type { Declaration } from '../../../src/http/declaration.ts'
import { outcome, review } from './contract.ts'
import { errors } from './errors.ts'
import { bankAccountLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

const byCustomer = 'a customer does that, signed in and with a step-up proof'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace/bank-accounts'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 46,
      name: 'Bank accounts',
      description:
        'The accounts of your business. `pending_verification` becomes `verified` or `rejected`, and may be `disabled`. An API key reads them by their last four digits and changes none: that takes a signed-in admin with a step-up proof.',
    },
  ],
  nouns: { 'bank-accounts': 'bank account' },
  publishes: [outcome, review],
  jobs: { bank_accounts: { at: 45, runs: 'verification.ts#resolveBankAccounts', table: 'bank_accounts' } },
  lookedUp: ['bank_accounts'],
  deadlines: [{ table: 'bank_accounts', columns: ['next_check_at', 'cool_down_ends_at'] }],
  lifecycles: [bankAccountLifecycle],
  events: {
    bank_account: {
      scopes: ['workspace:read'],
      shownBy: 'bank_accounts.get',
      leaveOut: ['holder'],
      types: {
        created: {
          says: 'A bank account was added. If it was not you, disable it.',
          unmade: byCustomer,
        },
        verified: { says: 'A bank account was verified.', unmade: byCustomer },
        rejected: {
          says: 'A bank account was not verified, or its deposit was returned; `rejection_code` says why.',
          unmade: byCustomer,
        },
        disabled: { says: 'A bank account was disabled.', unmade: byCustomer },
      },
    },
  },
  mails,
  errors,
  constraints: { bank_accounts_live: { code: 'bank_account_exists', param: 'clabe' } },
  samples: { 'bank_accounts.create': { other: { holder: 'Otra Escuela' } } },
}
