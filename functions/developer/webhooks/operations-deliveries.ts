import type { Settings } from '../../../src/env/settings.ts'
import { eventTypes } from '../../../src/generated/events.ts'
import { operation } from '../../../src/http/operation.ts'
import { windowOf } from '../../../src/http/pagination.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import { eventTypeNames } from '../../../src/kernel/event-types.ts'
import { madeAtMs } from '../../../src/kernel/ids.ts'
import * as contracts from './contract-deliveries.ts'
import * as events from './contract-events.ts'
import { openPlace, placedPage } from './following.ts'
import { planRecovery, planRedelivery } from './plan.ts'
import { presentAttempt, presentDelivery, presentEvent, presentRecovery } from './present.ts'
import {
  attemptsOf,
  deliveriesPage,
  deliveryById,
  type EventRow,
  endpointById,
  endpointOfDelivery,
  eventById,
  eventsHorizon,
  eventsPage,
  followingPage,
  recoveryById,
} from './store.ts'

const listEvents = operation(events.listEvents, async (call) => {
  const { query, settings, kid, reading, list } = call
  const wanted = { kid, type: query.type, resourceId: query.resource_id }
  const present = (row: EventRow) => presentEvent(row, settings.environment)
  if (query.order === 'desc') return list((window) => eventsPage({ ...window, ...wanted }), present)
  const from = await openPlace(settings, query)
  const { rows, createdFrom } = windowOf(query, null)
  const { commitOrder: afterOrder, position: afterPosition } = { ...from }
  const { principal, rows: found } = await reading(
    eventsHorizon(),
    followingPage({ rows, createdFrom, afterOrder, afterPosition, ...wanted }),
  )
  const [[horizon = 0n], page] = found
  const { tenantId } = principal
  return placedPage(settings, query, from, { tenantId, horizon, rows: page }, present)
})

const getEvent = getOperation(
  events.getEvent,
  ({ id }, { kid }) => eventById({ kid, id }),
  (event, { environment }) => presentEvent(event, environment),
)

const listEventTypes = operation(events.listEventTypes, async ({ read }) => {
  await read(eventsHorizon()) // the database checks who may ask
  return {
    object: 'list' as const,
    data: eventTypeNames.map((type) => ({
      object: 'event_type' as const,
      type,
      resource: type.slice(0, type.indexOf('.')),
      summary: eventTypes[type],
    })),
    has_more: false,
    next_cursor: '',
  }
})

const listDeliveries = listOperation(contracts.listDeliveries, deliveriesPage, presentDelivery)

const getDelivery = operation(contracts.getDelivery, async ({ params, settings, readAll, fail, now }) => {
  const [[delivery], attempts] = await readAll(
    deliveryById({ id: params.id }),
    attemptsOf({ deliveryId: params.id }),
  )
  if (!delivery) return fail(absence(params.id, settings, now))
  return { ...presentDelivery(delivery), attempts: attempts.map(presentAttempt) }
})

/** Why there is no delivery of this id: the id contains its time. */
function absence(id: string, { webhooks }: Settings, now: Date) {
  const madeAt = madeAtMs(id)
  const keptSince = now.getTime() - webhooks.retentionDays * 24 * 3_600_000
  return madeAt !== null && madeAt < keptSince
    ? 'webhook_delivery_no_longer_kept'
    : 'webhook_delivery_not_found'
}

const redeliver = operation(
  contracts.redeliver,
  async ({ params, settings, readAll, publish, fail, now, newId }) => {
    const [[delivery], [endpoint]] = await readAll(
      deliveryById({ id: params.id }),
      endpointOfDelivery({ id: params.id }),
    )
    if (!delivery) return fail(absence(params.id, settings, now))
    return publish(planRedelivery(delivery, endpoint, { now, newId }))
  },
)

const recover = operation(contracts.recover, async ({ params, body, read, publish, fail, now, newId }) => {
  const [endpoint] = await read(endpointById({ id: params.id }))
  if (!endpoint) return fail('webhook_endpoint_not_found')
  const until = body.until === undefined ? undefined : new Date(body.until)
  return publish(planRecovery(endpoint, { since: new Date(body.since), until }, { now, newId }))
})

const getRecovery = getOperation(contracts.getRecovery, recoveryById, presentRecovery)

export const eventOperations = [listEventTypes, listEvents, getEvent]
export const deliveryOperations = [recover, getRecovery, listDeliveries, getDelivery, redeliver]
