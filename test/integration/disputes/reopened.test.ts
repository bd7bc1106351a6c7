import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import {
  atBank,
  dispute,
  disputeFeeMinor,
  disputeIs,
  disputeOf,
  evidence,
  pollDisputes,
  reconsider,
  resolve,
} from '../../support/disputes.ts'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { availableOf, entriesOf, funded, payOut, release, settlesAs } from '../../support/payouts.ts'
import {
  ends,
  eventsOf,
  moveBalance,
  paidByCard,
  paymentOf,
  refund,
  refundOf,
} from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

/** A card payment of 100.00 of which the bank decided a dispute. */
async function decided(outcome: 'won' | 'lost', amount?: string) {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { id } = (await dispute(merchant, payment, amount ? { amount } : {})).body
  expect((await resolve(merchant, id, outcome)).status).toBe(200)
  return { merchant, payment, id }
}

const told = async ({ tenantId }: Merchant, id: string) =>
  (await eventsOf(tenantId, id)).map(({ type, previous_attributes }) => [type, previous_attributes])

const canRefund = async (merchant: Merchant, payment: string, code: string) =>
  expect((await refund(merchant, { payment_id: payment, amount: '1' })).body).toMatchObject({
    error: { code },
  })

const fee = { amount_fee: '17400', fee_details: { amount: '15000', iva: '2400' } }
const noFee = { amount_fee: '0', fee_details: { amount: '0', iva: '0' } }

describe('won is not final', () => {
  test('then lost: the money is gone, an event says so, and it can no longer be refunded', async () => {
    const { merchant, payment, id } = await decided('won')
    const { resolved_at: wonAt } = await disputeOf(merchant, id)
    const lost = await reconsider(merchant, id, 'lost')
    expect(lost.body, lost.text).toMatchObject({
      status: 'lost',
      amount_held: '10000',
      amount_uncovered: '0',
    })
    expect(Date.parse(lost.body.resolved_at!)).toBeGreaterThan(Date.parse(wonAt!))
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': -10_000n - disputeFeeMinor,
      'mxn/dispute_hold': 0n,
      'mxn/processor_clearing': 0n,
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({
      capture: 1,
      fee: 2,
      fee_returned: 1,
      hold: 2,
      release: 1,
      lost: 1,
    })
    expect(await told(merchant, id)).toEqual([
      ['dispute.created', {}],
      ['dispute.won', { status: 'needs_response', resolved_at: null, ...fee }],
      ['dispute.lost', { status: 'won', resolved_at: wonAt, ...noFee }],
    ])
    expect(
      (await eventsOf(merchant.tenantId, payment))
        .filter(({ type }) => type.includes('dispute'))
        .map(({ type, previous_attributes }) => [type, previous_attributes]),
    ).toEqual([
      ['payment.disputed', { amount_disputed: '0' }],
      ['payment.dispute_released', { amount_disputed: '10000' }],
      ['payment.disputed', { amount_disputed: '0' }],
    ])
    await canRefund(merchant, payment, 'refund_exceeds_captured')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  const open = ['needs_response', 'under_review'] as const
  const ends = [
    ['won', { capture: 1, fee: 2, fee_returned: 2, hold: 2, release: 2 }, '0', 0n],
    [
      'lost',
      { capture: 1, fee: 2, fee_returned: 1, hold: 2, release: 1, lost: 1 },
      '10000',
      -10_000n - disputeFeeMinor,
    ],
  ] as const
  test.each(open.flatMap((status) => ends.map((end) => [status, ...end] as const)))(
    'then %s: held again until it is %s',
    async (status, end, kinds, disputed, available) => {
      const { merchant, payment, id } = await decided('won')
      const won = await disputeOf(merchant, id)
      const again = await reconsider(merchant, id, status)
      expect(again.body, again.text).toMatchObject({ status, amount_held: '10000', resolved_at: null })
      expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
      expect(await balancesOf(merchant.tenantId)).toMatchObject({
        'mxn/merchant_available': -10_000n - disputeFeeMinor,
        'mxn/dispute_hold': 10_000n,
      })
      await canRefund(merchant, payment, 'refund_blocked_by_dispute')
      expect(await brokenRules(merchant.tenantId)).toEqual([])

      expect((await resolve(merchant, id, end)).body).toMatchObject({
        status: end,
        resolved_at: expect.any(String),
      })
      expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: disputed })
      expect(await balancesOf(merchant.tenantId)).toMatchObject({
        'mxn/merchant_available': available,
        'mxn/dispute_hold': 0n,
      })
      expect(await journalsOf(merchant.tenantId)).toEqual(kinds)
      expect(await told(merchant, id)).toEqual([
        ['dispute.created', {}],
        ['dispute.won', { status: 'needs_response', resolved_at: null, ...fee }],
        [
          'dispute.reopened',
          {
            status: 'won',
            resolved_at: won.resolved_at,
            ...noFee,
            // When the bank asks again, the merchant has another week.
            ...(status === 'needs_response' ? { evidence_due_by: won.evidence_due_by } : {}),
          },
        ],
        [`dispute.${end}`, { status, resolved_at: null, ...(end === 'won' ? fee : {}) }],
      ])
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    },
  )

  test("asked again, it takes evidence again, until the bank's new deadline", async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id, evidence_due_by: firstDay } = (await dispute(merchant, payment)).body
    const text = { explanation: 'Signed for.' }
    await evidence(merchant, id, text)
    await disputeIs(merchant, id, 'under_review')
    await resolve(merchant, id, 'won')
    expect((await evidence(merchant, id)).body).toMatchObject({
      error: { code: 'dispute_evidence_not_awaited' },
    })
    const { body } = await reconsider(merchant, id, 'needs_response')
    expect(Date.parse(body.evidence_due_by!)).toBeGreaterThan(Date.parse(firstDay!))
    // The same text, sent again, is another answer.
    expect((await evidence(merchant, id, text)).body).toMatchObject({
      evidence: text,
      evidence_submitted_at: null,
    })
    await disputeIs(merchant, id, 'under_review')
    expect((await disputeOf(merchant, id)).evidence_submitted_at).not.toBeNull()
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('without evidence the second time, it is lost when that time is over', async () => {
    const { merchant, id } = await decided('won')
    await reconsider(merchant, id, 'needs_response')
    await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'P7D' } })
    await trigger('sandbox')
    expect(await disputeOf(merchant, id)).toMatchObject({ status: 'lost' })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('lost is not final either', () => {
  test.each(['needs_response', 'under_review'])(
    'then %s: what the bank has is held, the balance stays, and it can be won',
    async (status) => {
      const { merchant, payment, id } = await decided('lost')
      expect((await reconsider(merchant, id, status)).body).toMatchObject({ status, resolved_at: null })
      expect(await balancesOf(merchant.tenantId)).toMatchObject({
        'mxn/merchant_available': -10_000n - disputeFeeMinor,
        'mxn/dispute_hold': 10_000n,
      })
      await canRefund(merchant, payment, 'refund_blocked_by_dispute')
      await resolve(merchant, id, 'won')
      expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '0' })
      expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/merchant_available': 0n })
      expect(await journalsOf(merchant.tenantId)).toEqual({
        capture: 1,
        fee: 1,
        fee_returned: 1,
        hold: 1,
        lost: 1,
        reopened: 1,
        release: 1,
      })
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    },
  )

  test('won and lost again, as often as the bank decides', async () => {
    const { merchant, payment, id } = await decided('lost', '4000')
    for (const status of ['won', 'lost', 'won', 'lost', 'needs_response']) {
      expect((await reconsider(merchant, id, status)).body, status).toMatchObject({ status })
      expect(await brokenRules(merchant.tenantId), status).toEqual([])
    }
    await resolve(merchant, id, 'lost')
    expect(await journalsOf(merchant.tenantId)).toEqual({
      capture: 1,
      fee: 3,
      fee_returned: 2,
      hold: 3,
      lost: 4,
      overturned: 2,
      reopened: 1,
    })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '4000' })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({
      'mxn/merchant_available': -4_000n - disputeFeeMinor,
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('what was refunded after it was won', () => {
  const parts: [refunded: string, taken: string, left: string][] = [
    ['7000', '3000', '7000'],
    ['10000', '0', '10000'],
  ]
  test.each(parts)(
    '%s of 10000: the bank takes %s, and the event says that %s was not covered',
    async (part, taken, left) => {
      const { merchant, payment, id } = await decided('won')
      const { body } = await refund(merchant, { payment_id: payment, amount: part })
      await ends(merchant, body.id, 'succeeded')
      for (const status of ['needs_response', 'lost', 'won', 'lost'] as const) {
        const reply = await (status === 'lost' && (await disputeOf(merchant, id)).status === 'needs_response'
          ? resolve(merchant, id, 'lost')
          : reconsider(merchant, id, status))
        expect(reply.body, status).toMatchObject({
          status,
          amount: '10000',
          amount_held: taken,
          amount_uncovered: status === 'won' ? '0' : left,
        })
        expect(await paymentOf(merchant, payment)).toMatchObject({
          amount_refunded: part,
          amount_disputed: status === 'won' ? '0' : taken,
        })
        expect(await brokenRules(merchant.tenantId), status).toEqual([])
      }
      const [, , reopened] = await eventsOf(merchant.tenantId, id)
      expect(reopened).toMatchObject({
        type: 'dispute.reopened',
        object: { amount_held: taken, amount_uncovered: left },
        previous_attributes: { status: 'won', amount_held: '10000', amount_uncovered: '0' },
      })
    },
  )

  const heard = ['lost', 'needs_response'] as const
  test.each(heard)(
    'the refund fails when it is %s: the next look takes what was not covered',
    async (status) => {
      const { merchant, payment, id } = await decided('won')
      const { body } = await refund(merchant, { payment_id: payment, amount: '7000' })
      await ends(merchant, body.id, 'succeeded')
      await reconsider(merchant, id, status)
      await adminSql('sandbox')('select simulator.refund_sent_back($1)', [body.id])
      await adminSql('sandbox')(`update refunds set next_check_at = now() where id = $1`, [body.id])
      await trigger('sandbox')
      await ends(merchant, body.id, 'failed')
      expect(await disputeOf(merchant, id)).toMatchObject({ amount_held: '3000', amount_uncovered: '7000' })
      expect(await brokenRules(merchant.tenantId)).toEqual([])
      await pollDisputes(merchant.tenantId, 2)
      expect(await disputeOf(merchant, id)).toMatchObject({
        status,
        amount_held: '10000',
        amount_uncovered: '0',
      })
      expect(await paymentOf(merchant, payment)).toMatchObject({
        amount_refunded: '0',
        amount_disputed: '10000',
      })
      expect((await told(merchant, id)).at(-1)).toEqual([
        'dispute.hold_increased',
        { amount_held: '3000', amount_uncovered: '7000' },
      ])
      expect(await balancesOf(merchant.tenantId)).toMatchObject({
        'mxn/merchant_available': -10_000n - disputeFeeMinor,
      })
      expect(await brokenRules(merchant.tenantId)).toEqual([])
    },
  )

  test('a refund that only waits for the balance gives way', async () => {
    const { merchant, payment, id } = await decided('won')
    await moveBalance(merchant.tenantId, -2_000_000n)
    const { body } = await refund(merchant, { payment_id: payment, amount: '7000' })
    expect(body.status).toBe('pending')
    expect((await reconsider(merchant, id, 'lost')).body).toMatchObject({ amount_held: '10000' })
    expect((await refundOf(merchant, body.id)).status).toBe('canceled')
    await moveBalance(merchant.tenantId, 2_000_000n)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('a waiting refund goes on waiting when its dispute is first known as won', async () => {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant, { token: 'tok_sbx_dispute_next_day' })
    await moveBalance(merchant.tenantId, -2_000_000n)
    const { body } = await refund(merchant, { payment_id: payment, amount: '7000' })
    await adminSql('sandbox')(
      `update simulator.disputes set opens_at = now(), state = 'won'
       where reference in (select id from payment_attempts where tenant_id = $1)`,
      [merchant.tenantId],
    )
    await trigger('sandbox')
    expect((await refundOf(merchant, body.id)).status).toBe('pending')
    await moveBalance(merchant.tenantId, 2_000_000n)
  })
})

test('paid out between won and lost: the balance falls below zero, and the next payout recovers it', async () => {
  const { merchant, payments } = await funded([10_000])
  const { id } = (await dispute(merchant, payments[0]!)).body
  await resolve(merchant, id, 'won')
  const first = await payOut(merchant)
  await settlesAs(merchant, first.body.id, 'paid')
  expect(await availableOf(merchant)).toBe('0')
  await reconsider(merchant, id, 'lost')
  expect(await availableOf(merchant)).toBe(String(-10_000n - disputeFeeMinor))
  expect((await payOut(merchant)).body).toMatchObject({ error: { code: 'payout_nothing_available' } })
  await paidByCard(merchant, { amount: 50_000 })
  await release(merchant)
  const available = await availableOf(merchant)
  const { body } = await payOut(merchant)
  expect(body.amount).toBe(available)
  const entries = await entriesOf(merchant, body.id)
  expect(
    entries.map(({ kind, amount_net }) => (kind === 'payment' ? kind : [kind, amount_net])).sort(),
  ).toEqual([['dispute_fee', String(-disputeFeeMinor)], ['dispute_hold', '-10000'], 'payment'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

describe('without a notification', () => {
  const quietly = (id: string, state: string) =>
    atBank(id, `state = '${state}', confirmed_state = '${state}'`)
  const advance = (merchant: Merchant, by: string) =>
    call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: by } })

  test('what was won is looked at again a day later', async () => {
    const { merchant, id } = await decided('won')
    await quietly(id, 'lost')
    await trigger('sandbox')
    expect((await disputeOf(merchant, id)).status).toBe('won')
    await advance(merchant, 'P1D')
    await trigger('sandbox')
    expect((await disputeOf(merchant, id)).status).toBe('lost')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('and for three months, no longer', async () => {
    const { merchant, id } = await decided('won')
    await pollDisputes(merchant.tenantId, 14)
    await quietly(id, 'under_review')
    await advance(merchant, 'P7D')
    await trigger('sandbox')
    expect((await disputeOf(merchant, id)).status).toBe('under_review')
    await resolve(merchant, id, 'lost')
    await pollDisputes(merchant.tenantId, 15)
    const [kept] = await adminSql('sandbox')(`select next_check_at from disputes where id = $1`, [id])
    expect(kept).toEqual({ next_check_at: null })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

describe('the test control', () => {
  test('reopens only decided disputes', async () => {
    const merchant = await newMerchant()
    const { id } = (await dispute(merchant, await paidByCard(merchant))).body
    for (const status of ['under_review', 'won', 'lost'])
      expect((await reconsider(merchant, id, status)).body).toMatchObject({
        error: { code: 'dispute_not_decided' },
      })
    expect((await reconsider(merchant, id, 'open')).body).toMatchObject({
      error: { code: 'parameter_invalid' },
    })
    expect(await disputeOf(merchant, id)).toMatchObject({ status: 'needs_response' })
    expect((await reconsider(await newMerchant(), id, 'lost')).status).toBe(404)
  })
})
