import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { events } from '../../drizzle/schema/events.ts'
import { AnyEvent } from '../../functions/webhooks/contract-events.ts'
import { messageOf } from '../../local/openapi/webhooks.ts'
import { interfaceVersion } from '../../src/http/envelope.ts'
import { eventTypeNames, eventTypes, takes } from '../../src/kernel/event-types.ts'

describe('the catalogue', () => {
  test.each(eventTypeNames)('%s has a name of two parts and says what happened', (type) => {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(eventTypes[type]).toMatch(/^[A-ZÁ-Ú].+\.$/)
  })

  test('a message of each type has the shape that is sent', () => {
    for (const type of eventTypeNames)
      expect([type, AnyEvent.safeParse(messageOf(type)).error]).toEqual([type, undefined])
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

  // That none is made that is not listed, the compiler holds: `event()` takes nothing else.
  test('what is made is made from the catalogue alone', () => {
    const made = globSync('functions/**/*.ts').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bas EventType\b|resourceType:\s*'/g)].map(() => path),
    )
    expect(made.filter((path) => !/webhooks\/present\.ts$/.test(path))).toEqual([])
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
