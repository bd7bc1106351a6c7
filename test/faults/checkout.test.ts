import { afterEach, expect, test } from 'vitest'
import { brokenRules, chargesOf, settleAttempts, survivors } from '../support/books.ts'
import { newSession, onSale, payByCard, stateOf } from '../support/checkout.ts'
import { beforeAndAfter, dies, inTurn, killReconciler } from '../support/drills.ts'
import { call, newMerchant, openLink, pay } from '../support/merchant.ts'
import { faults, trigger } from '../support/stack.ts'
import { levelsOf } from '../support/stock.ts'

afterEach(() => faults.clear())

test('the Worker is killed while a session with stock is paid', async () => {
  const boundaries = [
    { contains: 'door.publish' },
    { contains: 'simulator.charge' },
    { contains: 'door.publish', skip: 1 },
  ]
  await survivors('paying a session', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 3)
    const session = await newSession(merchant, { line_items: [{ item_id: item, quantity: 2 }] })
    const form = await openLink(session.public_id)
    await dies(strike, () => pay(session.public_id, form, 'tok_sbx_approve'))
    await settleAttempts(merchant.tenantId)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    // The same form again is the same payment; where nothing was charged, the buyer tries again.
    await pay(session.public_id, form, 'tok_sbx_approve')
    await settleAttempts(merchant.tenantId)
    if ((await stateOf(merchant, session)) !== 'complete/paid') await payByCard(session)
    await settleAttempts(merchant.tenantId)
    expect(await stateOf(merchant, session)).toBe('complete/paid')
    const captured = (await chargesOf(session.public_id)).filter(({ state }) => state === 'captured')
    expect(captured).toHaveLength(1)
    expect(await levelsOf(merchant, item!)).toEqual(['1/0'])
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while a session expires', async () => {
  const strikes = beforeAndAfter.map((each) => ({ ...each, contains: 'door.publish' }))
  await survivors('a session expires', strikes, async (strike) => {
    const merchant = await newMerchant()
    const session = await newSession(merchant)
    await call('POST', '/v1/sandbox/clock', { bearer: merchant.apiKey, body: { advance: 'PT25H' } })
    await killReconciler(strike)
    await trigger('sandbox')
    expect(await stateOf(merchant, session)).toBe('expired/unpaid')
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})
