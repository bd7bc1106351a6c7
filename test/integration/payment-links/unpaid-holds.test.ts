import { expect, test } from 'vitest'
import { brokenRules, paymentsOf, settleAttempts } from '../../support/books.ts'
import { payInCash } from '../../support/cash.ts'
import { newSession, onSale } from '../../support/checkout.ts'
import { newDiscount } from '../../support/discounts.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { pageOf } from '../../support/pages.ts'
import { newGoverned, setPolicy } from '../../support/policy.ts'
import { adminSql } from '../../support/stack.ts'

const many = 50
const methods = { payment_method_types: ['card', 'oxxo'] }
const networkOf = (at: number) => `198.51.${at >> 8}.${at & 255}`

interface From {
  readonly network?: string
  readonly email?: string
}

/** Asks for a voucher; `held` where it is issued, `refused` where too much is held unpaid already. */
async function ask(publicId: string, { network = networkOf(0), email = 'ana@example.com' }: From = {}) {
  const form = await openLink(publicId, '?method=oxxo')
  const { status, location } = await payInCash(publicId, form, 'oxxo', { name: 'Ana López', email }, network)
  expect(status).toBe(303)
  return /[?&]error=held_unpaid/.test(location!) ? 'refused' : 'held'
}

/** Asks 50 times at once; answers how many hold something. */
async function askAtOnce(publicId: string, from: (at: number) => From): Promise<number> {
  const answers = await Promise.all(Array.from({ length: many }, (_, at) => ask(publicId, from(at))))
  return answers.filter((answer) => answer === 'held').length
}

const places = (merchant: Merchant, uses_max = 12): Promise<Link> =>
  newLink(merchant, { usage: 'multi_use', uses_max, ...methods })

const holdsOf = ({ tenantId }: Merchant) =>
  adminSql('sandbox')<{ quantity: number }>('select quantity from unpaid_holds where tenant_id = $1', [
    tenantId,
  ])

test('50 vouchers at once from one network hold a fifth of the places; the network still pays by card', async () => {
  const merchant = await newMerchant()
  const { public_id } = await places(merchant)
  expect(await askAtOnce(public_id, (at) => ({ email: `ana${at}@example.com` }))).toBe(2)
  const form = await openLink(public_id, '?method=oxxo')
  const refused = await payInCash(
    public_id,
    form,
    'oxxo',
    { name: 'Ana López', email: 'eva@example.com' },
    networkOf(0),
  )
  const { status, html } = await pageOf(refused.location!)
  expect([status, html]).toEqual([200, expect.stringContaining('What may be held without paying is taken')])
  expect(await ask(public_id, { network: networkOf(9), email: 'eva@example.com' })).toBe('held')
  expect((await pay(public_id, await openLink(public_id), 'tok_sbx_approve')).status).toBe(303)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 vouchers at once for one mailbox, under aliases and from 50 networks, hold a fifth', async () => {
  const merchant = await newMerchant()
  const { public_id } = await places(merchant)
  const aliases = [
    'anaprueba@gmail.com',
    'ana.prueba@gmail.com',
    'AnaPrueba+x@gmail.com',
    'a.na.prueba@googlemail.com',
  ]
  expect(await askAtOnce(public_id, (at) => ({ network: networkOf(at), email: aliases[at % 4]! }))).toBe(2)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 buyers at once hold half of the places unpaid; one who gives up leaves room for another', async () => {
  const merchant = await newMerchant()
  const { public_id } = await places(merchant)
  const buyer = (at: number) => ({ network: networkOf(at), email: `buyer${at}@example.com` })
  expect(await askAtOnce(public_id, buyer)).toBe(6)
  expect(await holdsOf(merchant)).toHaveLength(6)
  const [payment] = await adminSql('sandbox')<{ id: string }>(
    `select id from payments where tenant_id = $1 and status = 'requires_action' limit 1`,
    [merchant.tenantId],
  )
  const canceled = await call('POST', `/v1/payments/${payment!.id}/cancel`, {
    bearer: merchant.apiKey,
    body: {},
  })
  expect(canceled.status).toBeLessThan(300)
  await settleAttempts(merchant.tenantId, 2)
  const kept = await adminSql('sandbox')(
    'select id from payment_attempts where tenant_id = $1 and payment_id = $2 and network_digest is not null',
    [merchant.tenantId, payment!.id],
  )
  expect([kept, await holdsOf(merchant)]).toEqual([[], expect.objectContaining({ length: 5 })])
  expect([await ask(public_id, buyer(60)), await ask(public_id, buyer(61))]).toEqual(['held', 'refused'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one order holds at most a fifth of the stock unpaid', async () => {
  const merchant = await newMerchant()
  const [chair] = await onSale(merchant, 40)
  const order = (quantity: number) =>
    newSession(merchant, { line_items: [{ item_id: chair, quantity }], ...methods })
  const [nine, eight, more] = [await order(9), await order(8), await order(1)]
  expect(await ask(nine.public_id)).toBe('refused')
  expect(await ask(eight.public_id)).toBe('held')
  expect(await ask(more.public_id)).toBe('refused')
  expect(await ask(more.public_id, { network: networkOf(1), email: 'eva@example.com' })).toBe('held')
  expect((await pay(nine.public_id, await openLink(nine.public_id), 'tok_sbx_approve')).status).toBe(303)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 orders at once hold a fifth of the uses of a discount, each for a day where little is left', async () => {
  const merchant = await newMerchant()
  const { code } = await newDiscount(merchant, { uses_max: 5 })
  const cup = {
    line_items: [{ name: 'Taza', unit_amount: '58000', quantity: 1 }],
    discounts: [{ code }],
    ...methods,
  }
  const sessions = await Promise.all(Array.from({ length: many }, () => newSession(merchant, cup)))
  const answers = await Promise.all(
    sessions.map(({ public_id }, at) => ask(public_id, { email: `b${at}@example.com` })),
  )
  expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
  const [held] = await adminSql('sandbox')<{ hours: number }>(
    `select extract(epoch from expires_at - created_at)::float8 / 3600 as hours from vouchers where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(held!.hours).toBeLessThanOrEqual(48)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the last places are held for a day, as the page says; many are held for three', async () => {
  const merchant = await newMerchant()
  for (const [uses, most, least] of [
    [4, 48, 23],
    [40, 96, 71],
  ] as const) {
    const { public_id } = await places(merchant, uses)
    expect(await ask(public_id)).toBe('held')
    const [voucher] = await adminSql('sandbox')<{ hours: number }>(
      `select extract(epoch from v.expires_at - v.created_at)::float8 / 3600 as hours from vouchers v
       where v.tenant_id = $1 order by v.created_at desc limit 1`,
      [merchant.tenantId],
    )
    expect(voucher!.hours).toBeLessThanOrEqual(most)
    expect(voucher!.hours).toBeGreaterThan(least)
  }
})

test('a policy narrows what is held unpaid, to nothing at 0; what is not limited is not counted', async () => {
  const { merchant, admin } = await newGoverned()
  const buyer = (at: number) => ({ network: networkOf(at), email: `buyer${at}@example.com` })
  await setPolicy({ merchant, admin }, { unpaid_holds: { share_bps: 1_000 } })
  const tenth = await places(merchant, 20)
  expect(await askAtOnce(tenth.public_id, buyer)).toBe(2)
  await setPolicy({ merchant, admin }, { unpaid_holds: { share_bps: 0 } })
  expect(await ask((await places(merchant)).public_id)).toBe('refused')
  const open = await newLink(merchant, { usage: 'multi_use', ...methods })
  expect([await ask(open.public_id), await ask(open.public_id)]).toEqual(['held', 'held'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a voucher is not closed for one that may not be held: the buyer keeps theirs', async () => {
  const merchant = await newMerchant()
  const link = await places(merchant, 20)
  const holder = { name: 'Ana López', email: 'ana@example.com' }
  for (const _ of [1, 2, 3]) expect(await ask(link.public_id)).toBe('held')
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(link.public_id, `?retry=${payment!.public_id}&method=oxxo`)
  // Of fewer places a fifth is less than what this buyer holds.
  const fewer = await call('PATCH', `/v1/payment-links/${link.id}`, {
    bearer: merchant.apiKey,
    body: { uses_max: 10 },
  })
  expect(fewer.status, fewer.text).toBe(200)
  const { location } = await payInCash(link.public_id, form, 'oxxo', holder, networkOf(0))
  expect(location).toMatch(/[?&]error=held_unpaid/)
  expect((await paymentsOf(merchant.tenantId)).map(({ status }) => status)).toEqual(
    Array(3).fill('requires_action'),
  )
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('where little is left another voucher is brief, and one is closed for it', async () => {
  const merchant = await newMerchant()
  const link = await places(merchant, 9)
  expect(await ask(link.public_id)).toBe('held')
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(link.public_id, `?retry=${payment!.public_id}&method=oxxo`)
  await payInCash(link.public_id, form, 'oxxo', { name: 'Ana López', email: 'ana@example.com' }, networkOf(0))
  expect(
    await adminSql('sandbox')(
      `select p.status, a.expires_at < a.created_at + interval '48 hours' as brief from payments p
       join payment_attempts a on a.payment_id = p.id where p.tenant_id = $1 order by p.created_at, p.id`,
      [merchant.tenantId],
    ),
  ).toEqual([
    { status: 'canceled', brief: true },
    { status: 'requires_action', brief: true },
  ])
})
