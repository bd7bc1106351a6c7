import { expect, test } from 'vitest'
import { brokenRules } from '../../support/books.ts'
import { call, newMerchant, pay } from '../../support/merchant.ts'
import { open, pageOf } from '../../support/pages.ts'
import { billOf, newTable, tablePay } from '../../support/table-pay.ts'

/* Who is led to a bill by a table's code, and who is asked for its PIN. */

type Made = Awaited<ReturnType<typeof billOf>>

const pin = '482135'

const two = async (ofInto: object = {}, ofFrom: object = {}) => {
  const merchant = await newMerchant()
  return {
    merchant,
    into: await billOf(merchant, [10_000], ofInto),
    from: await billOf(merchant, [6_000], ofFrom),
  }
}

const merge = (into: Made, from: Made) =>
  into.ask<{ has_pin: boolean }>('POST', '/merge', { from_id: from.id })

/** Where a table's code leads: the status, and the bill without the language. */
const led = async ({ url }: { readonly url: string }) => {
  const { status, headers } = await open(`${new URL(url).pathname}?lang=en`)
  return [status, headers.get('location')?.replace('?lang=en', '') ?? null]
}

const unlock = (address: string, typed: string) =>
  open(`/${address}/unlock`, { method: 'POST', body: new URLSearchParams({ locale: 'en', password: typed }) })

test('later guests of a table are not led to the bill that one of earlier guests was merged into', async () => {
  const { merchant, into, from } = await two()
  await merge(into, from)
  expect(await led(from.table)).toEqual([302, `/${into.address}`])
  const next = await tablePay(merchant, 'POST', `/tables/${from.table.id}/sessions`, {})
  expect(await led(from.table)).toEqual([302, `/${next.body.public_id}`])
  await tablePay(merchant, 'POST', `/sessions/${next.body.id}/void`)
  expect((await into.now()).status).toBe('open')
  expect(await led(from.table)).toEqual([404, null])
})

test('a code whose newest bill was merged leads on to that one', async () => {
  const { merchant, into, from } = await two()
  await merge(into, from)
  const other = await billOf(merchant, [3_000])
  const next = await tablePay(merchant, 'POST', `/tables/${from.table.id}/sessions`, {})
  await other.ask('POST', '/merge', { from_id: next.body.id })
  expect(await led(from.table)).toEqual([302, `/${other.address}`])
})

test('a bill without a PIN has that of the one that is merged into it', async () => {
  const { merchant, into, from } = await two({}, { pin })
  const before = await into.form(`line=${into.lines[0]}`)
  const merged = await merge(into, from)
  expect([merged.status, merged.body.has_pin]).toEqual([200, true])
  expect(await into.now()).toEqual(merged.body)
  const { title, html } = await pageOf(`/${into.address}?lang=en`)
  expect([title, html.includes('Plato')]).toEqual([expect.stringContaining('code of your bill'), false])
  expect((await unlock(into.address, pin)).status).toBe(303)
  // Who saw the bill before pays what they chose.
  expect((await pay(into.address, before, 'tok_sbx_approve')).status).toBe(303)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each([
  ['of two PINs the bill that stays keeps its own', { pin: '555444' }],
  ['a bill keeps its PIN where the other one has none', {}],
])('%s', async (_, ofFrom) => {
  const { into, from } = await two({ pin }, ofFrom)
  expect((await merge(into, from)).body.has_pin).toBe(true)
  expect((await unlock(into.address, '555444')).status).toBe(422)
  expect((await unlock(into.address, pin)).status).toBe(303)
})

test('a bill that is led on by a later merge is a new version of itself, and an event says so', async () => {
  const { merchant, into, from } = await two()
  const third = await billOf(merchant, [2_000])
  await merge(into, from)
  const was = await from.now()
  await merge(third, into)
  const now = await from.now()
  expect([now.version, now]).toMatchObject([was.version + 1, { status: 'merged', merged_into: third.id }])
  const { body } = await call<{ data: { type: string }[] }>(
    'GET',
    `/v1/webhooks/events?resource_id=${from.id}&limit=1`,
    { bearer: merchant.apiKey },
  )
  expect(body.data).toMatchObject([{ type: 'table_session.updated' }])
  expect(JSON.stringify(body.data)).toContain(into.id)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 merges of a chain at once: every bill of it leads to the one that is open', async () => {
  const merchant = await newMerchant()
  const bills = await Promise.all(Array.from({ length: 5 }, () => billOf(merchant, [1_000])))
  await Promise.all(
    Array.from({ length: 50 }, (_, at) => merge(bills[(at + 1) % 5]!, bills[(at + Math.floor(at / 5)) % 5]!)),
  )
  const now = await Promise.all(bills.map((bill) => bill.now()))
  const open = now.filter(({ status }) => status === 'open').map(({ id }) => id)
  for (const { status, merged_into } of now) if (status === 'merged') expect(open).toContain(merged_into)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a bill is not reopened at a table that was archived since', async () => {
  const { merchant, from } = await two()
  await from.ask('POST', '/void')
  const table = (move: string) => tablePay(merchant, 'POST', `/tables/${from.table.id}/${move}`)
  expect((await table('archive')).status).toBe(200)
  const refused = await from.ask('POST', '/reopen')
  expect([refused.status, refused.body.error?.code]).toEqual([409, 'dining_table_archived'])
  await table('restore')
  expect((await from.ask('POST', '/reopen')).body.status).toBe('open')
})

test('50 times at once a table is archived and its bill reopened: one of both', async () => {
  const merchant = await newMerchant()
  const table = await newTable(merchant)
  const { body: bill } = await tablePay(merchant, 'POST', `/tables/${table.id}/sessions`, {})
  await tablePay(merchant, 'POST', `/sessions/${bill.id}/void`)
  await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      tablePay(
        merchant,
        'POST',
        at % 2 === 0 ? `/tables/${table.id}/archive` : `/sessions/${bill.id}/reopen`,
      ),
    ),
  )
  const [shown, now] = [
    (await tablePay<{ status: string }>(merchant, 'GET', `/tables/${table.id}`)).body,
    (await tablePay(merchant, 'GET', `/sessions/${bill.id}`)).body,
  ]
  expect(['active open', 'archived void']).toContain(`${shown.status} ${now.status}`)
})
