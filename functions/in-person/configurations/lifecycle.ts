import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** An archived one says nothing to the devices that name it. */
export const configurationLifecycle = lifecycle({
  resource: 'terminal_configurations',
  initial: ['active'],
  moves: { archive: { from: ['active'], to: 'archived' } },
})
