import { expect, test } from 'vitest'
import { demoScopes } from '../../../local/demo.ts'
import { operations } from '../../../local/operations.ts'

test("the demo merchant's key may call every operation that takes a key", () => {
  const asked = operations.flatMap(({ contract }) => contract.access.api_key?.scopes ?? [])
  expect([...new Set(asked)].sort()).toEqual([...demoScopes].sort())
})
