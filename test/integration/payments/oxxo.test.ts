import { expect, test } from 'vitest'
import { attemptsOf, balancesOf, pageState, paymentsOf } from '../../support/books.ts'
import { buyer, newVoucher, payInCash } from '../../support/cash.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'
import { statusOf } from './story.ts'
import { eventsOf, expire, pass, stands, till, unappliedOf, untouched } from './voucher-story.ts'

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
  expect(paid.body).toMatchObject({ object: 'sandbox_voucher', reference: voucher.reference, status: 'paid' })
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
    amount_fee: '5429',
    fee_details: { processing: '4680', installments: '0', iva: '749' },
  })
  const held = await adminSql('sandbox')<{ found: boolean }>(
    `select to_jsonb(p)::text || to_jsonb(a)::text || coalesce((select string_agg(e.object::text, '') from events e
       where e.tenant_id = p.tenant_id), '') ~* 'ana|example' as found
     from payments p join payment_attempts a on a.tenant_id = p.tenant_id and a.payment_id = p.id where p.tenant_id = $1`,
    [merchant.tenantId],
  )
  expect(held, 'who pays is kept nowhere').toEqual([{ found: false }])
})

test('paid twice, notified twice, notified 50 times at once: one journal', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  const replies = await Promise.all(Array.from({ length: 50 }, () => till(merchant, voucher.reference)))
  expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['succeeded'], journals: { capture: 1 } })
})

test('after the expiry the link stays held for the grace; cash that is reported then still pays', async () => {
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

test('acceptance 10: cash paid after expiry and release is unapplied funds, and the payment stays expired', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant)
  expect((await expire(merchant, voucher.reference)).status).toBe(200)
  expect(await stands(merchant, voucher)).toMatchObject({ payments: ['expired'], link: 'active' })
  expect((await till(merchant, voucher.reference)).body).toMatchObject({ error: { code: 'voucher_over' } })
  const late = await Promise.all(
    Array.from({ length: 50 }, () => till(merchant, voucher.reference, { late: true })),
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

test('cash is reported before the voucher was recorded: it is booked all the same', async () => {
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

test('the processor reports another amount: nothing is booked, and people review it', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant, {}, { ...buyer, email: 'amount_mismatch@example.com' })
  await till(merchant, voucher.reference)
  expect(await stands(merchant, voucher)).toMatchObject({
    payments: ['requires_action'],
    attempts: ['amount_mismatch'],
    page: 'under_review',
    journals: {},
  })
  expect((await eventsOf(merchant)).at(-1)).toBe('payment.amount_mismatch')
})

test('late and of another amount: one event, never booked', async () => {
  const merchant = await newMerchant()
  const voucher = await newVoucher(merchant, {}, { ...buyer, email: 'amount_mismatch@example.com' })
  await expire(merchant, voucher.reference)
  for (let times = 0; times < 3; times++) await till(merchant, voucher.reference, { late: true })
  expect(await stands(merchant, voucher)).toMatchObject({ attempts: ['amount_mismatch'], journals: {} })
  expect((await eventsOf(merchant)).filter((type) => type === 'payment.amount_mismatch')).toHaveLength(1)
})

test('the processor does not answer in time: the reconciler finds the voucher', async () => {
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
  ['Ana', 'ana@example.com', 'Enter your full name, with your surname'],
  ['Ana L', 'ana@example.com', 'Enter your full name, with your surname'],
  ['Ana Li', 'ana', 'valid e-mail'],
  ['Ana Li', 'ana@example', 'valid e-mail'],
  ['Ana Li', `${'a'.repeat(250)}@example.com`, 'valid e-mail'],
])(
  'name %j and e-mail %j: the form comes back with what was typed, and no payment is made',
  async (name, email, says) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant, { payment_method_types: ['oxxo'] })
    const reply = await payInCash(link.public_id, await openLink(link.public_id), 'oxxo', { name, email })
    expect(reply.status).toBe(422)
    expect(reply.html).toContain(says)
    expect(reply.html).toContain(`value="${name}"`)
    expect(await paymentsOf(merchant.tenantId)).toEqual([])
  },
)

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
    message: expect.stringContaining('oxxo needs the currency mxn'),
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
