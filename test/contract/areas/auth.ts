import type { Customer } from '../../support/customer.ts'
import type { AreaSamples } from '../samples.ts'

/** Ten codes are soon used up: the next ten come with a fresh account, see `newWorld`. */
function backupCode(customer: Customer): string {
  const code = customer.backupCodes.shift()
  if (!code) throw new Error('no backup code left: use a customer of your own')
  return code
}

export const samples: AreaSamples = {
  arrange: {
    'step_up.verify_challenge': async ({ customer }, ready) => {
      ready.body = { method: 'backup_code', response: backupCode(customer) }
    },
  },
}
