import { expect, test } from 'vitest'
import {
  attemptsOf,
  balancesOf,
  brokenRules,
  journalsOf,
  pageState,
  paymentsOf,
} from '../../support/books.ts'
import { buyer, newVoucher, payInCash, type VoucherInHand, vouchersOf } from '../../support/cash.ts'
import { call, type Merchant, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { statusOf } from './story.ts'

const till = (merchant: Merchant, reference: string, body: object = {}, key?: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/pay`, {
    bearer: merchant.apiKey,
    body,
    ...(key ? { headers: { 'idempotency-key': key } } : {}),
  })

const expire = (merchant: Merchant, reference: string) =>
  call('POST', `/v1/sandbox/oxxo/${reference}/expire`, { bearer: merchant.apiKey })

/** Time passes for a voucher, and the janitor comes by. */
async function pass(merchant: Merchant, interval: string): Promise<void> {
  const sql = adminSql('sandbox')
  await sql(
    `update payment_attempts set expires_at = expires_at - $2::interval, grace_ends_at = grace_ends_at - $2::interval,
       next_check_at = now() - interval '1 second' where tenant_id = $1 and next_check_at is not null`,
    [merchant.tenantId, interval],
  )
  await sql(
    `update vouchers set expires_at = expires_at - $2::interval, grace_ends_at = grace_ends_at - $2::interval
     where tenant_id = $1`,
    [merchant.tenantId, interval],
  )
  await sql(
    `update simulator.vouchers set expires_at = expires_at - $2::interval
     where reference in (select id from payment_attempts where tenant_id = $1)`,
    [merchant.tenantId, interval],
  )
  await trigger('sandbox')
}

/** Where everything stands, as everybody sees it. */
async function stands(merchant: Merchant, { link, location }: Pick<VoucherInHand, 'link' | 'location'>) {
  expect(await brokenRules(merchant.tenantId)).toEqual([])
  return {
    payments: (await paymentsOf(merchant.tenantId)).map(({ status }) => status),
    attempts: (await attemptsOf(merchant.tenantId)).map(({ status }) => status),
    vouchers: (await vouchersOf(merchant.tenantId)).map(({ status }) => status),
    page: (await pageState(location)).state,
    link: await statusOf(merchant, link),
    journals: await journalsOf(merchant.tenantId),
  }
}

const unappliedOf = (merchant: Merchant) =>
  adminSql('sandbox')<{ reason: string; remaining_minor: string }>(
    'select reason, remaining_minor from unapplied_funds where tenant_id = $1',
    [merchant.tenantId],
  )

const eventsOf = async (merchant: Merchant) =>
  (
    await adminSql('sandbox')<{ type: string }>(
      `select type from events where tenant_id = $1 and resource_type <> 'payment_link' order by created_at, id`,
      [merchant.tenantId],
    )
  ).map(({ type }) => type)

const untouched = { attempts: ['pending_customer'], vouchers: ['issued'], journals: {} }

test('a voucher, paid in time: fees of OXXO, the link paid, one journal', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  expect(voucher.reference).toMatch(/^\d{14}$/)
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['requires_action'],
    ...untouched,
    page: 'awaits_payment',
    link: 'active',
  })
  const paid = await till(merchant, voucher.reference)
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({ object: 'sandbox_voucher', reference: voucher.reference, state: 'paid' })
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['succeeded'],
    attempts: ['captured'],
    vouchers: ['paid'],
    page: 'succeeded',
    link: 'paid',
    journals: { capture: 1 },
  })
  // 1,200.00 at 3.9 % is 46.80, IVA of it 7.49.
  expect(await balancesOf(merchant.tenantId)).toMatchObject({
    'mxn/fee_expense': 4_680n,
    'mxn/iva_on_fees': 749n,
    'mxn/merchant_pending': 114_571n,
  })
  const { body } = await call<{ data: Record<string, unknown>[] }>('GET', '/v1/payment-operations/payments', {
    bearer: merchant.apiKey,
  })
  expect(body.data[0]).toMatchObject({
    method: 'oxxo',
    method_details: {
      reference: voucher.reference,
      expires_at: expect.stringMatching(/T05:59:59.000Z$/),
    },
    fee: { processing: '4680', installments: '0', iva: '749' },
  })
  const held = await adminSql('sandbox')<{ found: boolean }>(
    `select to_jsonb(p)::text || to_jsonb(a)::text || coalesce((select string_agg(e.object::text, '') from events e
       where e.tenant_id = p.tenant_id), '') ~* 'ana|example' as found
     from payments p join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id where p.tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(held, 'who pays is kept nowhere').toEqual([{ found: false }])
})

test('paid twice, told twice, told 50 times at once: one journal', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const replies = await Promise.all(Array.from({ length: 50 }, () => till(merchant, voucher.reference)))
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['succeeded'], journals: { capture: 1 } })
})

test('after the expiry the link stays held for the grace; cash that is told then still pays', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  await adminSql('sandbox')(`update simulator.vouchers set state = 'paid' where number = $1`, [
    voucher.reference,
  ])
  const unpaid = await newVoucher(merchant)
  await adminSql('sandbox')(
    `update payment_attempts set expires_at = now() - interval '1 minute', grace_ends_at = now() + interval '1 day'
     where tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(await pageState(unpaid.location)).toEqual({ status: 200, state: 'awaits_payment' })
  await adminSql('sandbox')(`update payment_attempts set next_check_at = now() where tenant_id = $1`, [
    merchant.tenantId,
  ])
  await trigger('sandbox')
  expect((await stands(merchant, voucher)).payments).toEqual(['succeeded', 'requires_action'])
  expect((await stands(merchant, unpaid)).link).toBe('active')
  expect(await statusOf(merchant, voucher.link)).toBe('paid')
})

test('after the grace the voucher is closed at the processor, the payment expires, the link is free again', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  await pass(merchant, '4 days')
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['requires_action'],
    vouchers: ['issued'],
  })
  await pass(merchant, '10 days')
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['expired'],
    attempts: ['expired'],
    vouchers: ['expired'],
    page: 'expired',
    link: 'active',
    journals: {},
  })
  const form = await openLink(voucher.link.public_id)
  await pay(voucher.link.public_id, form, 'tok_sbx_approve')
  expect(await statusOf(merchant, voucher.link)).toBe('paid')
})

test('acceptance 10: paid after its expiry and release, it is unapplied funds and the payment stays expired', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  expect((await expire(merchant, voucher.reference)).status).toBe(200)
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['expired'], link: 'active' })
  expect((await till(merchant, voucher.reference)).body).toMatchObject({ error: { code: 'voucher_over' } })
  const late = await Promise.all(
    Array.from({ length: 20 }, () => till(merchant, voucher.reference, { late: true })),
  )
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['expired'],
    attempts: ['expired'],
    vouchers: ['paid'],
    link: 'active',
    journals: { deposit: 1 },
  })
  expect(await unappliedOf(merchant)).toEqual([{ reason: 'paid_late', remaining_minor: '120000' }])
  expect((await eventsOf(merchant)).at(-1)).toBe('unapplied_funds.created')
})

test('another way to pay closes the voucher first; paid all the same it is unapplied funds', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const form = await openLink(voucher.link.public_id, `?retry=${payment!.public_id}`)
  const { location } = await pay(voucher.link.public_id, form, 'tok_sbx_approve')
  expect(location).toContain(payment!.public_id)
  expect(await stands(merchant, voucher)).toEqual({
    payments: ['succeeded'],
    attempts: ['canceled', 'captured'],
    vouchers: ['canceled'],
    page: 'succeeded',
    link: 'paid',
    journals: { capture: 1 },
  })
  expect((await till(merchant, voucher.reference)).status).toBe(409)
  expect((await till(merchant, voucher.reference, { late: true })).status).toBe(200)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['succeeded'],
    vouchers: ['paid'],
    journals: { capture: 1, deposit: 1 },
  })
  expect(await unappliedOf(merchant)).toEqual([{ reason: 'already_paid', remaining_minor: '120000' }])
})

test('a voucher that turns out to be paid wins over the card: nobody is charged', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
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
    link: 'paid',
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
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['succeeded'], link: 'paid' })
})

test('the same form again, after the voucher that came after it: nothing is closed', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const [payment] = await paymentsOf(merchant.tenantId)
  const retry = `?retry=${payment!.public_id}`
  const declined = await openLink(voucher.link.public_id, retry)
  await pay(voucher.link.public_id, declined, 'tok_sbx_decline_funds')
  await payInCash(voucher.link.public_id, await openLink(voucher.link.public_id, retry), 'oxxo')
  const again = await pay(voucher.link.public_id, declined, 'tok_sbx_decline_funds')
  expect(again.location).toContain(payment!.public_id)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['requires_action'],
    attempts: ['canceled', 'declined', 'pending_customer'],
    vouchers: ['canceled', 'issued'],
  })
})

test('a link that was paused meanwhile: the voucher stays, and can be looked at and paid', async () => {
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

test('cash is told before the voucher was: it is booked all the same', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const who = { ...buyer, email: 'timeout_then_issued@example.com' }
  const { location } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', who)
  const [attempt] = await attemptsOf(merchant.tenantId)
  await adminSql('sandbox')(`update simulator.vouchers set state = 'paid' where reference = $1`, [
    attempt!.id,
  ])
  await pass(merchant, '0')
  expect(await stands(merchant, { link, location: location! })).toEqual({
    payments: ['succeeded'],
    attempts: ['captured'],
    vouchers: [],
    page: 'succeeded',
    link: 'paid',
    journals: { capture: 1 },
  })
})

test('the sandbox clock takes a voucher through its days', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const advance = (by: string) =>
    call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })
  const says = async () =>
    (await (await fetch(stack.sandbox.directUrl + voucher.location)).text()).includes('venció')
  expect(await says()).toBe(false)
  expect((await advance('P4D')).status).toBe(200)
  await trigger('sandbox')
  expect(await says()).toBe(true)
  expect((await till(merchant, voucher.reference)).status).toBe(409)
  expect(await stands(merchant, voucher)).toMatchObject({ ...untouched, link: 'active' })
  await advance('P10D')
  await trigger('sandbox')
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['expired'], vouchers: ['expired'] })
})

test('a link with a voucher out leads back to it; a form that knew nothing of it too, and charges nobody', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['card', 'oxxo'] })
  const before = await openLink(link.public_id)
  const { location } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo')
  const again = await fetch(`${stack.sandbox.directUrl}/${link.public_id}`, { redirect: 'manual' })
  expect([again.status, again.headers.get('location')?.split('?')[0]]).toEqual([303, location!.split('?')[0]])
  const unaware = await pay(link.public_id, before, 'tok_sbx_approve')
  expect(unaware.location?.split('?')[0]).toBe(location!.split('?')[0])
  expect(await stands(merchant, { link, location: location! })).toMatchObject(untouched)
})

test('the processor reports another amount: nothing is booked, people look into it', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant, {}, { ...buyer, email: 'amount_mismatch@example.com' })
  await till(merchant, voucher.reference)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['requires_action'],
    attempts: ['integrity_failure'],
    page: 'under_review',
    journals: {},
  })
  expect((await eventsOf(merchant)).at(-1)).toBe('payment.integrity_failure')
})

test('late and of another amount: told once, booked never', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant, {}, { ...buyer, email: 'amount_mismatch@example.com' })
  await expire(merchant, voucher.reference)
  for (let times = 0; times < 3; times++) await till(merchant, voucher.reference, { late: true })
  expect(await stands(merchant, voucher)).toMatchObject({ attempts: ['integrity_failure'], journals: {} })
  expect((await eventsOf(merchant)).filter((type) => type === 'payment.integrity_failure')).toHaveLength(1)
})

test('the processor does not say in time: the janitor finds the voucher', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const form = await openLink(link.public_id)
  const who = { ...buyer, email: 'timeout_then_issued@example.com' }
  const { location } = await payInCash(link.public_id, form, 'oxxo', who)
  expect((await pageState(location!)).state).toBe('processing')
  await pass(merchant, '0')
  expect(await stands(merchant, { link, location: location! })).toMatchObject({
    payments: ['requires_action'],
    ...untouched,
    page: 'awaits_payment',
  })
})

test('the processor refuses: the buyer may choose again', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const who = { ...buyer, email: 'voucher_refused@example.com' }
  const { location } = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', who)
  expect(await stands(merchant, { link, location: location! })).toMatchObject({
    payments: ['requires_payment_method'],
    attempts: ['declined'],
    page: 'declined',
  })
})

test.each([
  ['', 'ana@example.com', 'Enter your full name'],
  ['4242 4242 4242 4242', 'ana@example.com', 'Enter your full name'],
  ['Ana', 'ana', 'valid e-mail'],
  ['Ana', 'ana@example', 'valid e-mail'],
  ['Ana', `${'a'.repeat(250)}@example.com`, 'valid e-mail'],
])('name %j and e-mail %j: asked again, what was typed stays, nobody is asked', async (name, email, says) => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
  const reply = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', { name, email })
  expect(reply.status).toBe(422)
  expect(reply.html).toContain(says)
  expect(reply.html).toContain(`value="${name}"`)
  expect(await paymentsOf(merchant.tenantId)).toEqual([])
})

test('links take oxxo between its two amounts, in mxn, and not with manual capture', async () => {
  const merchant = await newMerchant()
  const create = async (fields: object) =>
    (
      await call<{ error: { code: string; param: string } }>('POST', '/v1/payment-links', {
        bearer: merchant.apiKey,
        body: { manual_amount: 120_000, currency: 'mxn', payment_method_types: ['card', 'oxxo'], ...fields },
      })
    ).body.error
  expect(await create({ manual_amount: 1_000_001 })).toMatchObject({
    code: 'amount_above_maximum',
    param: 'manual_amount',
  })
  expect(await create({ manual_amount: 999 })).toMatchObject({ code: 'amount_below_minimum' })
  expect(await create({ currency: 'usd' })).toMatchObject({
    code: 'payment_method_unavailable',
    param: 'payment_method_types.1',
  })
  expect(await create({ capture_method: 'manual' })).toMatchObject({ code: 'manual_capture_needs_card' })
  expect(
    await create({ payment_method_types: ['oxxo'], installment_options: [{ months: 3 }] }),
  ).toMatchObject({
    code: 'installments_unavailable',
  })
})

test('a voucher of another tenant is not there', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const voucher = await newVoucher(merchant)
  expect((await till(other, voucher.reference)).status).toBe(404)
  expect((await till(merchant, '00000000000000')).status).toBe(404)
  expect(await stands(merchant, voucher)).toMatchObject(untouched)
})
