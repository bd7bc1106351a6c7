import { lifecycle } from '../../src/kernel/lifecycle.ts'

/** `paused` keeps what happens for later; `disabled` does not, and is made up for by a recovery. `deleted` is the end. */
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

/** Claimed in the database under a lease (guards/070_webhooks.sql); what came of it is published. */
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
