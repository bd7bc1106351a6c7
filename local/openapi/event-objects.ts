import * as z from 'zod'
import { PreviousAttributes } from '../../functions/webhooks/contract-events.ts'
import { uuid } from '../../src/http/schemas.ts'
import { type EventResource, type EventType, eventTypeNames } from '../../src/kernel/event-types.ts'
import { asTold } from '../../src/kernel/events.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { operations } from '../operations.ts'
import { pascal } from './schemas.ts'

/** The operation whose reply shows what events of a resource carry. A resource without a line does not compile. */
const shownBy: Readonly<Record<EventResource, string>> = {
  api_key: 'api_keys.get',
  payment_link: 'payment_links.get',
  payment: 'payments.get',
  unapplied_funds: 'unapplied_funds.get',
  refund: 'refunds.get',
  dispute: 'disputes.get',
  transfer: 'transfers.get',
  incoming_transfer: 'transfers.list_incoming',
  payout: 'payouts.get',
  payout_settings: 'payout_settings.update',
  processor_credential: 'processor_credentials.update',
  webhook_endpoint: 'webhooks.get_endpoint',
}

/** Events whose object is another operation's reply than their resource's. */
const shownOtherwise: Readonly<Partial<Record<EventType, string>>> = {
  'api_key.transfer_limit_set': 'api_keys.set_transfer_limit',
}

/** Fields that events of one type carry beyond their resource's. */
const peculiar: Readonly<
  Partial<Record<EventType, { readonly fields: z.ZodRawShape; readonly example: JsonObject }>>
> = {
  'unapplied_funds.applied': {
    fields: { applied_to: uuid.describe('The payment that they were applied to.') },
    example: { applied_to: '0190a6d2-7c3e-7b1a-9f00-000000000002' },
  },
  'webhook_endpoint.deleted': {
    fields: { status: z.literal('deleted').describe('Only this event has it; no operation shows it.') },
    example: { status: 'deleted' },
  },
}

export interface EventObject {
  readonly schema: z.ZodObject
  /** `data` of a message that carries it. */
  readonly data: z.ZodObject
  readonly example: JsonObject
}

/** What events of a type carry: the resource as the interface shows it, but its bank account as events show it. */
function eventObject(type: EventType): EventObject {
  const resource = resourceOf(type)
  const shows = shownOtherwise[type] ?? shownBy[resource]
  const { reply, example } = operations.find(({ contract }) => contract.id === shows)!.contract
  const { data } = (reply.schema as z.ZodObject).shape
  const shown = (data instanceof z.ZodArray ? data.element : reply.schema) as z.ZodObject
  const shownExample = example!.reply as JsonObject & { data?: readonly JsonObject[] }
  const { fields, example: own } = peculiar[type] ?? { fields: {}, example: {} }
  const { destination } = shown.shape
  const told = {
    ...(destination
      ? {
          destination: accountTold(destination as z.ZodType).describe(
            'Where the money goes; of an account its last digits alone.',
          ),
        }
      : {}),
    ...fields,
  }
  const named = z.globalRegistry.get(shown)!.id!
  const action = peculiar[type] ? pascal(type.slice(resource.length + 1)) : ''
  const name = action === '' && destination ? `${named}InEvents` : `${named}${action}`
  return {
    ...schemasOf(name, shown, told),
    example: { ...asTold(data ? shownExample.data![0]! : shownExample), ...own },
  }
}

const known = new Map<string, Omit<EventObject, 'example'>>()

/** Each kind of object has one schema, whichever types of event carry it. */
function schemasOf(name: string, shown: z.ZodObject, told: z.ZodRawShape): Omit<EventObject, 'example'> {
  const before = known.get(name)
  if (before) return before
  const schema = Object.keys(told).length === 0 ? shown : shown.extend(told).meta({ id: name })
  const data = z.strictObject({ object: schema, previous_attributes: PreviousAttributes }).meta({
    id: `${name.replace(/InEvents$/, '')}EventData`,
    description: 'The resource as it was after the change, and what had been before.',
  })
  known.set(name, { schema, data })
  return { schema, data }
}

export const resourceOf = (type: EventType) => type.slice(0, type.indexOf('.')) as EventResource

const last4 = z
  .string()
  .regex(/^\d{4}$/)
  .describe('The last four digits of the CLABE.')

/** Events show only a bank account's last digits: `asTold` as a schema. */
function accountTold(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable) return accountTold(schema.unwrap() as z.ZodType).nullable()
  if (schema instanceof z.ZodUnion)
    return z.union(schema.options.map((each) => accountTold(each as z.ZodType)))
  if (!(schema instanceof z.ZodObject) || !('clabe' in schema.shape)) return schema
  const { clabe: _, holder: __, ...rest } = schema.shape
  return z.strictObject({ ...rest, clabe_last4: last4 })
}

/** What events of every type carry. */
export const eventObjects: ReadonlyMap<EventType, EventObject> = new Map(
  eventTypeNames.map((type) => [type, eventObject(type)]),
)
