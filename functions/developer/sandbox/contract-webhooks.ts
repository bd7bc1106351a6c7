import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { uuid } from '../../../src/http/schemas.ts'
import { Delivery, exampleDelivery } from '../webhooks/api-pure.ts'
import { testControl } from './contract-control.ts'

/** How long after the one before it each reordered message follows. */
export const reorderGapMs = 3_000
/** As many as one `delay` holds back. */
export const heldMax = 50

const Deliveries = z
  .strictObject({
    object: z.literal('sandbox_webhook_deliveries'),
    endpoint_id: uuid.describe('The endpoint that is sent to.'),
    deliveries: z
      .array(Delivery)
      .describe('In the order in which they are sent, each at its next_attempt_at'),
  })
  .meta({ id: 'SandboxWebhookDeliveries' })

const control = { ...testControl('webhooks:write'), tables: ['webhook_deliveries'] } as const

const count = z.int().min(1).max(20).default(5).describe('How many of the newest events that it has taken')

const again = {
  ...control,
  body: z.strictObject({ endpoint_id: uuid.describe('The endpoint that is sent to.'), count }),
  reply: { status: 201, schema: Deliveries },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_receiving'],
  example: {
    body: { endpoint_id: exampleDelivery.endpoint_id, count: 1 },
    reply: {
      object: 'sandbox_webhook_deliveries',
      endpoint_id: exampleDelivery.endpoint_id,
      deliveries: [
        {
          ...exampleDelivery,
          origin: 'redelivery',
          status: 'pending',
          attempts_count: 0,
          response_status: null,
          next_attempt_at: '2026-06-13T12:30:00.000Z',
          finished_at: null,
        },
      ],
    },
  },
} as const

export const duplicate = contract({
  ...again,
  id: 'sandbox.webhooks.duplicate',
  path: '/v1/sandbox/webhooks/duplicate',
  summary: 'Let messages come twice',
  description:
    'Sends the newest events that the endpoint has taken once more, at once: each with the webhook-id and the bytes that it had. So it comes in live when your answer gets lost. Your receiver takes each webhook-id once. An endpoint that has taken nothing yet gets nothing.',
})

export const reorder = contract({
  ...again,
  id: 'sandbox.webhooks.reorder',
  path: '/v1/sandbox/webhooks/reorder',
  summary: 'Let messages come in reverse',
  description:
    'Sends the newest events that the endpoint has taken once more, the newest first and each three seconds after the one before: every message overtakes what happened before it. The webhook-id and the bytes are those that they had: let your receiver forget what it has taken, or point a fresh one at it. `sequence` orders them.',
})

export const delay = contract({
  ...control,
  id: 'sandbox.webhooks.delay',
  path: '/v1/sandbox/webhooks/delay',
  summary: 'Let messages come late',
  description: `Holds back what waits for the endpoint now, up to ${heldMax} messages: what was not sent yet and what is to be tried again. Nothing comes sooner than it would have, and nothing that is under way is stopped. They come within a minute after the delay. A healthy endpoint has nothing waiting for long: \`pause\` it, make something happen, delay, \`enable\` it, and what happens then overtakes what is held. Enabling or recovering brings what had been tried already.`,
  body: z.strictObject({
    endpoint_id: uuid.describe('The endpoint that is sent to.'),
    delay: z
      .string()
      .regex(
        /^P(?=.)(\d{1,3}D)?(T(?=.)(\d{1,4}H)?(\d{1,5}M)?)?$/,
        'must be an ISO 8601 duration in days, hours and minutes, such as PT5M or PT2H',
      )
      .describe('An ISO 8601 duration in days, hours and minutes: PT5M, PT2H, P1D; at most a day'),
  }),
  reply: { status: 200, schema: Deliveries },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_receiving'],
  example: {
    body: { endpoint_id: exampleDelivery.endpoint_id, delay: 'PT5M' },
    reply: {
      object: 'sandbox_webhook_deliveries',
      endpoint_id: exampleDelivery.endpoint_id,
      deliveries: [
        {
          ...exampleDelivery,
          status: 'pending',
          attempts_count: 0,
          response_status: null,
          next_attempt_at: '2026-06-13T12:05:05.000Z',
          finished_at: null,
        },
      ],
    },
  },
})
