import { expect, test } from 'vitest'
import { brokenRules, survivors } from '../support/books.ts'
import { beforeAndAfter, killReconciler } from '../support/drills.ts'
import { newMerchant } from '../support/merchant.ts'
import { customersOf, ended, errorFile, newFileSource, ran, startRun } from '../support/sync.ts'

/** A file of two slices; every hundredth row is a customer, the others are refused. */
const count = 700
const text = `id,correo\n${Array.from({ length: count }, (_, at) => `${at},${at % 100 === 0 ? `c${at}@example.com` : 'none'}\n`).join('')}`

const kills = [
  { name: 'before the run is read', contains: 'from "sync_runs"', mode: 'hang' },
  { name: 'with the file’s rows in hand', contains: 'door.sync_matches', mode: 'hang' },
  { name: 'with the last rows in hand', contains: 'door.sync_matches', skip: 1, mode: 'hang' },
  ...beforeAndAfter.flatMap(({ mode }) => [
    { name: `the first slice’s publish, ${mode}`, contains: 'door.publish', mode },
    { name: `the publish that ends the run, ${mode}`, contains: 'door.publish', skip: 1, mode },
  ]),
] as const

test('the Worker is killed while a run reads its file: the next one goes on, and no row counts twice', async () => {
  const merchant = await newMerchant()
  await survivors('Worker killed within a run', kills, async (kill) => {
    const of = await newMerchant()
    const id = await newFileSource(of, text)
    const { id: run } = await startRun(of, id)
    await killReconciler(kill)
    expect(await ended(of, run)).toMatchObject({
      status: 'partial',
      processed: count,
      created: 7,
      failed: 693,
    })
    const numbers = (await errorFile(of, run))
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number.parseInt(line, 10))
    expect(numbers).toEqual(
      Array.from({ length: count }, (_, at) => at + 2).filter((row) => (row - 2) % 100 > 0),
    )
    expect(await customersOf(of)).toHaveLength(7)
    expect(await ran(of, id)).toMatchObject({ created: 0, updated: 0, skipped: 7 })
  })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
