import { expect, test } from 'vitest'
import { pageState, paymentsOf } from '../../support/books.ts'
import { newVoucher, payInCash, vouchersOf } from '../../support/cash.ts'
import { call, newLink, newMerchant, openLink, type PayForm, pay } from '../../support/merchant.ts'
import { adminSql, stack } from '../../support/stack.ts'
import { stands, till, unappliedOf, untouched } from './voucher-story.ts'

test('another way to pay closes the voucher first and is a payment of its own; if the voucher is paid all the same, that is unapplied funds', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}`)
  const { location } = await pay(voucher.link.public_id, form, 'tok_sbx_approve')
  expect(location).not.toContain(payment!.public_id)
  expect((await pageState(location!)).state).toBe('succeeded')
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['canceled', 'succeeded'],
    attempts: ['canceled', 'captured'],
    vouchers: ['canceled'],
    page: 'canceled',
    link: 'paid',
    journals: { capture: 1 },
  })
  expect((await till(merchant, voucher.reference)).status).toBe(409)
  expect((await till(merchant, voucher.reference, { late: true })).status).toBe(200)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['canceled', 'succeeded'],
    vouchers: ['paid'],
    journals: { capture: 1, deposit: 1 },
  })
  expect(await unappliedOf(merchant)).toEqual([{ reason: 'paid_late', remaining_minor: '120000' }])
})

test('a voucher that turns out to be paid wins over the card: the card is not charged', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}`)
  await adminSql('sandbox')(`update simulator.vouchers set state = 'paid' where number = $1`, [
    voucher.reference,
  ])
  expect((await pay(voucher.link.public_id, form, 'tok_sbx_approve')).status).toBe(410)
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['succeeded'],
    attempts: ['captured'],
    vouchers: ['paid'],
    page: 'succeeded',
    link: 'paid',
    journals: { capture: 1 },
  })
})

test('of what is sold often, a voucher that turns out to be paid wins too', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant, { usage: 'multi_use' })
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}`)
  await adminSql('sandbox')(`update simulator.vouchers set state = 'paid' where number = $1`, [
    voucher.reference,
  ])
  const { location } = await pay(voucher.link.public_id, form, 'tok_sbx_approve')
  expect(location).toContain(payment!.public_id)
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['succeeded'],
    attempts: ['captured'],
    vouchers: ['paid'],
    page: 'succeeded',
    link: 'active',
    journals: { capture: 1 },
  })
})

test('another voucher after the first: a new reference, the old one closed', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}&method=oxxo`)
  await payInCash(voucher.link.public_id, form, 'oxxo')
  const all = await vouchersOf(merchant.tenantId)
  expect(all.map(({ status }) => status)).toEqual(['canceled', 'issued'])
  expect((await till(merchant, all[1]!.reference)).status).toBe(200)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['canceled', 'succeeded'],
    link: 'paid',
  })
})

test('the same form again, after the voucher that came after it: nothing is closed', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const retry = `?retry=${payment!.public_id}`
  const declined = await openLink(voucher.link.public_id, retry)
  const { location } = await pay(voucher.link.public_id, declined, 'tok_sbx_decline_funds')
  await payInCash(voucher.link.public_id, await openLink(voucher.link.public_id, retry), 'oxxo')
  const again = await pay(voucher.link.public_id, declined, 'tok_sbx_decline_funds')
  expect(again.location).toBe(location)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['canceled', 'requires_payment_method', 'requires_action'],
    attempts: ['canceled', 'declined', 'pending_customer'],
    vouchers: ['canceled', 'issued'],
  })
})

test('a link that was paused meanwhile: the voucher stays, and can be opened and paid', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}`)
  await call('POST', `/v1/payment-links/${voucher.link.id}/deactivate`, { bearer: merchant.apiKey })
  expect((await pay(voucher.link.public_id, form, 'tok_sbx_approve')).status).toBe(409)
  expect(await stands(merchant, voucher)).toMatchObject({ ...untouched, link: 'inactive' })
  expect((await pageState(`/${voucher.link.public_id}`)).state).toBe('awaits_payment')
  await till(merchant, voucher.reference)
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['succeeded'], link: 'paid' })
})

test('no form of one link closes the voucher of another', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const other = await newLink(merchant, { usage: 'multi_use' })
  const form = await openLink(other.public_id, `?retry=${payment!.public_id}`)
  await pay(other.public_id, form, 'tok_sbx_approve')
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['requires_action', 'succeeded'],
    vouchers: ['issued'],
    link: 'active',
  })
})

test('a link with an open voucher shows it; so does an older form, which charges nothing', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const before = await openLink(link.public_id)
  const { location } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo')
  const again = await fetch(`${stack.sandbox.directUrl}/${link.public_id}`, { redirect: 'manual' })
  expect(again.status).toBe(200)
  expect(await again.text()).toContain((await vouchersOf(merchant.tenantId))[0]!.reference.slice(-4))
  const unaware = await pay(link.public_id, before, 'tok_sbx_approve')
  expect(unaware.location?.split('?')[0]).toBe(`/${link.public_id}`)
  expect(await stands(merchant, { link, location: location! })).toMatchObject(untouched)
})

test.each([
  ['a link with other methods', ['card', 'oxxo'], true],
  ['a link for oxxo alone', ['oxxo'], false],
])('the voucher of %s: whether it leads to another way to pay', async (_what, methods, leads) => {
  const merchant = await newMerchant()
  const { location } = await newVoucher(merchant, { payment_method_types: methods })
  const page = await (await fetch(stack.sandbox.directUrl + location)).text()
  expect(page.includes('?retry=another-way')).toBe(leads)
})

test('a form of what is sold often that is sent twice at once takes the money once, and no answer is a fault', async () => {
  const merchant = await newMerchant()
  const pairs = Array.from({ length: 25 }, async () => {
    const { link } = await newVoucher(merchant, { usage: 'multi_use' })
    const [{ public_id: first }] = (await adminSql('sandbox')(
      `select public_id from payments where origin_id = $1`,
      [link.id],
    )) as [{ public_id: string }]
    const form = await openLink(link.public_id, `?retry=${first}`)
    const twins = await Promise.all([1, 2].map(() => pay(link.public_id, form, 'tok_sbx_approve')))
    const [paid] = (await adminSql('sandbox')(
      `select count(*)::int as n from payments where origin_id = $1 and status = 'succeeded'`,
      [link.id],
    )) as [{ n: number }]
    return [twins.every(({ status }) => status === 303 || status === 409), paid.n]
  })
  expect(await Promise.all(pairs)).toEqual(Array(25).fill([true, 1]))
})

const liveOf = async ({ tenantId }: { readonly tenantId: string }) =>
  (await paymentsOf(tenantId)).filter(({ status }) => status === 'succeeded' || status === 'requires_action')

const cookieOf = (publicId: string) => `spindle_payment=${publicId}`

/** Where a card's form leads in a browser that has a payment's cookie. */
async function payHere(publicId: string, form: PayForm, cookie: string): Promise<string | null> {
  const body = new URLSearchParams({ ...form, card_token: 'tok_sbx_approve', locale: 'en' })
  const url = `${stack.sandbox.directUrl}/${publicId}/attempts`
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual', headers: { cookie } })
  return response.headers.get('location')
}

test('forms of several tabs that replace one voucher of what is sold often take the money once, whenever they are sent', async () => {
  const merchant = await newMerchant()
  const { link } = await newVoucher(merchant, { usage: 'multi_use' })
  const [first] = await paymentsOf(merchant.tenantId)
  const retry = `?retry=${first!.public_id}`
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openLink(link.public_id, retry)))
  const [tabs, later] = await Promise.all([open(49), open(1)])
  const answers = await Promise.all(tabs.map((form) => pay(link.public_id, form, 'tok_sbx_approve')))
  const [paid, ...more] = await liveOf(merchant)
  expect(more).toEqual([])
  expect(answers.filter(({ status }) => status !== 303 && status !== 409)).toEqual([])
  // Another browser is not led to what this one paid; the buyer's own is.
  const form = later[0]!
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).location).toContain(first!.public_id)
  const cookie = cookieOf(paid!.public_id)
  expect(await payHere(link.public_id, form, cookie)).toContain(paid!.public_id)
  expect(await liveOf(merchant)).toHaveLength(1)
  const opened = (headers = {}) =>
    fetch(`${stack.sandbox.directUrl}/${link.public_id}${retry}`, { redirect: 'manual', headers })
  expect((await opened()).headers.get('location')?.split('?')[0]).toBe(`/${link.public_id}`)
  expect((await opened({ cookie })).headers.get('location')).toContain(paid!.public_id)
})

test('an old form pays nothing beside what was paid in its place, also after a second voucher', async () => {
  const merchant = await newMerchant()
  const { link } = await newVoucher(merchant, { usage: 'multi_use' })
  const [first] = await paymentsOf(merchant.tenantId)
  const open = (publicId: string) => openLink(link.public_id, `?retry=${publicId}`)
  const old = await open(first!.public_id)
  await payInCash(link.public_id, await open(first!.public_id), 'oxxo')
  const second = (await paymentsOf(merchant.tenantId))[1]!
  const { location } = await pay(link.public_id, await open(second.public_id), 'tok_sbx_approve')
  const cookie = cookieOf(location!.split(/[/?]/)[2]!)
  expect((await pay(link.public_id, old, 'tok_sbx_approve')).location).toContain(first!.public_id)
  expect(await payHere(link.public_id, old, cookie)).toContain(location!.split('?')[0])
  expect(await stands(merchant, { link, location: location! })).toMatchObject({
    payments: ['canceled', 'canceled', 'succeeded'],
    journals: { capture: 1 },
  })
})

test('a declined card in the place of a voucher, then another voucher: the card tried again pays nothing', async () => {
  const merchant = await newMerchant()
  const { link } = await newVoucher(merchant, { usage: 'multi_use' })
  const [first] = await paymentsOf(merchant.tenantId)
  const open = (publicId: string) => openLink(link.public_id, `?retry=${publicId}`)
  await pay(link.public_id, await open(first!.public_id), 'tok_sbx_decline_funds')
  const declined = (await paymentsOf(merchant.tenantId))[1]!
  const again = await open(declined.public_id)
  const { location } = await payInCash(link.public_id, await open(first!.public_id), 'oxxo')
  expect((await pay(link.public_id, again, 'tok_sbx_approve')).location).toContain(declined.public_id)
  expect(await stands(merchant, { link, location: location! })).toMatchObject({
    payments: ['canceled', 'requires_payment_method', 'requires_action'],
  })
})

test('a form of what is sold once that is sent twice at once leads both to its payment', async () => {
  const merchant = await newMerchant()
  const pairs = Array.from({ length: 25 }, async () => {
    const { link } = await newVoucher(merchant)
    const form = await openLink(link.public_id, '?retry=another-way')
    const twins = await Promise.all([1, 2].map(() => pay(link.public_id, form, 'tok_sbx_approve')))
    return [new Set(twins.map(({ location }) => location?.split('?')[0])).size, twins[0]!.status]
  })
  expect(await Promise.all(pairs)).toEqual(Array(25).fill([1, 303]))
})
