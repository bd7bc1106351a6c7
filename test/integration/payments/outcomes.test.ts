import { describe, expect, test } from 'vitest'
import { answerBank } from '../../support/bank.ts'
import {
  attemptsOf,
  balancesOf,
  brokenRules,
  chargesOf,
  pageState,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { call, newLink, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { ends, paid, referenceIn, statusOf } from './story.ts'

const nothing = { link: 'active', journals: {} }

describe('declines', () => {
  test.each([
    ['tok_sbx_decline_funds', 'insufficient_funds', 'soft'],
    ['tok_sbx_decline_generic', 'card_declined', 'soft'],
    ['tok_sbx_expired', 'expired_card', 'hard'],
    ['tok_sbx_fraud', 'suspected_fraud', 'fraud'],
    ['tok_sbx_3ds_fail', 'authentication_failed', 'auth'],
  ])('%s is declined as %s', async (token, code, category) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const location = await paid(link, token)
    expect(await ends(merchant, link, location)).toEqual({
      ...nothing,
      payment: 'requires_payment_method',
      attempts: ['declined'],
      page: 'declined',
      charges: ['declined'],
    })
    const [payment] = await paymentsOf(merchant.tenantId)
    const attempts = await call<{ data: object[] }>(
      'GET',
      `/v1/payment-operations/payments/${payment!.id}/attempts`,
      { bearer: merchant.apiKey },
    )
    expect(attempts.body.data).toMatchObject([
      { status: 'declined', decline_code: code, decline_category: category },
    ])
  })

  test('another card on the same payment is its second attempt', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const first = await paid(link, 'tok_sbx_decline_funds')
    const query = `?retry=${referenceIn(first)}`
    const second = await paid(link, 'tok_sbx_expired', query)
    const third = await paid(link, 'tok_sbx_approve', query)
    expect([second, third].map(referenceIn)).toEqual([referenceIn(first), referenceIn(first)])
    expect(await ends(merchant, link, third)).toEqual({
      payment: 'succeeded',
      attempts: ['declined', 'declined', 'captured'],
      page: 'succeeded',
      link: 'paid',
      journals: { capture: 1 },
      charges: ['declined', 'declined', 'captured'],
    })
    expect((await attemptsOf(merchant.tenantId)).map(({ number }) => number)).toEqual([1, 2, 3])
    const [payment] = await paymentsOf(merchant.tenantId)
    const events = await call<{ data: { type: string; sequence: number }[] }>(
      'GET',
      `/v1/payment-operations/payments/${payment!.id}/events`,
      { bearer: merchant.apiKey },
    )
    expect(events.body.data.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      '1 payment.created',
      '2 payment.declined',
      '3 payment.processing',
      '4 payment.declined',
      '5 payment.processing',
      '6 payment.succeeded',
    ])
  })

  test("another card for a payment of another link, or for one that is over, makes that link's own new payment", async () => {
    const merchant = await newMerchant()
    const [one, other] = [await newLink(merchant), await newLink(merchant)]
    const first = await paid(one, 'tok_sbx_decline_funds')
    const second = await paid(other, 'tok_sbx_approve', `?retry=${referenceIn(first)}`)
    expect(referenceIn(second)).not.toBe(referenceIn(first))
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    const stranger = await newMerchant()
    const theirs = await newLink(stranger)
    const third = await paid(theirs, 'tok_sbx_approve', `?retry=${referenceIn(first)}`)
    expect(referenceIn(third)).not.toBe(referenceIn(first))
    expect((await paymentsOf(stranger.tenantId)).map(({ status }) => status)).toEqual(['succeeded'])
  })

  test('a declined payment without another attempt expires', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const location = await paid(link, 'tok_sbx_decline_funds')
    await adminSql('sandbox')(
      `update payments set expires_at = now() - interval '1 second' where tenant_id = $1`,
      [merchant.tenantId],
    )
    await trigger('sandbox')
    expect(await ends(merchant, link, location)).toMatchObject({
      ...nothing,
      payment: 'expired',
      page: 'expired',
    })
    const again = await paid(link, 'tok_sbx_approve', `?retry=${referenceIn(location)}`)
    expect(referenceIn(again)).not.toBe(referenceIn(location))
    expect(await statusOf(merchant, link)).toBe('paid')
  })
})

describe("the bank's challenge", () => {
  test.each([
    ['approve', 'succeeded', 'captured', 'succeeded', 'paid', { capture: 1 }],
    ['fail', 'requires_payment_method', 'declined', 'declined', 'active', {}],
  ] as const)('%s: payment %s', async (outcome, payment, attempt, page, linkStatus, journals) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const location = await paid(link, 'tok_sbx_3ds_challenge')
    const { id } = (await attemptsOf(merchant.tenantId))[0]!
    expect(await ends(merchant, link, location)).toEqual({
      ...nothing,
      payment: 'requires_action',
      attempts: ['pending_customer'],
      page: 'requires_action',
      charges: ['challenge'],
    })
    expect((await pageState(`/simulator/3ds/${id}`)).status).toBe(200)
    const answered = await answerBank(id, outcome)
    expect([answered.status, referenceIn(answered.location)]).toEqual([303, referenceIn(location)])
    expect(await ends(merchant, link, location)).toEqual({
      payment,
      attempts: [attempt],
      page,
      link: linkStatus,
      journals,
      charges: [attempt],
    })
    // Late and repeated answers change nothing.
    for (const late of ['approve', 'fail'] as const) expect((await answerBank(id, late)).status).toBe(303)
    expect((await ends(merchant, link, location)).payment).toBe(payment)
  })

  test('an unanswered challenge ends after half an hour, and the link is free again', async () => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const location = await paid(link, 'tok_sbx_3ds_challenge')
    await settleAttempts(merchant.tenantId, 2)
    expect((await ends(merchant, link, location)).payment).toBe('requires_action')
    await adminSql('sandbox')(
      `update payment_attempts set expires_at = expires_at - interval '31 minutes' where tenant_id = $1`,
      [merchant.tenantId],
    )
    await settleAttempts(merchant.tenantId)
    expect(await ends(merchant, link, location)).toEqual({
      ...nothing,
      payment: 'requires_payment_method',
      attempts: ['expired'],
      page: 'declined',
      charges: ['canceled'],
    })
    // A buyer who then answers the bank finds it closed, and pays with another card.
    const { id } = (await attemptsOf(merchant.tenantId))[0]!
    await answerBank(id, 'approve')
    expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual(['canceled'])
    await paid(link, 'tok_sbx_approve', `?retry=${referenceIn(location)}`)
    expect(await statusOf(merchant, link)).toBe('paid')
  })

  test.each([
    ['revoke', 'inactive'],
    ['deactivate', 'paid'],
    ['archive', 'archived'],
  ])('%s by the merchant meanwhile lets the buyer finish', async (move, linkStatus) => {
    const merchant = await newMerchant()
    const link = await newLink(merchant)
    const location = await paid(link, 'tok_sbx_3ds_challenge')
    const moved = await call('POST', `/v1/payment-links/${link.id}/${move}`, { bearer: merchant.apiKey })
    expect(moved.status).toBe(200)
    const { id } = (await attemptsOf(merchant.tenantId))[0]!
    await answerBank(id, 'approve')
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'succeeded',
      page: 'succeeded',
      link: linkStatus,
      journals: { capture: 1 },
    })
  })
})

describe('a processor that does not answer in time', () => {
  test.each([
    ['tok_sbx_timeout_then_paid', 'succeeded', 'captured', 'succeeded', 'paid', { capture: 1 }],
    ['tok_sbx_timeout_then_failed', 'requires_payment_method', 'declined', 'declined', 'active', {}],
  ] as const)(
    '%s: unknown until the reconciler asks, then %s',
    async (token, payment, attempt, page, linkStatus, journals) => {
      const merchant = await newMerchant()
      const link = await newLink(merchant)
      const location = await paid(link, token)
      expect(await ends(merchant, link, location)).toEqual({
        ...nothing,
        payment: 'processing',
        attempts: ['unknown'],
        page: 'processing',
        charges: [attempt],
      })
      await trigger('sandbox')
      expect((await attemptsOf(merchant.tenantId))[0]!.status).toBe('unknown')
      await settleAttempts(merchant.tenantId)
      const settled = { payment, attempts: [attempt], page, link: linkStatus, journals, charges: [attempt] }
      expect(await ends(merchant, link, location)).toEqual(settled)
      await trigger('sandbox')
      expect(await ends(merchant, link, location)).toEqual(settled)
    },
  )
})

test('numbers that contradict ours go to review by people: nothing is booked, and the slot stays held', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant)
  const location = await paid(link, 'tok_sbx_amount_mismatch')
  const held = {
    ...nothing,
    payment: 'processing',
    attempts: ['amount_mismatch'],
    page: 'under_review',
    charges: ['captured'],
  }
  expect(await ends(merchant, link, location)).toEqual(held)
  expect((await chargesOf(link.public_id))[0]!.amount_minor).toBe('120001')
  expect((await attemptsOf(merchant.tenantId))[0]!.next_check_at).not.toBeNull()
  await trigger('sandbox')
  await trigger('sandbox')
  expect(await ends(merchant, link, location)).toEqual(held)
  await expect(openLink(link.public_id)).rejects.toThrow('no form')
  const events = await adminSql('sandbox')(
    `select type from events where tenant_id = $1 and resource_type = 'payment' order by sequence`,
    [merchant.tenantId],
  )
  expect(events).toEqual([{ type: 'payment.created' }, { type: 'payment.amount_mismatch' }])
})

test('terms and markup are charged, booked and shown exactly', async () => {
  const merchant = await newMerchant()
  const link = await newLink(merchant, {
    manual_amount: 120_000,
    installment_options: [{ months: 3 }, { months: 12 }],
    installment_pricing: { fee_allocation: 'pass_to_buyer', merchant_markup_bps: 953 },
  })
  const form = await openLink(link.public_id)
  const { location } = await pay(link.public_id, form, 'tok_sbx_msi_3_6_9_12', 12)
  const payments = await call<{ data: object[] }>('GET', '/v1/payment-operations/payments', {
    bearer: merchant.apiKey,
  })
  // 1,314.36 at 3.6 % is 47.32, the term's 11.95 % is 157.07, IVA of both 32.70.
  expect(payments.body.data).toMatchObject([
    {
      amount: '131436',
      amount_markup: '11436',
      installments: { months: 12 },
      amount_fee: '23709',
      fee_details: { processing: '4732', installments: '15707', iva: '3270' },
      amount_net: '107727',
    },
  ])
  expect((await ends(merchant, link, location!)).payment).toBe('succeeded')
  expect(await balancesOf(merchant.tenantId)).toEqual({
    'mxn/fee_expense': 20_439n,
    'mxn/iva_on_fees': 3_270n,
    'mxn/merchant_pending': 107_727n,
    'mxn/processor_clearing': -131_436n,
  })
})
