import * as z from 'zod'
import { PreviousAttributes } from '../../functions/developer/webhooks/contract-events.ts'
import { type EventType, eventTypeNames, resourceOf } from '../../src/kernel/event-types.ts'
import { asTold } from '../../src/kernel/events.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { events, eventTypes } from '../declarations.ts'
import { operations } from '../operations.ts'
import { pascal } from './schemas.ts'

export interface EventObject {
  readonly schema: z.ZodObject
  /** `data` of a message that carries it. */
  readonly data: z.ZodObject
  readonly example: JsonObject
}

/** What events of a type carry: the resource as the interface shows it, but its bank account as events show it. */
function eventObject(type: EventType): EventObject {
  const resource = resourceOf(type)
  const { leaveOut = [], shownBy: showsResource } = events[resource]!
  const { shownBy: shows = showsResource, adds } = eventTypes[type]!
  const { reply, example } = operations.find(({ contract }) => contract.id === shows)!.contract
  const { data } = (reply.schema as z.ZodObject).shape
  const shown = (data instanceof z.ZodArray ? data.element : reply.schema) as z.ZodObject
  const shownExample = example!.reply as JsonObject & { data?: readonly JsonObject[] }
  const { fields, example: own } = adds ?? { fields: {}, example: {} }
  const { destination } = shown.shape
  const added = {
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
  const action = adds ? pascal(type.slice(resource.length + 1)) : ''
  const isTold = destination !== undefined || leaveOut.length > 0
  const name = action === '' && isTold ? `${named}InEvents` : `${named}${action}`
  return {
    ...schemasOf(name, shown, leaveOut, added),
    example: {
      ...asHappened(
        shown,
        type.slice(resource.length + 1),
        asTold(resource, data ? shownExample.data![0]! : shownExample),
      ),
      ...own,
    },
  }
}

/** The example of an operation with the status and the time that the event says, where the resource has them. */
function asHappened({ shape }: z.ZodObject, word: string, example: JsonObject): JsonObject {
  const happened: JsonObject = {
    status: word === 'completed' ? 'complete' : word,
    [`${word}_at`]: '2026-06-13T12:00:05.000Z',
  }
  const fitting = Object.entries(happened).filter(([field, value]) => shape[field]?.safeParse(value).success)
  return { ...example, ...Object.fromEntries(fitting) }
}

const known = new Map<string, Omit<EventObject, 'example'>>()

const differing = (leaveOut: readonly string[], added: z.ZodRawShape) => {
  const listed = (names: readonly string[]) => names.map((each) => `\`${each}\``).join(', ')
  const other = Object.keys(added)
  return [
    ...(leaveOut.length > 0 ? [`without ${listed(leaveOut)}`] : []),
    ...(other.length > 0 ? [`${listed(other)} shortened`] : []),
  ].join(', ')
}

/** Each kind of object has one schema, whichever types of event carry it. */
function schemasOf(
  name: string,
  shown: z.ZodObject,
  leaveOut: readonly string[],
  added: z.ZodRawShape,
): Omit<EventObject, 'example'> {
  const before = known.get(name)
  if (before) return before
  const isShown = leaveOut.length === 0 && Object.keys(added).length === 0
  const left = Object.entries(shown.shape).filter(([field]) => !leaveOut.includes(field))
  const schema = isShown
    ? shown
    : z.strictObject({ ...Object.fromEntries(left), ...added }).meta({
        id: name,
        ...(name.endsWith('InEvents') && {
          description: `The same as \`${name.replace(/InEvents$/, '')}\`, as events carry it: ${differing(leaveOut, added)}.`,
        }),
      })
  const data = z.strictObject({ object: schema, previous_attributes: PreviousAttributes }).meta({
    id: `${name.replace(/InEvents$/, '')}EventData`,
    description: 'The resource as it was after the change, and what had been before.',
  })
  known.set(name, { schema, data })
  return { schema, data }
}

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
