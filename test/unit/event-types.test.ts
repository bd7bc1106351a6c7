import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { events } from '../../drizzle/schema/events.ts'
import { AnyEvent } from '../../functions/developer/webhooks/contract-events.ts'
import { messageOf } from '../../local/openapi/webhooks.ts'
import { openapi } from '../../local/openapi.ts'
import { operations } from '../../local/operations.ts'
import { recipes, unmade } from '../../local/recipes.ts'
import { eventScopes, eventTypes } from '../../src/generated/events.ts'
import { scopes } from '../../src/http/contract.ts'
import { interfaceVersion } from '../../src/http/envelope.ts'
import {
  type EventResource,
  eventTypeNames,
  resourceOf,
  takes,
  unreadableType,
} from '../../src/kernel/event-types.ts'

describe('the catalog', () => {
  test.each(eventTypeNames)('%s has a name of two parts and says what happened', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(eventTypes[type]).toMatch(/^[A-ZÁ-Ú].+\.$/)
  })

  test('a message of each type has the shape that is sent', () => {
    for (const type of eventTypeNames)
      expect([type, AnyEvent.safeParse(messageOf(type)).error]).toEqual([type, undefined])
  })

  test('the document has an example of each type, with the status that the type says', () => {
    const { webhooks } = openapi() as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>
    }
    const exampleOf = (type: string) =>
      (webhooks[type]!.post.requestBody.content['application/json']!.example as ReturnType<typeof messageOf>)
        .data.object
    expect(eventTypeNames.filter((type) => !exampleOf(type))).toEqual([])
    expect(exampleOf('payment.succeeded')).toMatchObject({ object: 'payment', status: 'succeeded' })
    expect(exampleOf('refund.failed')).toMatchObject({ status: 'failed' })
    expect(exampleOf('checkout_session.completed')).toMatchObject({ status: 'complete' })
    expect(exampleOf('payout.paid')).toMatchObject({ status: 'paid' })
  })

  test('`npm run trigger` has a recipe or a reason for each, and none has both', () => {
    expect([...Object.keys(recipes), ...Object.keys(unmade)].sort()).toEqual([...eventTypeNames].sort())
    // `npm run trigger` writes each inside a sentence.
    expect(Object.values(unmade).filter((why) => !/^[a-z].*[^.]$/.test(why))).toEqual([])
  })

  test('no example shows the account of a person or a merchant', () => {
    const shown = eventTypeNames
      .filter((type) => !type.startsWith('payment.'))
      .map((type) => JSON.stringify(messageOf(type)))
    expect(shown.length).toBeGreaterThan(50)
    for (const text of shown) {
      expect(text).not.toMatch(/"\d{18}"/)
      expect(text).not.toContain('"holder"')
    }
    expect(shown.filter((text) => text.includes('"clabe_last4"')).length).toBeGreaterThan(10)
  })

  test('rows are kept in the shape of the current interface version', () => {
    expect(events.apiVersion.default).toBe(interfaceVersion)
  })

  // The compiler ensures that only listed types are made: `event()` takes nothing else.
  test('what is made is made only from the catalog', () => {
    const made = globSync('functions/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bas EventType\b|resourceType:\s*'/g)].map(() => path),
    )
    expect(made.filter((path) => !/webhooks\/present\.ts$/.test(path))).toEqual([])
  })
})

/** What no API key can read, only a signed-in customer. */
const administration: readonly EventResource[] = ['api_key', 'processor_credential']

/** The scopes that let a key read a resource, by the operations that show it. */
function readingScopes(resource: EventResource): string[] {
  const found = operations.flatMap(({ contract: { access, method, example } }) => {
    const reply = example?.reply as { object?: string; data?: { object?: string }[] } | undefined
    const shows = [reply?.object, reply?.data?.[0]?.object].includes(resource)
    return method === 'GET' && shows ? (access.api_key?.scopes ?? []) : []
  })
  return [...new Set(found)].sort()
}

describe('who may read events', () => {
  test.each(Object.keys(eventScopes) as EventResource[])(
    '%s: has the scopes that may read the resource',
    (resource) => {
      const expected = administration.includes(resource) ? ['workspace:read'] : readingScopes(resource)
      expect(expected).not.toEqual([])
      expect([...eventScopes[resource]].sort()).toEqual(expected)
      for (const scope of eventScopes[resource]) expect(scopes).toContain(scope)
    },
  )

  test('every type belongs to one of these resources', () => {
    for (const type of eventTypeNames) expect(Object.keys(eventScopes)).toContain(resourceOf(type))
  })

  test.each<[patterns: string[], held: readonly string[], lacks: string | undefined]>([
    [['*'], scopes, undefined],
    [['*'], scopes.filter((scope) => scope !== 'transfers:read'), 'transfer.created'],
    [['refund.*'], ['refunds:read'], undefined],
    [['refund.*', 'payment.succeeded'], ['refunds:read'], 'payment.succeeded'],
    [['payment.*'], ['payment_links:read'], undefined],
    [['payment.*'], ['reporting:read'], undefined],
    [['api_key.created'], ['webhooks:read', 'webhooks:write'], 'api_key.created'],
  ])('%s with %s: lacks %s', (patterns, held, lacks) => {
    expect(unreadableType(patterns, held)).toBe(lacks)
  })
})

test.each([
  ['*', 'payment.succeeded', true],
  ['payment.*', 'payment.succeeded', true],
  ['payment.*', 'payment_link.paid', false],
  ['payment.succeeded', 'payment.succeeded', true],
  ['payment.succeeded', 'payment.declined', false],
  ['payment_link.*', 'payment.succeeded', false],
] as const)('%s takes %s: %s', (pattern, type, expected) => {
  expect(takes(pattern, type)).toBe(expected)
})
