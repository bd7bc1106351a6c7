import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import {
  ends,
  eventsOf,
  moveBalance,
  paidByCard,
  paidInCash,
  paymentOf,
  type Refund,
  refund,
  refundedAtProcessor,
  refundOf,
  settleRefunds,
} from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const clabe = '646180000000000012'

describe('a card payment', () => {
  test('refunded in parts and then wholly: each part is journalled, the events show what is left', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { fields: { client_reference_id: 'order-7' } })
    const part = await refund(merchant, {
      payment_id: payment,
      amount: '4000',
      metadata: { ticket: 88, lines: ['a'] },
    })
    expect([part.status, part.body.status, part.body.method]).toEqual([201, 'processing', 'original'])
    const { payment_link_id } = (await paymentOf(merchant, payment)) as unknown as Record<string, string>
    expect(payment_link_id).toMatch(/^[0-9a-f-]{36}$/)
    const sale = { client_reference_id: 'order-7', checkout_session_id: null, payment_link_id }
    expect(part.body).toMatchObject(sale)
    expect(await refundOf(merchant, part.body.id)).toMatchObject(sale)
    await expect(
      adminSql('sandbox')(
        `update refunds set client_reference_id = 'other' where tenant_id = $1 and payment_id = $2`,
        [merchant.tenantId, payment],
      ),
    ).rejects.toThrow(/sale_of_payment|the sale is the payment/)
    await ends(merchant, part.body.id, 'succeeded')
    const rest = await refund(merchant, { payment_id: payment })
    expect([rest.status, rest.body.amount]).toEqual([201, '6000'])
    await ends(merchant, rest.body.id, 'succeeded')

    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '10000',
      refund_status: 'full',
      status: 'succeeded',
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 2, refund_paid: 2 })
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
    // The fees are not returned: what the merchant owes comes off its next payout.
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': -10_000n,
      'mxn/merchant_pending': 9_582n,
      'mxn/refunds_in_flight': 0n,
      'mxn/processor_clearing': 0n,
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])

    const told = await eventsOf(merchant.tenantId, payment)
    expect(
      told
        .filter(({ type }) => type === 'payment.refunded')
        .map(({ object, previous_attributes }) => [object.amount_refunded, previous_attributes]),
    ).toEqual([
      ['4000', { amount_refunded: '0', refund_status: 'none' }],
      ['10000', { amount_refunded: '4000', refund_status: 'partial' }],
    ])
    expect(
      told.flatMap(({ type, object }) => (type === 'payment.refunded' ? object.refund_status : [])),
    ).toEqual(['partial', 'full'])
    expect((await eventsOf(merchant.tenantId, part.body.id)).map(({ type }) => type)).toEqual([
      'refund.created',
      'refund.succeeded',
    ])
  })

  test('what fails is refundable again, once', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_fails' })
    const { body } = await refund(merchant, { payment_id: payment })
    await ends(merchant, body.id, 'failed')
    expect(await refundOf(merchant, body.id)).toMatchObject({ failure_code: 'declined_by_bank' })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
    const again = await refund(merchant, { payment_id: payment })
    expect(again.status).toBe(201)
    await ends(merchant, again.body.id, 'failed')
    await settleRefunds(merchant.tenantId)
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 2, refund_reversed: 2 })
    expect((await balancesOf(merchant.tenantId))['mxn/merchant_available']).toBe(0n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    expect((await eventsOf(merchant.tenantId, payment)).map(({ type }) => type)).toEqual([
      'payment.created',
      'payment.succeeded',
      'payment.refunded',
      'payment.refund_reversed',
      'payment.refunded',
      'payment.refund_reversed',
    ])
  })

  test('a processor that does not answer in time is asked again, and has refunded once', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_timeout' })
    const { body } = await refund(merchant, { payment_id: payment })
    await expect.poll(() => refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
    expect((await refundOf(merchant, body.id)).status).toBe('processing')
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, body.id)).status).toBe('succeeded')
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1, refund_paid: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('paid in months: the whole is refunded, a part the processor refuses', async () => {
    const merchant = await newMerchant()
    const fields = {
      installment_options: [{ months: 3 }],
      installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 500 },
    }
    const token = 'tok_sbx_msi_no_partial_refund'
    const payment = await paidByCard(merchant, { amount: 120_000, token, months: 3, fields })
    const part = await refund(merchant, { payment_id: payment, amount: '60000' })
    await ends(merchant, part.body.id, 'failed')
    expect(await refundOf(merchant, part.body.id)).toMatchObject({
      failure_code: 'partial_refund_unsupported',
    })
    // What the buyer paid, markup included.
    const whole = await refund(merchant, { payment_id: payment })
    expect(whole.body.amount).toBe('126000')
    await ends(merchant, whole.body.id, 'succeeded')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('recorded offline: counted at once, and no money is sent', async () => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant)
    const offline = await refund(merchant, {
      payment_id: payment,
      amount: '2500',
      method: 'recorded_offline',
      line_items: [{ id: 'sku-1', quantity: 1 }],
    })
    expect(offline.body).toMatchObject({
      status: 'succeeded',
      method: 'recorded_offline',
      line_items: [{ id: 'sku-1', quantity: 1 }],
    })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '2500' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(0n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('another amount than ours is never booked, and goes to review by people', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_refund_timeout' })
    const { body } = await refund(merchant, { payment_id: payment })
    await expect.poll(() => refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
    await adminSql('sandbox')('update simulator.refunds set amount_minor = 9999 where reference = $1', [
      body.id,
    ])
    await settleRefunds(merchant.tenantId)
    expect(await refundOf(merchant, body.id)).toMatchObject({
      status: 'processing',
      failure_code: 'amount_mismatch',
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, refund: 1 })
    expect((await eventsOf(merchant.tenantId, body.id)).map(({ type }) => type)).toEqual([
      'refund.created',
      'refund.amount_mismatch',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('what was paid in cash', () => {
  const destination = { clabe, holder: '  Ana Torres ' }

  test('goes to the CLABE that was given, with a tracking key', async () => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, { payment_id: payment, destination })
    expect(body).toMatchObject({
      status: 'processing',
      method: 'spei_out',
      destination: { clabe, holder: 'Ana Torres' },
    })
    await settleRefunds(merchant.tenantId)
    expect(await refundOf(merchant, body.id)).toMatchObject({
      status: 'succeeded',
      clave_rastreo: expect.stringMatching(/^[A-Z0-9]{1,30}$/),
    })
    expect(await refundedAtProcessor(merchant.tenantId)).toBe(10_000n)
  })

  test('waits for a CLABE, and is sent when it has one', async () => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, { payment_id: payment, amount: '3000' })
    expect(body).toMatchObject({ status: 'requires_destination', destination: null })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '3000' })
    const path = `/v1/refunds/${body.id}/destination`
    const sent = await call('POST', path, { bearer: merchant.apiKey, body: destination })
    expect([sent.status, sent.body.status]).toEqual([200, 'processing'])
    const again = await call('POST', path, { bearer: merchant.apiKey, body: destination })
    expect(again.body).toMatchObject({ error: { code: 'refund_destination_not_awaited' } })
    await settleRefunds(merchant.tenantId)
    expect((await refundOf(merchant, body.id)).status).toBe('succeeded')
    expect((await eventsOf(merchant.tenantId, body.id)).map(({ type }) => type)).toEqual([
      'refund.created',
      'refund.processing',
      'refund.succeeded',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  const accounts: [what: string, account: string, code: string][] = [
    ['an account that is closed', '646180000000000119', 'account_closed'],
    ['another holder', '646180000000000135', 'holder_mismatch'],
  ]
  test.each(accounts)('%s: it fails and can be refunded again', async (_what, to, code) => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, {
      payment_id: payment,
      destination: { clabe: to, holder: 'Ana' },
    })
    await settleRefunds(merchant.tenantId)
    expect(await refundOf(merchant, body.id)).toMatchObject({ status: 'failed', failure_code: code })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('canceled before it was sent: the amount is refundable again, and the refund is over', async () => {
    const merchant = await newMerchant()
    const payment = await paidInCash(merchant)
    const { body } = await refund(merchant, { payment_id: payment })
    const path = `/v1/refunds/${body.id}/cancel`
    const canceled = await call('POST', path, { bearer: merchant.apiKey })
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled'])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
    expect((await call('POST', path, { bearer: merchant.apiKey })).body).toMatchObject({
      error: { code: 'refund_not_cancelable' },
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('more than the balance bears waits for it, may be canceled, and is sent when it is there', async () => {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant, { amount: 2_000_000 })
  // The merchant's money has left: its balance shows only that it was sent away.
  await moveBalance(merchant.tenantId, -1_500_000n)
  const [first, second] = [
    await refund(merchant, { payment_id: payment, amount: '1500000' }),
    await refund(merchant, { payment_id: payment, amount: '500000' }),
  ]
  expect(first.body).toMatchObject({ status: 'pending', pending_reason: 'insufficient_funds' })
  expect(second.body).toMatchObject({ status: 'processing', pending_reason: null })
  await ends(merchant, second.body.id, 'succeeded')
  await settleRefunds(merchant.tenantId, 2)
  expect((await refundOf(merchant, first.body.id)).status).toBe('pending')
  expect(await journalsOf(merchant.tenantId)).toMatchObject({ refund: 1, refund_paid: 1 })

  await moveBalance(merchant.tenantId, 1_500_000n)
  await settleRefunds(merchant.tenantId)
  expect((await refundOf(merchant, first.body.id)).status).toBe('succeeded')
  expect((await eventsOf(merchant.tenantId, first.body.id)).map(({ type }) => type)).toEqual([
    'refund.created',
    'refund.processing',
    'refund.succeeded',
  ])
  expect(await refundedAtProcessor(merchant.tenantId)).toBe(2_000_000n)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

describe('a bank sends back what it was paid', () => {
  const sendBack = (merchant: Merchant, id: string) =>
    call<Refund>('POST', `/v1/sandbox/refunds/${id}/return`, { bearer: merchant.apiKey })
  const ways: [what: string, pays: (merchant: Merchant) => Promise<string>, more: object][] = [
    ['by card', (merchant) => paidByCard(merchant), {}],
    ['to a CLABE', paidInCash, { destination: { clabe, holder: 'Ana Torres' } }],
  ]
  test.each(ways)(
    '%s: it has failed after all, once, and can be refunded again',
    async (_what, pays, more) => {
      const merchant = await newMerchant()
      const payment = await pays(merchant)
      const { body } = await refund(merchant, { payment_id: payment, ...more })
      await settleRefunds(merchant.tenantId)
      await ends(merchant, body.id, 'succeeded')
      const back = await Promise.all([sendBack(merchant, body.id), sendBack(merchant, body.id)])
      expect(back.map(({ status }) => status)).toEqual([200, 200])
      expect(await refundOf(merchant, body.id)).toMatchObject({
        status: 'failed',
        failure_code: 'account_closed',
      })
      expect((await sendBack(merchant, body.id)).status).toBe(200)
      expect(await paymentOf(merchant, payment)).toMatchObject({ amount_refunded: '0' })
      expect(await journalsOf(merchant.tenantId)).toEqual({
        capture: 1,
        refund: 1,
        refund_paid: 1,
        refund_returned: 1,
      })
      expect((await eventsOf(merchant.tenantId, body.id)).map(({ type }) => type)).toEqual([
        'refund.created',
        'refund.succeeded',
        'refund.failed',
      ])
      expect(await brokenRules(merchant.tenantId)).toEqual([])
      expect((await refund(merchant, { payment_id: payment })).status).toBe(201)
    },
  )

  test('returns only what it was paid', async () => {
    const merchant = await newMerchant()
    const card = await paidByCard(merchant, { token: 'tok_sbx_refund_fails' })
    const failed = (await refund(merchant, { payment_id: card })).body.id
    await ends(merchant, failed, 'failed')
    const offline = await refund(merchant, {
      payment_id: await paidInCash(merchant),
      method: 'recorded_offline',
    })
    const waiting = await refund(merchant, { payment_id: await paidInCash(merchant) })
    for (const id of [failed, offline.body.id, waiting.body.id])
      expect((await sendBack(merchant, id)).body).toMatchObject({
        error: { code: 'bank_order_not_returnable' },
      })
  })
})
