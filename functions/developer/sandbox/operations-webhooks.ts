import { operation } from '../../../src/http/operation.ts'
import { endpointById, takenEvents, waitingDeliveries } from '../webhooks/api.ts'
import * as contracts from './contract-webhooks.ts'
import { heldUntil, planAgain, planHold } from './plan-webhooks.ts'

const sendAgain = (contract: typeof contracts.duplicate, gapMs: number) =>
  operation(contract, async ({ body, services, readAll, publish, fail, now, newId }) => {
    const { endpoint_id: id, count } = body
    const [[endpoint], events] = await readAll(
      endpointById({ id }),
      takenEvents({ endpointId: id, rows: count }),
    )
    if (!endpoint) return fail('webhook_endpoint_not_found', { param: 'endpoint_id' })
    const reply = await publish(planAgain(endpoint, events, gapMs, { now, newId }))
    // The publish wakes for what is due at once.
    for (let at = 1; gapMs > 0 && at < events.length; at++)
      services.wake(endpoint.tenantId, [endpoint.id], Math.ceil((at * gapMs) / 1000) + 1)
    return reply
  })

const hold = operation(contracts.delay, async ({ body, readAll, publish, fail, now, newId }) => {
  const until = heldUntil(body.delay, now)
  if (!until)
    return fail('parameter_invalid', {
      param: 'delay',
      message: 'delay must be more than nothing and at most P1D.',
    })
  const { endpoint_id: id } = body
  const [[endpoint], waiting] = await readAll(
    endpointById({ id }),
    waitingDeliveries({ endpointId: id, before: until, rows: contracts.heldMax }),
  )
  if (!endpoint) return fail('webhook_endpoint_not_found', { param: 'endpoint_id' })
  return publish(planHold(endpoint, waiting, until, { now, newId }))
})

/** The effects of at-least-once delivery, on the merchant's request. */
export const webhookOperations = [
  sendAgain(contracts.duplicate, 0),
  sendAgain(contracts.reorder, contracts.reorderGapMs),
  hold,
]
