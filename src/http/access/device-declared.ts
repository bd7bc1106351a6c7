import { mintDeviceKey } from '../../kernel/api-key.ts'
import { bearerErrors, type Declaration } from './declaration.ts'
import type { Asked, DeviceCondition } from './kinds.ts'

const device: Declaration<DeviceCondition> = {
  scheme: [
    'device',
    {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'dk_sbx_… or dk_live_…',
      description: 'The credential of a paired device.',
    },
  ],
  says: ({ kinds }) => `Takes the credential of a ${kinds.join(' or ')}.`,
  errors: () => [
    ...bearerErrors,
    'device_credential_invalid',
    'device_credential_rotated_out',
    'device_unpaired',
    'environment_mismatch',
  ],
  samples() {
    const { token } = mintDeviceKey({ environment: 'sandbox' })
    return {
      possible: token,
      impossible: [
        ['dk_sbx_', 'device_credential_invalid'],
        [token.slice(0, -1), 'device_credential_invalid'],
        [mintDeviceKey({ environment: 'live' }).token, 'environment_mismatch'],
      ],
    }
  },
}

const pairing: Declaration<Asked> = {
  scheme: [
    'pairingCode',
    {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'A7K2-9QXM',
      description:
        'The pairing code that a person entered on the device, in any case, with or without the hyphen.',
    },
  ],
  says: () => 'Takes the pairing code that a person entered on the device.',
  errors: () => [...bearerErrors, 'pairing_code_invalid', 'pairing_code_expired', 'pairing_code_locked'],
  samples: () => ({ possible: 'A7K2-9QXM', impossible: [['A7K2-9QX', 'pairing_code_invalid']] }),
}

export const declarations = { device, pairing }
