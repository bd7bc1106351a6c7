import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cancel, capture, newAuthorized, tally } from '../../support/authorized.ts'
import { answerBank } from '../../support/bank.ts'
import { attemptsOf, balancesOf, brokenRules, pageState, settleAttempts } from '../../support/books.ts'
import { newVoucher, vouchersOf } from '../../support/cash.ts'
import { call, type Merchant, newMerchant, openLink } from '../../support/merchant.ts'
import { deposit, fundsOf, lent } from '../../support/spei.ts'
import { adminSql } from '../../support/stack.ts'
import { ends, eventsOf, paid, paymentAt as read } from './story.ts'

const day = 86_400_000

describe('an authorization', () => {
  test.each([
    ['tok_sbx_approve', async () => {}],
    [
      'tok_sbx_3ds_challenge',
      async (merchant: Merchant) => {
        await answerBank((await attemptsOf(merchant.tenantId))[0]!.id, 'approve')
      },
    ],
    ['tok_sbx_timeout_then_paid', (merchant: Merchant) => settleAttempts(merchant.tenantId, 1)],
  ] as const)('%s: held for seven days, nothing booked, the link reserved', async (token, finish) => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant, { token })
    await finish(merchant)
    expect(await ends(merchant, link, location)).toEqual({
      payment: 'requires_capture',
      attempts: ['authorized'],
      page: 'requires_capture',
      link: 'active',
      journals: {},
      charges: ['authorized'],
    })
    const payment = await read(merchant, paymentId)
    expect(payment).toMatchObject({ amount_authorized: '120000', amount_captured: '0', amount_net: '0' })
    const heldMs = Date.parse(payment.capture_before!) - Date.now()
    expect(heldMs).toBeGreaterThan(7 * day - 60_000)
    expect(heldMs).toBeLessThanOrEqual(7 * day)
    await expect(openLink(link.public_id)).rejects.toThrow('no form')
    const attempts = await call<{ data: object[] }>(
      'GET',
      `/v1/payment-operations/payments/${paymentId}/attempts`,
      { bearer: merchant.apiKey },
    )
    expect(attempts.body.data).toMatchObject([
      {
        status: 'authorized',
        capture_method: 'manual',
        processor_ref: expect.stringMatching(/^sim_/),
        three_ds:
          token === 'tok_sbx_3ds_challenge'
            ? { eci: '05', trans_status: 'Y', liability_shift: 'issuer' }
            : null,
      },
    ])
  })

  test('is declined like any other payment', async () => {
    const merchant = await newMerchant()
    const { link, location } = await newAuthorized(merchant, { token: 'tok_sbx_decline_funds' })
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'requires_payment_method',
      attempts: ['declined'],
      link: 'active',
    })
  })

  test('of another amount than was asked for goes to review: nothing is captured or canceled', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant, { token: 'tok_sbx_amount_mismatch' })
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'processing',
      attempts: ['amount_mismatch'],
      journals: {},
    })
    expect(tally([await capture(merchant, paymentId), await cancel(merchant, paymentId)])).toEqual({
      '409 payment_under_review': 2,
    })
  })
})

describe('a capture', () => {
  test('of all: succeeded, booked, the link paid', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    const reply = await capture(merchant, paymentId)
    expect([reply.status, reply.body.status, reply.body.amount_captured]).toEqual([
      200,
      'succeeded',
      '120000',
    ])
    // Its receipt's address is in the payment that is read.
    const shown = await read(merchant, paymentId)
    expect(shown).toMatchObject({ receipt_url: expect.stringContaining(link.public_id) })
    expect(reply.body).toEqual({ ...shown, receipt_url: null })
    expect(await ends(merchant, link, location)).toEqual({
      payment: 'succeeded',
      attempts: ['captured'],
      page: 'succeeded',
      link: 'paid',
      journals: { capture: 1 },
      charges: ['captured'],
    })
    expect(await eventsOf(merchant, paymentId)).toEqual([
      'payment.created',
      'payment.authorized',
      'payment.succeeded',
    ])
  })

  test('of a part: the rest is released for good; fees, IVA and net are of the part', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    const reply = await capture(merchant, paymentId, { amount: '50000' })
    expect(reply.body).toMatchObject({
      status: 'partially_captured',
      amount_authorized: '120000',
      amount_captured: '50000',
      amount_fee: '2088',
      fee_details: { processing: '1800', installments: '0', iva: '288' },
      amount_net: '47912',
    })
    expect(await ends(merchant, link, location)).toEqual({
      payment: 'partially_captured',
      attempts: ['captured'],
      page: 'partially_captured',
      link: 'paid',
      journals: { capture: 1 },
      charges: ['captured'],
    })
    expect(await balancesOf(merchant.tenantId)).toEqual({
      'mxn/fee_expense': 1_800n,
      'mxn/iva_on_fees': 288n,
      'mxn/merchant_pending': 47_912n,
      'mxn/processor_clearing': -50_000n,
    })
    const [charge] = await adminSql('sandbox')(
      'select amount_minor, captured_minor from simulator.charges where reference = $1',
      [(await attemptsOf(merchant.tenantId))[0]!.id],
    )
    expect(charge).toEqual({ amount_minor: '120000', captured_minor: '50000' })
    expect(tally([await capture(merchant, paymentId, { amount: '70000' })])).toEqual({
      '409 payment_not_capturable': 1,
    })
    expect(await eventsOf(merchant, paymentId)).toEqual([
      'payment.created',
      'payment.authorized',
      'payment.partially_captured',
    ])
  })

  test('of installments: the surcharge is on what was captured', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant, {
      token: 'tok_sbx_msi_3_6_9_12',
      months: 12,
      installment_options: [{ months: 3 }, { months: 12 }],
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 953 },
    })
    expect((await read(merchant, paymentId)).amount_authorized).toBe('131436')
    const reply = await capture(merchant, paymentId, { amount: '50000' })
    expect(reply.body).toMatchObject({
      amount_fee: '9019',
      fee_details: { processing: '1800', installments: '5975', iva: '1244' },
      amount_net: '40981',
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('after the merchant ended the link: the payment stands, the link stays ended', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    await call('POST', `/v1/payment-links/${link.id}/revoke`, { bearer: merchant.apiKey })
    expect((await capture(merchant, paymentId)).status).toBe(200)
    expect(await ends(merchant, link, location)).toMatchObject({ payment: 'succeeded', link: 'inactive' })
  })

  test('a processor that is slow to answer: the reply is the unchanged payment, captured within seconds, then under the same key', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant, { token: 'tok_sbx_capture_timeout' })
    const key = randomUUID()
    const silent = await capture(merchant, paymentId, { amount: '50000', key })
    expect([silent.status, silent.body.status, silent.body.amount_captured]).toEqual([
      200,
      'requires_capture',
      '0',
    ])
    // Another key, another amount, a cancel: all wait for the capture under way, or come after it.
    const others = [
      await capture(merchant, paymentId, { amount: '50000' }),
      await capture(merchant, paymentId),
      await cancel(merchant, paymentId),
    ]
    for (const { status, body } of others)
      expect([status, body.error?.code]).toEqual([
        409,
        expect.stringMatching(/^payment_(change_in_progress|not_capturable|not_cancelable)$/),
      ])
    const reused = await capture(merchant, paymentId, { amount: '50001', key })
    expect(reused.status).toBeGreaterThanOrEqual(409)
    // No trigger of the scheduled work here.
    await expect.poll(async () => (await read(merchant, paymentId)).status).toBe('partially_captured')
    // The first reply was not stored under the key.
    const again = await capture(merchant, paymentId, { amount: '50000', key })
    expect([again.status, again.body.amount_captured]).toEqual([200, '50000'])
    const replay = await capture(merchant, paymentId, { amount: '50000', key })
    expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', again.text])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('of another amount than was asked for goes to review: nothing is booked', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant, { token: 'tok_sbx_capture_mismatch' })
    const reply = await capture(merchant, paymentId, { amount: '50000' })
    expect([reply.status, reply.body.error?.code]).toEqual([409, 'payment_under_review'])
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'requires_capture',
      attempts: ['amount_mismatch'],
      journals: {},
    })
    expect((await eventsOf(merchant, paymentId)).at(-1)).toBe('payment.amount_mismatch')
  })
})

describe('a cancel', () => {
  test('of an authorization: voided at the processor, the link free again', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    const reply = await cancel(merchant, paymentId)
    expect([reply.status, reply.body.status]).toEqual([200, 'canceled'])
    expect(await ends(merchant, link, location)).toEqual({
      payment: 'canceled',
      attempts: ['canceled'],
      page: 'canceled',
      link: 'active',
      journals: {},
      charges: ['canceled'],
    })
    await paid(link, 'tok_sbx_approve')
    expect(await eventsOf(merchant, paymentId)).toEqual([
      'payment.created',
      'payment.authorized',
      'payment.canceled',
    ])
  })

  test('of a challenge: a buyer who answers it later finds it closed', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant, {
      token: 'tok_sbx_3ds_challenge',
      capture_method: 'automatic',
    })
    expect((await cancel(merchant, paymentId)).body.status).toBe('canceled')
    await answerBank((await attemptsOf(merchant.tenantId))[0]!.id, 'approve')
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'canceled',
      attempts: ['canceled'],
      charges: ['canceled'],
      journals: {},
    })
  })

  test('of a payment that waits for another card: canceled at once, and takes no card any more', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant, { token: 'tok_sbx_decline_funds' })
    expect((await cancel(merchant, paymentId)).body.status).toBe('canceled')
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'canceled',
      attempts: ['declined'],
      link: 'active',
    })
  })

  test('of a voucher: closed at the processor, the link free again; later cash is unapplied funds', async () => {
    const merchant = await newMerchant()
    const { link, location, reference } = await newVoucher(merchant)
    const [{ payment_id: paymentId } = { payment_id: '' }] = await vouchersOf(merchant.tenantId)
    expect((await cancel(merchant, paymentId)).body.status).toBe('canceled')
    expect((await vouchersOf(merchant.tenantId)).map(({ status }) => status)).toEqual(['canceled'])
    expect((await pageState(location)).state).toBe('canceled')
    await call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: { late: true } })
    expect((await read(merchant, paymentId)).status).toBe('canceled')
    expect(await fundsOf(merchant)).toMatchObject([{ reason: 'paid_late', remaining_minor: '120000' }])
    await paid(link, 'tok_sbx_approve')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('of a CLABE that received part of the money: the part is unapplied, the CLABE is quarantined', async () => {
    const merchant = await newMerchant()
    const { clabe, paymentId, link } = await lent(merchant)
    await deposit(merchant, clabe, 50_000)
    expect((await cancel(merchant, paymentId)).body.status).toBe('canceled')
    expect(await fundsOf(merchant)).toMatchObject([{ reason: 'incomplete', remaining_minor: '50000' }])
    const rows = await adminSql('sandbox')('select status from clabes where tenant_id = $1', [
      merchant.tenantId,
    ])
    expect(rows).toEqual([{ status: 'quarantined' }])
    await paid(link, 'tok_sbx_approve')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test.each([
    ['captured', 'tok_sbx_approve', 'automatic'],
    ['being charged', 'tok_sbx_timeout_then_paid', 'automatic'],
  ])('of a payment that is %s is refused', async (_, token, method) => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant, { token, capture_method: method })
    expect(tally([await cancel(merchant, paymentId), await capture(merchant, paymentId)])).toEqual({
      '409 payment_not_cancelable': 1,
      '409 payment_not_capturable': 1,
    })
  })
})
