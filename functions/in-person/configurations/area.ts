import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { configurationLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  nouns: { configurations: 'configuration' },
  lifecycles: [configurationLifecycle],
  personalData: { terminal_configurations: { columns: [], impersonal: 'name tips languages' } },
  events: {
    terminal_configuration: {
      scopes: ['terminal:read'],
      shownBy: 'terminal_configurations.get',
      types: {
        created: {
          says: 'A configuration of devices was created.',
          trigger: 'terminal_configurations.create',
        },
        updated: {
          says: 'A configuration of devices was changed.',
          trigger: 'terminal_configurations.update',
        },
        archived: {
          says: 'A configuration of devices was archived.',
          trigger: 'terminal_configurations.archive',
        },
      },
    },
  },
  errors,
  constraints: {
    terminal_configurations_name: { code: 'terminal_configuration_name_taken', param: 'name' },
    terminal_configuration_active: {
      code: 'terminal_configuration_archived',
      param: 'terminal_configuration_id',
    },
    devices_terminal_configuration: {
      code: 'terminal_configuration_not_found',
      param: 'terminal_configuration_id',
    },
    locations_terminal_configuration: {
      code: 'terminal_configuration_not_found',
      param: 'terminal_configuration_id',
    },
  },
  samples: {
    'terminal_configurations.create': { unique: ['name'] },
    'terminal_configurations.update': { other: { name: 'Another' } },
  },
}
