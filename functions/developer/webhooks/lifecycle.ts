import { lifecycle } from '../../../src/kernel/lifecycle.ts'

/** `paused` queues events; `disabled` does not, and a recovery makes up for them. `deleted` is final. */
export const endpointLifecycle = lifecycle({
  resource: 'webhook_endpoints',
  initial: ['enabled'],
  moves: {
    degrade: { from: ['enabled'], to: 'degraded' },
    heal: { from: ['degraded'], to: 'enabled' },
    enable: { from: ['paused', 'disabled'], to: 'enabled' },
    pause: { from: ['enabled', 'degraded'], to: 'paused' },
    disable: { from: ['enabled', 'degraded', 'paused'], to: 'disabled' },
    delete: { from: ['enabled', 'degraded', 'paused', 'disabled'], to: 'deleted' },
  },
})

/** The database claims under a lease (guards/070_webhooks.sql); the Worker publishes the result. */
export const deliveryLifecycle = lifecycle({
  resource: 'webhook_deliveries',
  initial: ['pending'],
  moves: {
    claim: { from: ['pending', 'retrying'], to: 'in_flight' },
    succeed: { from: ['in_flight'], to: 'succeeded' },
    retry: { from: ['in_flight'], to: 'retrying' },
    exhaust: { from: ['in_flight'], to: 'exhausted' },
    cancel: { from: ['pending', 'in_flight', 'retrying'], to: 'canceled' },
  },
})

export const recoveryLifecycle = lifecycle({
  resource: 'webhook_recoveries',
  initial: ['running'],
  moves: { finish: { from: ['running'], to: 'completed' } },
})
