import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { stack } from '../../support/stack.ts'

/* A merchant's own references: they reach payments and their events, and find both. */

type Shown = { id: string; client_reference_id: string | null; metadata: object }
type List = { data: Shown[]; error?: { code: string; param: string } }

const listed = async (merchant: Merchant, path: string, query: Record<string, string>) =>
  (await call<List>('GET', `${path}?${new URLSearchParams(query)}`, { bearer: merchant.apiKey })).body
const paymentsBy = (merchant: Merchant, query: Record<string, string>) =>
  listed(merchant, '/v1/payment-operations/payments', query)
const paymentOf = async (merchant: Merchant, link: Link) =>
  (await paymentsBy(merchant, { payment_link_id: link.id })).data[0]!

const metadata = { order: '1024', table: 7, vip: true, 'a [key] = é🪑': 'x&y=z', lines: [1, 2], none: null }

async function paidOnVisit(merchant: Merchant, link: Link, query = '', token = 'tok_sbx_approve') {
  expect((await pay(link.public_id, await openLink(link.public_id, query), token)).status).toBe(303)
  return paymentOf(merchant, link)
}

test.each(['tok_sbx_approve', 'tok_sbx_decline_funds'])(
  "a payment and each of its events has its link's metadata and reference: %s",
  async (token) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, { metadata, client_reference_id: 'order-1024' })
    const payment = await paidOnVisit(merchant, link, '', token)
    expect(payment).toMatchObject({ metadata, client_reference_id: 'order-1024' })
    const path = `/v1/payment-operations/payments/${payment.id}/events`
    const { body } = await call<{
      data: { type: string; data: { object: Shown; previous_attributes: object } }[]
    }>('GET', path, { bearer: merchant.apiKey })
    expect(body.data.length).toBeGreaterThan(1)
    for (const { type, data } of body.data) {
      expect([type, data.object.metadata, data.object.client_reference_id]).toEqual([
        type,
        metadata,
        'order-1024',
      ])
      expect(data.previous_attributes).not.toHaveProperty('metadata')
      expect(data.previous_attributes).not.toHaveProperty('client_reference_id')
    }

    await call('PATCH', `/v1/payment-links/${link.id}`, {
      bearer: merchant.apiKey,
      body: { metadata: { order: '2' }, client_reference_id: null },
    })
    expect(await paymentOf(merchant, link)).toEqual(payment)
  },
)

const visits: [what: string, query: string, reference: string | null][] = [
  ['nothing', '', 'the link'],
  ['one', '?client_reference_id=visit%20%C3%A9', 'visit é'],
  ['one in another language', '?lang=es&client_reference_id=v-1', 'v-1'],
  ['none', '?client_reference_id=', 'the link'],
  ['too long a one', `?client_reference_id=${'x'.repeat(201)}`, 'the link'],
  ['one with a line end', '?client_reference_id=a%0Ab', 'the link'],
  ['a card number', '?client_reference_id=4242%204242%204242%204242', 'the link'],
]
test.each(visits)('a visit whose query brings %s', async (_what, query, reference) => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { client_reference_id: 'the link' })
  const payment = await paidOnVisit(merchant, link, query)
  expect(payment.client_reference_id).toBe(reference)
})

test('what a visit brought survives a form that came back, and the next try keeps it', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const declined = await paidOnVisit(merchant, link, '?client_reference_id=v-2', 'tok_sbx_decline_funds')
  expect(declined.client_reference_id).toBe('v-2')
  const publicId = (declined as unknown as { public_id: string }).public_id
  const again = await openLink(link.public_id, `?retry=${publicId}`)
  await pay(link.public_id, again, 'tok_sbx_approve')
  expect(await paymentOf(merchant, link)).toMatchObject({ client_reference_id: 'v-2', status: 'succeeded' })
})

test('nothing of the metadata is on the page', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, {
    metadata: { secret: 'hidden-one' },
    client_reference_id: 'hidden-two',
  })
  const { quote } = await openLink(link.public_id)
  expect(Buffer.from(quote, 'base64url').toString()).not.toMatch(/hidden/)
})

const filters: [query: Record<string, string>, found: boolean][] = [
  [{ 'metadata[order]': '1024' }, true],
  [{ 'metadata[table]': '7' }, true],
  [{ 'metadata[vip]': 'true' }, true],
  [{ 'metadata[a [key] = é🪑]': 'x&y=z' }, true],
  [{ client_reference_id: 'order-1024' }, true],
  [
    {
      client_reference_id: 'order-1024',
      'metadata[order]': '1024',
      'created_at.gte': '2020-01-01T00:00:00Z',
    },
    true,
  ],
  [{ 'metadata[order]': '102' }, false],
  [{ 'metadata[order]': '1024 ' }, false],
  [{ 'metadata[Order]': '1024' }, false],
  [{ 'metadata[vip]': 'false' }, false],
  [{ 'metadata[lines]': '[1, 2]' }, false],
  [{ 'metadata[none]': 'null' }, false],
  [{ client_reference_id: 'ORDER-1024' }, false],
]
const both = ['/v1/payment-links', '/v1/payment-operations/payments']

test.each(both)('%s: found by metadata and reference, exactly', async (path) => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  for (const owner of [merchant, stranger]) {
    await paidOnVisit(owner, await newLink(owner, { metadata, client_reference_id: 'order-1024' }))
    await paidOnVisit(owner, await newLink(owner, { metadata: { order: '1025' } }))
  }
  const [, wanted] = (await listed(merchant, path, {})).data
  for (const [query, found] of filters) {
    const { data } = await listed(merchant, path, query)
    expect([query, data]).toEqual([query, found ? [wanted] : []])
  }
})

test('a link is found by the metadata that it has now', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { metadata: { order: '1', kept: 'yes' } })
  const change = { bearer: merchant.apiKey, body: { metadata: { order: '2', kept: 'yes' } } }
  await call('PATCH', `/v1/payment-links/${link.id}`, change)
  const found = async (key: string, value: string) =>
    (await listed(merchant, '/v1/payment-links', { [`metadata[${key}]`]: value })).data.length
  expect([await found('order', '1'), await found('order', '2'), await found('kept', 'yes')]).toEqual([
    0, 1, 1,
  ])
})

test.each(both)('%s: refuses malformed and unknown filters', async (path) => {
  const merchant = await newMerchant()
  const refused: [query: string, param: string, code?: string][] = [
    ['metadata[a]=1&metadata[b]=2', 'metadata'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a'],
    ['metadata=1', 'metadata'],
    ['metadata[]=1', 'metadata.'],
    ['metadata[__proto__]=1', 'metadata'],
    [`metadata[${'k'.repeat(41)}]=1`, `metadata.${'k'.repeat(41)}`],
    ['status[a]=active', 'status'],
    ['other[a]=1', 'other', 'parameter_unknown'],
    ['metadata[a=1', 'metadata[a', 'parameter_unknown'],
  ]
  for (const [query, param, code = 'parameter_invalid'] of refused) {
    const { body, status } = await call<List>('GET', `${path}?${query}`, { bearer: merchant.apiKey })
    expect([query, status, body.error?.code, body.error?.param]).toEqual([query, 422, code, param])
  }
})

test('payments are found by their payment instrument', async () => {
  const merchant = await newMerchant()
  const methods = { payment_method_types: ['card', 'oxxo', 'spei'] }
  const byCard = await paidOnVisit(merchant, await newLink(merchant, methods))
  const cash: Shown[] = []
  for (const method of ['oxxo', 'spei']) {
    const link = await newLink(merchant, methods)
    const form = await openLink(link.public_id)
    const buyer = { name: 'Ana Torres', email: 'ana@example.com', locale: 'en' }
    await fetch(`${stack.sandbox.directUrl}/${link.public_id}/attempts`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...buyer, method }),
      redirect: 'manual',
    })
    cash.push(await paymentOf(merchant, link))
  }
  const details = [byCard, ...cash].map(
    (each) => (each as unknown as { method_details: Record<string, string> }).method_details,
  )
  const by: [name: string, value: string, found: Shown][] = [
    ['last4', details[0]!.last4!, byCard],
    ['reference', details[1]!.reference!, cash[0]!],
    ['clabe', details[2]!.clabe!, cash[1]!],
  ]
  for (const [name, value, found] of by) {
    expect([name, (await paymentsBy(merchant, { [name]: value })).data]).toEqual([name, [found]])
    expect(
      (
        await paymentsBy(merchant, {
          [name]: value.replace(/\d$/, (last) => String((Number(last) + 1) % 10)),
        })
      ).data,
    ).toEqual([])
    expect((await paymentsBy(await newMerchant(), { [name]: value })).data).toEqual([])
    expect((await paymentsBy(merchant, { [name]: `${value}x` })).error).toMatchObject({ param: name })
  }
  const { error } = await paymentsBy(merchant, { last4: '4242', clabe: '0'.repeat(18) })
  expect(error).toMatchObject({ code: 'parameter_invalid', param: 'last4' })
  for (const [param, both] of [
    ['reference', { reference: '0'.repeat(14), clabe: '0'.repeat(18) }],
    ['checkout_session_id', { payment_link_id: randomUUID(), checkout_session_id: randomUUID() }],
  ] as const)
    expect((await paymentsBy(merchant, both)).error).toMatchObject({ code: 'parameter_invalid', param })
})

test('movements of the balance are found by the payout that carried them away', async () => {
  const merchant = await newMerchant()
  const path = '/v1/payment-operations/balance-activity'
  const payout = '0190a6d2-7c3e-7b1a-9f00-000000000040'
  expect((await listed(merchant, path, { payout_id: payout })).data).toEqual([])
  expect((await listed(merchant, path, { payout_id: 'x' })).error).toMatchObject({ param: 'payout_id' })
})
