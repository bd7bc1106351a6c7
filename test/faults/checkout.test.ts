import { afterEach, expect, test } from 'vitest'
import { mailsTo } from '../../local/mailbox.ts'
import { brokenRules, chargesOf, settleAttempts, survivors } from '../support/books.ts'
import { completeFree, newSession, onSale, payByCard, sessionNow, stateOf } from '../support/checkout.ts'
import { newEmail } from '../support/customer.ts'
import { newDiscount, usesOf } from '../support/discounts.ts'
import { beforeAndAfter, dies, inTurn, killReconciler } from '../support/drills.ts'
import { addFile, addKeys, digital, entitled, grantedNow, pool } from '../support/entitlements.ts'
import { call, newMerchant, openLink, pay } from '../support/merchant.ts'
import { open } from '../support/pages.ts'
import { consentTo, ended, mailsOf, newRecoverable } from '../support/recovery.ts'
import { adminSql, faults, stack, trigger } from '../support/stack.ts'
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
    const discount = await newDiscount(merchant, { uses_max: 1 })
    const session = await newSession(merchant, {
      line_items: [{ item_id: item, quantity: 2 }],
      discounts: [{ code: 'BUENFIN' }],
    })
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
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while an order that costs nothing is completed', async () => {
  const boundaries = [{ contains: 'checkout_sessions' }, { contains: 'door.publish' }]
  await survivors('completing for nothing', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const merchant = await newMerchant()
    const [item] = await onSale(merchant, 3)
    const key = await digital(merchant, pool)
    await addKeys(merchant, key, 'DRILL-1', 'DRILL-2')
    const discount = await newDiscount(merchant, { percent_off_bps: 10_000 })
    const session = await newSession(merchant, {
      line_items: [{ item_id: item, quantity: 2 }, { item_id: key }],
      discounts: [{ code: 'BUENFIN' }],
    })
    const form = await openLink(session.public_id)
    await dies(strike, () => completeFree(session.public_id, form))
    expect(await brokenRules(merchant.tenantId)).toEqual([])
    const [again, once] = [
      await completeFree(session.public_id, form),
      await completeFree(session.public_id, form),
    ]
    expect([again.status, again.location]).toEqual([303, once.location])
    expect(await stateOf(merchant, session)).toBe('complete/no_payment_required')
    expect(await levelsOf(merchant, item!)).toEqual(['1/0'])
    expect(await usesOf(merchant, discount)).toBe(1)
    expect(await brokenRules(merchant.tenantId)).toEqual([])
  })
})

test('the Worker is killed while the buyer of a session that ended is mailed: one mail', async () => {
  const boundaries = [
    { contains: 'from "checkout_recoveries"' },
    { contains: 'door.publish' },
    { contains: 'from "outgoing_mails"' },
    { contains: 'door.publish', skip: 1 },
  ]
  await survivors('mailing a recovery', inTurn(boundaries, beforeAndAfter, 2), async (strike) => {
    const merchant = await newMerchant()
    const session = await newRecoverable(merchant)
    const to = newEmail()
    await consentTo(session, to)
    await ended(merchant, session)
    await killReconciler(strike)
    const due = async () => {
      await adminSql('sandbox')(
        `update checkout_recoveries set mail_at = now() where session_id = $1 and mail_at is not null`,
        [session.id],
      )
      await adminSql('sandbox')(
        `update outgoing_mails set next_check_at = now() where next_check_at is not null
           and id in (select id from checkout_recoveries where session_id = $1)`,
        [session.id],
      )
      return mailsOf(session, 1)
    }
    await expect.poll(due, { timeout: 60_000, interval: 500 }).toEqual(['sent'])
    expect(await mailsTo(stack.mailboxUrl, to)).toHaveLength(1)
  })
})

test('the Worker is killed while what was bought is granted, made ready and downloaded', async () => {
  const boundaries = [
    { contains: 'simulator.charge', act: 'pay' },
    { contains: 'door.publish', skip: 1, act: 'pay' },
    { contains: 'entitlements', act: 'job' },
    { contains: 'door.publish', act: 'download' },
  ] as const
  await survivors('delivering', inTurn(boundaries, beforeAndAfter, 1), async ({ act, ...strike }) => {
    const merchant = await newMerchant()
    const [file, code, key] = await Promise.all([
      digital(merchant, { kind: 'file', downloads_max: 3 }),
      digital(merchant, { kind: 'voucher' }),
      digital(merchant, pool),
    ])
    await addFile(merchant, file)
    await addKeys(merchant, key, 'DRILL-KEY-1')
    const lines = [file, code, key].map((item_id) => ({ item_id, quantity: 1 }))
    const session = await newSession(merchant, { line_items: lines })
    const form = await openLink(session.public_id)
    const paying = () => pay(session.public_id, form, 'tok_sbx_approve')
    await (act === 'pay' ? dies(strike, paying) : paying())
    await settleAttempts(merchant.tenantId)
    await paying()
    await settleAttempts(merchant.tenantId)
    if ((await stateOf(merchant, session)) !== 'complete/paid') await payByCard(session)
    await settleAttempts(merchant.tenantId)
    if (act === 'job') await killReconciler(strike)
    await trigger('sandbox')
    const { payment_id } = await sessionNow(merchant, session)
    const granted = await grantedNow(merchant, payment_id!)
    expect(granted.map(({ status }) => status)).toEqual(['active', 'active', 'active'])
    const { body } = await entitled<{ data: { url: string }[] }>(
      merchant,
      'GET',
      `/entitlements/${granted.find(({ kind }) => kind === 'file')!.id}/downloads`,
    )
    const at = new URL(body.data[0]!.url).pathname
    if (act === 'download') await dies(strike, () => open(at))
    expect((await open(at)).status).toBe(200)
    await trigger('sandbox')
    const events = await adminSql('sandbox')<{ type: string; n: number }>(
      `select type, count(*)::int as n from events where tenant_id = $1 and resource_type = 'entitlement' group by 1 order by 1`,
      [merchant.tenantId],
    )
    expect(events).toEqual([
      { type: 'entitlement.created', n: 3 },
      { type: 'entitlement.delivered', n: 3 },
    ])
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
