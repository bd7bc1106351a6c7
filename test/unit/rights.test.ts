import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rightsSql } from '../../local/rights.ts'

test('what the database is told of rights is what the contracts and lifecycles say', () => {
  expect(readFileSync('drizzle/guards/090_rights.sql', 'utf8')).toBe(rightsSql())
})
