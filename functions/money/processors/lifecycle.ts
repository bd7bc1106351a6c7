import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** New payments go to the active account; an earlier one serves what it took, and may become active again. */
export const processorCredentialLifecycle = lifecycle({
  resource: 'processor_credentials',
  initial: ['active'],
  moves: {
    supersede: { from: ['active'], to: 'superseded' },
    restore: { from: ['superseded'], to: 'active' },
  },
})
