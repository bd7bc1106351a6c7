import { expect, test } from 'vitest'
import type { RunRow, Summed } from '../../../functions/insight/reporting/store.ts'
import { foundNow } from '../../../functions/insight/reporting/verify.ts'

const run = {
  type: 'balance.activity',
  status: 'succeeded',
  partsCount: 0,
  startsAt: new Date(0),
  endsAt: new Date(1),
  asOf: 1n,
  removeAt: new Date(0),
} as unknown as RunRow
const last = (at: number) => ({
  at: new Date(at).toISOString(),
  id: `0190a6d2-7c3e-7b1a-9f00-00000000000${at}`,
})
const page = (rowsCount: number, sumMinor: bigint, at: number): Summed[] => [
  { currency: 'mxn', rowsCount, sumMinor, last: last(at) },
]

test('the second page begins behind the last row of the first, and both are summed', async () => {
  const asked: unknown[] = []
  const call = {
    now: new Date(1),
    services: {},
    readAll: async () => [[], page(2, 300n, 1)],
    read: async (query: { values: unknown[] }) => {
      asked.push(query.values.slice(3, 6))
      return page(1, 50n, 2)
    },
  } as unknown as Parameters<typeof foundNow>[0]
  expect(await foundNow(call, run, 2)).toMatchObject({ rowsCount: 3, sums: { mxn: 350n } })
  expect(asked).toEqual([[last(1).at, last(1).id, '2']])
})
