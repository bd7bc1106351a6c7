import * as z from 'zod'
import { contract } from '../../../src/http/contract.ts'
import { freeText, paged, timestamp, uuid } from '../../../src/http/schemas.ts'
import { reading } from './contract.ts'

const TimelineEvent = z
  .strictObject({
    id: uuid.describe('Of our own events, the id of the event.'),
    object: z.literal('timeline_event'),
    customer_id: uuid.describe('Whom it happened to: this customer, or one that became part of it.'),
    type: z.string().describe('What happened: `payment.succeeded`.'),
    source: z.string().describe('Where it is known from: `spindle`, or a source that you synchronise.'),
    resource: z
      .strictObject({
        type: z.string().describe('The type of the resource: `payment`.'),
        id: z.string().describe('Its id, as its source has it.'),
      })
      .describe('The resource that the event is about.'),
    summary: z
      .strictObject({
        status: z.string().optional().describe('The status that it had then.'),
        amount: z.string().optional().describe('Its amount in minor units.'),
        currency: z.string().optional().describe('The currency of the amount.'),
      })
      .describe('The resource as it was then, in short. Get the resource for the rest.'),
    occurred_at: timestamp.describe('When it happened, by the source’s clock.'),
    received_at: timestamp.describe('When we learned of it.'),
  })
  .meta({ id: 'TimelineEvent' })

export const listTimeline = contract({
  ...reading,
  id: 'customers.list_timeline',
  path: '/v1/customer-hub/customers/:customer_id/timeline',
  summary: 'List timeline events of a customer',
  description:
    'All that happened to a customer in every area, newest first, at once with the change. What a source brings later appears where it belongs by its time; pages that you have seen do not change for it.',
  params: z.strictObject({ customer_id: uuid.describe('Id of the customer.') }),
  notFound: 'customer_not_found',
  ...paged(
    TimelineEvent,
    {
      id: '0190a6d2-7c3e-7b1a-9f00-000000000055',
      object: 'timeline_event',
      customer_id: '0190a6d2-7c3e-7b1a-9f00-000000000051',
      type: 'payment.succeeded',
      source: 'spindle',
      resource: { type: 'payment', id: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
      summary: { status: 'succeeded', amount: '120000', currency: 'mxn' },
      occurred_at: '2026-06-13T12:00:05.000Z',
      received_at: '2026-06-13T12:00:05.004Z',
    },
    {
      resource_type: freeText(64)
        .optional()
        .describe('Only what is about resources of this type: `payment`, `refund`, `customer`.'),
    },
    'occurred_at',
  ),
  errors: ['customer_not_found', 'cursor_invalid'],
})
