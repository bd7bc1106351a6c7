import { newBankAccount } from '../../support/bank-accounts.ts'
import { adminSql } from '../../support/stack.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  prepare: {
    // In live a workspace begins like this.
    'workspace.go_live': async ({ merchant, customer }) => {
      await adminSql('sandbox')(
        `update tenants set status = 'pending', support_phone = '+525512345678', fiscal_profile =
           '{"rfc":"EKU9003173C9","legal_name":"KEMPER","tax_regime":"601","postal_code":"42501"}' where tenant_id = $1`,
        [merchant.tenantId],
      )
      await newBankAccount(merchant)
      await adminSql('identity')('update users set email_verified = true where id = $1', [customer.userId])
    },
  },
}
