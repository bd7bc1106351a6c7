import { expect, test } from 'vitest'
import { brokenRules } from '../../support/book-rules.ts'
import { adminSql } from '../../support/stack.ts'
import { beginning } from './commands.ts'
import { newWorld, settle, take } from './world.ts'

const sql = adminSql('sandbox')
test('probe', async () => {
  const world = await newWorld()
  for (const one of beginning) await take(world, one)
  console.log(beginning)
  const of = [world.merchant.tenantId, world.other.tenantId]
  await settle(of)
  expect(await brokenRules(sql, of)).toEqual([])
})
