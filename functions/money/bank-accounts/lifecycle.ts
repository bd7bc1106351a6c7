import { lifecycle } from '../../../src/kernel/lifecycle.ts'

export const bankAccountLifecycle = lifecycle({
  resource: 'bank_accounts',
  initial: ['pending_verification'],
  moves: {
    verify: { from: ['pending_verification'], to: 'verified' },
    reject: { from: ['pending_verification'], to: 'rejected' },
    disable: { from: ['pending_verification', 'verified'], to: 'disabled' },
  },
})
