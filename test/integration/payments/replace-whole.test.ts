import { expect, test } from 'vitest'
import { brokenRules, paymentsOf, settleAttempts } from '../../support/books.ts'
import { payInCash, vouchersOf } from '../../support/cash.ts'
import { onSale } from '../../support/checkout.ts'
import {
  call,
  type Link,
  type Merchant,
  newLink,
  newMerchant,
  openLink,
  pay,
} from '../../support/merchant.ts'
import { fundsOf } from '../../support/spei.ts'
import { adminSql } from '../../support/stack.ts'
import { expire, till } from './voucher-story.ts'

// A voucher is closed only for what takes its place: nothing else comes of it, whatever refuses.

const ana = { name: 'Ana López', email: 'ana@example.com' }
const home = '198.51.0.1'
const methods = { payment_method_types: ['card', 'oxxo'] }
const statuses = async ({ tenantId }: Merchant) => (await paymentsOf(tenantId)).map(({ status }) => status)

const sold = async (merchant: Merchant): Promise<Link> => {
  const [item_id] = await onSale(merchant, 40)
  return newLink(merchant, {
    manual_amount: undefined,
    amount_source: 'catalog_line_item',
    catalog_line_item: { item_id, quantity: 1 },
    adjustable_quantity: { min: 1, max: 30 },
    usage: 'multi_use',
    ...methods,
  })
}

/** Ana takes a voucher; answers how to open the form that replaces it. */
async function held({ tenantId }: Merchant, { public_id }: Link, query: string) {
  await payInCash(public_id, await openLink(public_id, `?method=oxxo${query}`), 'oxxo', ana, home)
  const { public_id: reference } = (await paymentsOf(tenantId)).at(-1)!
  return (more: string) => openLink(public_id, `?retry=${reference}${more}`)
}

test.each([9, 30])('more than may be held unpaid, %d of 40: the voucher stays', async (quantity) => {
  const merchant = await newMerchant()
  const link = await sold(merchant)
  const open = await held(merchant, link, '&quantity=1')
  const form = await open(`&method=oxxo&quantity=${quantity}`)
  const { location } = await payInCash(link.public_id, form, 'oxxo', ana, home)
  expect(location).toMatch(/[?&]error=held_unpaid/)
  expect(await statuses(merchant)).toEqual(['requires_action'])
  const [voucher] = await vouchersOf(merchant.tenantId)
  expect((await till(merchant, voucher!.reference)).status).toBe(200)
})

test('more than is left, by card: the voucher stays', async () => {
  const merchant = await newMerchant()
  const link = await sold(merchant)
  const open = await held(merchant, link, '&quantity=1')
  const form = await open('&quantity=30')
  await pay(link.public_id, await openLink(link.public_id, '?quantity=20'), 'tok_sbx_approve')
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBe(409)
  expect(await statuses(merchant)).toEqual(['requires_action', 'succeeded'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a voucher of 8 becomes one of 4 where a fifth of what there is became 4', async () => {
  const merchant = await newMerchant()
  const link = await sold(merchant)
  const open = await held(merchant, link, '&quantity=8')
  await pay(link.public_id, await openLink(link.public_id, '?quantity=20'), 'tok_sbx_approve')
  await payInCash(link.public_id, await open('&method=oxxo&quantity=4'), 'oxxo', ana, home)
  expect(await statuses(merchant)).toEqual(['canceled', 'succeeded', 'requires_action'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each(['suspended', 'closed'])('a workspace that is %s meanwhile: the voucher stays', async (status) => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', ...methods })
  const form = await (await held(merchant, link, ''))('')
  await adminSql('sandbox')('update tenants set status = $2 where tenant_id = $1', [
    merchant.tenantId,
    status,
  ])
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).status).toBeGreaterThanOrEqual(400)
  expect(await statuses(merchant)).toEqual(['requires_action'])
})

test('the last place passes from the voucher to the card, also while others ask for it', async () => {
  const merchant = await newMerchant()
  const scenes = Array.from({ length: 8 }, async () => {
    const link = await newLink(merchant, { usage: 'multi_use', uses_max: 2, ...methods })
    const others = await Promise.all(Array.from({ length: 7 }, () => openLink(link.public_id)))
    await payInCash(link.public_id, await openLink(link.public_id, '?method=oxxo'), 'oxxo', ana, home)
    const [{ public_id: reference }] = (await adminSql('sandbox')(
      `select public_id from payments where origin_id = $1 and method = 'oxxo'`,
      [link.id],
    )) as [{ public_id: string }]
    const own = await openLink(link.public_id, `?retry=${reference}`)
    await pay(link.public_id, others.pop()!, 'tok_sbx_approve')
    const [mine] = await Promise.all(
      [own, ...others].map((form) => pay(link.public_id, form, 'tok_sbx_approve')),
    )
    return mine!.status
  })
  expect(await Promise.all(scenes)).toEqual(Array(8).fill(303))
  expect((await statuses(merchant)).filter((status) => status === 'succeeded')).toHaveLength(16)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('late money of any voucher of a row may be applied to it, beside what was paid in its place', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { usage: 'multi_use', ...methods })
  await held(merchant, link, '')
  const first = (await paymentsOf(merchant.tenantId))[0]!
  const replace = async (reference: string, method: string) =>
    openLink(link.public_id, `?retry=${reference}${method}`)
  await payInCash(link.public_id, await replace(first.public_id, '&method=oxxo'), 'oxxo', ana, home)
  const second = (await paymentsOf(merchant.tenantId))[1]!
  const { reference } = (await vouchersOf(merchant.tenantId))[1]!
  await expire(merchant, reference)
  await settleAttempts(merchant.tenantId, 2)
  await pay(link.public_id, await replace(second.public_id, ''), 'tok_sbx_approve')
  expect(await statuses(merchant)).toEqual(['canceled', 'expired', 'succeeded'])
  expect((await till(merchant, reference, { late: true })).status).toBe(200)
  const [funds] = await fundsOf(merchant)
  const applied = await call('POST', `/v1/payment-operations/unapplied-funds/${funds!.id}/apply`, {
    bearer: merchant.apiKey,
    body: { payment_id: second.id },
  })
  expect(applied.status, applied.text).toBe(200)
  expect(await statuses(merchant)).toEqual(['canceled', 'succeeded', 'succeeded'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
