import { expect, test } from 'vitest'
import type { Json } from '../../../src/kernel/json.ts'
import { newNetwork } from '../../support/merchant.ts'
import {
  decide,
  type Evaluation,
  inForce,
  newGuarded,
  newRule,
  paymentsAt,
  riskOf,
  tried,
} from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'
import { newPlace, pass, stolen, tries } from '../../support/stolen-cards.ts'

const of = (evaluation: Evaluation, ...names: string[]) => names.map((name) => evaluation.features[name])

test('what is known of a try', async () => {
  const guarded = await newGuarded()
  const place = await newPlace(guarded.merchant)
  const first = await tried(guarded, 'tok_sbx_decline_funds', 'Ana@Example.com', place)
  expect(first.risk.evaluations[0]!.features).toMatchObject({
    amount: '120000',
    currency: 'mxn',
    installments: 1,
    origin_type: 'payment_link',
    email_domain: 'example.com',
    is_confirmed: false,
    customer_payments: 0,
    card_tries_hour: 1,
    card_failures_day: 0,
    email_cards_day: 1,
    email_failures_day: 0,
    network_cards_hour: 1,
    network_failures_hour: 0,
  })
  const { risk } = await tried(guarded, 'tok_sbx_approve', 'ana+2@example.com', place)
  const counts = [
    'card_tries_day',
    'email_cards_hour',
    'email_cards_day',
    'email_failures_day',
    'network_cards_hour',
  ]
  expect(of(risk.evaluations.at(-1)!, ...counts, 'network_failures_hour')).toEqual([1, 2, 2, 1, 2, 1])
})

test('counts forget by the hour and by the day', async () => {
  const guarded = await newGuarded()
  const place = await newPlace(guarded.merchant)
  await tried(guarded, 'tok_sbx_decline_funds', 'ana@example.com', place)
  await pass(guarded.merchant, '61 minutes')
  const names = ['card_tries_hour', 'card_tries_day', 'email_failures_day', 'network_failures_hour']
  const then = await tried(guarded, 'tok_sbx_decline_funds', 'ana@example.com', place)
  expect(of(then.risk.evaluations.at(-1)!, ...names)).toEqual([1, 2, 1, 0])
  await pass(guarded.merchant, '25 hours')
  const later = await tried(guarded, 'tok_sbx_decline_funds', 'ana@example.com', place)
  expect(of(later.risk.evaluations.at(-1)!, ...names)).toEqual([1, 1, 0, 0])
})

const sameCard = async (at: number) => ({
  token: 'tok_sbx_approve',
  email: `a${at}@example.com`,
  network: newNetwork(),
})

test.each([
  ['card', sameCard, 'card_tries_day'],
  [
    'address',
    async (at: number) => ({ token: stolen(at), email: 'ana@example.com', network: newNetwork() }),
    'email_cards_day',
  ],
  [
    'network',
    async (at: number) => ({ token: stolen(at), email: `a${at}@example.com`, network: '203.0.113.77' }),
    'network_cards_hour',
  ],
] as const)('fifty at once of one %s are counted one after the other', async (_, nth, count) => {
  const guarded = await newGuarded()
  const places = await Promise.all(Array.from({ length: 50 }, () => newPlace(guarded.merchant)))
  await Promise.all(
    places.map(async (place, at) => {
      const { token, email, network } = await nth(at)
      await tries({ ...place, network }, token, email)
    }),
  )
  const rows = await adminSql('sandbox')<{ counted: string }>(
    `select features->>$2 as counted from risk_evaluations where tenant_id = $1`,
    [guarded.merchant.tenantId, count],
  )
  const counted = rows.map((row) => Number(row.counted)).sort((a, b) => a - b)
  expect(counted).toEqual(counted.map((_, at) => at + 1))
  // Ten failed cards of an address pause cards for it, and a network is asked to confirm: all others were tried.
  const [kept] = await adminSql('sandbox')<{ tries: number }>(
    'select count(*)::int as tries from card_tries where tenant_id = $1',
    [guarded.merchant.tenantId],
  )
  expect(counted).toHaveLength(kept!.tries)
  if (nth === sameCard) expect(counted).toHaveLength(50)
  else expect(counted.length).toBeGreaterThan(9)
})

test('a rule that blocks the third card of an address blocks from the third on, fifty at once', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'email_cards_day', gte: 3 })
  const places = await Promise.all(Array.from({ length: 50 }, () => newPlace(guarded.merchant)))
  await Promise.all(places.map((place, at) => tries(place, stolen(at), 'ana@example.com')))
  const reached = (await Promise.all(places.map((place) => paymentsAt(place)))).flat()
  const codes = reached.map(({ decline_code }) => decline_code)
  expect(codes.filter((code) => code === 'card_declined')).toHaveLength(2)
  expect(codes.filter((code) => code === 'blocked').length).toBe(codes.length - 2)
})

test('what a rule blocks is no failed card: it blocks nobody else', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_funding', is: 'debit' })
  const place = await newPlace(guarded.merchant)
  for (let at = 0; at < 3; at++) await tried(guarded, 'tok_sbx_debit', 'ana@example.com', place)
  const { risk } = await tried(guarded, 'tok_sbx_approve', 'ana@example.com', place)
  const names = ['network_failures_hour', 'email_failures_day', 'email_cards_day']
  expect(of(risk.evaluations.at(-1)!, ...names)).toEqual([0, 0, 2])
})

/** What a rule says, computed a second time. */
type Condition = {
  type: string
  rules?: Condition[]
  is?: string
  currency?: string
  gte?: number | string
  lte?: number | string
}
function holds(rule: Condition, features: Record<string, Json>): boolean {
  if (rule.type === 'all') return rule.rules!.every((each) => holds(each, features))
  if (rule.type === 'any') return rule.rules!.some((each) => holds(each, features))
  if (rule.type === 'none') return !rule.rules!.some((each) => holds(each, features))
  const known = features[rule.type]
  if (known === null || known === undefined) return false
  if (rule.is !== undefined) return String(known).toLowerCase() === rule.is.toLowerCase()
  if (rule.currency !== undefined && rule.currency !== features.currency) return false
  const number = BigInt(known as string)
  return (
    (rule.gte === undefined || number >= BigInt(rule.gte)) &&
    (rule.lte === undefined || number <= BigInt(rule.lte))
  )
}

test('a backtest is what the live rule would have decided, and what a second program says', async () => {
  const guarded = await newGuarded()
  const conditions: Condition[] = [
    { type: 'card_brand', is: 'Visa' },
    { type: 'amount', currency: 'mxn', gte: '100000', lte: '120000' },
    { type: 'amount', currency: 'usd', gte: '0' },
    { type: 'email_domain', is: 'example.com' },
    { type: 'none', rules: [{ type: 'email_domain', is: 'example.com' }] },
    {
      type: 'all',
      rules: [
        { type: 'email_cards_day', gte: 2 },
        {
          type: 'any',
          rules: [
            { type: 'score', gte: 25 },
            { type: 'card_funding', is: 'debit' },
          ],
        },
      ],
    },
    {
      type: 'any',
      rules: [
        { type: 'network_failures_hour', gte: 1 },
        { type: 'card_tries_day', gte: 2 },
      ],
    },
    { type: 'hour', lte: 23 },
    { type: 'installments', gte: 3 },
  ]
  const rules = []
  for (const condition of conditions) {
    const id = await newRule(guarded, condition, 'confirm')
    await decide(guarded, `rules/${id}/shadow`)
    rules.push({ id, condition })
  }
  const place = await newPlace(guarded.merchant)
  const tokens = [
    'tok_sbx_approve',
    'tok_sbx_debit',
    'tok_sbx_decline_funds',
    'tok_sbx_fraud',
    'tok_sbx_approve',
  ]
  for (const [at, token] of tokens.entries())
    await tries(
      at % 2 === 0 ? place : await newPlace(guarded.merchant, { manual_amount: 99_000 }),
      token,
      ['ana@example.com', undefined, 'ana@example.org'][at % 3],
    )
  const evaluations = (
    await adminSql('sandbox')<{ payment_id: string }>(
      'select distinct payment_id from risk_evaluations where tenant_id = $1',
      [guarded.merchant.tenantId],
    )
  ).map(({ payment_id }) => riskOf(guarded, payment_id))
  const judged = (await Promise.all(evaluations)).flatMap((risk) =>
    risk.evaluations.map((each) => ({ ...each, features: { ...each.features, score: each.score } })),
  )
  expect(judged).toHaveLength(5)
  for (const { id, condition } of rules) {
    const live = judged.filter(({ rules }) => rules.some(({ rule_id }) => rule_id === id)).length
    const { body } = await decide<{ tries_count: number; matched_count: number }>(
      guarded,
      `rules/${id}/backtests`,
    )
    const again = judged.filter(({ features }) => holds(condition, features)).length
    expect([body.tries_count, body.matched_count, live], JSON.stringify(condition)).toEqual([5, again, again])
  }
})
