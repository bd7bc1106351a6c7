import { describe, expect, test } from 'vitest'
import { cancel, capture, newAuthorized, tally } from '../../support/authorized.ts'
import { attemptsOf, brokenRules, chargesOf, journalsOf, pageState, paymentsOf } from '../../support/books.ts'
import { newVoucher } from '../../support/cash.ts'
import { call, type Merchant, newMerchant, openLink, pay } from '../../support/merchant.ts'
import { expectWaits } from '../../support/polls.ts'
import { attemptOf, newContradicted, resolve, reversalsOf } from '../../support/review.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const statusOf = async ({ tenantId }: Merchant) => (await paymentsOf(tenantId))[0]!.status
const eventsOf = async ({ tenantId }: Merchant) =>
  (
    await sql<{ type: string }>(
      `select type from events where tenant_id = $1 and resource_type = 'payment' order by sequence`,
      [tenantId],
    )
  ).map(({ type }) => type)
const until = (merchant: Merchant, paymentId: string, resolution: string) =>
  expect.poll(async () => (await attemptOf(merchant, paymentId)).review?.resolution).toBe(resolution)
const lookNow = async ({ tenantId }: Merchant) => {
  await sql(`update payment_attempts set next_check_at = now() - interval '1 second' where tenant_id = $1`, [
    tenantId,
  ])
  await trigger('sandbox')
}
/** From now on the processor reports the amount that it took. */
const settles = (attemptId: string) =>
  sql('update simulator.charges set settles_at = now() where reference = $1', [attemptId])

test("a review shows both sides' numbers, and nothing else of the processor", async () => {
  const merchant = await newMerchant()
  const { paymentId } = await newContradicted(merchant)
  expect((await attemptOf(merchant, paymentId)).review).toEqual({
    status: 'open',
    resolution: null,
    ours: { amount: '120000', currency: 'mxn' },
    theirs: { status: 'captured', amount: '120001', currency: 'mxn' },
    void_or_refund_failure: null,
  })
})

describe('the reconciler asks again by itself', () => {
  test('at growing intervals, and nothing moves as long as the numbers contradict', async () => {
    const merchant = await newMerchant()
    await newContradicted(merchant, { manual: true })
    const [attempt] = await attemptsOf(merchant.tenantId)
    await expectWaits('payment_attempts', attempt!.id, () => lookNow(merchant), [6, 12, 24])
    expect(await eventsOf(merchant)).toEqual(['payment.created', 'payment.amount_mismatch'])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
  })

  test('once they agree: paid, booked once, the link too', async () => {
    const merchant = await newMerchant()
    const { link, paymentId, location } = await newContradicted(merchant, {
      token: 'tok_sbx_mismatch_settles',
    })
    await lookNow(merchant)
    expect(await statusOf(merchant)).toBe('processing')
    // An hour of the workspace's own clock.
    await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'PT1H' } })
    await trigger('sandbox')
    await lookNow(merchant)
    expect(await attemptOf(merchant, paymentId)).toMatchObject({
      status: 'captured',
      review: { status: 'closed', resolution: 'agreed', theirs: { amount: '120001' } },
    })
    expect(await statusOf(merchant)).toBe('succeeded')
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect((await pageState(location)).state).toBe('succeeded')
    expect(await chargesOf(link.public_id)).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('an authorization whose numbers now agree waits for its capture', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newContradicted(merchant, { token: 'tok_sbx_mismatch_settles', manual: true })
    await settles((await attemptOf(merchant, paymentId)).id)
    await lookNow(merchant)
    expect(await statusOf(merchant)).toBe('requires_capture')
    expect((await capture(merchant, paymentId)).body.status).toBe('succeeded')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a capture whose numbers contradicted and now agree is the capture that was asked for', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant, { token: 'tok_sbx_capture_mismatch' })
    expect(tally([await capture(merchant, paymentId, { amount: '50000' })])).toEqual({
      '409 payment_under_review': 1,
    })
    const { id, review } = await attemptOf(merchant, paymentId)
    expect(review).toMatchObject({ ours: { amount: '50000' }, theirs: { amount: '49999' } })
    await sql(`update simulator.charges set token = 'tok_sbx_approve' where reference = $1`, [id])
    await lookNow(merchant)
    expect(await statusOf(merchant)).toBe('partially_captured')
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('recheck', () => {
  test('asks the processor at once', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newContradicted(merchant, { token: 'tok_sbx_mismatch_settles' })
    const still = await resolve(merchant, paymentId, 'recheck')
    expect([still.status, still.body.review?.status], still.text).toEqual([200, 'open'])
    const looks = 'select checks_count from payment_attempts where id = $1'
    await expect.poll(() => sql(looks, [still.body.id])).toEqual([{ checks_count: 1 }])
    await settles(still.body.id)
    expect((await resolve(merchant, paymentId, 'recheck')).status).toBe(200)
    await until(merchant, paymentId, 'agreed')
    expect(await statusOf(merchant)).toBe('succeeded')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('void_or_refund', () => {
  test('what was taken is refunded in full at the processor, by its own number; nothing is ever booked', async () => {
    const merchant = await newMerchant()
    const { link, paymentId } = await newContradicted(merchant)
    const reply = await resolve(merchant, paymentId, 'void_or_refund')
    expect([reply.status, reply.body.review?.status], reply.text).toEqual([200, 'reversing'])
    await until(merchant, paymentId, 'refunded')
    expect(await reversalsOf(reply.body.id)).toEqual([{ amount_minor: '120001', state: 'succeeded' }])
    expect(await attemptOf(merchant, paymentId)).toMatchObject({
      status: 'canceled',
      resolved_at: expect.any(String),
      review: { status: 'closed', theirs: { amount: '120001' } },
    })
    expect(await statusOf(merchant)).toBe('canceled')
    expect(await eventsOf(merchant)).toEqual([
      'payment.created',
      'payment.amount_mismatch',
      'payment.canceled',
    ])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
    // The link can be paid again.
    await openLink(link.public_id)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test.each([
    [
      'an authorization is voided',
      async (merchant: Merchant) => newContradicted(merchant, { manual: true }),
      'voided',
    ],
    [
      'a capture of another amount is refunded',
      async (merchant: Merchant) => {
        const made = await newAuthorized(merchant, { token: 'tok_sbx_capture_mismatch' })
        await capture(merchant, made.paymentId)
        return made
      },
      'refunded',
    ],
  ] as const)('%s', async (_, make, resolution) => {
    const merchant = await newMerchant()
    const { paymentId } = await make(merchant)
    expect((await resolve(merchant, paymentId, 'void_or_refund')).status).toBe(200)
    await until(merchant, paymentId, resolution)
    expect(await statusOf(merchant)).toBe('canceled')
    expect(tally([await capture(merchant, paymentId), await cancel(merchant, paymentId)])).toEqual({
      '409 payment_not_capturable': 1,
      '409 payment_not_cancelable': 1,
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('continues although the numbers agree meanwhile: the decision stands', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newContradicted(merchant, { token: 'tok_sbx_mismatch_settles' })
    const { id } = await attemptOf(merchant, paymentId)
    await settles(id)
    await resolve(merchant, paymentId, 'void_or_refund')
    await until(merchant, paymentId, 'refunded')
    expect(await reversalsOf(id)).toEqual([{ amount_minor: '120000', state: 'succeeded' }])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('refused by the processor: it stays under review with the reason, and can be settled elsewhere', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newContradicted(merchant)
    const { id } = await attemptOf(merchant, paymentId)
    await sql(`update simulator.charges set token = 'tok_sbx_refund_fails' where reference = $1`, [id])
    await resolve(merchant, paymentId, 'void_or_refund')
    await expect
      .poll(async () => (await attemptOf(merchant, paymentId)).review)
      .toMatchObject({ status: 'open', resolution: null, void_or_refund_failure: 'declined_by_bank' })
    expect((await eventsOf(merchant)).at(-1)).toBe('payment.reversal_failed')
    expect((await resolve(merchant, paymentId, 'settled_elsewhere')).body).toMatchObject({
      status: 'canceled',
      review: { status: 'closed', resolution: 'settled_elsewhere' },
    })
    expect(await statusOf(merchant)).toBe('canceled')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('refused by the processor: nothing is booked as agreed, neither what was asked for nor what was taken', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newAuthorized(merchant)
    const { id } = await attemptOf(merchant, paymentId)
    // Staff captured all of it at the processor, which will not give it back.
    const taken = (amountMinor: number) =>
      sql(
        `update simulator.charges set state = 'captured', captured_minor = $2, token = 'tok_sbx_refund_fails'
         where reference = $1`,
        [id, amountMinor],
      )
    await taken(120_000)
    expect(tally([await capture(merchant, paymentId, { amount: '50000' })])).toEqual({
      '409 payment_under_review': 1,
    })
    await resolve(merchant, paymentId, 'void_or_refund')
    const refused = {
      status: 'open',
      ours: { amount: '50000' },
      void_or_refund_failure: 'declined_by_bank',
    }
    await expect.poll(async () => (await attemptOf(merchant, paymentId)).review).toMatchObject(refused)
    for (const amountMinor of [120_000, 50_000]) {
      await taken(amountMinor)
      await lookNow(merchant)
      expect((await attemptOf(merchant, paymentId)).review).toMatchObject({
        ...refused,
        theirs: { amount: amountMinor.toString() },
      })
      expect(await statusOf(merchant)).toBe('requires_capture')
    }
    expect(await journalsOf(merchant.tenantId)).toEqual({})
    // A person decides again: now it is the capture that was asked for.
    await resolve(merchant, paymentId, 'recheck')
    await until(merchant, paymentId, 'agreed')
    expect(await statusOf(merchant)).toBe('partially_captured')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('cash cannot be sent back the way it came', async () => {
    const merchant = await newMerchant()
    const buyer = { name: 'Ana Prueba', email: 'amount_mismatch@example.com' }
    const { reference } = await newVoucher(merchant, {}, buyer)
    await call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: {} })
    await expect.poll(() => statusOf(merchant)).toBe('requires_action')
    const [payment] = await paymentsOf(merchant.tenantId)
    await expect.poll(async () => (await attemptOf(merchant, payment!.id)).status).toBe('amount_mismatch')
    expect((await resolve(merchant, payment!.id, 'void_or_refund')).body.error?.code).toBe(
      'void_or_refund_unavailable',
    )
    expect((await resolve(merchant, payment!.id, 'settled_elsewhere')).status).toBe(200)
    expect(await statusOf(merchant)).toBe('canceled')
    // The decision stands, whatever the till reports from now on.
    const till = () =>
      call('POST', `/v1/sandbox/oxxo/${reference}/pay`, { bearer: merchant.apiKey, body: { late: true } })
    await till()
    await sql(
      `update simulator.vouchers set reported_minor = amount_minor
       where reference in (select id from payment_attempts where tenant_id = $1)`,
      [merchant.tenantId],
    )
    await till()
    const { status, review } = await attemptOf(merchant, payment!.id)
    expect([status, review]).toMatchObject(['canceled', { resolution: 'settled_elsewhere' }])
    expect(await sql('select from unapplied_funds where tenant_id = $1', [merchant.tenantId])).toEqual([])
    expect(await journalsOf(merchant.tenantId)).toEqual({})
  })

  test('an attempt that was over before its numbers contradicted is closed alone: the buyer goes on paying', async () => {
    const merchant = await newMerchant()
    const someone = { name: 'Ana Prueba', email: 'amount_mismatch@example.com' }
    const { link, reference } = await newVoucher(merchant, {}, someone)
    const [payment] = await paymentsOf(merchant.tenantId)
    const form = await openLink(link.public_id, `?retry=${payment!.public_id}`)
    await pay(link.public_id, form, 'tok_sbx_3ds_challenge')
    await call('POST', `/v1/sandbox/oxxo/${reference}/pay`, {
      bearer: merchant.apiKey,
      body: { late: true },
    })
    // What pays instead is a payment of its own.
    const attempts = () =>
      sql<{ id: string; status: string; payment: string }>(
        `select a.id, a.status, p.status as payment from payment_attempts a
         join payments p on p.tenant_id = a.tenant_id and p.id = a.payment_id
         where a.tenant_id = $1 order by p.created_at`,
        [merchant.tenantId],
      )
    const told = async () => (await attempts()).map(({ status, payment: of }) => `${status} of ${of}`)
    await expect.poll(told).toEqual(['amount_mismatch of canceled', 'pending_customer of requires_action'])
    expect((await resolve(merchant, payment!.id, 'settled_elsewhere')).status).toBe(200)
    expect((await told())[1]).toBe('pending_customer of requires_action')

    await sql('select simulator.answer_challenge($1::uuid, true)', [(await attempts())[1]!.id])
    await lookNow(merchant)
    expect(await told()).toEqual(['canceled of canceled', 'captured of succeeded'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('fifty at once, each with its own key: one decision, one refund', async () => {
    const merchant = await newMerchant()
    const { paymentId } = await newContradicted(merchant)
    const { id } = await attemptOf(merchant, paymentId)
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => resolve(merchant, paymentId, 'void_or_refund')),
    )
    const told = replies.map(({ status, body }) => body.error?.code ?? status)
    expect(told.filter((each) => each === 200)).toHaveLength(1)
    expect(new Set(told.filter((each) => each !== 200))).toEqual(
      new Set(
        ['payment_change_in_progress', 'payment_not_under_review'].filter((each) => told.includes(each)),
      ),
    )
    await until(merchant, paymentId, 'refunded')
    expect(await reversalsOf(id)).toHaveLength(1)
    expect((await eventsOf(merchant)).filter((type) => type === 'payment.canceled')).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('under review the payment takes no capture or cancel, and after a decision no other one', async () => {
  const merchant = await newMerchant()
  const { paymentId } = await newContradicted(merchant)
  expect(tally([await capture(merchant, paymentId), await cancel(merchant, paymentId)])).toEqual({
    '409 payment_under_review': 2,
  })
  await resolve(merchant, paymentId, 'void_or_refund')
  await until(merchant, paymentId, 'refunded')
  for (const decision of ['recheck', 'void_or_refund', 'settled_elsewhere'])
    expect((await resolve(merchant, paymentId, decision)).body.error?.code).toBe('payment_not_under_review')
})
