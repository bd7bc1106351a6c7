import { expect, test } from 'vitest'
import { paymentsOf } from '../../support/books.ts'
import { newVoucher } from '../../support/cash.ts'
import { call } from '../../support/merchant.ts'
import {
  addItem,
  dryRun,
  type Guarded,
  inForce,
  newGuarded,
  newList,
  shadowed,
  tried,
} from '../../support/risk.ts'
import { adminSql } from '../../support/stack.ts'
import { newPlace, type Place } from '../../support/stolen-cards.ts'

const visa = { brand: 'visa', bin: '424242', last4: '4242', funding: 'credit' }
const asAt = ({ network }: Place, fields: object = {}) => ({
  described: {
    amount: '120000',
    currency: 'mxn',
    email: 'ana@example.com',
    ip: network,
    card: visa,
    ...fields,
  },
})

/** All rows of the workspace, by table. */
async function rowsOf({ merchant }: Guarded) {
  const sql = adminSql('sandbox')
  const tables = await sql<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'
     and table_name <> 'api_keys' order by 1`,
  )
  const rows: Record<string, unknown> = {}
  for (const { name } of tables)
    rows[name] = await sql(`select t::text from ${name} t where tenant_id = $1 order by 1`, [
      merchant.tenantId,
    ])
  return rows
}

test('a described try is judged as the one that then comes, and changes nothing', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'email')
  await addItem(guarded, list, { value: 'ana@example.com' })
  const rule = await inForce(guarded, { type: 'in_list', list_id: list }, 'review')
  await shadowed(guarded, { type: 'network_cards_hour', gte: 2 })
  const place = await newPlace(guarded.merchant)
  for (const token of ['tok_sbx_approve', 'tok_sbx_decline_funds', 'tok_sbx_debit'])
    await tried(guarded, token, 'ana@example.com', place)
  const before = await rowsOf(guarded)
  const { status, body } = await dryRun(guarded, asAt(place))
  expect(await rowsOf(guarded)).toEqual(before)
  const { risk } = await tried(guarded, 'tok_sbx_approve', 'ana@example.com', place)
  const { attempt_id, evaluated_at, ...judged } = risk.evaluations.at(-1)! as Record<string, unknown>
  expect([status, body]).toEqual([200, { object: 'risk_dry_run', ...judged }])
  expect([body.decision, body.list_ids, body.rules.map(({ status }) => status)]).toEqual([
    'review',
    [list],
    ['active', 'shadow'],
  ])
  expect(body.rules[0]!.rule_id).toBe(rule)
  expect(body.features).toMatchObject({ card_tries_day: 2, email_cards_day: 3, network_cards_hour: 3 })
})

test('what is not described holds nothing, and a customer is named or known by the address', async () => {
  const guarded = await newGuarded()
  const place = await newPlace(guarded.merchant)
  const { email: _, ip: __, ...bare } = asAt(place).described
  const unknown = await dryRun(guarded, { described: bare })
  expect(unknown.body.features).toMatchObject({
    email_domain: null,
    customer_payments: 0,
    card_tries_day: 1,
    email_cards_day: 0,
    network_cards_hour: 1,
  })
  const { body: customer } = await call<{ id: string }>('POST', '/v1/customer-hub/customers', {
    bearer: guarded.merchant.apiKey,
    body: { name: 'Ana', email: 'ana@example.com' },
  })
  await adminSql('sandbox')(
    `update customer_contacts set verified_at = now() where tenant_id = $1 and kind = 'email'`,
    [guarded.merchant.tenantId],
  )
  await tried(guarded, 'tok_sbx_approve', 'ana@example.com', place)
  for (const described of [asAt(place).described, { ...bare, customer_id: customer.id }])
    expect((await dryRun(guarded, { described })).body.features.customer_payments).toBe(1)
})

test('a payment is asked about again by the rules and lists of now, with what was counted then', async () => {
  const guarded = await newGuarded()
  const place = await newPlace(guarded.merchant)
  const { id } = await tried(guarded, 'tok_sbx_approve', 'ana@example.com', place)
  await tried(guarded, 'tok_sbx_approve', 'ana@example.com', place)
  const again = async () => (await dryRun(guarded, { payment_id: id })).body
  expect(await again()).toMatchObject({ decision: 'none', rules: [], features: { card_tries_day: 1 } })
  const rule = await shadowed(guarded, { type: 'card_tries_day', lte: 1 }, 'confirm')
  const list = await newList(guarded, 'masked_card', 'block')
  await addItem(guarded, list, { value: '424242******4242' })
  expect(await again()).toMatchObject({
    decision: 'block',
    list_ids: [list],
    rules: [{ rule_id: rule, action: 'confirm', status: 'shadow' }],
    features: { card_tries_day: 1 },
  })
})

test('what cannot be asked about is refused by its name', async () => {
  const [guarded, other] = [await newGuarded(), await newGuarded()]
  const place = await newPlace(guarded.merchant)
  const { id } = await tried(other)
  await newVoucher(guarded.merchant)
  const [voucher] = await paymentsOf(guarded.merchant.tenantId)
  const missing = '0190a6d2-7c3e-7b1a-9f00-000000000000'
  const { card } = asAt(place).described
  for (const [body, code, param] of [
    [{ payment_id: id }, 'payment_not_found', 'payment_id'],
    [{ payment_id: voucher!.id }, 'risk_payment_not_judged', 'payment_id'],
    [asAt(place, { customer_id: missing }), 'customer_not_found', 'described.customer_id'],
    [asAt(place, { card: { ...card, bin: '4242' } }), 'parameter_invalid', 'described.card.bin'],
    [asAt(place, { ip: 'here' }), 'parameter_invalid', 'described.ip'],
    [asAt(place, { amount: '1.5' }), 'amount_malformed', 'described.amount'],
    [{}, 'parameter_invalid', null],
    [{ ...asAt(place), payment_id: id }, 'parameter_invalid', null],
  ] as const)
    expect((await dryRun(guarded, body)).body.error, code).toMatchObject({ code, param })
})
