import * as z from 'zod'
import type { Declaration } from '../../../src/http/declaration.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { conditionsMax } from './contract.ts'
import { errors } from './errors.ts'
import { segmentLifecycle } from './lifecycle.ts'
import { pinsMax } from './plan.ts'

export const area: Declaration = {
  routes: [
    {
      at: ['/v1/customer-hub/segments', '/v1/customer-hub/segment-previews'],
      by: 'operations.ts#operations',
    },
  ],
  tags: [
    {
      at: 49,
      name: 'Segments',
      description:
        'Customers that a rule finds: by their fields, their payments and their consents. Who belongs is computed when it is read; single customers can be pinned in or out.',
    },
  ],
  nouns: { segments: 'segment' },
  lifecycles: [segmentLifecycle],
  events: {
    segment: {
      scopes: ['customer_hub.segments:read'],
      shownBy: 'segments.get',
      types: {
        created: { says: 'A segment was created.', trigger: 'segments.create' },
        updated: { says: 'A segment was changed.', trigger: 'segments.update' },
        deleted: { says: 'A segment was deleted.', trigger: 'segments.delete' },
        pinned: {
          says: 'A customer was pinned in or out, or no longer is.',
          adds: {
            fields: {
              customer_id: uuid.describe('The customer.'),
              pinned: z.enum(['in', 'out', 'none']).describe('Whether the customer is pinned in or out.'),
            },
            example: { customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000051', pinned: 'in' },
          },
        },
      },
    },
  },
  errors,
  limits: {
    segment_conditions: { most: conditionsMax, unit: 'count', says: 'The conditions of a segment.' },
    segment_pins: {
      most: pinsMax,
      unit: 'count',
      says: 'The customers who are pinned into a segment or out of it.',
    },
  },
  constraints: { segment_pins_one: 'stale' },
  samples: {
    'segments.update': { other: { name: 'Another' } },
    'segments.pin': { other: { pinned: 'out' } },
  },
}
