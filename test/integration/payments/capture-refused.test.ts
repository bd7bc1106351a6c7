import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cancel, capture, newAuthorized, tally } from '../../support/authorized.ts'
import { attemptsOf, settleAttempts } from '../../support/books.ts'
import { call, type Merchant, newApiKey, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'
import { ends, eventsOf, paid, paymentAt as read } from './story.ts'

/** Waits until the authorization's time has come, as the sandbox's clock brings it. */
const wait = (merchant: Merchant, advance: string) =>
  call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance } })

describe('bad input', () => {
  test.each([
    ['above what was authorized', '120001', 422, 'capture_exceeds_authorized'],
    ['huge', '9'.repeat(18), 422, 'capture_exceeds_authorized'],
    ['too huge', '9'.repeat(19), 422, 'amount_malformed'],
    ['zero', '0', 422, 'capture_amount_not_positive'],
    ['negative', '-50000', 422, 'capture_amount_not_positive'],
    ['fractional', '500.00', 422, 'amount_malformed'],
    ['a word', 'all', 422, 'amount_malformed'],
    ['empty', '', 422, 'amount_malformed'],
    ['a number', 50_000, 422, 'parameter_invalid'],
    ['null', null, 422, 'parameter_invalid'],
  ])('an amount that is %s', async (_, amount, status, code) => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant)
    const reply = await capture(merchant, paymentId, { amount })
    expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([status, code, 'amount'])
    expect((await read(merchant, paymentId)).status).toBe('requires_capture')
  })

  test("another tenant's payment, and one that is not there, are not found", async () => {
    const [merchant, stranger] = [await newMerchant(), await newMerchant()]
    const { paymentId } = await newAuthorized(merchant)
    const replies = [
      await capture(stranger, paymentId),
      await cancel(stranger, paymentId),
      await capture(merchant, randomUUID()),
    ]
    expect(tally(replies)).toEqual({ '404 payment_not_found': 3 })
  })

  test("a key without the origin's scope is refused, whatever else it may", async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant)
    const { apiKey } = await newApiKey(merchant, {
      scopes: ['reporting:read', 'payment_links:read', 'refunds:write', 'ticketing:write'],
    })
    expect(tally([await capture({ apiKey }, paymentId), await cancel({ apiKey }, paymentId)])).toEqual({
      '403 insufficient_scope': 2,
    })
  })
})

describe('the end of an authorization', () => {
  test('lapsed at the processor: attempt and payment expire, the link is free again', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    expect((await wait(merchant, 'P6DT23H')).status).toBe(200)
    await settleAttempts(merchant.tenantId, 1)
    expect((await read(merchant, paymentId)).status).toBe('requires_capture')
    await wait(merchant, 'PT2H')
    expect(tally([await capture(merchant, paymentId)])).toEqual({ '409 authorization_expired': 1 })
    await settleAttempts(merchant.tenantId)
    expect(await ends(merchant, link, location)).toEqual({
      payment: 'expired',
      attempts: ['expired'],
      page: 'expired',
      link: 'active',
      journals: {},
      // The simulated bank lets it lapse without a call, so its row may not show that yet.
      charges: [expect.stringMatching(/authorized|canceled/)],
    })
    expect((await eventsOf(merchant, paymentId)).at(-1)).toBe('payment.expired')
    expect(tally([await capture(merchant, paymentId), await cancel(merchant, paymentId)])).toEqual({
      '409 authorization_expired': 1,
      '409 payment_not_cancelable': 1,
    })
    await paid(link, 'tok_sbx_approve')
  })

  test('an authorization that the processor keeps longer than our clock is released there', async () => {
    const merchant = await newMerchant()
    const { link, location } = await newAuthorized(merchant)
    await adminSql('sandbox')(
      `update payment_attempts set expires_at = now() - interval '1 second' where tenant_id = $1`,
      [merchant.tenantId],
    )
    await settleAttempts(merchant.tenantId)
    expect(await ends(merchant, link, location)).toMatchObject({
      payment: 'expired',
      attempts: ['expired'],
      charges: ['canceled'],
    })
  })

  test('lapsed at the processor before our clock: a capture finds it gone', async () => {
    const merchant = await newMerchant()
    const { link, location, paymentId } = await newAuthorized(merchant)
    await adminSql('sandbox')(
      `update simulator.charges set capture_before = now() - interval '1 second' where reference = $1`,
      [(await attemptsOf(merchant.tenantId))[0]!.id],
    )
    expect(tally([await capture(merchant, paymentId)])).toEqual({ '409 authorization_expired': 1 })
    expect(await ends(merchant, link, location)).toMatchObject({ payment: 'expired', attempts: ['expired'] })
  })
})
