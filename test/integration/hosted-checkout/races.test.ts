import { expect, test } from 'vitest'
import { brokenRules, chargesOf, settleAttempts } from '../../support/books.ts'
import {
  checkout,
  newSession,
  onSale,
  payByCard,
  type Session,
  sessionNow,
  stateOf,
} from '../../support/checkout.ts'
import { adjustOrder, newDiscount } from '../../support/discounts.ts'
import { overtaking } from '../../support/gate.ts'
import { newMerchant, openLink, pay } from '../../support/merchant.ts'
import { consentTo, newRecoverable } from '../../support/recovery.ts'
import { adminSql } from '../../support/stack.ts'
import { levelsOf } from '../../support/stock.ts'

const copies = 50
const times = <T>(work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: copies }, (_, at) => work(at)))

const succeeded = async (tenantId: string) =>
  (
    await adminSql('sandbox')<{ n: number }>(
      `select count(*)::int n from payments where tenant_id = $1 and status = 'succeeded'`,
      [tenantId],
    )
  )[0]!.n

test('50 buyers for the last three units: three pay, the others read that it is sold out', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 3)
  const sessions: Awaited<ReturnType<typeof newSession>>[] = []
  for (let at = 0; at < copies; at++)
    sessions.push(await newSession(merchant, { line_items: [{ item_id: item }] }))
  const forms = await Promise.all(sessions.map(({ public_id }) => openLink(public_id)))
  const replies = await times((at) => pay(sessions[at]!.public_id, forms[at]!, 'tok_sbx_approve'))
  await settleAttempts(merchant.tenantId)
  expect(replies.filter(({ status }) => status === 303)).toHaveLength(3)
  for (const { status, html } of replies)
    if (status !== 303) expect([status, html]).toEqual([409, expect.stringContaining('Sold out')])
  expect(await succeeded(merchant.tenantId)).toBe(3)
  expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('50 buyers of two each for the last three: one pays, the others take the one that is left, and one of them pays', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 3)
  const line = { item_id: item, quantity: 2, quantity_min: 1, quantity_max: 2 }
  const sessions = await times(() => newSession(merchant, { line_items: [line] }))
  const buy = async () => {
    const forms = await Promise.all(sessions.map(({ public_id }) => openLink(public_id).catch(() => null)))
    const open = sessions.flatMap(({ public_id }, at) => (forms[at] ? [{ public_id, form: forms[at] }] : []))
    const paying = open.map(({ public_id, form }) => pay(public_id, form, 'tok_sbx_approve'))
    const replies = await Promise.all(paying)
    await settleAttempts(merchant.tenantId)
    return replies
  }
  const first = await buy()
  expect(first.filter(({ status }) => status === 303)).toHaveLength(1)
  for (const { status, html } of first)
    if (status !== 303) expect([status, html]).toEqual([409, expect.stringContaining('Continue with 1')])
  await times((at) => adjustOrder(sessions[at]!.public_id, { 'quantity.0': '1' }))
  const second = await buy()
  expect(second.filter(({ status }) => status === 303)).toHaveLength(1)
  for (const { status, html } of second)
    if (status !== 303) expect([status, html]).toEqual([409, expect.stringContaining('Sold out')])
  expect(await succeeded(merchant.tenantId)).toBe(2)
  expect(await levelsOf(merchant, item!)).toEqual(['0/0'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('one session in 50 tabs: one charge', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 50)
  const session = await newSession(merchant, { line_items: [{ item_id: item }] })
  const forms = await times(() => openLink(session.public_id))
  await times((at) => pay(session.public_id, forms[at]!, 'tok_sbx_approve'))
  await settleAttempts(merchant.tenantId)
  expect((await chargesOf(session.public_id)).length).toBeLessThanOrEqual(1)
  expect(await succeeded(merchant.tenantId)).toBe(1)
  expect(await stateOf(merchant, session)).toBe('complete/paid')
  expect(await levelsOf(merchant, item!)).toEqual(['49/0'])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('submit against expire, 25 sessions each way: each is paid or expired, never both', async () => {
  const merchant = await newMerchant()
  const [item] = await onSale(merchant, 50)
  const sessions = await Promise.all(
    Array.from({ length: 25 }, () => newSession(merchant, { line_items: [{ item_id: item }] })),
  )
  const forms = await Promise.all(sessions.map(({ public_id }) => openLink(public_id)))
  // Side by side an end always comes too late: it has the longer way. Two of three submits begin by some reads later.
  const submit = async (session: Session, at: number) => {
    for (let reads = at % 3; reads > 0; reads--) await sessionNow(merchant, session)
    return pay(session.public_id, forms[at]!, 'tok_sbx_approve')
  }
  const [ends] = await Promise.all([
    Promise.all(sessions.map(({ id }) => checkout(merchant, 'POST', `/sessions/${id}/expire`))),
    Promise.all(sessions.map(submit)),
  ])
  await settleAttempts(merchant.tenantId)
  const states = await Promise.all(sessions.map((session) => stateOf(merchant, session)))
  const paid = states.filter((state) => state === 'complete/paid').length
  expect(states.map((state) => state === 'expired/unpaid')).toEqual(ends.map(({ status }) => status === 200))
  expect(paid).toBe(states.filter((state) => state !== 'expired/unpaid').length)
  expect(await succeeded(merchant.tenantId)).toBe(paid)
  expect(await levelsOf(merchant, item!)).toEqual([`${50 - paid}/0`])
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('price changes against 50 submits: what is charged is what the page showed, or nothing', async () => {
  const merchant = await newMerchant()
  const sessions = await Promise.all(
    Array.from({ length: copies / 2 }, () => newSession(merchant, { amount: '10000' })),
  )
  const submits = [...sessions, ...sessions]
  const forms = await times((at) => openLink(submits[at]!.public_id))
  const [changed] = await Promise.all([
    Promise.all(
      sessions.map(({ id }) => checkout(merchant, 'PATCH', `/sessions/${id}`, { amount: '20000' })),
    ),
    times((at) => pay(submits[at]!.public_id, forms[at]!, 'tok_sbx_approve')),
  ])
  await settleAttempts(merchant.tenantId)
  for (const [at, session] of sessions.entries()) {
    const rows = await adminSql('sandbox')<{ amount: string }>(
      `select amount_minor::text amount from payments where tenant_id = $1 and origin_id = $2`,
      [merchant.tenantId, session.id],
    )
    expect(rows).toEqual(changed[at]!.status === 200 ? [] : [{ amount: '10000' }])
  }
  const shown = sessions.find((_, at) => changed[at]!.status === 200)
  if (shown) await payByCard(shown)
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('a price that changes while a submit waits for it: nothing is charged', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, { amount: '10000' })
  const form = await openLink(session.public_id)
  const [changed] = await overtaking(
    merchant,
    () => checkout(merchant, 'PATCH', `/sessions/${session.id}`, { amount: '20000' }),
    () => pay(session.public_id, form, 'tok_sbx_approve'),
  )
  expect(changed.status).toBe(200)
  const made = 'select from payments where tenant_id = $1 and origin_id = $2'
  expect(await adminSql('sandbox')(made, [merchant.tenantId, session.id])).toEqual([])
})

test('50 at once on the order, the consent to a mail and the button of a free order: none of them fails', async () => {
  const merchant = await newMerchant()
  const line = { name: 'Café', unit_amount: '1000', quantity_min: 1, quantity_max: 50 }
  const session = await newRecoverable(merchant, { line_items: [line] })
  const orders = await times((at) => adjustOrder(session.public_id, { 'quantity.0': String(at + 1) }))
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set([303]))
  const consents = await times((at) => consentTo(session, `ana+${at}@example.com`))
  expect(new Set(consents.map(({ status }) => status))).toEqual(new Set([303]))
  const both = await times((at) =>
    at % 2
      ? adjustOrder(session.public_id, { 'quantity.0': String(at) })
      : consentTo(session, `b${at}@example.com`),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([303]))
  expect(await brokenRules(merchant.tenantId)).toEqual([])
})

test('200 guesses of a code at once: a session answers 30, whatever they are', async () => {
  const merchant = await newMerchant()
  await newDiscount(merchant, { code: 'SECRETO' })
  const session = await newSession(merchant, {
    line_items: [{ name: 'Café', unit_amount: '1000' }],
    allows_discount_codes: true,
  })
  const guesses = await Promise.all(
    Array.from({ length: 200 }, (_, at) => adjustOrder(session.public_id, { code: `GUESS${at}` })),
  )
  const answers = guesses.map(({ location }) => new URL(location, 'http://x').searchParams.get('order'))
  expect(answers.filter((answer) => answer === 'code.unknown')).toHaveLength(30)
  expect(answers.filter((answer) => answer === 'code.too_many')).toHaveLength(170)
  const right = await adjustOrder(session.public_id, { code: 'SECRETO' })
  expect(right.location).toContain('order=code.too_many')
  expect(await sessionNow(merchant, session)).toMatchObject({ amount: '1000' })
})

test('a card number that is typed as a code stands in no address', async () => {
  const merchant = await newMerchant()
  const session = await newSession(merchant, {
    line_items: [{ name: 'Café', unit_amount: '1000' }],
    allows_discount_codes: true,
  })
  for (const typed of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '42.42/424242424242',
  ]) {
    const { location } = await adjustOrder(session.public_id, { code: typed })
    expect(location).toContain('order=code.unknown')
    expect(location.replaceAll(/\D/g, '')).not.toContain('42424242')
  }
  expect((await adjustOrder(session.public_id, { code: 'NADA' })).location).toContain('code=NADA')
})
