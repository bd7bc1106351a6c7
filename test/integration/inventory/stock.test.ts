import { describe, expect, test } from 'vitest'
import { newCatalog, newItem } from '../../support/digital-catalogs.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { adjust, answerOf, levelsOf, reserve, stock, stocked } from '../../support/stock.ts'

const newLocation = async (merchant: Parameters<typeof stock>[0], name: string) =>
  (await call<{ id: string }>('POST', '/v1/workspace/locations', { bearer: merchant.apiKey, body: { name } }))
    .body.id

test('what is received, lost and counted is a ledger, and what is on hand its sum', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 0)
  expect(await levelsOf(merchant, item!)).toEqual([])
  expect(answerOf(await adjust(merchant, item!, -1))).toBe('409 stock_insufficient')
  expect(answerOf(await adjust(merchant, item!, 24, { kind: 'received', note: 'Pedido 118' }))).toBe('201')
  expect(answerOf(await adjust(merchant, item!, -3, { kind: 'lost' }))).toBe('201')
  expect(answerOf(await adjust(merchant, item!, -22, { kind: 'lost' }))).toBe('409 stock_insufficient')
  const counted = await stock(merchant, 'POST', '/counts', { item_id: item, counted: 20 })
  expect(counted.body).toMatchObject({ kind: 'count', quantity: -1 })
  expect(await levelsOf(merchant, item!)).toEqual(['20/0'])
  const { body } = await stock(merchant, 'GET', `/movements?item_id=${item}`)
  expect(body.data.map(({ quantity }) => quantity)).toEqual([-1, -3, 24])
  expect((await stock(merchant, 'GET', `/movements?item_id=${item}&kind=lost`)).body.data).toHaveLength(1)
})

test('a reservation takes from what is available; it is committed, released or expires, once', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 5)
  const held = (await reserve(merchant, [item!, 2])).body
  const other = (await reserve(merchant, [item!, 2])).body
  expect(await levelsOf(merchant, item!)).toEqual(['5/4'])
  expect(answerOf(await reserve(merchant, [item!, 2]))).toBe('409 stock_insufficient')

  const end = (id: string, how: string) => stock(merchant, 'POST', `/reservations/${id}/${how}`)
  expect((await end(held.id, 'commit')).body).toMatchObject({ status: 'committed', shortages: [] })
  expect(await levelsOf(merchant, item!)).toEqual(['3/2'])
  expect(answerOf(await end(held.id, 'commit'))).toBe('409 stock_reservation_ended')
  expect(answerOf(await end(held.id, 'release'))).toBe('409 stock_reservation_ended')
  expect((await end(other.id, 'release')).body.status).toBe('released')
  expect(await levelsOf(merchant, item!)).toEqual(['3/0'])
  const sold = await stock(merchant, 'GET', `/movements?reservation_id=${held.id}`)
  expect(sold.body.data).toMatchObject([{ kind: 'sold', quantity: -2 }])
})

test('all lines or none, and lines of one item count together', async () => {
  const merchant = await newMerchant()
  const [cup, plate] = await stocked(merchant, 3, 3)
  expect(answerOf(await reserve(merchant, [cup!, 1], [plate!, 4]))).toBe('409 stock_insufficient')
  expect(answerOf(await reserve(merchant, [cup!, 2], [cup!, 2]))).toBe('409 stock_insufficient')
  const most = [cup!, 1_000_000_000] as const
  expect(answerOf(await reserve(merchant, most, most, most))).toBe('409 stock_insufficient')
  expect(await levelsOf(merchant, cup!)).toEqual(['3/0'])
  const { body } = await reserve(merchant, [cup!, 1], [plate!, 1], [cup!, 1])
  expect(body).toMatchObject({
    lines: [
      { item_id: cup, quantity: 2 },
      { item_id: plate, quantity: 1 },
    ],
  })
})

test('a reservation is extended while it holds, and expires at its time', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 2)
  const { id } = (await reserve(merchant, [item!, 2])).body
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect(
    (await stock(merchant, 'POST', `/reservations/${id}/extend`, { expires_at: later })).body,
  ).toMatchObject({
    expires_at: later,
  })
  const advance = async (duration: string) => {
    await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: duration } })
    await trigger('sandbox')
  }
  await advance('PT30M')
  expect(await levelsOf(merchant, item!)).toEqual(['2/2'])
  await advance('PT31M')
  expect(await levelsOf(merchant, item!)).toEqual(['2/0'])
  expect((await stock(merchant, 'GET', `/reservations/${id}`)).body.status).toBe('expired')
})

test('a transfer takes here and adds there, in one piece', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 5)
  const there = await newLocation(merchant, 'Roma')
  const move = (quantity: number, to: string | null = there) =>
    stock(merchant, 'POST', '/transfers', {
      item_id: item,
      from_location_id: to === null ? there : null,
      to_location_id: to,
      quantity,
    })
  expect(answerOf(await move(4))).toBe('200')
  expect(answerOf(await move(2))).toBe('409 stock_insufficient')
  expect(answerOf(await move(1, null))).toBe('200')
  expect((await levelsOf(merchant, item!)).sort()).toEqual(['2/0', '3/0'])
  expect(answerOf(await move(1, '0190a6d2-7c3e-7b1a-9f00-000000000031'))).toBe('404 location_not_found')
})

test('a level that becomes low is announced once, and again when it was not low in between', async () => {
  const merchant = await newMerchant()
  const [item] = await stocked(merchant, 5)
  const { body } = await stock(merchant, 'GET', `/levels?item_id=${item}`)
  await stock(merchant, 'PATCH', `/levels/${body.data[0]!.id}`, { low_quantity: 2 })
  const announced = async () => {
    await trigger('sandbox')
    const rows = await adminSql('sandbox')<{ n: number }>(
      `select count(*)::int n from events where tenant_id = $1 and type = 'stock_level.low'`,
      [merchant.tenantId],
    )
    return rows[0]!.n
  }
  expect(await announced()).toBe(0)
  const { id } = (await reserve(merchant, [item!, 3])).body
  expect(await announced()).toBe(1)
  expect((await stock(merchant, 'GET', '/levels?low=true')).body.data).toMatchObject([{ low: true }])
  await adjust(merchant, item!, -1)
  expect(await announced()).toBe(1)
  await stock(merchant, 'POST', `/reservations/${id}/release`)
  expect((await stock(merchant, 'GET', '/levels?low=true')).body.data).toEqual([])
  await adjust(merchant, item!, -2)
  expect(await announced()).toBe(2)
})

describe('refused', () => {
  test('by the schema: what was released is not sold', async () => {
    const merchant = await newMerchant()
    const [item] = await stocked(merchant, 5)
    const { id } = (await reserve(merchant, [item!, 3])).body
    await stock(merchant, 'POST', `/reservations/${id}/release`)
    const sell = adminSql('sandbox')(`update stock_reservations set status = 'committed' where id = $1`, [id])
    await expect(sell).rejects.toMatchObject({ code: 'SP460' })
    expect(await levelsOf(merchant, item!)).toEqual(['5/0'])
  })

  test('a reservation where nothing was ever there', async () => {
    const merchant = await newMerchant()
    const [item] = await stocked(merchant, 0)
    expect(answerOf(await reserve(merchant, [item!, 1]))).toBe('409 stock_insufficient')
  })

  test('items that are not there, not tracked, or archived', async () => {
    const merchant = await newMerchant()
    const service = await newItem(merchant, (await newCatalog(merchant)).id, { kind: 'service' })
    const nowhere = '0190a6d2-7c3e-7b1a-9f00-000000000031'
    expect(answerOf(await adjust(merchant, service.id, 1))).toBe('409 stock_not_tracked')
    expect(answerOf(await adjust(merchant, nowhere, 1))).toBe('404 catalog_item_not_found')
    const { status, body } = await reserve(merchant, [service.id, 1])
    expect([status, body.error]).toMatchObject([409, { code: 'stock_not_tracked', param: 'lines.0.item_id' }])
  })

  test('a count below what is reserved', async () => {
    const merchant = await newMerchant()
    const [item] = await stocked(merchant, 5)
    await reserve(merchant, [item!, 3])
    const count = (counted: number) => stock(merchant, 'POST', '/counts', { item_id: item, counted })
    expect(answerOf(await count(2))).toBe('409 stock_insufficient')
    expect(answerOf(await count(3))).toBe('201')
  })

  test.each([
    [
      'more reserved than on hand',
      'update stock_levels set reserved = on_hand + 1',
      'stock_levels_available',
    ],
    ['less than nothing', 'update stock_levels set reserved = -1', 'stock_levels_reserved_counted'],
    ['another end', `update stock_reservations set status = 'released'`, undefined],
    ['other lines', `update stock_reservations set lines = '[{"item_id": "x"}]'`, undefined],
    ['a movement rewritten', 'update stock_movements set quantity = quantity + 1', undefined],
  ])('by the schema: %s', async (_what, statement, constraint) => {
    const merchant = await newMerchant()
    const [item] = await stocked(merchant, 5)
    const { id } = (await reserve(merchant, [item!, 3])).body
    await stock(merchant, 'POST', `/reservations/${id}/commit`)
    await expect(
      adminSql('sandbox')(`${statement} where tenant_id = $1`, [merchant.tenantId]),
    ).rejects.toMatchObject(constraint ? { constraint } : { code: expect.any(String) })
  })
})
