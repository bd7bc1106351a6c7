import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { cancel, capture, newAuthorized, tally } from '../../support/authorized.ts'
import {
  attemptsOf,
  brokenRules,
  chargesOf,
  journalsOf,
  paymentsOf,
  settleAttempts,
} from '../../support/books.ts'
import { newMerchant } from '../../support/merchant.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const parallel = 50
const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))

test(`${parallel} captures under one key: one capture, one reply`, async () => {
  const merchant = await newMerchant()
  const { link, paymentId } = await newAuthorized(merchant)
  const key = randomUUID()
  const replies = await times(parallel, () => capture(merchant, paymentId, { amount: '50000', key }))
  expect(tally(replies)).toEqual({ '200 partially_captured': parallel })
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual(['captured'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test(`${parallel} captures under keys of their own: exactly one wins`, async () => {
  const merchant = await newMerchant()
  const { paymentId } = await newAuthorized(merchant)
  const replies = await times(parallel, (at) => capture(merchant, paymentId, { amount: String(50_000 + at) }))
  expect(tally(replies)['200 partially_captured']).toBe(1)
  for (const { status, body } of replies.filter((reply) => reply.status !== 200))
    expect([status, body.error!.code]).toEqual([
      409,
      expect.stringMatching(/^payment_(change_in_progress|not_capturable)$/),
    ])
  const [winner] = replies.filter(({ status }) => status === 200)
  const [row] = await adminSql('sandbox')('select amount_captured_minor from payments where id = $1', [
    paymentId,
  ])
  expect(row).toEqual({ amount_captured_minor: winner!.body.amount_captured })
  expect(await journalsOf(merchant.tenantId)).toEqual({ capture: 1 })
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test.each([1, 2, 3, 4])('25 captures against 25 cancels, round %s: one of them', async () => {
  const merchant = await newMerchant()
  const { link, paymentId } = await newAuthorized(merchant)
  const replies = await times(parallel, (at) =>
    at % 2 ? capture(merchant, paymentId) : cancel(merchant, paymentId),
  )
  const won = replies.filter(({ status }) => status === 200)
  expect(won).toHaveLength(1)
  for (const { status, body } of replies.filter((reply) => reply.status !== 200))
    expect([status, body.error!.code]).toEqual([
      409,
      expect.stringMatching(/^payment_(change_in_progress|not_capturable|not_cancelable)$/),
    ])
  const { status } = won[0]!.body
  const [payment] = await paymentsOf(merchant.tenantId)
  expect(payment!.status).toBe(status)
  const captured = status === 'succeeded'
  expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual([
    captured ? 'captured' : 'canceled',
  ])
  expect(await journalsOf(merchant.tenantId)).toEqual(captured ? { capture: 1 } : {})
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('captures against the end of the authorization: exactly one of the two wins, and the books agree', async () => {
  const ends = new Map<string, number>()
  for (let round = 0; round < 12; round++) {
    const merchant = await newMerchant()
    const { link, paymentId } = await newAuthorized(merchant)
    // The time is over by the reconciler's clock, but not yet by the merchant's: both call the processor.
    await adminSql('sandbox')(
      `update payment_attempts set expires_at = now() - interval '1 second', next_check_at = now() - interval '1 second'
       where tenant_id = $1`,
      [merchant.tenantId],
    )
    // In each round the reconciler gets a little further before the merchant's request comes.
    const [replies] = await Promise.all([
      setTimeout(round * 3).then(() => times(8, () => capture(merchant, paymentId))),
      times(3, () => trigger('sandbox')),
    ])
    await settleAttempts(merchant.tenantId)
    const [payment] = await paymentsOf(merchant.tenantId)
    const [attempt] = await attemptsOf(merchant.tenantId)
    const captured = payment!.status === 'succeeded'
    ends.set(payment!.status, (ends.get(payment!.status) ?? 0) + 1)
    expect([payment!.status, attempt!.status]).toEqual(
      captured ? ['succeeded', 'captured'] : ['expired', 'expired'],
    )
    expect((await chargesOf(link.public_id)).map(({ state }) => state)).toEqual([
      captured ? 'captured' : 'canceled',
    ])
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(captured ? 1 : 0)
    expect(await journalsOf(merchant.tenantId)).toEqual(captured ? { capture: 1 } : {})
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  }
  console.log(`capture against expiry, 12 rounds: ${JSON.stringify(Object.fromEntries(ends))}`)
})
