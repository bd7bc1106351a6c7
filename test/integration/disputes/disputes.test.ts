import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import {
  atBank,
  dispute,
  disputeFeeMinor,
  disputeIs,
  disputeOf,
  disputesOf,
  evidence,
  pollDisputes,
  resolve,
} from '../../support/disputes.ts'
import { call, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { ends, eventsOf, paidByCard, paidInCash, paymentOf, refund } from '../../support/refunds.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const held = { capture: 1, fee: 1, hold: 1 }
const refunded = { refund: 1, refund_paid: 1 }

const advance = (merchant: { apiKey: string }, by: string) =>
  call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })

const typesOf = async (tenantId: string, id: string) => (await eventsOf(tenantId, id)).map(({ type }) => type)

describe('a card that is disputed the next day', () => {
  test('opens when the day has passed: all of it is held, and refunds wait for its outcome', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
    await trigger('sandbox')
    expect(await disputesOf(merchant)).toEqual([])
    await advance(merchant, 'P1D')
    await trigger('sandbox')
    const [opened] = await disputesOf(merchant)
    expect(opened).toMatchObject({
      object: 'dispute',
      payment_id: payment,
      status: 'needs_response',
      amount: '10000',
      amount_held: '10000',
      currency: 'mxn',
      reason: 'fraudulent',
      evidence: {},
      resolved_at: null,
    })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': -10_000n - disputeFeeMinor,
      'mxn/dispute_hold': 10_000n,
    })
    expect((await refund(merchant, { payment_id: payment, amount: '1' })).body).toMatchObject({
      error: { code: 'refund_blocked_by_dispute' },
    })
    expect(await typesOf(merchant.tenantId, opened!.id)).toEqual(['dispute.created'])
    expect(
      (await eventsOf(merchant.tenantId, payment))
        .filter(({ type }) => type === 'payment.disputed')
        .map(({ object, previous_attributes }) => [object.amount_disputed, previous_attributes]),
    ).toEqual([['10000', { amount_disputed: '0' }]])

    // However often we are notified, it is one dispute.
    await trigger('sandbox')
    await pollDisputes(merchant.tenantId, 2)
    expect(await disputesOf(merchant)).toHaveLength(1)
    expect(await journalsOf(merchant.tenantId)).toMatchObject({ capture: 1, hold: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('without evidence it is lost when the time for evidence is over', async () => {
    const merchant = await newMerchant()
    await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
    await advance(merchant, 'P1D')
    await trigger('sandbox')
    const [opened] = await disputesOf(merchant)
    await advance(merchant, 'P7D')
    expect((await evidence(merchant, opened!.id)).body).toMatchObject({
      error: { code: 'dispute_evidence_overdue' },
    })
    await trigger('sandbox')
    expect(await disputeOf(merchant, opened!.id)).toMatchObject({ status: 'lost' })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('evidence', () => {
  test('is recorded, goes to the bank, and is taken once', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const opened = await dispute(merchant, payment, { reason: 'product_not_received' })
    expect([opened.status, opened.body.status, opened.body.reason]).toEqual([
      201,
      'needs_response',
      'product_not_received',
    ])
    const { id } = opened.body
    const key = randomUUID()
    const explanation = 'Signed for.\r\n\tBy the buyer.\n'
    const body = { explanation, shipping_carrier: 'Estafeta', tracking_number: 'X1' }
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => evidence(merchant, id, body, { 'idempotency-key': key })),
    )
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(replies[0]!.status).toBe(200)
    expect(replies[0]!.body).toMatchObject({ id, status: 'needs_response', evidence: body })
    await disputeIs(merchant, id, 'under_review')
    expect(await disputeOf(merchant, id)).toMatchObject({
      evidence: body,
      evidence_submitted_at: expect.stringMatching(/^20/),
    })
    expect((await evidence(merchant, id)).body).toMatchObject({
      error: { code: 'dispute_evidence_not_awaited' },
    })
    expect(await typesOf(merchant.tenantId, id)).toEqual(['dispute.created', 'dispute.under_review'])
    const [kept] = await adminSql('sandbox')<{ evidence: object }>(
      'select evidence from simulator.disputes where dispute_ref = (select processor_ref from disputes where id = $1)',
      [id],
    )
    expect(kept!.evidence).toEqual(body)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  const bad: [what: string, body: Record<string, unknown>, code: string][] = [
    ['nothing', {}, 'parameter_invalid'],
    ['a field of no bank', { photo: 'x' }, 'parameter_unknown'],
    ['a number', { explanation: 12 }, 'parameter_invalid'],
    ['an empty text', { explanation: '' }, 'parameter_invalid'],
    ['a book', { explanation: 'x'.repeat(5_001) }, 'parameter_invalid'],
    ['NUL', { explanation: 'a\u0000b' }, 'parameter_invalid'],
    ['two lines where there is one', { tracking_number: 'X1\nX2' }, 'parameter_invalid'],
    ['a card number', { customer_communication: '4242 4242 4242 4242' }, 'card_number_refused'],
  ]
  test.each(bad)('%s is refused', async (_what, body, code) => {
    const merchant = await newMerchant()
    const { id } = (await dispute(merchant, await paidByCard(merchant))).body
    expect((await evidence(merchant, id, body)).body).toMatchObject({ error: { code } })
    expect(await disputeOf(merchant, id)).toMatchObject({ status: 'needs_response', evidence: {} })
  })

  test('the bank may ask again after its review, and take more', async () => {
    const merchant = await newMerchant()
    const { id } = (await dispute(merchant, await paidByCard(merchant))).body
    await evidence(merchant, id)
    await disputeIs(merchant, id, 'under_review')
    await atBank(id, `state = 'needs_response'`)
    await trigger('sandbox')
    expect((await disputeOf(merchant, id)).status).toBe('needs_response')
    expect((await evidence(merchant, id, { explanation: 'More.' })).status).toBe(200)
    await disputeIs(merchant, id, 'under_review')
    expect(await typesOf(merchant.tenantId, id)).toEqual([
      'dispute.created',
      'dispute.under_review',
      'dispute.reopened',
      'dispute.under_review',
    ])
    expect(await journalsOf(merchant.tenantId)).toEqual(held)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('the end', () => {
  test('won: the money is back, and can be refunded', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    const won = await resolve(merchant, id, 'won')
    expect([won.status, won.body.status, won.body.resolved_at]).toEqual([200, 'won', expect.any(String)])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '0' })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': 0n,
      'mxn/dispute_hold': 0n,
    })
    expect((await resolve(merchant, id, 'lost')).body).toMatchObject({ error: { code: 'dispute_over' } })
    const whole = await refund(merchant, { payment_id: payment })
    expect(whole.status, whole.text).toBe(201)
    await ends(merchant, whole.body.id, 'succeeded')
    expect(await journalsOf(merchant.tenantId)).toEqual({ ...held, fee_returned: 1, release: 1, ...refunded })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('lost: the money is gone, and what is left can be refunded', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment, { amount: '6000' })).body
    await resolve(merchant, id, 'lost')
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '6000' })
    expect((await refund(merchant, { payment_id: payment, amount: '4001' })).body).toMatchObject({
      error: { code: 'refund_exceeds_captured' },
    })
    const rest = await refund(merchant, { payment_id: payment })
    expect(rest.body.amount).toBe('4000')
    await ends(merchant, rest.body.id, 'succeeded')
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': -10_000n - disputeFeeMinor,
      'mxn/dispute_hold': 0n,
      'mxn/processor_clearing': 0n,
    })
    expect(await typesOf(merchant.tenantId, id)).toEqual(['dispute.created', 'dispute.lost'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a bank that decides for the merchant after all returns what was lost', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment)).body
    await resolve(merchant, id, 'lost')
    await atBank(id, `state = 'won'`)
    await trigger('sandbox')
    expect((await disputeOf(merchant, id)).status).toBe('won')
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '0' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ ...held, fee_returned: 1, lost: 1, overturned: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  const late: [state: string, kinds: Record<string, number>, disputed: string][] = [
    ['lost', { capture: 1, fee: 1, hold: 1, lost: 1 }, '10000'],
    ['won', { capture: 1 }, '0'],
    ['under_review', { capture: 1, fee: 1, hold: 1 }, '10000'],
  ]
  test.each(late)('first known when it is %s: it begins in that status', async (state, kinds, disputed) => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
    await adminSql('sandbox')(
      `update simulator.disputes set opens_at = now(), state = $2
       where reference in (select id from payment_attempts where tenant_id = $1)`,
      [merchant.tenantId, state],
    )
    await trigger('sandbox')
    const [told] = await disputesOf(merchant)
    expect(told!.status).toBe(state)
    expect(await typesOf(merchant.tenantId, told!.id)).toEqual(['dispute.created', `dispute.${state}`])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: disputed })
    expect(await journalsOf(merchant.tenantId)).toEqual(kinds)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('beside refunds', () => {
  test('what was refunded before cannot be lost too', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const part = await refund(merchant, { payment_id: payment, amount: '7000' })
    await ends(merchant, part.body.id, 'succeeded')
    const { body } = await dispute(merchant, payment)
    expect(body).toMatchObject({ amount: '10000', amount_held: '3000' })
    await resolve(merchant, body.id, 'lost')
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '7000',
      amount_disputed: '3000',
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('all of it refunded before: nothing is held, and nothing but the fee is booked', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const whole = await refund(merchant, { payment_id: payment })
    await ends(merchant, whole.body.id, 'succeeded')
    const { body } = await dispute(merchant, payment)
    expect(body).toMatchObject({ status: 'needs_response', amount_held: '0' })
    expect((await resolve(merchant, body.id, 'won')).body.status).toBe('won')
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, fee: 1, fee_returned: 1, ...refunded })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a refund that fails while the bank decides can be lost after all', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const part = await refund(merchant, { payment_id: payment, amount: '7000' })
    await ends(merchant, part.body.id, 'succeeded')
    const { body } = await dispute(merchant, payment)
    // The buyer's bank sends the refund back.
    await adminSql('sandbox')('select simulator.refund_sent_back($1)', [part.body.id])
    await adminSql('sandbox')(`update refunds set next_check_at = now() where id = $1`, [part.body.id])
    await trigger('sandbox')
    await ends(merchant, part.body.id, 'failed')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    const lost = await resolve(merchant, body.id, 'lost')
    expect(lost.body).toMatchObject({ status: 'lost', amount_held: '10000' })
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_refunded: '0',
      amount_disputed: '10000',
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('two disputes hold no more than was captured', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const first = await dispute(merchant, payment, { amount: '6000' })
    const second = await dispute(merchant, payment, { amount: '6000' })
    expect([first.body.amount_held, second.body.amount_held]).toEqual(['6000', '4000'])
    await resolve(merchant, first.body.id, 'won')
    expect((await refund(merchant, { payment_id: payment, amount: '1' })).body).toMatchObject({
      error: { code: 'refund_blocked_by_dispute' },
    })
    await resolve(merchant, second.body.id, 'lost')
    // The first dispute released its hold meanwhile: all that the second claims is lost.
    expect(await disputeOf(merchant, second.body.id)).toMatchObject({ amount_held: '6000' })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '6000' })
    expect((await refund(merchant, { payment_id: payment })).body.amount).toBe('4000')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('a dispute in another currency than ours is not booked, and the processor reports it again at every look', async () => {
  const merchant = await newMerchant()
  await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
  await adminSql('sandbox')(
    `update simulator.disputes set opens_at = now(), currency = 'usd'
     where reference in (select id from payment_attempts where tenant_id = $1)`,
    [merchant.tenantId],
  )
  await trigger('sandbox')
  expect(await disputesOf(merchant)).toEqual([])
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  const [kept] = await adminSql('sandbox')<{ confirmed_state: string | null }>(
    `update simulator.disputes set confirmed_state = state where confirmed_state is null and currency = 'usd' and reference in
       (select id from payment_attempts where tenant_id = $1) returning null as confirmed_state`,
    [merchant.tenantId],
  )
  expect(kept).toEqual({ confirmed_state: null })
})

test("lists: by status, by payment, newest first; only the merchant's own", async () => {
  const merchant = await newMerchant()
  const [one, two] = [await paidByCard(merchant), await paidByCard(merchant)]
  const first = (await dispute(merchant, one)).body
  const second = (await dispute(merchant, two)).body
  await resolve(merchant, first.id, 'won')
  const ids = async (query: string) => (await disputesOf(merchant, query)).map(({ id }) => id)
  expect(await ids('')).toEqual([second.id, first.id])
  expect(await ids('?status=won')).toEqual([first.id])
  expect(await ids('?status=needs_response')).toEqual([second.id])
  expect(await ids(`?payment_id=${one}`)).toEqual([first.id])
  expect(await ids('?created_at.gte=2100-01-01T00:00:00Z')).toEqual([])
  expect(await disputesOf(await newMerchant())).toEqual([])
})

describe('the test controls', () => {
  test('50 requests with one Idempotency-Key are one dispute', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const key = { 'idempotency-key': randomUUID() }
    const replies = await Promise.all(Array.from({ length: 50 }, () => dispute(merchant, payment, {}, key)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1)
    expect(await journalsOf(merchant.tenantId)).toEqual(held)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('the copy that began first, and was second, meets the same dispute', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const open = `select simulator.open_dispute($1, a.id, null, 'fraudulent', now()) as dispute
                  from payment_attempts a where a.payment_id = $2`
    const values = [`sbx_dp_${randomUUID()}`, payment]
    const slow = new Client(stack.databases.sandbox.adminUrl)
    await slow.connect()
    try {
      await slow.query('begin')
      const [quick] = await adminSql('sandbox')(open, values)
      const { rows } = await slow.query(open, values)
      expect(quick).toMatchObject({ dispute: { state: 'needs_response' } })
      expect(rows).toEqual([quick])
    } finally {
      await slow.query('rollback')
      await slow.end()
    }
  })

  test("only a card payment can be disputed, and only with its own merchant's key", async () => {
    const merchant = await newMerchant()
    const cash = await paidInCash(merchant)
    await adminSql('sandbox')(`update payment_attempts set method = 'oxxo' where payment_id = $1`, [cash])
    expect((await dispute(merchant, cash)).body).toMatchObject({
      error: { code: 'payment_not_disputable', param: 'payment_id' },
    })
    const mine = await paidByCard(merchant)
    expect((await dispute(await newMerchant(), mine)).body).toMatchObject({
      error: { code: 'payment_not_found' },
    })
  })

  const amounts = ['0', '-1', '1.5', '', 'all', '1'.repeat(19)]
  test.each(amounts)('an amount of "%s" is refused', async (amount) => {
    const merchant = await newMerchant()
    const reply = await dispute(merchant, randomUUID(), { amount })
    expect([reply.status, reply.body], reply.text).toMatchObject([422, { error: { param: 'amount' } }])
  })
})
