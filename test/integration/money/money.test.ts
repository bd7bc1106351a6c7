import '../../property/seed.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brokenRules as brokenAtRest } from '../../support/book-rules.ts'
import { balancesOf, brokenRules } from '../../support/books.ts'
import { isWhole } from '../../support/share.ts'
import { adminSql } from '../../support/stack.ts'
import { beginning, command } from './commands.ts'
import { newWorld, settle, take } from './world.ts'

const settledEach = 10

/** Broken books stay broken: in some histories the rules are checked after each command, in the others now and then. */
const watchedEach = 4
const checkedEach = 4

/** Idempotency-Keys with more than one row: each must keep its one reply for ever. */
const repeatedClaims = (tenantId: string) =>
  adminSql('sandbox')(
    `select operation, key from idempotency_claims where tenant_id = $1 group by 1, 2 having count(*) > 1`,
    [tenantId],
  )

test('random histories over every rail: the books balance', {
  timeout: 900_000,
}, async () => {
  const runs = Number(process.env.RUNS ?? (isWhole ? 30 : 4))
  const done: Record<string, number> = {}
  const replies: Record<string, number> = {}
  let commands = 0
  let histories = 0
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 70, size: 'max' }), async (history) => {
      const world = await newWorld()
      const { merchant, other } = world
      const isWatched = histories % watchedEach === 0
      for (const [at, one] of [...beginning, ...history].entries()) {
        await take(world, one)
        commands += 1
        done[one.kind] = (done[one.kind] ?? 0) + 1
        if (isWatched || at % checkedEach === 0)
          expect(await brokenRules(merchant.tenantId), JSON.stringify(one)).toEqual([])
      }
      expect(await brokenRules(merchant.tenantId), 'at the end').toEqual([])
      expect(await brokenRules(other.tenantId)).toEqual([])
      // Days of looks take their time: they pass for some histories.
      if (histories++ % settledEach === 0) {
        const both = [merchant.tenantId, other.tenantId]
        await settle(both)
        expect(await brokenAtRest(adminSql('sandbox'), both)).toEqual([])
      }
      expect(await repeatedClaims(merchant.tenantId)).toEqual([])
      for (const { tenantId } of [merchant, other]) {
        const total = Object.values(await balancesOf(tenantId)).reduce((sum, each) => sum + each, 0n)
        expect(total).toBe(0n)
      }
      for (const [reply, count] of world.told) {
        const line = reply.replaceAll(/[0-9a-f-]{36}|\d{14,}/g, ':id')
        replies[line] = (replies[line] ?? 0) + count
      }
    }),
    // They take minutes, not the seconds of a property of pure functions.
    { numRuns: runs, endOnFailure: true, interruptAfterTimeLimit: 800_000 },
  )
  console.log(`money histories: ${commands} commands in ${runs} histories survived ${JSON.stringify(done)}`)
  console.log(JSON.stringify(replies, null, 1))
  expect(commands).toBeGreaterThan(runs * 40)
})
