import { newBankAccount } from '../../support/bank-accounts.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  makers: { '/v1/workspace/bank-accounts/': async ({ merchant }) => (await newBankAccount(merchant)).id },
  lists: {
    'bank_accounts.list': withKey('/v1/workspace/bank-accounts', ({ merchant }) => newBankAccount(merchant)),
  },
}
