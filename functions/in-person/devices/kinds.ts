import { deviceKinds } from '../../../drizzle/schema/devices.ts'

export type DeviceKind = (typeof deviceKinds)[number]

/** Where the devices of each kind stand in the interface. */
export const kinds = {
  reader: { path: '/v1/terminal/readers', scope: 'terminal', tag: 'Terminal' },
  phone: { path: '/v1/tap-to-pay/devices', scope: 'tap_to_pay', tag: 'Tap to Pay' },
  register: {
    path: '/v1/physical-checkout/registers',
    scope: 'physical_checkout',
    tag: 'Physical Checkout',
  },
} as const satisfies Readonly<Record<DeviceKind, object>>

export { deviceKinds }
