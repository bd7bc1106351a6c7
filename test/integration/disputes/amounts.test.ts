import { describe, expect, test } from 'vitest'
import { balancesOf, brokenRules, journalsOf, paymentsOf } from '../../support/books.ts'
import { atBank, dispute, disputeOf, disputesOf, pollDisputes, resolve } from '../../support/disputes.ts'
import { newMerchant } from '../../support/merchant.ts'
import { eventsOf, paidByCard, paymentOf } from '../../support/refunds.ts'
import * as review from '../../support/review.ts'
import { adminSql, trigger } from '../../support/stack.ts'

describe.each(['needs_response', 'won', 'lost'] as const)('a dispute that is %s', (status) => {
  async function disputed() {
    const merchant = await newMerchant()
    const payment = await paidByCard(merchant)
    const { id } = (await dispute(merchant, payment, { amount: '6000' })).body
    if (status !== 'needs_response') expect((await resolve(merchant, id, status)).status).toBe(200)
    return { merchant, payment, id }
  }
  const cases = [
    ['less', 4000, ['dispute.hold_decreased']],
    ['more', 9000, ['dispute.amount_changed', 'dispute.hold_increased']],
    ['more than the payment', 12_000, ['dispute.amount_changed', 'dispute.hold_increased']],
  ] as const
  test.each(cases)('of which the bank then claims %s takes that, once', async (_, claimed, kinds) => {
    const { merchant, payment, id } = await disputed()
    await atBank(id, `amount_minor = ${claimed}, confirmed_state = null`)
    await trigger('sandbox')
    await pollDisputes(merchant.tenantId, 2)
    const held = Math.min(claimed, 10_000)
    const isWon = status === 'won'
    expect(await disputeOf(merchant, id)).toMatchObject({ status, amount: String(claimed) })
    if (!isWon) expect(await disputeOf(merchant, id)).toMatchObject({ amount_held: String(held) })
    expect(await paymentOf(merchant, payment)).toMatchObject({ amount_disputed: isWon ? '0' : String(held) })
    const hold = (await balancesOf(merchant.tenantId))['mxn/dispute_hold'] ?? 0n
    expect(hold).toBe(status === 'needs_response' ? BigInt(held) : 0n)
    const types = (await eventsOf(merchant.tenantId, id)).map(({ type }) => type)
    const told = isWon ? ['dispute.amount_changed'] : kinds
    expect(types.slice(types.length - told.length)).toEqual(told)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })

  test('may be decided otherwise in the same breath', async () => {
    const { merchant, payment, id } = await disputed()
    await atBank(id, `amount_minor = 4000, state = '${status === 'lost' ? 'won' : 'lost'}'`)
    await trigger('sandbox')
    await pollDisputes(merchant.tenantId, 2)
    expect(await paymentOf(merchant, payment)).toMatchObject({
      amount_disputed: status === 'lost' ? '0' : '4000',
    })
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test.each([
  ['before its review is closed', 'dispute', 'settle'],
  ['only after its review is closed', 'settle', 'dispute'],
] as const)(
  'a dispute of a payment whose numbers contradicted, reported %s: holds nothing, and its fee comes back with the win',
  async (_, first, second) => {
    const merchant = await newMerchant()
    const { paymentId } = await review.newContradicted(merchant)
    const { id: attempt } = await review.attemptOf(merchant, paymentId)
    const steps = {
      settle: () => review.resolve(merchant, paymentId, 'settled_elsewhere'),
      dispute: async () => {
        await adminSql('sandbox')(`select simulator.open_dispute($1, $2, null, 'fraudulent', now())`, [
          `sbx_dp_${attempt}`,
          attempt,
        ])
        await trigger('sandbox')
      },
    }
    await steps[first]()
    await steps[second]()
    const [opened] = await disputesOf(merchant)
    expect(opened).toMatchObject({ status: 'needs_response', amount: '120001', amount_held: '0' })
    expect(await journalsOf(merchant.tenantId)).toEqual({ fee: 1 })
    await atBank(opened!.id, `state = 'won'`)
    await trigger('sandbox')
    expect((await disputeOf(merchant, opened!.id)).status).toBe('won')
    expect(await journalsOf(merchant.tenantId)).toEqual({ fee: 1, fee_returned: 1 })
    expect(await paymentsOf(merchant.tenantId)).toMatchObject([{ status: 'canceled' }])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  },
)
