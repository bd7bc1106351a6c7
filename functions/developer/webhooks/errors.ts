import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  event_not_found: problem(404, 'There is no such event.', 'List the events for their ids.'),
  webhook_endpoint_not_found: problem(
    404,
    'There is no such webhook endpoint.',
    'List the webhook endpoints for their ids.',
  ),
  webhook_delivery_not_found: problem(
    404,
    'There is no such delivery.',
    'List the deliveries for their ids.',
  ),
  webhook_delivery_no_longer_kept: problem(
    410,
    'Deliveries of that time are no longer kept. The events are.',
    'List the events: they are kept.',
  ),
  webhook_recovery_not_found: problem(
    404,
    'There is no such recovery.',
    'Use the id that the recovery was answered with.',
  ),
  webhook_url_refused: problem(
    422,
    'Webhooks cannot be sent to this address.',
    'Use an https address with a public name on port 443 or 8443; the message names what is wrong with this one.',
  ),
  webhook_endpoint_limit_reached: problem(
    409,
    'This workspace has reached its limit of 50 webhook endpoints.',
    'Delete endpoints that you no longer need, or widen the types of one.',
  ),
  webhook_endpoint_status_unchanged: problem(
    409,
    'The webhook endpoint has this status already, or cannot change to it.',
    'Read the endpoint: it may already be as you want it.',
  ),
  webhook_endpoint_not_receiving: problem(
    409,
    'The webhook endpoint receives nothing: it is paused, disabled or deleted.',
    'Enable the endpoint first.',
  ),
  webhook_recovery_window_invalid: problem(
    422,
    'The window must begin before it ends and reach back 30 days at most.',
    'Send a since that lies before until, at most 30 days ago.',
  ),
}
