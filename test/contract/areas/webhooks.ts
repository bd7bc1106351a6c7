import { randomUUID } from 'node:crypto'
import { newLink } from '../../support/merchant.ts'
import { newEndpoint } from '../../support/receiver.ts'
import { once, withKey } from '../listing.ts'
import { anHourAgo, delivery, endpoint, event, recovery } from '../resources.ts'
import type { AreaSamples, World } from '../samples.ts'

const oneEndpoint = (world: World) =>
  once(world, 'endpoint', () => newEndpoint(world.merchant, 'http://127.0.0.1:9/hook'))

export const samples: AreaSamples = {
  makers: {
    '/v1/webhooks/endpoints/': endpoint,
    '/v1/webhooks/deliveries/': delivery,
    '/v1/webhooks/events/': event,
    '/v1/webhooks/recoveries/': recovery,
  },
  arrange: {
    'webhooks.recover': async (_world, ready) => {
      ready.body = { since: anHourAgo() }
    },
  },
  lists: {
    'webhooks.list_events': withKey('/v1/webhooks/events', ({ merchant }) => newLink(merchant)),
    'webhooks.list_endpoints': withKey('/v1/webhooks/endpoints', ({ merchant }) =>
      newEndpoint(merchant, `http://127.0.0.1:9/${randomUUID()}`),
    ),
    'webhooks.list_deliveries': withKey('/v1/webhooks/deliveries', async (world) => {
      await oneEndpoint(world)
      await newLink(world.merchant)
    }),
  },
}
