import { describe, expect, test } from 'vitest'
import { eventObjects } from '../../local/openapi/event-objects.ts'

describe.each([...eventObjects])('%s', (_type, { schema, example }) => {
  test('its example fits its schema', () => {
    expect(schema.safeParse(example).error).toBeUndefined()
  })
})
