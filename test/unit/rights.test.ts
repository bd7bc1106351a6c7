import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rightsSql } from '../../local/rights.ts'

test('the rights in the database are those of the contracts and lifecycles', () => {
  expect(readFileSync('drizzle/sql/090_rights.sql', 'utf8')).toBe(rightsSql())
})
