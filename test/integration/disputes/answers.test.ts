import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf } from '../../support/books.ts'
import {
  accept,
  dispute,
  disputeIs,
  disputeOf,
  draft,
  endInquiry,
  evidence,
  pollDisputes,
} from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import { eventsOf, paidByCard, paymentOf } from '../../support/refunds.ts'
import { adminSql } from '../../support/stack.ts'

const typesOf = async (tenantId: string, id: string) => (await eventsOf(tenantId, id)).map(({ type }) => type)

async function disputed(fields: { inquiry?: boolean } = {}) {
  const merchant = await newMerchant()
  const payment = await paidByCard(merchant)
  return { merchant, payment, id: (await dispute(merchant, payment, fields)).body.id }
}

const told = async (disputeId: string) =>
  (
    await adminSql('sandbox')<{ state: string; evidence: object | null }>(
      `select state, evidence from simulator.disputes
       where dispute_ref = (select processor_ref from disputes where id = $1)`,
      [disputeId],
    )
  )[0]

test('a draft is kept, changed, and sent only when it is submitted', async () => {
  const { merchant, id } = await disputed()
  for (const explanation of ['One.', 'Two.']) {
    expect((await draft(merchant, id, { explanation })).body).toMatchObject({
      status: 'needs_response',
      evidence: { explanation },
      evidence_submitted_at: null,
    })
    await expect.poll(() => told(id)).toEqual({ state: 'needs_response', evidence: { explanation } })
  }
  await pollDisputes(merchant.tenantId, 2)
  expect(await disputeOf(merchant, id)).toMatchObject({
    status: 'needs_response',
    evidence: { explanation: 'Two.' },
    pending_action: null,
  })
  expect(await typesOf(merchant.tenantId, id)).toEqual(['dispute.created'])
  await evidence(merchant, id, { explanation: 'Three.' })
  await disputeIs(merchant, id, 'under_review')
  expect(await told(id)).toEqual({ state: 'under_review', evidence: { explanation: 'Three.' } })
  expect((await draft(merchant, id)).body).toMatchObject({ error: { code: 'dispute_evidence_not_awaited' } })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a draft for an inquiry stays a draft in the dispute that it becomes', async () => {
  const { merchant, id } = await disputed({ inquiry: true })
  await draft(merchant, id, { explanation: 'One.' })
  await endInquiry(merchant, id, 'disputed')
  expect(await disputeOf(merchant, id)).toMatchObject({
    status: 'needs_response',
    evidence: { explanation: 'One.' },
    evidence_submitted_at: null,
    pending_action: null,
  })
})

test('an accepted dispute is lost, once, and cannot be answered', async () => {
  const { merchant, payment, id } = await disputed()
  const key = { 'idempotency-key': randomUUID() }
  const replies = await Promise.all(Array.from({ length: 20 }, () => accept(merchant, id, key)))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies[0]!.body).toMatchObject({ status: 'needs_response', pending_action: 'accept' })
  await disputeIs(merchant, id, 'lost')
  expect(await disputeOf(merchant, id)).toMatchObject({ pending_action: null, amount_held: '10000' })
  expect((await evidence(merchant, id)).body).toMatchObject({
    error: { code: 'dispute_evidence_not_awaited' },
  })
  expect((await accept(merchant, id)).body).toMatchObject({ error: { code: 'dispute_not_acceptable' } })
  expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: '10000' })
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1, fee: 1, hold: 1, lost: 1 })
  expect(await balancesOf(merchant.tenantId)).toMatchObject({ 'mxn/dispute_hold': 0n })
  expect(await typesOf(merchant.tenantId, id)).toEqual(['dispute.created', 'dispute.lost'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('an answer and giving in at once: the bank gets one of them', async () => {
  const { merchant, id } = await disputed()
  const both = await Promise.all([evidence(merchant, id), accept(merchant, id)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  await expect.poll(async () => (await told(id))!.state).toMatch(/^(under_review|lost)$/)
  expect((await told(id))!.state).toBe(both[0]!.status === 200 ? 'under_review' : 'lost')
  await disputeIs(merchant, id, both[0]!.status === 200 ? 'under_review' : 'lost')
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('an inquiry has claimed nothing that could be given up', async () => {
  const { merchant, id } = await disputed({ inquiry: true })
  expect((await accept(merchant, id)).body).toMatchObject({ error: { code: 'dispute_not_acceptable' } })
  const accepting = `update disputes set pending_action = 'accept' where id = $1`
  await expect(adminSql('sandbox')(accepting, [id])).rejects.toMatchObject({
    constraint: 'disputes_pending_action_asked',
  })
})
