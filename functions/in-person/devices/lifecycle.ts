import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** A device that is enabled again, or was unpaired, needs a new pairing code. */
export const deviceLifecycle = lifecycle({
  resource: 'devices',
  initial: ['unpaired'],
  moves: {
    pair: { from: ['unpaired'], to: 'paired' },
    unpair: { from: ['paired'], to: 'unpaired' },
    disable: { from: ['unpaired', 'paired'], to: 'disabled' },
    enable: { from: ['disabled'], to: 'unpaired' },
  },
})

export const pairingCodeLifecycle = lifecycle({
  resource: 'device_pairing_codes',
  initial: ['active'],
  moves: {
    use: { from: ['active'], to: 'used' },
    replace: { from: ['active'], to: 'replaced' },
    expire: { from: ['active'], to: 'expired' },
  },
})
