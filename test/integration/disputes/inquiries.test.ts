import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import {
  atBank,
  dispute,
  disputeIs,
  disputeOf,
  disputesOf,
  endInquiry,
  evidence,
  pollDisputes,
  resolve,
} from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import { ends, eventsOf, paidByCard, paymentOf, refund } from '../../support/refunds.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const typesOf = async (tenantId: string, id: string) => (await eventsOf(tenantId, id)).map(({ type }) => type)

async function inquired() {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  const { body, status, text } = await dispute(merchant, payment, { inquiry: true })
  expect(status, text).toBe(201)
  return { merchant, payment, id: body.id, body }
}

describe('an inquiry', () => {
  test('is shown as one, and no money moves', async () => {
    const { merchant, payment, id, body } = await inquired()
    expect(body).toMatchObject({
      payment_id: payment,
      status: 'inquiry_needs_response',
      amount: '10000',
      amount_held: '0',
      amount_uncovered: '0',
      evidence_due_by: expect.stringMatching(/^20/),
      resolved_at: null,
    })
    expect((await disputesOf(merchant, '?status=inquiry_needs_response')).map((each) => each.id)).toEqual([
      id,
    ])
    expect(await disputesOf(merchant, '?status=needs_response')).toEqual([])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '0' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await typesOf(merchant.tenantId, id)).toEqual(['dispute.inquiry_created'])
    expect(await typesOf(merchant.tenantId, payment)).not.toContain('payment.disputed')
    // However often we are notified, it is one inquiry.
    await trigger('sandbox')
    await pollDisputes(merchant.tenantId, 2)
    expect(await disputesOf(merchant)).toHaveLength(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('leaves the payment refundable: a refund may settle it', async () => {
    const { merchant, payment, id } = await inquired()
    const whole = await refund(merchant, { payment_id: payment })
    expect(whole.status, whole.text).toBe(201)
    await ends(merchant, whole.body.id, 'succeeded')
    expect((await endInquiry(merchant, id, 'closed')).body).toMatchObject({
      status: 'inquiry_closed',
      resolved_at: expect.stringMatching(/^20/),
    })
    expect(await typesOf(merchant.tenantId, id)).toEqual([
      'dispute.inquiry_created',
      'dispute.inquiry_closed',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('takes evidence once, as a dispute does', async () => {
    const { merchant, id } = await inquired()
    const key = { 'idempotency-key': randomUUID() }
    const body = { explanation: 'Signed for.' }
    const replies = await Promise.all(Array.from({ length: 20 }, () => evidence(merchant, id, body, key)))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    await disputeIs(merchant, id, 'inquiry_under_review')
    expect(await disputeOf(merchant, id)).toMatchObject({
      evidence: body,
      evidence_submitted_at: expect.stringMatching(/^20/),
    })
    expect((await evidence(merchant, id)).body).toMatchObject({
      error: { code: 'dispute_evidence_not_awaited' },
    })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('that becomes a dispute is that dispute, once, however often and late it is reported', async () => {
    const { merchant, payment, id } = await inquired()
    await evidence(merchant, id)
    await disputeIs(merchant, id, 'inquiry_under_review')
    const replies = await Promise.all(Array.from({ length: 20 }, () => endInquiry(merchant, id, 'disputed')))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    await trigger('sandbox')
    await pollDisputes(merchant.tenantId, 2)
    expect(await disputesOf(merchant)).toMatchObject([
      { id, status: 'needs_response', amount_held: '10000', resolved_at: null },
    ])
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, fee: 1, hold: 1 })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/dispute_hold': 10_000n })
    expect((await refund(merchant, { payment_id: payment, amount: '1' })).body).toMatchObject({
      error: { code: 'refund_blocked_by_dispute' },
    })
    expect(await typesOf(merchant.tenantId, id)).toEqual([
      'dispute.inquiry_created',
      'dispute.inquiry_under_review',
      'dispute.created',
    ])
    // It is answered and decided like any other.
    expect((await evidence(merchant, id, { explanation: 'More.' })).status).toBe(200)
    await disputeIs(merchant, id, 'under_review')
    expect((await resolve(merchant, id, 'won')).body).toMatchObject({ status: 'won' })
    expect(await journalsOf(merchant.tenantId)).toEqual({
      capture: 1,
      fee: 1,
      fee_returned: 1,
      hold: 1,
      release: 1,
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('whose dispute was already lost when it is reported takes the money at once', async () => {
    const { merchant, payment, id } = await inquired()
    await atBank(id, `state = 'lost'`)
    await trigger('sandbox')
    expect(await disputeOf(merchant, id)).toMatchObject({ status: 'lost', amount_held: '10000' })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, fee: 1, hold: 1, lost: 1 })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('that becomes a dispute of a part claims the part', async () => {
    const { merchant, payment, id } = await inquired()
    await atBank(id, `state = 'needs_response', amount_minor = 4000`)
    await trigger('sandbox')
    expect(await disputeOf(merchant, id)).toMatchObject({
      status: 'needs_response',
      amount: '4000',
      amount_held: '4000',
      amount_uncovered: '0',
    })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '4000' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, fee: 1, hold: 1 })
    expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/dispute_hold': 4_000n })
    expect(await typesOf(merchant.tenantId, id)).toEqual([
      'dispute.inquiry_created',
      'dispute.amount_changed',
      'dispute.created',
    ])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('is ended as an inquiry, and a dispute as a dispute', async () => {
    const { merchant, id } = await inquired()
    expect((await resolve(merchant, id, 'won')).body).toMatchObject({ error: { code: 'dispute_is_inquiry' } })
    const other = (await dispute(merchant, await paidByCard(merchant))).body
    expect((await endInquiry(merchant, other.id, 'closed')).body).toMatchObject({
      error: { code: 'dispute_not_inquiry' },
    })
  })
})

describe('the database', () => {
  const refusals: [what: string, sql: string, constraint: string][] = [
    ['holds nothing', 'update disputes set held_minor = 1 where id = $1', 'disputes_inquiry_holds_nothing'],
    [
      'is not booked',
      `insert into ledger_journals select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid(),
         'source_type', 'dispute', 'source_id', $1::uuid, 'entry_kind', 'hold'))).*
       from ledger_journals j join disputes d on d.tenant_id = j.tenant_id and d.id = $1::uuid limit 1`,
      'disputes_inquiry_not_booked',
    ],
  ]
  test.each(refusals)('an inquiry %s', async (_what, sql, constraint) => {
    const { id } = await inquired()
    await expect(adminSql('sandbox')(sql, [id])).rejects.toMatchObject({ constraint })
  })
})
