import * as z from 'zod'
import type { Declaration } from '../../../src/http/declaration.ts'
import { record, recoverySteps } from './contract.ts'
import { errors } from './errors.ts'
import { deliveryLifecycle, endpointLifecycle, recoveryLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'
import { endpointsMax } from './plan.ts'

export const area: Declaration = {
  routes: [{ at: ['/v1/webhooks'], by: 'operations.ts#operations' }],
  tags: [
    {
      at: 120,
      name: 'Webhooks',
      description:
        'Everything that happens is an event, and is sent to your endpoints: signed as [Standard Webhooks](https://www.standardwebhooks.com) has it, at least once, in no guaranteed order. `webhook-id` is the event’s id: take each once. `sequence` orders the events of one resource. Answer 2xx within 10 seconds; anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, later where you send `Retry-After`. Redirects are not followed, 410 disables the endpoint, and so do five days without a success.',
    },
  ],
  nouns: { deliveries: 'delivery', endpoints: 'endpoint', events: 'event', recoveries: 'recovery' },
  publishes: [record, recoverySteps],
  jobs: {
    webhook_recoveries: {
      at: 160,
      runs: 'dispatcher.ts#continueRecoveries',
      table: 'webhook_recoveries',
      // One step a run: a step sets updated_at to the time of its run.
      due: `d.status = 'running' and d.updated_at < $1`,
      firstBy: 'updated_at',
    },
    webhook_history: {
      at: 170,
      runs: 'retention.ts#forgetDeliveries',
      // The shortest retention that the database allows.
      due: `exists (select from public.webhook_deliveries d where d.finished_at < now() - interval '31 days')
        or exists (select from public.webhook_recoveries d where d.status = 'completed'
          and d.updated_at < now() - interval '31 days')
        or exists (select from public.webhook_secrets d where d.expires_at < now() - interval '1 day')`,
    },
    webhooks: {
      at: 1000, // last: it waits for receivers
      runs: 'dispatcher.ts#sweepWebhooks',
      due: 'exists (select from public.webhook_deliveries d where d.next_attempt_at is not null)',
    },
  },
  appendOnly: ['webhook_attempts'],
  personalData: {
    webhook_attempts: {
      whose: `t.delivery_id in (select d.id from public.events e
        join public.webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
        where e.tenant_id = p_tenant and e.resource_type = 'customer' and e.resource_id = any (p_customers))`,
      while: 't.response_body is not null',
      erasure: { set: 'response_body = null' },
      columns: [
        {
          names: ['response_body'],
          fate: 'emptied',
          why: 'an endpoint may repeat in its answer what it was sent',
          withheld: 'what another system answered',
        },
      ],
    },
  },
  lookedUp: [
    'events',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoints',
    'webhook_recoveries',
    'webhook_secrets',
  ],
  secret: { webhook_secrets: ['ciphertext'] },
  lifecycles: [deliveryLifecycle, endpointLifecycle, recoveryLifecycle],
  events: {
    webhook_endpoint: {
      scopes: ['webhooks:read'],
      shownBy: 'webhooks.get_endpoint',
      types: {
        created: 'A webhook endpoint was created.',
        updated: 'A webhook endpoint was changed.',
        enabled: 'A webhook endpoint receives again.',
        paused: 'A webhook endpoint was paused: what happens waits for it.',
        degraded: 'A webhook endpoint has failed for twelve hours.',
        disabled: 'A webhook endpoint was disabled; disabled_reason says why.',
        secret_rotated: 'A webhook endpoint has a new secret.',
        deleted: {
          says: 'A webhook endpoint was deleted.',
          adds: {
            fields: {
              status: z.literal('deleted').describe('Only this event has it; no operation shows it.'),
            },
            example: { status: 'deleted' },
          },
        },
        test: 'A test that you asked for; goes to the endpoint that it is about and to no other.',
      },
    },
  },
  mails,
  errors,
  limits: {
    webhook_endpoints: { most: endpointsMax, unit: 'count', says: 'The webhook endpoints of a workspace.' },
  },
  constraints: {
    webhook_endpoints_limit: { code: 'webhook_endpoint_limit_reached' },
  },
  samples: {
    'webhooks.enable_endpoint': { after: ['webhooks.pause_endpoint'] },
  },
}
