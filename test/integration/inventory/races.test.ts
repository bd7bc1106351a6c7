import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { below, mulberry32, oneOf } from '../../support/random.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { adjust, answerOf, levelsOf, reserve, stock, stocked } from '../../support/stock.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))
const tally = (answers: readonly string[]) =>
  Object.fromEntries(
    [...new Set(answers)].sort().map((answer) => [answer, answers.filter((each) => each === answer).length]),
  )

test('50 for the last unit: one holds it', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 1)
  const answers = await times(async () => answerOf(await reserve(merchant, [item!, 1])))
  expect(tally(answers)).toEqual({ '201': 1, '409 stock_insufficient': 49 })
  expect(await levelsOf(merchant, item!)).toEqual(['1/1'])
})

test('50 that name the same two items in either order: no deadlock, no unit twice', async () => {
  const merchant = await newMerchant()
  const [cup, plate] = await stocked(merchant, 20, 30)
  const answers = await times(async (at) =>
    answerOf(
      await reserve(
        merchant,
        ...(at % 2
          ? ([
              [cup!, 1],
              [plate!, 1],
            ] as const)
          : ([
              [plate!, 1],
              [cup!, 1],
            ] as const)),
      ),
    ),
  )
  expect(tally(answers)).toEqual({ '201': 20, '409 stock_insufficient': 30 })
  expect([await levelsOf(merchant, cup!), await levelsOf(merchant, plate!)]).toEqual([['20/20'], ['30/20']])
})

test('commit and release of one reservation, 25 each: it ends once', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 3)
  const { id } = (await reserve(merchant, [item!, 3])).body
  const answers = await times(async (at) =>
    answerOf(await stock(merchant, 'POST', `/reservations/${id}/${at % 2 ? 'commit' : 'release'}`)),
  )
  expect(tally(answers)).toEqual({ '200': 1, '409 stock_reservation_ended': 49 })
  const { status } = (await stock(merchant, 'GET', `/reservations/${id}`)).body
  expect(await levelsOf(merchant, item!)).toEqual([status === 'committed' ? '0/0' : '3/0'])
})

test('commits against the expiry of their reservations: each is sold or expired, once', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 25)
  const held = await Promise.all(
    Array.from({ length: 25 }, async () => (await reserve(merchant, [item!, 1])).body.id),
  )
  await adminSql('sandbox')(
    `update stock_reservations set expires_at = now() - interval '1 second' where tenant_id = $1`,
    [merchant.tenantId],
  )
  const [answers] = await Promise.all([
    Promise.all(
      held.map(async (id) => answerOf(await stock(merchant, 'POST', `/reservations/${id}/commit`))),
    ),
    trigger('sandbox'),
  ])
  const sold = answers.filter((answer) => answer === '200').length
  expect(answers.filter((answer) => answer === '409 stock_reservation_ended')).toHaveLength(25 - sold)
  expect(await levelsOf(merchant, item!)).toEqual([`${25 - sold}/0`])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a count beside 49 adjustments: the sum is that of the movements', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 100)
  await times(async (at) =>
    at === 0
      ? stock(merchant, 'POST', '/counts', { item_id: item, counted: 500 })
      : adjust(merchant, item!, at % 2 ? 1 : -1),
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a random history over three items: every rule of the stock holds at its end', async () => {
  const seed = Number(process.env.SEED ?? Math.trunc(Math.random() * 2 ** 31))
  console.log(`stock history: SEED=${seed}`)
  const random = mulberry32(seed)
  const merchant = await newMerchant()
  const items = await stocked(merchant, 4, 6, 2)
  const held: string[] = []
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      const lines = items.filter(() => random() < 0.6).map((id) => [id, 1 + below(random, 3)] as const)
      if (lines.length === 0) return
      const { status, body } = await reserve(merchant, ...lines)
      if (status === 201) held.push(body.id)
    },
    () => adjust(merchant, oneOf(random, items), below(random, 9) - 4 || 1),
    () => stock(merchant, 'POST', '/counts', { item_id: oneOf(random, items), counted: below(random, 9) }),
    async () => {
      const id = held.splice(below(random, held.length), 1)[0]
      if (id) await stock(merchant, 'POST', `/reservations/${id}/${oneOf(random, ['commit', 'release'])}`)
    },
  ]
  for (let round = 0; round < 12; round++)
    await Promise.all(Array.from({ length: 8 }, () => oneOf(random, steps)()))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
