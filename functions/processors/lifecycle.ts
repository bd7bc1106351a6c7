import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** What begins goes to the active account; one before it stays for what it took, and may come back. */
export const processorCredentialLifecycle = lifecycle({
  resource: 'processor_credentials',
  initial: ['active'],
  moves: {
    supersede: { from: ['active'], to: 'superseded' },
    restore: { from: ['superseded'], to: 'active' },
  },
})
