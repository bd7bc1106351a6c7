import { newLink } from '../../support/merchant.ts'
import { withKey } from '../listing.ts'
import type { AreaSamples } from '../samples.ts'

export const samples: AreaSamples = {
  lists: {
    'audit_events.list': withKey('/v1/workspace/audit-events', ({ merchant }) => newLink(merchant)),
  },
}
