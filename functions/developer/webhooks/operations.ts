import { eventScopes } from '../../../src/generated/events.ts'
import { changeOperation, operation } from '../../../src/http/operation.ts'
import type { ProblemMore } from '../../../src/http/problems.ts'
import { getOperation, listOperation } from '../../../src/http/reads.ts'
import type { Services } from '../../../src/http/services.ts'
import {
  type EventType,
  resourceOf,
  unreadableType,
  unreadableTypes,
} from '../../../src/kernel/event-types.ts'
import { encryptSecret } from '../../../src/platform/encryption.ts'
import type { Principal } from '../../../src/platform/postgres.ts'
import * as contracts from './contract.ts'
import { guardAddress } from './dns-guard.ts'
import { deliveryOperations, eventOperations } from './operations-deliveries.ts'
import {
  endpointsMax,
  type Minted,
  planCreate,
  planDelete,
  planRotate,
  planSwitch,
  planTest,
  planUpdate,
} from './plan.ts'
import { presentEndpoint } from './present.ts'
import { newSecret, secretContext } from './signing.ts'
import { deliveryOfTypes, endpointById, endpointIds, endpointsPage, secretsOf } from './store.ts'

const createEndpoint = operation(
  contracts.createEndpoint,
  async ({ body, services, reading, publish, fail, now, newId }) => {
    const id = newId()
    const [{ principal, rows }, unsendable, secret] = await Promise.all([
      reading(endpointIds({ rows: endpointsMax })),
      guardAddress(services.settings, body.url),
      mint(services, id),
    ])
    const unheard = unreadable(principal, body.event_types)
    if (unheard) return fail('insufficient_scope', unheard)
    if (unsendable) return fail('webhook_url_refused', refusedUrl(unsendable.reason))
    const wanted = {
      id,
      url: body.url,
      description: body.description ?? null,
      eventTypes: body.event_types,
    }
    return publish(planCreate(wanted, rows[0]!.length, secret, { now, newId }))
  },
)

/**
 * A receiver reads everything that its endpoint takes: the key that sets the address needs the scopes to read as much.
 */
function unreadable({ scopes = [] }: Principal, eventTypes: readonly string[]): ProblemMore | null {
  const type = unreadableType(eventTypes, scopes)
  if (type === undefined) return null
  return {
    param: 'event_types',
    message: `To have ${type} sent, the API key needs the scope ${scopeFor(type)}.`,
  }
}

const scopeFor = (type: EventType) => eventScopes[resourceOf(type)].join(' or ')

const unmovable = (type: EventType): ProblemMore => ({
  param: 'url',
  message: `The endpoint has deliveries of ${type}: to send them elsewhere, the API key needs the scope ${scopeFor(type)}.`,
})

const refusedUrl = (reason: string) => ({ param: 'url', message: `The address ${reason}.` })

async function mint({ settings }: Services, endpointId: string): Promise<Minted> {
  const text = newSecret()
  return { text, ciphertext: await encryptSecret(settings.secretsKeys, secretContext(endpointId), text) }
}

const updateEndpoint = operation(
  contracts.updateEndpoint,
  async ({ params, body, services, read, reading, publish, fail, now, newId }) => {
    const [{ principal, rows }, unsendable] = await Promise.all([
      reading(endpointById({ id: params.id })),
      body.url === undefined ? null : guardAddress(services.settings, body.url),
    ])
    const [endpoint] = rows[0]
    if (!endpoint) return fail('webhook_endpoint_not_found')
    const moves = body.url !== undefined || body.event_types !== undefined
    const unheard = moves && unreadable(principal, body.event_types ?? endpoint.eventTypes)
    if (unheard) return fail('insufficient_scope', unheard)
    // Waiting deliveries and redeliveries go to the new address too, whatever types the endpoint takes now.
    const hidden = body.url === undefined ? [] : unreadableTypes(principal.scopes ?? [])
    if (hidden.length > 0) {
      const [had] = await read(deliveryOfTypes({ endpointId: endpoint.id, eventTypes: hidden }))
      const hiddenType = hidden.find((type) => type === had?.eventType)
      if (hiddenType) return fail('insufficient_scope', unmovable(hiddenType))
    }
    if (unsendable) return fail('webhook_url_refused', refusedUrl(unsendable.reason))
    const set = {
      ...(body.url === undefined ? {} : { url: body.url }),
      ...(body.description === undefined ? {} : { description: body.description }),
      ...(body.event_types === undefined ? {} : { eventTypes: [...body.event_types].sort() }),
    }
    return publish(planUpdate(endpoint, set, { now, newId }))
  },
)

const enableEndpoint = operation(
  contracts.enableEndpoint,
  async ({ params, services, read, publish, fail, now, newId }) => {
    const [endpoint] = await read(endpointById({ id: params.id }))
    if (!endpoint) return fail('webhook_endpoint_not_found')
    const reply = await publish(planSwitch(endpoint, 'enable', { now, newId }))
    services.wake(endpoint.tenantId, [endpoint.id])
    return reply
  },
)

const rotateSecret = operation(
  contracts.rotateSecret,
  async ({ params, body, services, readAll, publish, fail, now, newId }) => {
    const [[[endpoint], signing], secret] = await Promise.all([
      readAll(endpointById({ id: params.id }), secretsOf({ endpointId: params.id })),
      mint(services, params.id),
    ])
    if (!endpoint) return fail('webhook_endpoint_not_found')
    return publish(planRotate(endpoint, signing, secret, body.previous_secret_hours, { now, newId }))
  },
)

export const operations = [
  ...eventOperations,
  createEndpoint,
  listOperation(contracts.listEndpoints, endpointsPage, presentEndpoint),
  getOperation(contracts.getEndpoint, endpointById, presentEndpoint),
  updateEndpoint,
  changeOperation(contracts.deleteEndpoint, endpointById, planDelete),
  enableEndpoint,
  changeOperation(contracts.pauseEndpoint, endpointById, (row, call) => planSwitch(row, 'pause', call)),
  changeOperation(contracts.disableEndpoint, endpointById, (row, call) => planSwitch(row, 'disable', call)),
  changeOperation(contracts.testEndpoint, endpointById, planTest),
  rotateSecret,
  ...deliveryOperations,
]
