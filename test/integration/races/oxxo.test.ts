import { expect, test } from 'vitest'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  pageState,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { newVoucher, payInCash, vouchersOf } from '../../support/cash.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const many = 50

const till = (merchant: Merchant, reference: string, late = false) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: { late } })

/** What the processor took, and its entries in the books. */
async function money(merchant: Merchant, publicId: string) {
  const cards = (await chargesOf(publicId)).filter(({ state }) => state === 'captured').length
  const [row] = await adminSql('sandbox')<{ cash: number; unapplied: number; succeeded: number }>(
    `select (select count(*)::int from simulator.vouchers s join payment_attempts a on a.id = s.reference
               where a.tenant_id = $1 and s.state = 'paid') as cash,
            (select count(*)::int from unapplied_funds u where u.tenant_id = $1) as unapplied,
            (select count(*)::int from payments p where p.tenant_id = $1 and p.status = 'succeeded') as succeeded`,
    [merchant.tenantId],
  )
  return { cards, ...row! }
}

test('acceptance 11: 50 buyers on a single-use link with a live voucher, by card and by voucher: one pays', async () => {
  const merchant = await newMerchant()
  const { link, reference } = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const forms = await Promise.all(
    Array.from({ length: many }, () => openLink(link.public_id, `?retry=${payment!.public_id}`)),
  )
  const answers = await Promise.all(
    forms.map((form, at) =>
      at % 2 ? pay(link.public_id, form, 'tok_sbx_approve') : payInCash(link.public_id, form, 'oxxo'),
    ),
  )
  for (const { status } of answers) expect([303, 409, 410]).toContain(status)
  // A store takes any voucher that it is shown, the first one too.
  for (const voucher of await vouchersOf(merchant.tenantId)) await till(merchant, voucher.reference, true)
  await settleAttempts(merchant.tenantId, 3)
  const all = await money(merchant, link.public_id)
  expect(all.succeeded).toBe(1)
  expect(all.cards + all.cash).toBe(all.succeeded + all.unapplied)
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ capture: 1 })
  const live = (await paymentsOf(merchant.tenantId)).filter(({ status }) => status !== 'canceled')
  expect(live.map(({ status }) => status)).toEqual(['succeeded'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  const first = (await vouchersOf(merchant.tenantId)).find((voucher) => voucher.reference === reference)
  expect(first?.status).toBe('paid')
})

test('50 cards against one till: the voucher is canceled first, or it wins', async () => {
  for (let round = 0; round < 4; round++) {
    const merchant = await newMerchant()
    const { link, location, reference } = await newVoucher(merchant)
    const [payment] = await paymentsOf(merchant.tenantId)
    const forms = await Promise.all(
      Array.from({ length: many }, () => openLink(link.public_id, `?retry=${payment!.public_id}`)),
    )
    const cards = forms.map((form) => pay(link.public_id, form, 'tok_sbx_approve'))
    await Promise.all([...cards, till(merchant, reference)])
    await settleAttempts(merchant.tenantId, 3)
    const all = await money(merchant, link.public_id)
    expect(all).toMatchObject({ succeeded: 1, unapplied: 0 })
    expect(all.cards + all.cash, 'the money of one payment, from one place').toBe(1)
    // Who took the voucher paid it, or reads that it is over.
    const { status, state } = await pageState(location)
    expect([status, state]).toEqual([200, all.cash === 1 ? 'succeeded' : 'canceled'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  }
})

test('50 buyers ask for a voucher on a single-use link: one voucher', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const forms = await Promise.all(Array.from({ length: many }, () => openLink(link.public_id)))
  const answers = await Promise.all(
    forms.map((form, at) =>
      at % 5 === 0
        ? pay(link.public_id, form, 'tok_sbx_decline_funds')
        : payInCash(link.public_id, form, 'oxxo'),
    ),
  )
  for (const { status } of answers) expect([303, 409]).toContain(status)
  const out = (await vouchersOf(merchant.tenantId)).filter(({ status }) => status === 'issued')
  expect(out.length).toBeLessThanOrEqual(1)
  const live = (await attemptsOf(merchant.tenantId)).filter(({ status }) => status === 'pending_customer')
  expect(live).toHaveLength(out.length)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('the same form 50 times: one voucher, one address', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'], usage: 'multi_use' })
  const form = await openLink(link.public_id)
  const answers = await Promise.all(
    Array.from({ length: many }, () => payInCash(link.public_id, form, 'oxxo')),
  )
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`)).size).toBe(1)
  expect(await vouchersOf(merchant.tenantId)).toHaveLength(1)
})

test('50 buyers of a multi-use link: 50 vouchers, each paid at the same time', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'], usage: 'multi_use' })
  await Promise.all(
    Array.from({ length: many }, async () =>
      payInCash(link.public_id, await openLink(link.public_id), 'oxxo'),
    ),
  )
  const vouchers = await vouchersOf(merchant.tenantId)
  expect(new Set(vouchers.map(({ reference }) => reference)).size).toBe(many)
  const paid = await Promise.all(vouchers.map(({ reference }) => till(merchant, reference)))
  expect(new Set(paid.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: many })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})
