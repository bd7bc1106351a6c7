import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { countOf, membersPage } from '../../../functions/people/segments/store.ts'
import { asked, type Customer, newCustomer } from '../../support/customers.ts'
import { explained } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newMerchant, smallWorkspaces } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

type Segment = { id: string; name: string; version: number; error?: { code: string; param: string | null } }
type Preview = { count: number; count_is_exact: boolean; data: Customer[] } & Segment

const sql = adminSql('sandbox')
const all = (...rules: object[]) => ({ type: 'all', rules })
const any = (...rules: object[]) => ({ type: 'any', rules })
const none = (...rules: object[]) => ({ type: 'none', rules })

/** A payment of a customer that was paid some days ago. */
function paidBy({ tenantId }: Merchant, customerId: string, amount: number, daysAgo: number, refunded = 0) {
  writtenByHand(tenantId)
  return sql(
    `insert into payments (tenant_id, id, public_id, status, amount_minor, currency, amount_authorized_minor,
       amount_captured_minor, amount_refunded_minor, amount_disputed_minor, tip_amount_minor, method, amount_received_minor,
       capture_method, installment_months, markup_minor, fee_schedule_version, fee_processing_minor,
       fee_installments_minor, fee_iva_minor, net_minor, funds_status, reserve_minor, open_disputes_count,
       origin_type, origin_id, exclusive, customer_id, succeeded_at, created_at, updated_at)
     values ($1, gen_random_uuid(), 'spcs_' || md5(random()::text), 'succeeded', $3, 'mxn', $3, $3, $5, 0, 0, 'card', 0,
       'automatic', 1, 0, 'mxn-2026-01', 0, 0, 0, $3, 'none', 0, 0, 'payment_link', gen_random_uuid(), false, $2,
       now() - make_interval(days => $4), now() - make_interval(days => $4), now())`,
    [tenantId, customerId, amount, daysAgo, refunded],
  )
}

const consents = async (merchant: Merchant, { id }: Customer) => {
  const { body } = await asked<{ data: { id: string }[] }>(merchant, 'GET', `/customers/${id}/contacts`)
  const consent = { channel: 'email', method: 'paper', text_version: 'one' }
  return asked<{ id: string }>(merchant, 'POST', `/contacts/${body.data[0]!.id}/consents`, consent)
}

const names = ({ data }: { data: Customer[] }) => data.map(({ name }) => name).toSorted()
const preview = async (merchant: Merchant, rule: object) =>
  (await asked<Preview>(merchant, 'POST', '/segment-previews', { rule })).body
const newSegment = async (merchant: Merchant, rule: object) =>
  (await asked<Segment>(merchant, 'POST', '/segments', { name: 'Some', rule })).body
const membersOf = async (merchant: Merchant, id: string) =>
  names((await asked<{ data: Customer[] }>(merchant, 'GET', `/segments/${id}/members`)).body)

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

test('each condition finds the customers it names, alone and in groups', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  await newCustomer(other, { name: 'Another’s', tags: ['vip'] })
  const ana = await newCustomer(merchant, {
    name: 'Ana',
    email: 'ana@example.com',
    tags: ['vip', 'new'],
    locale: 'es-MX',
    metadata: { plan: 'gold', seats: 3 },
  })
  const berta = await newCustomer(merchant, { name: 'Berta', tags: ['vip'], external_id: 'own-b' })
  const carla = await newCustomer(merchant, { name: 'Carla', phone: '+525512345678' })
  await asked(merchant, 'POST', `/customers/${carla.id}/block`)
  await consents(merchant, ana)
  for (const [of, amount, days, refunded] of [
    [ana, 10_000, 40, 0],
    [ana, 20_000, 2, 5_000],
    [berta, 90_000, 60, 0],
  ] as const)
    await paidBy(merchant, of.id, amount, days, refunded)

  const cases: [rule: object, found: string[]][] = [
    [{ type: 'tag', is: 'vip' }, ['Ana', 'Berta']],
    [{ type: 'status', is: 'blocked' }, ['Carla']],
    [{ type: 'locale', is: 'es-MX' }, ['Ana']],
    [{ type: 'metadata', key: 'plan', is: 'gold' }, ['Ana']],
    [{ type: 'metadata', key: 'seats', is: '3' }, ['Ana']],
    [{ type: 'metadata', key: 'plan', is: '["gold"]' }, []],
    [{ type: 'has', field: 'phone' }, ['Carla']],
    [{ type: 'has', field: 'external_id' }, ['Berta']],
    [{ type: 'created_at', after: ago(1) }, ['Ana', 'Berta', 'Carla']],
    [{ type: 'created_at', before: ago(1) }, []],
    [{ type: 'payments_count', gte: 2 }, ['Ana']],
    [{ type: 'payments_count', gte: 1, since: ago(7) }, ['Ana']],
    [{ type: 'payments_count', lte: 0 }, ['Carla']],
    [{ type: 'payments_sum', currency: 'mxn', gte: '25000', lte: '25000' }, ['Ana']],
    [{ type: 'payments_sum', currency: 'mxn', gte: '25001' }, ['Berta']],
    [{ type: 'payments_sum', currency: 'usd', gte: '1' }, []],
    [{ type: 'last_payment_at', before: ago(30) }, ['Berta']],
    [{ type: 'last_payment_at', after: ago(30) }, ['Ana']],
    [{ type: 'consent', channel: 'email', purpose: 'marketing' }, ['Ana']],
    [all({ type: 'tag', is: 'vip' }, none({ type: 'has', field: 'email' })), ['Berta']],
    [any({ type: 'status', is: 'blocked' }, { type: 'tag', is: 'new' }), ['Ana', 'Carla']],
    [none({ type: 'last_payment_at', after: ago(30) }), ['Berta', 'Carla']],
    [all(any({ type: 'tag', is: 'vip' }), { type: 'payments_count', gte: 1 }), ['Ana', 'Berta']],
  ]
  const found = await Promise.all(cases.map(([rule]) => preview(merchant, rule)))
  expect(cases.filter((_, at) => found[at]!.error).map(([rule]) => rule)).toEqual([])
  expect(cases.map(([rule], at) => [rule, names(found[at]!), found[at]!.count])).toEqual(
    cases.map(([rule, expected]) => [rule, expected, expected.length]),
  )
})

test('a consent counts while its contact is one', async () => {
  const merchant = await newMerchant()
  const ana = await newCustomer(merchant, { name: 'Ana', email: 'ana@example.com' })
  await consents(merchant, ana)
  const consented = async () =>
    names(await preview(merchant, { type: 'consent', channel: 'email', purpose: 'marketing' }))
  expect(await consented()).toEqual(['Ana'])
  const { body } = await asked<{ data: { id: string }[] }>(merchant, 'GET', `/customers/${ana.id}/contacts`)
  await asked(merchant, 'DELETE', `/contacts/${body.data[0]!.id}`)
  expect(await consented()).toEqual([])
})

test('a segment has 1,000 pins; one that is taken off makes room for another', async () => {
  const merchant = await newMerchant()
  const { id } = await newSegment(merchant, { type: 'tag', is: 'vip' })
  const [ana, berta] = [
    await newCustomer(merchant, { name: 'Ana' }),
    await newCustomer(merchant, { name: 'Berta' }),
  ]
  await sql(
    `with made as (
       insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
       select $1, gen_random_uuid(), 'active', '[]', '{}', '{}', '{}', '{}', now(), now() from generate_series(1, 999)
       returning id)
     insert into segment_pins (tenant_id, id, segment_id, customer_id, pinned, created_at, updated_at)
     select $1, gen_random_uuid(), $2, id, 'out', now(), now() from made`,
    [merchant.tenantId, id],
  )
  const pin = async (customer: Customer, pinned: string) => {
    const asking = { customer_id: customer.id, pinned }
    const { status, body } = await asked<Segment>(merchant, 'POST', `/segments/${id}/pin`, asking)
    return body.error?.code ?? `${status} ${body.version}`
  }
  expect(await pin(berta, 'none')).toBe('200 1')
  expect(await pin(ana, 'in')).toBe('200 2')
  expect(await pin(berta, 'in')).toBe('segment_pins_too_many')
  expect(await pin(ana, 'out')).toBe('200 3')
  expect(await pin(ana, 'none')).toBe('200 4')
  expect(await pin(berta, 'in')).toBe('200 5')
  expect(await pin(ana, 'in')).toBe('segment_pins_too_many')
  expect(await membersOf(merchant, id)).toEqual(['Berta'])
})

test('a rule is checked where it is sent, and says which part is wrong', async () => {
  const merchant = await newMerchant()
  const tag = { type: 'tag', is: 'vip' }
  const cases: [rule: object, param: string][] = [
    [{ type: 'nothing' }, 'rule.type'],
    [{ type: 'tag' }, 'rule.is'],
    [{ type: 'payments_count' }, 'rule'],
    [{ type: 'payments_sum', currency: 'mxn', gte: '1.5' }, 'rule.gte'],
    [all(tag, { type: 'payments_count', gte: -1 }), 'rule.rules.1.gte'],
    [all(), 'rule.rules'],
    [all(all(all(tag))), 'rule.rules.0.rules.0.type'],
    [all(all(...Array.from({ length: 20 }, () => tag)), tag), 'rule'],
  ]
  const answers = await Promise.all(cases.map(([rule]) => preview(merchant, rule)))
  expect(answers.map(({ error }) => error?.param)).toEqual(cases.map(([, param]) => param))
})

test('pins go before the rule, and members follow what changes and merges', async () => {
  const merchant = await newMerchant()
  const [ana, berta, carla] = [
    await newCustomer(merchant, { name: 'Ana', tags: ['vip'], metadata: { plan: 'gold' } }),
    await newCustomer(merchant, { name: 'Berta', tags: ['vip'], metadata: { plan: 'gold' } }),
    // A list is no text.
    await newCustomer(merchant, { name: 'Carla', metadata: { plan: ['gold'] } }),
  ]
  for (const rule of [
    { type: 'tag', is: 'vip' },
    any({ type: 'tag', is: 'vip' }),
    { type: 'metadata', key: 'plan', is: 'gold' },
  ]) {
    const { id } = await newSegment(merchant, rule)
    const pinned = async (customer: Customer, how: string) =>
      (
        await asked<Segment>(merchant, 'POST', `/segments/${id}/pin`, {
          customer_id: customer.id,
          pinned: how,
        })
      ).body
    expect(await membersOf(merchant, id)).toEqual(['Ana', 'Berta'])
    await pinned(ana, 'out')
    expect((await pinned(carla, 'in')).version).toBe(3)
    expect(await membersOf(merchant, id)).toEqual(['Berta', 'Carla'])
    await pinned(ana, 'none')
    expect(await membersOf(merchant, id)).toEqual(['Ana', 'Berta', 'Carla'])
    expect((await pinned({ ...ana, id: randomUUID() }, 'in')).error?.code).toBe('customer_not_found')
  }
  const { id } = await newSegment(merchant, { type: 'payments_sum', currency: 'mxn', gte: '300' })
  await paidBy(merchant, ana.id, 100, 1)
  await paidBy(merchant, berta.id, 200, 1)
  expect(await membersOf(merchant, id)).toEqual([])
  await sql(`update customers set status = 'merged', merged_into = $2 where id = $1`, [ana.id, berta.id])
  expect(await membersOf(merchant, id)).toEqual(['Berta'])

  const changed = await asked<Segment>(merchant, 'PATCH', `/segments/${id}`, {
    rule: { type: 'status', is: 'active' },
  })
  expect(changed.body.version).toBe(2)
  expect(await membersOf(merchant, id)).toEqual(['Berta', 'Carla'])
  const deleted = await asked(merchant, 'DELETE', `/segments/${id}`)
  expect([deleted.status, deleted.body]).toEqual([200, { id, object: 'segment', deleted: true }])
  for (const at of [`/segments/${id}`, `/segments/${id}/members`])
    expect((await call('GET', `/v1/customer-hub${at}`, { bearer: merchant.apiKey })).status).toBe(404)
})

const rows = 20_000

test(`of ${rows} customers beside small workspaces, a page reads a few hundred blocks of indexes`, async () => {
  const merchant = await newMerchant()
  const small = await smallWorkspaces(100)
  await sql(
    `insert into customers (tenant_id, id, status, name, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
     select m.tenant_id, gen_random_uuid(), 'active', 'Customer ' || n, '[]', t.tags, jsonb_build_object('plan', case when n % 200 = 1 then 'gold' else 'none' end), '{}',
       array['n:customer'] || (select coalesce(array_agg('t:' || tag), '{}') from unnest(t.tags) tag), now() - n * interval '1 minute', now()
     from unnest($1::uuid[], $2::int[]) m (tenant_id, rows), generate_series(1, m.rows) n,
       lateral (select case when n % 200 = 0 then array['vip'] else '{}'::text[] end as tags) t`,
    [
      [merchant.tenantId, ...small],
      [rows, ...small.map(() => 10)],
    ],
  )
  await sql('analyze customers')
  await sql('analyze customer_terms')
  await sql('analyze metadata_entries')
  const tag = { type: 'tag', is: 'vip' } as const
  const metadata = { type: 'metadata', key: 'plan', is: 'gold' } as const
  const rule = { type: 'all', rules: [tag, { type: 'payments_count', lte: 0 }] } as const
  const pages = [
    membersPage({ rule: tag }, { rows: 21 }),
    membersPage({ rule }, { rows: 21 }),
    membersPage({ rule: { type: 'payments_count', lte: 0 } }, { rows: 21 }),
    membersPage({ rule, segmentId: randomUUID() }, { rows: 21 }),
    membersPage({ rule: metadata }, { rows: 21 }),
    membersPage(
      { rule: { type: 'all', rules: [{ type: 'payments_count', lte: 0 }, metadata] } },
      { rows: 21 },
    ),
  ]
  for (const page of pages) {
    const { nodes, buffers } = await explained(merchant.tenantId, page)
    const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
    // The other tables are empty here.
    expect(scanned.filter((node) => /^(customer|metadata)/.test(node['Relation Name'] ?? ''))).toEqual([])
    expect(buffers).toBeLessThan(1_000)
  }
  for (const entry of [tag, metadata])
    expect((await explained(merchant.tenantId, countOf(entry))).buffers).toBeLessThan(2_000)
})
