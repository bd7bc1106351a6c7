import { expect, test } from 'vitest'
import { paymentsOf } from '../../support/books.ts'
import { newVoucher, vouchersOf } from '../../support/cash.ts'
import { call, openLink, pay } from '../../support/merchant.ts'
import {
  activate,
  addItem,
  decide,
  inForce,
  newGuarded,
  newList,
  newRule,
  seen,
  shadowed,
  tried,
} from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'
import { newPlace, opens, sends, tries } from '../../support/stolen-cards.ts'

const anyVisa = { type: 'card_brand', is: 'visa' }

test('a rule is drafted, watched and switched on; only then does it decide', async () => {
  const guarded = await newGuarded()
  const id = await newRule(guarded, anyVisa)
  const draft = await tried(guarded)
  expect([draft.status, draft.risk.decision, draft.risk.evaluations[0]!.rules]).toEqual([
    'succeeded',
    'none',
    [],
  ])

  expect((await decide(guarded, `rules/${id}/shadow`)).body).toMatchObject({ status: 'shadow', version: 2 })
  const watched = await tried(guarded)
  expect([watched.status, watched.risk.decision]).toEqual(['succeeded', 'none'])
  expect(watched.risk.evaluations[0]!.rules).toEqual([{ rule_id: id, action: 'block', status: 'shadow' }])

  // Nobody has seen what it would have done.
  expect((await activate(guarded, id)).body.error?.code).toBe('risk_rule_unwatched')
  expect((await decide(guarded, `rules/${id}/backtests`)).body).toMatchObject({
    tries_count: 2,
    matched_count: 2,
    outcomes: [{ outcome: 'paid', currency: 'mxn', payments_count: 2, amount: '240000' }],
    examples: [watched.id, draft.id],
  })
  expect((await activate(guarded, id)).body).toMatchObject({ status: 'active', version: 3 })
  const blocked = await tried(guarded)
  expect([blocked.status, blocked.decline_code, blocked.risk.decision]).toEqual([
    'requires_payment_method',
    'blocked',
    'block',
  ])
  // What was decided stays as it was.
  await decide(guarded, `rules/${id}/retire`)
  expect((await tried(guarded)).status).toBe('succeeded')
  expect((await seen(guarded, `payments/${blocked.id}/risk`)).body).toMatchObject(blocked.risk)
})

test('a backtest counts for what the rule said then, and only if it looked at tries', async () => {
  const guarded = await newGuarded()
  const id = await newRule(guarded, { type: 'card_brand', is: 'amex' })
  await decide(guarded, `rules/${id}/backtests`)
  await tried(guarded)
  await decide(guarded, `rules/${id}/backtests`)
  const body = { name: 'A rule', action: 'block', condition: anyVisa, reason: 'Because.' }
  await decide(guarded, `rules/${id}`, body, { method: 'PUT' })
  await decide(guarded, `rules/${id}/shadow`)
  const asked = () => activate(guarded, id)
  expect((await asked()).body.error?.code).toBe('risk_rule_unwatched')
  await decide(guarded, `rules/${id}/backtests`, { begins_on: '2026-01-01', ends_on: '2026-01-31' })
  expect((await asked()).body.error?.code).toBe('risk_rule_unwatched')
  await decide(guarded, `rules/${id}/backtests`)
  expect((await asked()).status).toBe(200)
})

test('a backtest says where a list or another rule decided first, and has each payment once', async () => {
  const guarded = await newGuarded()
  const allowed = await newList(guarded, 'email', 'allow')
  await addItem(guarded, allowed, { value: 'ana@example.com' })
  const { place, public_id } = await tried(guarded, 'tok_sbx_decline_funds')
  // The same payment is declined twice.
  await pay(
    place.link.public_id,
    await openLink(place.link.public_id, `?retry=${public_id}`),
    'tok_sbx_fraud',
  )
  await tried(guarded, 'tok_sbx_approve', 'ana@example.com')
  const blocked = await newList(guarded, 'email', 'block')
  await addItem(guarded, blocked, { value: 'luis@example.com' })
  await tried(guarded, 'tok_sbx_approve', 'luis@example.com')
  const found = async (action: string) =>
    (await decide(guarded, `rules/${await newRule(guarded, anyVisa, action)}/backtests`)).body
  const declined = { outcome: 'declined', currency: 'mxn', payments_count: 1, amount: '120000' }
  expect(await found('block')).toMatchObject({
    matched_count: 4,
    overruled_count: 2,
    outcomes: [declined],
    examples: [expect.any(String)],
  })
  // What allows comes before what blocks, and not before a list that blocks.
  expect(await found('allow')).toMatchObject({
    overruled_count: 1,
    outcomes: [declined, { outcome: 'paid', payments_count: 1 }],
  })
})

test('a buyer whose card is blocked keeps their voucher', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, anyVisa)
  const { link } = await newVoucher(guarded.merchant)
  const [voucher] = await paymentsOf(guarded.merchant.tenantId)
  const form = await openLink(link.public_id, `?retry=${voucher!.public_id}`)
  expect((await pay(link.public_id, form, 'tok_sbx_approve')).location).toContain('error=card_blocked')
  expect((await paymentsOf(guarded.merchant.tenantId)).map(({ status }) => status)).toEqual([
    'requires_action',
  ])
  expect((await vouchersOf(guarded.merchant.tenantId)).map(({ status }) => status)).toEqual(['issued'])
})

test('blocked payments are in no rate', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_funding', is: 'debit' })
  const place = await newPlace(guarded.merchant)
  await tried(guarded, 'tok_sbx_debit')
  await tried(guarded, 'tok_sbx_decline_funds')
  // Blocked first, accepted with another card: no bank has declined it.
  await tries(place, 'tok_sbx_debit')
  const { form } = await opens(place)
  await sends(place, { ...form, card_token: 'tok_sbx_approve' })
  expect((await seen(guarded, 'acceptance')).body).toMatchObject({
    payments_count: 4,
    accepted_count: 1,
    declined_count: 1,
    blocked_count: 2,
    abandoned_count: 0,
    first_attempt_count: 1,
    retried_count: 0,
  })
})

test('a day in shadow is as good as a backtest', async () => {
  const guarded = await newGuarded()
  const id = await shadowed(guarded, anyVisa)
  const advance = (duration: string) =>
    call('POST', '/v1/sandbox/clock', { bearer: guarded.merchant.apiKey, body: { advance: duration } })
  await advance('PT23H')
  expect((await activate(guarded, id)).status).toBe(409)
  await advance('PT1H')
  expect((await activate(guarded, id)).status).toBe(200)
})

test('a blocked card asks no bank, and another method is still taken', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_funding', is: 'debit' })
  const place = await newPlace(guarded.merchant)
  const { id, decline_code } = await tried(guarded, 'tok_sbx_debit', undefined, place)
  expect(decline_code).toBe('blocked')
  const { body } = await call<{ data: { decline_code: string; processor_reference?: string | null }[] }>(
    'GET',
    `/v1/payment-operations/payments/${id}/attempts`,
    { bearer: guarded.merchant.apiKey },
  )
  expect(body.data).toHaveLength(1)
  expect(body.data[0]!.decline_code).toBe('blocked')
  expect((await tried(guarded, 'tok_sbx_approve', undefined, place)).status).toBe('succeeded')
})

test('a rule that confirms sends the buyer to the bank, once', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'amount', currency: 'mxn', gte: '100000' }, 'confirm')
  const asked = await tried(guarded)
  expect([asked.status, asked.risk.decision, asked.risk.evaluations.length]).toEqual([
    'requires_action',
    'confirm',
    1,
  ])
  expect(asked.risk.evaluations[0]!.features.is_confirmed).toBe(true)
  const small = await newPlace(guarded.merchant, { manual_amount: 99_999 })
  expect((await tried(guarded, 'tok_sbx_approve', undefined, small)).status).toBe('succeeded')
})

test('what allows exempts from what blocks, and what blocks comes before what confirms', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, anyVisa, 'confirm')
  expect((await tried(guarded)).risk.decision).toBe('confirm')
  await inForce(guarded, anyVisa, 'block')
  expect((await tried(guarded)).risk.decision).toBe('block')
  await inForce(guarded, anyVisa, 'allow')
  expect(await tried(guarded)).toMatchObject({ status: 'succeeded', risk: { decision: 'allow' } })
})

test('a try that the Worker takes for blocked is refused where nothing blocks it', async () => {
  const guarded = await newGuarded()
  await tried(guarded)
  const ofTenant = [guarded.merchant.tenantId]
  await adminSql('sandbox')('delete from risk_evaluations where tenant_id = $1', ofTenant)
  const again = adminSql('sandbox')(
    `with was as (select * from card_tries where tenant_id = $1)
     insert into card_tries (tenant_id, id, origin_id, network_digest, card_digest, is_confirmed, is_blocked, created_at)
     select tenant_id, id, origin_id, network_digest, card_digest, false, true, created_at from was`,
    ofTenant,
  )
  await expect(again).rejects.toMatchObject({ constraint: 'card_not_blocked' })
})

test.each([
  ['a draft can be changed', {}, 200],
  ['what is watched cannot', { shadow: true }, 409],
])('%s', async (_, { shadow = false }: { shadow?: boolean }, status) => {
  const guarded = await newGuarded()
  const id = await newRule(guarded, anyVisa)
  if (shadow) await decide(guarded, `rules/${id}/shadow`)
  const draft = { name: 'A rule', condition: anyVisa, reason: 'Because.' }
  const changed = await decide(guarded, `rules/${id}`, { ...draft, action: 'confirm' }, { method: 'PUT' })
  expect(changed.status).toBe(status)
  expect((await seen(guarded, `rules/${id}`)).body.action).toBe(shadow ? 'block' : 'confirm')
})

test.each([
  ['no bound', { type: 'hour' }],
  ['an unknown feature', { type: 'shoe_size', gte: 40 }],
  ['a text for a number', { type: 'score', is: 'high' }],
  ['an empty group', { type: 'all', rules: [] }],
  ['a list that is not there', { type: 'in_list', list_id: '0190a6d2-7c3e-7b1a-9f00-000000000000' }],
  [
    'groups in groups in groups',
    { type: 'all', rules: [{ type: 'any', rules: [{ type: 'none', rules: [anyVisa] }] }] },
  ],
  ['an hour that no day has', { type: 'hour', gte: 24 }],
  ['more tries than are counted', { type: 'all', rules: [{ type: 'card_tries_day', gte: 102 }] }],
  ['fewer tries than this one', { type: 'card_tries_day', lte: 0 }],
  ['bounds between which nothing is', { type: 'score', gte: 60, lte: 30 }],
  ['amounts between which none is', { type: 'amount', currency: 'mxn', gte: '1000', lte: '999' }],
])('a condition with %s is refused', async (_, condition) => {
  const guarded = await newGuarded()
  const body = { name: 'A rule', action: 'block', condition, reason: 'Because.' }
  const { status, body: reply } = await decide(guarded, 'rules', body)
  expect([404, 422, 400]).toContain(status)
  expect(reply.error?.param).toMatch(/^condition/)
})
