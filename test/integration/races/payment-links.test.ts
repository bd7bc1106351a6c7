import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenRules, chargesOf, journalsOf, paymentsOf } from '../../support/books.ts'
import { call, type Link, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const linksOf = (tenantId: string) =>
  adminSql('sandbox')<{
    id: string
    status: string
    version: number
    amount_minor: string
    terms_version: number
  }>('select id, status, version, amount_minor, terms_version from payment_links where tenant_id = $1', [
    tenantId,
  ])

test('one Idempotency-Key, 50 creates: one link, 50 replies of the same bytes', async () => {
  const merchant = await newMerchant()
  const sent = {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { manual_amount: 120_000, currency: 'mxn' },
  }
  const replies = await times(() => call('POST', '/v1/payment-links', sent))
  expect(replies.map(({ status }) => status)).toEqual(Array(copies).fill(201))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(replies.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true')).toHaveLength(1)
  expect(await linksOf(merchant.tenantId)).toHaveLength(1)
  const events = await adminSql('sandbox')('select type from events where tenant_id = $1', [
    merchant.tenantId,
  ])
  expect(events).toEqual([{ type: 'payment_link.created' }])
})

test('one Idempotency-Key, two bodies, 25 creates of each: one effect, the other body 422', async () => {
  const merchant = await newMerchant()
  const headers = { 'idempotency-key': randomUUID() }
  const amounts = [120_000, 130_000]
  const replies = await times((at) =>
    call<{ manual_amount?: number }>('POST', '/v1/payment-links', {
      bearer: merchant.apiKey,
      headers,
      body: { manual_amount: amounts[at % 2], currency: 'mxn' },
    }),
  )
  const [link] = await linksOf(merchant.tenantId)
  expect(await linksOf(merchant.tenantId)).toHaveLength(1)
  const winner = amounts.indexOf(Number(link!.amount_minor))
  for (const [at, reply] of replies.entries()) expect(reply.status).toBe(at % 2 === winner ? 201 : 422)
  expect(new Set(replies.filter((_, at) => at % 2 === winner).map(({ text }) => text)).size).toBe(1)
})

test('one change sent 50 times under one key happens once', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const sent = {
    bearer: merchant.apiKey,
    headers: { 'idempotency-key': randomUUID() },
    body: { metadata: { order: '1' } },
  }
  const replies = await times(() => call('PATCH', `/v1/payment-links/${link.id}`, sent))
  expect(replies.map(({ status }) => status)).toEqual(Array(copies).fill(200))
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect((await linksOf(merchant.tenantId))[0]!.version).toBe(2)
})

test('new terms racing the first payer: either the payer pays the old terms or they change, never both', async () => {
  const merchant = await newMerchant()
  const rounds = await times(async () => {
    const link = await newLink(merchant)
    const form = await openLink(link.public_id)
    const [change, answer] = await Promise.all([
      call('PATCH', `/v1/payment-links/${link.id}`, {
        bearer: merchant.apiKey,
        body: { manual_amount: 500_000 },
      }),
      pay(link.public_id, form, 'tok_sbx_approve'),
    ])
    return { link, change, answer, charges: await chargesOf(link.public_id) }
  })
  for (const { change, answer, charges } of rounds) {
    expect([200, 422, 409]).toContain(change.status)
    expect(answer.status === 303).toBe(change.status !== 200)
    expect(charges.map(({ amount_minor }) => amount_minor)).toEqual(change.status === 200 ? [] : ['120000'])
  }
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each([
  ['revoke', ['inactive']],
  ['deactivate', ['inactive', 'paid']],
  ['archive', ['archived']],
] as const)('paying while the merchant sends %s: the money and the records agree', async (move, ends) => {
  const merchant = await newMerchant()
  const rounds = await times(async () => {
    const link = await newLink(merchant)
    const form = await openLink(link.public_id)
    const [moved, answer] = await Promise.all([
      call<Link>('POST', `/v1/payment-links/${link.id}/${move}`, { bearer: merchant.apiKey }),
      pay(link.public_id, form, 'tok_sbx_approve'),
    ])
    const { body } = await call<Link>('GET', `/v1/payment-links/${link.id}`, { bearer: merchant.apiKey })
    return { moved, answer, link: body, charges: await chargesOf(link.public_id) }
  })
  for (const { moved, answer, link, charges } of rounds) {
    const paid = answer.status === 303
    expect(charges.map(({ state }) => state)).toEqual(paid ? ['captured'] : [])
    expect(paid || moved.status === 200).toBe(true)
    expect(ends as readonly string[]).toContain(moved.status === 200 ? link.status : ends[0])
    if (moved.status !== 200) expect([moved.status, link.status]).toEqual([409, 'paid'])
  }
  const payments = await paymentsOf(merchant.tenantId)
  expect(payments.every(({ status }) => status === 'succeeded')).toBe(true)
  expect(await journalsOf(merchant.tenantId)).toEqual(payments.length > 0 ? { capture: payments.length } : {})
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('paying while the link expires: the page or the money, never neither nor both', async () => {
  const merchant = await newMerchant()
  const rounds = await times(async (at) => {
    const link = await newLink(merchant)
    const form = await openLink(link.public_id)
    const expire = adminSql('sandbox')(
      `update payment_links set expires_at = now() + $2 * interval '1 millisecond' where id = $1`,
      [link.id, at],
    )
    const [answer] = await Promise.all([pay(link.public_id, form, 'tok_sbx_approve'), expire])
    return { answer, charges: await chargesOf(link.public_id) }
  })
  await trigger('sandbox')
  for (const { answer, charges } of rounds)
    expect(charges.map(({ state }) => state)).toEqual(answer.status === 303 ? ['captured'] : [])
  const links = await linksOf(merchant.tenantId)
  expect(links.every(({ status }) => status === 'paid' || status === 'inactive')).toBe(true)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
