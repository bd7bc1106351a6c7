import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** `return`: its bank sent back the deposit that had verified it. */
export const bankAccountLifecycle = lifecycle({
  resource: 'bank_accounts',
  initial: ['pending_verification'],
  moves: {
    verify: { from: ['pending_verification'], to: 'verified' },
    reject: { from: ['pending_verification'], to: 'rejected' },
    return: { from: ['verified'], to: 'rejected' },
    disable: { from: ['pending_verification', 'verified'], to: 'disabled' },
  },
})
