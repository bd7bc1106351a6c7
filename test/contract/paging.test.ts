import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { operations } from '../../local/operations.ts'
import { operationOf } from '../../local/samples.ts'
import { type Customer, join, newCustomer } from '../support/customer.ts'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { share } from '../support/share.ts'
import { type List, lists, type World } from './lists.ts'
import { fieldsOf } from './requests.ts'

/* Every list that has pages: how it is walked, and what no cursor may do. */

const each = Object.entries(lists)

let signedUp: Promise<Customer> | undefined
async function newWorld(list: List, rows: number): Promise<World> {
  signedUp ??= newCustomer()
  const [customer, merchant] = [await signedUp, await newMerchant()]
  await join(customer, merchant)
  const world = { merchant, customer, link: await newLink(merchant, { usage: 'multi_use' }) }
  await Promise.all(Array.from({ length: rows }, () => list.add(world)))
  return world
}

const kept = new Map<List, Promise<World>>()

/** A world with three rows of a list, for the tests that only read. */
const threeRows = (list: List): Promise<World> => {
  if (!kept.has(list)) kept.set(list, newWorld(list, 3))
  return kept.get(list)!
}

type Page = {
  object: string
  data: { id: string; created_at: string; occurred_at: string }[]
  has_more: boolean
  next_cursor: string
  error?: { code: string; param: string }
}

/** The field that a list runs by. */
const timeOf = (id: string): 'created_at' | 'occurred_at' =>
  fieldsOf(operationOf(id).contract.query).some(({ name }) => name === 'occurred_at.gte')
    ? 'occurred_at'
    : 'created_at'

const page = (list: List, world: World, query: string) =>
  call<Page>('GET', `${list.path(world)}&${query}`, { bearer: list.bearer(world) })

test('these are all the lists with cursors', () => {
  const paged = operations
    .filter(({ contract }) => fieldsOf(contract.query).some(({ name }) => name === 'cursor'))
    .map(({ contract }) => contract.id)
  expect(paged.sort()).toEqual(Object.keys(lists).sort())
})

test.each(each)('%s: every row once, newest first, whatever is added meanwhile', async (_id, list) => {
  const world = await newWorld(list, 7)
  const all = (await page(list, world, 'limit=100')).body
  expect([all.object, all.has_more, all.next_cursor]).toEqual(['list', false, ''])
  const order = all.data.map(({ created_at, occurred_at, id }) => `${occurred_at ?? created_at} ${id}`)
  expect(order).toEqual([...order].sort().reverse())

  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 20; pages++) {
    const { body } = await page(list, world, `limit=${pages === 0 ? 2 : 3}${cursor && `&cursor=${cursor}`}`)
    expect(body.data.length).toBeLessThanOrEqual(3)
    seen.push(...body.data.map(({ id }) => id))
    cursor = body.next_cursor
    expect(body.has_more).toBe(cursor !== '')
    if (!body.has_more) break
    await list.add(world)
  }
  expect(seen).toEqual(all.data.map(({ id }) => id))
})

test.each(share(each, 3, 1))('%s: a full last page says that it is the last', async (_id, list) => {
  const world = await threeRows(list)
  const count = (await page(list, world, '')).body.data.length
  const { body } = await page(list, world, `limit=${count}`)
  expect([body.data.length, body.has_more, body.next_cursor]).toEqual([count, false, ''])
})

test.each(share(each, 3, 2))('%s: a cursor opens only what it was made for', async (id, list) => {
  const world = await threeRows(list)
  const { next_cursor: cursor } = (await page(list, world, 'limit=1')).body
  expect(cursor).toMatch(/^[A-Za-z0-9_-]{40,}$/)
  const flip = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
  const [otherId, other] = each.find(([name]) => name !== id)!
  const foreign = (await page(other, await threeRows(other), 'limit=1')).body.next_cursor
  const wrong: [what: string, query: string][] = [
    ['the signature changed', `cursor=${flip(3)}`],
    ['the position changed', `cursor=${flip(cursor.length - 5)}`],
    ['the middle changed', `cursor=${flip(Math.floor(cursor.length / 2))}`],
    ['cut short', `cursor=${cursor.slice(0, -3)}`],
    ['made longer', `cursor=${cursor}AAAA`],
    ['a word', 'cursor=next'],
    ['no base64', 'cursor=%F0%9F%98%80'],
    [
      'one of our own making',
      `cursor=${Buffer.from(JSON.stringify([new Date(), randomUUID()])).toString('base64url')}`,
    ],
    [`one of ${otherId}`, `cursor=${foreign}`],
    ['a status added', `cursor=${cursor}&status=active`],
    ['a window added', `cursor=${cursor}&${timeOf(id)}.gte=2020-01-01T00:00:00Z`],
  ]
  for (const [what, query] of wrong) {
    const { status, body } = await page(list, world, query)
    if (what === 'a status added' && body.error?.code !== 'cursor_invalid') {
      // A list whose filter has no such status refuses that first.
      expect(body.error).toMatchObject({ param: 'status' })
      continue
    }
    expect([what, status, body.error?.code, body.error?.param]).toEqual([
      what,
      400,
      'cursor_invalid',
      'cursor',
    ])
  }
  expect((await page(list, world, `cursor=${cursor}&limit=50`)).status).toBe(200)
  const first = async (query: string) => (await page(list, world, query)).body.data.map(({ id }) => id)
  expect(await first('limit=1&cursor=')).toEqual(await first('limit=1'))
})

test('a cursor of one environment is refused in the other', async () => {
  const list = lists['payment_links.list']!
  const world = await newWorld(list, 2)
  const { next_cursor: cursor } = (await page(list, world, 'limit=1')).body
  const live = await newMerchant({ environment: 'live' })
  const { body } = await call<Page>('GET', `/v1/payment-links?cursor=${cursor}`, {
    bearer: live.apiKey,
    environment: 'live',
  })
  expect(body.error?.code).toBe('cursor_invalid')
})

test.each(share(each, 3, 3))('%s: a cursor of another workspace is refused', async (_id, list) => {
  const [theirs, own] = [await threeRows(list), await newWorld(list, 0)]
  const { next_cursor: cursor } = (await page(list, theirs, 'limit=1')).body
  // Path and query are the same; only the caller differs.
  const as = list.bearer(theirs) === list.bearer(own) ? own : { ...theirs, merchant: own.merchant }
  const { status, body } = await page(list, as, `limit=1&cursor=${cursor}`)
  const missing = list.path(theirs).includes(theirs.link.id)
  expect([status, body.error?.code]).toEqual(missing ? [404, expect.any(String)] : [400, 'cursor_invalid'])
})

test.each(share(each, 3, 4))('%s: limit is 1 to 100', async (id, list) => {
  const world = await threeRows(list)
  for (const limit of ['1', '100']) expect((await page(list, world, `limit=${limit}`)).status).toBe(200)
  // All refusals of a limit or time, over every list: test/unit/http/refusals.test.ts.
  for (const [query, param] of [
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    [`${timeOf(id)}.gte=2026-02-30T00:00:00Z`, `${timeOf(id)}.gte`],
  ] as const) {
    const { status, body } = await page(list, world, query)
    expect([query, status, body.error?.code, body.error?.param]).toEqual([
      query,
      422,
      'parameter_invalid',
      param,
    ])
  }
})

test.each(share(each, 3, 5))('%s: a window of creation times, its ends included or not', async (id, list) => {
  const [world, time] = [await threeRows(list), timeOf(id)]
  const { data } = (await page(list, world, '')).body
  const at = data[1]![time]
  const within = data.filter((row) => row[time] === at).map(({ id }) => id)
  const query = `${time}.gte=${at}&${time}.lte=${at}`
  const exact = (await page(list, world, query)).body.data.map(({ id }) => id)
  expect(exact).toEqual(within)
  const ids = async (window: string) => (await page(list, world, window)).body.data.map(({ id }) => id)
  const [after, before] = [data.filter((row) => row[time] > at), data.filter((row) => row[time] < at)]
  expect(await ids(`${time}.gt=${at}`)).toEqual(after.map(({ id }) => id))
  expect(await ids(`${time}.lt=${at}`)).toEqual(before.map(({ id }) => id))
  expect(await ids(`${time}.gt=${at}&${time}.lte=${at}`)).toEqual([])

  const far = ['2999-01-01T00:00:00Z', '2999-01-01T00:00:00-23:00', '9999-12-31T23:59:59Z']
  for (const moment of far) {
    const { status, body } = await page(list, world, `${time}.gte=${moment}`)
    expect([moment, status, body.data]).toEqual([moment, 200, []])
  }
  for (const moment of ['2026-01-01T00:00:00%2B20:00', '1900-01-01T00:00:00Z']) {
    expect([moment, (await page(list, world, `${time}.gte=${moment}`)).status]).toEqual([moment, 200])
  }
})
