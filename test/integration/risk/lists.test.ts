import { expect, test } from 'vitest'
import { newPaired } from '../../support/devices.ts'
import { call, openLink, pay } from '../../support/merchant.ts'
import {
  addItem,
  decide,
  dryRun,
  type Guarded,
  inForce,
  newGuarded,
  newList,
  newRule,
  paymentsAt,
  riskOf,
  seen,
  shadowed,
  tried,
} from '../../support/risk.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { newSource, push } from '../../support/sync.ts'
import { paymentOf, present, process } from '../../support/terminal.ts'

test.each([
  ['masked_card', '424242******4242', {}],
  ['bin', '424242', {}],
  ['email', 'Ana+boda@Example.com', { email: 'ana@example.com' }],
  ['email_domain', '@EXAMPLE.com', { email: 'luis@example.com' }],
])('a list of kind %s blocks who has %s', async (kind, value, { email }: { email?: string }) => {
  const guarded = await newGuarded()
  const list = await newList(guarded, kind, 'block')
  const [before] = [await tried(guarded, 'tok_sbx_approve', email)]
  expect(before.status).toBe('succeeded')
  const { body: item } = await addItem(guarded, list, { value }, { reason: 'Charged back' })
  const blocked = await tried(guarded, 'tok_sbx_approve', email)
  expect([blocked.decline_code, blocked.risk.evaluations[0]!.list_ids]).toEqual(['blocked', [list]])
  await decide(guarded, `list-items/${item.id}/remove`)
  expect((await tried(guarded, 'tok_sbx_approve', email)).status).toBe('succeeded')
})

test.each(['masked_card', 'bin', 'email', 'email_domain'])('a payment names its own %s', async (kind) => {
  const guarded = await newGuarded()
  const list = await newList(guarded, kind, 'block')
  const { id } = await tried(guarded, 'tok_sbx_approve', 'ana@example.com')
  expect((await addItem(guarded, list, { payment_id: id })).status).toBe(201)
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).decline_code).toBe('blocked')
})

/** A customer whose address is verified. */
async function verified({ merchant }: Guarded, email: string) {
  const bearer = merchant.apiKey
  const { body } = await call<{ id: string }>('POST', '/v1/customer-hub/customers', {
    bearer,
    body: { name: 'Ana', email },
  })
  await adminSql('sandbox')(
    `update customer_contacts set verified_at = now() where tenant_id = $1 and kind = 'email'`,
    [merchant.tenantId],
  )
  return { ...body, bearer }
}

test('a customer is listed by id', async () => {
  const guarded = await newGuarded()
  const customer = await verified(guarded, 'ana@example.com')
  const list = await newList(guarded, 'customer', 'block')
  expect((await addItem(guarded, list, { value: customer.id })).status).toBe(201)
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).decline_code).toBe('blocked')
  const unknown = await addItem(guarded, list, { value: '0190a6d2-7c3e-7b1a-9f00-000000000000' })
  expect(unknown.body.error).toMatchObject({ code: 'customer_not_found', param: 'value' })
})

test('a customer of a source who is listed stays blocked, whatever the source says later', async () => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  const source = await newSource(merchant)
  const says = async (external_id: string, customer: object, at: string) => {
    const { results } = await push(merchant, source, [{ external_id, customer, updated_at: at }])
    return results[0]!.customer_id!
  }
  const of = await says('a', { name: 'Ana', email: 'ana@example.com' }, '2026-01-01T00:00:00.000Z')
  await adminSql('sandbox')('update customer_contacts set verified_at = now() where customer_id = $1', [of])
  await addItem(guarded, await newList(guarded, 'customer', 'block'), { value: of })
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).decline_code).toBe('blocked')
  // Another address becomes the newest, and another id of the source names the same person.
  await says('a', { name: 'Ana Torres', email: 'torres@example.com' }, '2026-01-02T00:00:00.000Z')
  expect(await says('b', { email: 'ana@example.com' }, '2026-01-03T00:00:00.000Z')).toBe(of)
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).decline_code).toBe('blocked')
})

test('a card at a reader is not judged, also where a list and a rule block it', async () => {
  const guarded = await newGuarded()
  const { merchant } = guarded
  await addItem(guarded, await newList(guarded, 'bin', 'block'), { value: '424242' })
  await inForce(guarded, { type: 'card_brand', is: 'visa' })
  const counter = { merchant, reader: await newPaired(merchant) }
  const { body: action } = await process(counter)
  await present(counter)
  expect(await paymentOf(counter, action)).toMatchObject({ status: 'succeeded' })
  expect(await riskOf(guarded, action.payment_id)).toMatchObject({
    score: null,
    level: null,
    decision: null,
    evaluations: [],
  })
  expect((await tried(guarded)).decline_code).toBe('blocked')
})

test.each(['ana@example.com', 'Ana+boda@example.com'])(
  'a customer whom the merchant blocked is met by a list as %s, and a dry run says so',
  async (typed) => {
    const guarded = await newGuarded()
    const { bearer, id } = await verified(guarded, 'ana@example.com')
    const list = await newList(guarded, 'customer', 'block')
    await addItem(guarded, list, { value: id })
    await call('POST', `/v1/customer-hub/customers/${id}/block`, { bearer })
    const { body } = await dryRun(guarded, {
      described: {
        amount: '120000',
        currency: 'mxn',
        email: typed,
        card: { brand: 'visa', bin: '424242', last4: '4242', funding: 'credit' },
      },
    })
    expect([body.decision, body.list_ids]).toEqual(['block', [list]])
    const live = await tried(guarded, 'tok_sbx_approve', typed)
    expect([live.decline_code, live.risk.evaluations[0]!.list_ids]).toEqual(['blocked', [list]])
    expect((await dryRun(guarded, { payment_id: live.id })).body.decision).toBe('block')
    expect((await tried(guarded, 'tok_sbx_approve', 'luis@example.com')).status).toBe('succeeded')
  },
)

test('who tries again without an address is named by the one of the payment', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'email', 'block')
  const { place, public_id } = await tried(guarded, 'tok_sbx_decline_funds', 'ana@example.com')
  await addItem(guarded, list, { value: 'ana@example.com' })
  const form = await openLink(place.link.public_id, `?retry=${public_id}`)
  await pay(place.link.public_id, form, 'tok_sbx_approve')
  const [payment] = await paymentsAt(place)
  const { evaluations } = await riskOf(guarded, payment!.id)
  expect([payment!.decline_code, evaluations.length]).toEqual(['blocked', 2])
  expect(evaluations[1]!.features).toMatchObject({ email_domain: 'example.com', email_cards_day: 2 })
})

test('who is allowed is not blocked by a rule, but by a list', async () => {
  const guarded = await newGuarded()
  await inForce(guarded, { type: 'card_brand', is: 'visa' })
  const [allowed, blocked] = [
    await newList(guarded, 'email', 'allow'),
    await newList(guarded, 'bin', 'block'),
  ]
  await addItem(guarded, allowed, { value: 'ana@example.com' })
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).status).toBe('succeeded')
  await addItem(guarded, blocked, { value: '424242' })
  expect((await tried(guarded, 'tok_sbx_approve', 'ana@example.com')).decline_code).toBe('blocked')
})

test('a value that has expired names nobody the second after, and neither does a deleted list', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'bin')
  const rule = await shadowed(guarded, { type: 'in_list', list_id: list })
  await addItem(
    guarded,
    list,
    { value: '424242' },
    { expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  )
  const rulesThen = async () =>
    (await tried(guarded)).risk.evaluations[0]!.rules.map(({ rule_id }) => rule_id)
  expect(await rulesThen()).toEqual([rule])
  await call('POST', '/v1/sandbox/clock', { bearer: guarded.merchant.apiKey, body: { advance: 'PT1H' } })
  expect(await rulesThen()).toEqual([])
  await addItem(guarded, await newList(guarded, 'masked_card'), { value: '424242******4242' })
  const second = await newList(guarded, 'bin', 'block')
  await addItem(guarded, second, { value: '424242' })
  expect((await tried(guarded)).decline_code).toBe('blocked')
  await decide(guarded, `lists/${second}/delete`)
  expect((await tried(guarded)).status).toBe('succeeded')
  expect((await addItem(guarded, second, { value: '555555' })).body.error?.code).toBe('risk_list_deleted')
})

test('a value whose time is over is removed with an event, and a deleted list takes its values with it', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'bin')
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { body: item } = await addItem(guarded, list, { value: '424242' }, { expires_at })
  await addItem(guarded, list, { value: '555555' })
  await call('POST', '/v1/sandbox/clock', { bearer: guarded.merchant.apiKey, body: { advance: 'PT1H' } })
  await trigger('sandbox')
  const of = async () =>
    (await seen<{ data: { value: string; status: string }[] }>(guarded, `lists/${list}/items`)).body.data.map(
      ({ value, status }) => `${value} ${status}`,
    )
  expect(await of()).toEqual(['555555 active', '424242 removed'])
  const events = await adminSql('sandbox')<{ object: object }>(
    `select object from events where tenant_id = $1 and type = 'risk_list_item.removed'`,
    [guarded.merchant.tenantId],
  )
  expect(events).toMatchObject([{ object: { id: item.id, status: 'removed' } }])
  expect(JSON.stringify(events)).not.toContain('424242')
  await decide(guarded, `lists/${list}/delete`)
  expect(await of()).toEqual(['555555 removed', '424242 removed'])
  const forged = adminSql('sandbox')(
    `insert into risk_list_items select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(),
       'status', 'active'))).* from risk_list_items i where id = $1`,
    [item.id],
  )
  await expect(forged).rejects.toMatchObject({ constraint: 'risk_list_items_list_active' })
})

test('a value is deleted thirty days after it was removed', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'email')
  const { body: item } = await addItem(guarded, list, { value: 'ana@example.com' })
  await decide(guarded, `list-items/${item.id}/remove`)
  const aged = (days: number) =>
    adminSql('sandbox')(
      `update risk_list_items set updated_at = now() - $2 * interval '1 day' where id = $1`,
      [item.id, days],
    )
  const shown = async () =>
    (
      await call('GET', `/v1/intelligence/list-items/${item.id}`, {
        bearer: guarded.merchant.apiKey,
      })
    ).status
  await aged(29)
  await trigger('sandbox')
  expect(await shown()).toBe(200)
  await aged(30)
  await trigger('sandbox')
  expect(await shown()).toBe(404)
})

test('fifty values at once with the end of their list: none stays in it', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'bin')
  const add = (at: number) => addItem(guarded, list, { value: String(100_000 + at) })
  const added = Array.from({ length: 50 }, (_, at) => add(at))
  const replies = await Promise.all([...added, decide(guarded, `lists/${list}/delete`)])
  expect(new Set(replies.map(({ status }) => status))).not.toContain(500)
  const left = await adminSql('sandbox')(
    `select id from risk_list_items where list_id = $1 and status = 'active'`,
    [list],
  )
  expect(left).toEqual([])
})

test('what the processor does not show of a card names no card', async () => {
  const guarded = await newGuarded()
  const { id } = await tried(guarded)
  await adminSql('sandbox')(
    `update payments set method_details = method_details || '{"bin6":""}' where id = $1`,
    [id],
  )
  for (const kind of ['bin', 'masked_card']) {
    const none = await addItem(guarded, await newList(guarded, kind, 'block'), { payment_id: id })
    expect(none.body.error?.code).toBe('risk_value_missing')
  }
})

test('a value that has expired can be added again, and a list that a rule asks stays', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'bin')
  const rule = await shadowed(guarded, { type: 'none', rules: [{ type: 'in_list', list_id: list }] })
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await addItem(guarded, list, { value: '424242' }, { expires_at })
  await call('POST', '/v1/sandbox/clock', { bearer: guarded.merchant.apiKey, body: { advance: 'PT1H' } })
  expect((await addItem(guarded, list, { value: '424242' })).status).toBe(201)
  const items = await seen<{ data: { id: string; status: string }[] }>(guarded, `lists/${list}/items`)
  expect(items.body.data.find(({ id }) => id === body.id)!.status).toBe('removed')
  expect((await decide(guarded, `lists/${list}/delete`)).body.error?.code).toBe('risk_list_in_use')
  await decide(guarded, `rules/${rule}/retire`)
  expect((await decide(guarded, `lists/${list}/delete`)).status).toBe(200)
})

test('a draft whose list is deleted is not watched: its condition would turn round', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'bin')
  const draft = await newRule(guarded, { type: 'none', rules: [{ type: 'in_list', list_id: list }] })
  await decide(guarded, `lists/${list}/delete`)
  expect((await decide(guarded, `rules/${draft}/shadow`)).body.error?.code).toBe('risk_list_deleted')
})

test('one value stands in a list once, and what is no value is refused', async () => {
  const guarded = await newGuarded()
  const list = await newList(guarded, 'email')
  await addItem(guarded, list, { value: 'ana@example.com' })
  const again = await addItem(guarded, list, { value: 'ANA+2@example.com' })
  expect(again.body.error).toMatchObject({ code: 'risk_list_item_exists', param: 'value' })
  const wrong = await addItem(guarded, list, { value: 'ana' })
  expect(wrong.body.error).toMatchObject({ code: 'parameter_invalid', param: 'value' })
  const card = await addItem(guarded, await newList(guarded, 'masked_card'), { value: '4242424242424242' })
  expect(card.body.error?.code).toBe('card_number_refused')
  const { id } = await tried(guarded)
  const none = await addItem(guarded, list, { payment_id: id })
  expect(none.body.error).toMatchObject({ code: 'risk_value_missing', param: 'payment_id' })
  const { data } = (await seen<{ data: { value: string }[] }>(guarded, `lists/${list}/items`)).body
  expect(data.map(({ value }) => value)).toEqual(['ana@example.com'])
})

test('another workspace has no such list, rule or payment', async () => {
  const [owner, other] = [await newGuarded(), await newGuarded()]
  const [list, { id }] = [await newList(owner, 'email'), await tried(owner)]
  expect((await addItem(other, list, { value: 'ana@example.com' })).body.error?.code).toBe(
    'risk_list_not_found',
  )
  expect((await seen(other, `payments/${id}/risk`)).body.error?.code).toBe('payment_not_found')
  const own = await newList(other, 'masked_card')
  expect((await addItem(other, own, { payment_id: id })).body.error?.code).toBe('payment_not_found')
})
