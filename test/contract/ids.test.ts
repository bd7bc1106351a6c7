import { expect, test } from 'vitest'
import { call, newLink, newMerchant } from '../support/merchant.ts'
import { paidByCard } from '../support/refunds.ts'
import { share } from '../support/share.ts'
import { expectProblem, type Request, ready, rowsOf, send } from './requests.ts'

/* One id is one resource, however it is written. */

const aId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const inUpperCase = (text: string) => text.replace(aId, (id) => id.toUpperCase())
const reading = rowsOf(({ contract: { method, params } }) => method === 'GET' && params !== undefined)

test.each(reading)('%s: an id in upper case is the same id', async (_id, operation) => {
  const made = await ready(operation)
  const [lower, upper] = [await send(made), await send({ ...made, path: inUpperCase(made.path) })]
  expect([upper.status, upper.text]).toEqual([200, lower.text])
})

const changing = rowsOf(({ contract: { method, access, params, idempotency } }) => {
  const isByKey = access.api_key !== undefined && idempotency !== 'none'
  return isByKey && (method !== 'GET' || params !== undefined)
})

test.each(share(changing, 3, 2))(
  '%s: its request in upper case is the same request',
  async (_id, operation) => {
    const made = await ready(operation)
    const body = made.body && (JSON.parse(inUpperCase(JSON.stringify(made.body))) as Request['body'])
    const first = await send({ ...made, path: inUpperCase(made.path), body })
    expect(first.status, first.text).toBe(operation.contract.reply.status)
    const again = await send(made)
    expect([again.status, again.headers.get('idempotent-replayed')], again.text).toEqual([
      first.status,
      'true',
    ])
  },
)

test('a filter in upper case, and its cursor, are the same', async () => {
  const merchant = await newMerchant()
  const { id } = await newLink(merchant, { usage: 'multi_use' })
  const path = `/v1/webhooks/events?limit=1&resource_id=`
  await call('PATCH', `/v1/payment-links/${id}`, { bearer: merchant.apiKey, body: { description: 'x' } })
  type Page = { data: { id: string }[]; next_cursor: string }
  const get = async (query: string) => (await call<Page>('GET', query, { bearer: merchant.apiKey })).body
  const upper = await get(path + id.toUpperCase())
  expect(upper.data).toEqual((await get(path + id)).data)
  expect((await get(`${path}${id}&cursor=${upper.next_cursor}`)).data).toHaveLength(1)
})

test('a payment link is found by its public id too', async () => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  const link = await newLink(merchant)
  await newLink(merchant)
  const paymentId = await paidByCard(merchant)
  const as = { bearer: merchant.apiKey }
  type List = { data: { id: string; origin: { id: string } }[] }
  const paid = (
    await call<{ origin: { id: string } }>('GET', `/v1/payment-operations/payments/${paymentId}`, as)
  ).body
  const paidLink = (await call<{ public_id: string }>('GET', `/v1/payment-links/${paid.origin.id}`, as)).body

  expect((await call('GET', `/v1/payment-links/${link.public_id}`, as)).body).toMatchObject({ id: link.id })
  const listed = (await call<List>('GET', `/v1/payment-links?public_id=${link.public_id}`, as)).body.data
  expect(listed.map(({ id }) => id)).toEqual([link.id])
  for (const path of [
    `/v1/payment-links/${paidLink.public_id}/payments`,
    `/v1/payment-links/${paid.origin.id}/payments`,
    `/v1/payment-operations/payments?payment_link_id=${paidLink.public_id}`,
    `/v1/payment-operations/payments?payment_link_id=${paid.origin.id.toUpperCase()}`,
  ]) {
    const { body } = await call<List>('GET', path, as)
    expect([path, body.data?.map(({ id }) => id)]).toEqual([path, [paymentId]])
  }
  const changed = await call('PATCH', `/v1/payment-links/${link.public_id}`, {
    ...as,
    headers: { 'if-match': '"1"' },
    body: { description: 'x' },
  })
  expect([changed.status, changed.body.version]).toEqual([200, 2])
  const foreign = await call('GET', `/v1/payment-links/${link.public_id}`, { bearer: stranger.apiKey })
  expectProblem(foreign, 'payment_link_not_found')
})
