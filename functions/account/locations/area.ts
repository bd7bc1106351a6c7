import type { Declaration } from '../../../src/http/declaration.ts'
import { errors } from './errors.ts'
import { locationLifecycle } from './lifecycle.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/workspace/locations'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 45,
      name: 'Locations',
      description:
        'The places where your business sells. What is `archived` stays readable and can be restored; active ones have different names.',
    },
  ],
  nouns: { locations: 'location' },
  lifecycles: [locationLifecycle],
  events: {
    location: {
      scopes: ['workspace:read'],
      shownBy: 'locations.get',
      types: {
        created: { says: 'A location was created.', trigger: 'locations.create' },
        updated: { says: 'A location was changed.', trigger: 'locations.update' },
        archived: { says: 'A location was archived.', trigger: 'locations.archive' },
        restored: { says: 'An archived location was restored.', trigger: 'locations.restore' },
      },
    },
  },
  errors,
  constraints: { locations_name: { code: 'location_name_taken', param: 'name' } },
  samples: {
    'locations.create': { unique: ['name'] },
    'locations.update': { other: { name: 'Another' } },
    'locations.restore': { after: ['locations.archive'] },
  },
}
