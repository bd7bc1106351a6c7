import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentsPage } from '../../../functions/money/payments/store.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { call, type Merchant, newMerchant, smallWorkspaces } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

const rows = 40_000
const origin = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const customer = (number: number) => `00000000-0000-4000-9000-${String(number).padStart(12, '0')}`

let merchant: Merchant
let worker: pg.Client

/** A busy merchant's quarter: mostly paid, some of everything, amounts from 10.00 to 10,009.99. */
beforeAll(async () => {
  merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const small = await smallWorkspaces()
  await adminSql('sandbox')(
    `insert into customers (tenant_id, id, status, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
     select t, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'active', '[]', '{}', '{}', '{}', '{}', now(), now()
     from unnest($1::uuid[]) t, generate_series(0, 297, 3) n`,
    [[merchant.tenantId, ...small]],
  )
  await adminSql('sandbox')(
    `insert into payments (tenant_id, id, public_id, status, amount_minor, currency, amount_authorized_minor,
       amount_captured_minor, amount_refunded_minor, amount_disputed_minor, tip_amount_minor, method, amount_received_minor,
       capture_method, installment_months, markup_minor, fee_schedule_version, fee_processing_minor,
       fee_installments_minor, fee_iva_minor, net_minor, funds_status, reserve_minor, open_disputes_count,
       origin_type, origin_id, exclusive, customer_id, client_reference_id, metadata, method_details, created_at,
       updated_at)
     select m.tenant_id, gen_random_uuid(), 'spcs_' || md5(concat(m.tenant_id, n)), s.status, a.amount, 'mxn', c.captured, c.captured, 0, 0, 0,
       (array['card', 'card', 'card', 'oxxo', 'spei'])[1 + n % 5], 0, 'automatic', 1, 0, 'mxn-2026-01', 0, 0, 0,
       c.captured, 'none', 0, 0, 'payment_link', ('00000000-0000-4000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid,
       false, case when n % 3 = 0 then ('00000000-0000-4000-9000-' || lpad((n % 300)::text, 12, '0'))::uuid end,
       case when n % 50 = 0 then 'order-' || n % 1000 end,
       case when n % 2 = 0 then jsonb_build_object('channel', 'web', 'store', n % 40, 'table', n % 1000) else '{}' end,
       case when n % 5 < 3 then jsonb_build_object('last4', lpad((n % 997)::text, 4, '0'), 'brand', 'visa', 'bin6', '424242', 'funding', 'credit') end,
       now() - n * interval '193 seconds', now()
     from unnest($1::uuid[], $2::int[]) m (tenant_id, rows), generate_series(1, m.rows) n,
       lateral (select (array['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded',
         'expired', 'requires_payment_method', 'canceled'])[1 + (n * 7919) % 10] as status) s,
       lateral (select 1000 + (n::bigint * 104729) % 1000000 as amount) a,
       lateral (select case when s.status = 'succeeded' then a.amount else 0 end as captured) c`,
    [
      [merchant.tenantId, ...small],
      [rows, ...small.map(() => 10)],
    ],
  )
  // Other tests' payments make a sample of these columns another one in each run: counted in full, plans are the same.
  await adminSql('sandbox')(
    'alter table payments alter column customer_id set statistics 2000, alter column origin_id set statistics 2000',
  )
  await adminSql('sandbox')('analyze payments')
  await adminSql('sandbox')('analyze metadata_entries')
  worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
})

afterAll(() => worker?.end())

const day = 86_400_000
const filters = {
  status: { status: 'canceled' },
  method: { method: 'oxxo' },
  kind: { origin_type: 'payment_link' },
  origin: { origin_id: origin(7) },
  customer: { customer_id: customer(9) },
  reference: { client_reference_id: 'order-100' },
  metadata: { 'metadata[table]': '100' },
  card: { last4: '0042' },
  amounts: { 'amount.gte': '50000', 'amount.lte': '70000' },
  time: {
    'created_at.gte': new Date(Date.now() - 60 * day).toISOString(),
    'created_at.lte': new Date(Date.now() - 10 * day).toISOString(),
  },
} as const
type Filter = keyof typeof filters
const names = Object.keys(filters) as Filter[]

/** These find few rows: tested alone, with each other filter and with each other. */
const finding: readonly Filter[] = ['reference', 'metadata', 'card']
const narrowing = names.filter((name) => !finding.includes(name))
/** Every subset of the narrowing filters, then those that find few rows. */
const combinations: Filter[][] = [
  ...Array.from({ length: 2 ** narrowing.length }, (_, bits) =>
    narrowing.filter((_name, at) => bits & (1 << at)),
  ),
  ...finding.flatMap((name, at) => [
    [name],
    ...[...narrowing, ...finding.slice(at + 1)].map((other) => [name, other]),
  ]),
]
const asked = (combination: readonly Filter[]): Record<string, string> =>
  Object.assign({}, ...combination.map((name) => filters[name]))

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Actual Rows'?: number
  Plans?: Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plan of the list's own query, as the Workers' role gets it. */
function planOf(
  combination: readonly Filter[],
  after: boolean,
  options: 'analyze, buffers, ' | '' = '',
): Promise<Node[]> {
  const query = asked(combination)
  return explained(options, {
    rows: 21,
    createdFrom: query['created_at.gte'] && new Date(query['created_at.gte']),
    createdTo: query['created_at.lte'] && new Date(query['created_at.lte']),
    ...(after ? { afterCreatedAt: new Date(Date.now() - 20 * day), afterId: origin(1) } : {}),
    status: query.status,
    method: query.method,
    originType: query.origin_type,
    originId: query.origin_id,
    customerId: query.customer_id,
    clientReferenceId: query.client_reference_id,
    ...(query['metadata[table]'] && { metadataKey: 'table', metadataValue: query['metadata[table]'] }),
    paidBy: query.last4,
    amountFrom: query['amount.gte'],
    amountTo: query['amount.lte'],
  })
}

/** The most payments of one origin or customer: beside another filter Postgres may sort these. */
const few = Math.ceil(rows / 300)

/** How many rows the lowest node of a plan finds, of which the rest is sorted. */
async function foundBy(combination: readonly Filter[], after: boolean): Promise<number> {
  const nodes = await planOf(combination, after, 'analyze, buffers, ')
  return nodes.at(-1)!['Actual Rows']!
}

async function explained(options: 'analyze, buffers, ' | '', filters: Record<string, unknown>) {
  const { text, values } = paymentsPage({ rows: 21, ...filters })
  await worker.query('begin read only')
  try {
    await pin(worker, merchant.tenantId)
    const { rows } = await worker.query(`explain (${options}format json) ${text}`, values as unknown[])
    return nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
  } finally {
    await worker.query('rollback')
  }
}

/** Pages of memory or disk that a page of the list touches. */
async function buffersOf(filters: Record<string, unknown>): Promise<number> {
  const [top] = await explained('analyze, buffers, ', filters)
  return top!['Shared Hit Blocks']! + top!['Shared Read Blocks']!
}

describe(`a list of ${rows} payments`, () => {
  test.each([
    ['first', false],
    ['later', true],
  ])(
    'every combination of filters walks an index on its %s pages: nothing is sorted but what one sale or customer has',
    async (_, after) => {
      const sorted: string[] = []
      const indexes = new Map<string, number>()
      // Beside a selective filter Postgres may sort the few rows found: their cost is tested below.
      const strict = combinations.filter(
        (each) => !each.some((name) => finding.includes(name)) || each.length === 1,
      )
      for (const combination of strict) {
        const nodes = await planOf(combination, after)
        const types = nodes.map((node) => node['Node Type'])
        if (
          types.some((type) => /Sort|Seq Scan|Bitmap/.test(type)) &&
          (await foundBy(combination, after)) > few
        )
          sorted.push(`${combination.join(' + ') || 'none'}: ${types.join(' < ')}`)
        const used =
          nodes.find((node) => node['Index Name']?.startsWith('payments_'))?.['Index Name'] ?? 'none'
        indexes.set(used, (indexes.get(used) ?? 0) + 1)
      }
      expect(sorted).toEqual([])
      console.log(`${strict.length} combinations: ${JSON.stringify(Object.fromEntries(indexes))}`)
    },
  )

  test('deep in a window of time a page touches what the first one does', async () => {
    const window = { createdTo: new Date(Date.now() - 10 * day) }
    const deep = { afterCreatedAt: new Date(Date.now() - 80 * day), afterId: origin(1) }
    const [first, later] = [await buffersOf(window), await buffersOf({ ...window, ...deep })]
    expect(later).toBeLessThanOrEqual(first + 3)
  })

  test('beside a filter that finds few rows, another one costs no more than those rows', async () => {
    const costly: [string, number][] = []
    for (const combination of combinations) {
      if (combination.length !== 2 || !combination.some((name) => finding.includes(name))) continue
      const [top] = await planOf(combination, false, 'analyze, buffers, ')
      const buffers = top!['Shared Hit Blocks']! + top!['Shared Read Blocks']!
      if (buffers > rows / 50) costly.push([combination.join(' + '), buffers])
    }
    expect(costly).toEqual([])
  })

  test.each([
    ['that half of them have', { metadataKey: 'channel', metadataValue: 'web' }],
    ['that few have', { metadataKey: 'store', metadataValue: '8' }],
    ['that none has', { metadataKey: 'channel', metadataValue: 'shop' }],
  ])('metadata %s: each page touches only its own rows', async (_, filter) => {
    const deep = { afterCreatedAt: new Date(Date.now() - 60 * day), afterId: origin(1) }
    const [first, later] = [await buffersOf(filter), await buffersOf({ ...filter, ...deep })]
    // A row of the entries and its payment: three or four pages of index and table each.
    expect(first).toBeLessThan(21 * 6)
    expect(later).toBeLessThan(21 * 6)
  })

  test('payments out of an amount range are skipped in the index, unread', async () => {
    // No payment has that amount. This merchant is most of the table, so a full scan would otherwise be cheapest.
    await worker.query('set enable_seqscan = off')
    const buffers = await buffersOf({ amountFrom: '900000000' })
    await worker.query('reset enable_seqscan')
    expect(buffers).toBeLessThan(rows / 25)
  })

  type Page = {
    data: { id: string; created_at: string }[]
    has_more: boolean
    next_cursor: string
    error?: { code: string; param: string }
  }
  const page = (query: Record<string, string>) =>
    call<Page>('GET', `/v1/payment-operations/payments?${new URLSearchParams(query)}`, {
      bearer: merchant.apiKey,
    })

  const conditions: Record<Filter, string> = {
    status: `status = 'canceled'`,
    method: `method = 'oxxo'`,
    kind: `origin_type = 'payment_link'`,
    origin: `origin_id = '${origin(7)}'`,
    customer: `customer_id = '${customer(9)}'`,
    reference: `client_reference_id = 'order-100'`,
    metadata: `metadata @> '{"table":100}'`,
    card: `method_details->>'last4' = '0042'`,
    amounts: 'amount_minor between 50000 and 70000',
    time: `created_at between '${filters.time['created_at.gte']}' and '${filters.time['created_at.lte']}'`,
  }

  test.each(combinations.map((combination) => [combination.join(' + ') || 'none', combination] as const))(
    '%s: the first two pages are those of the rows',
    async (_, combination) => {
      const where = combination.map((name) => conditions[name]).join(' and ') || 'true'
      const wanted = await adminSql('sandbox')<{ id: string }>(
        `select id from payments where tenant_id = $1 and ${where} order by created_at desc, id desc limit 20`,
        [merchant.tenantId],
      )
      const query = { limit: '10', ...asked(combination) }
      const first = await page(query)
      expect(first.status, first.text).toBe(200)
      const second = first.body.has_more
        ? await page({ ...query, cursor: first.body.next_cursor })
        : { body: { data: [] } }
      const got = [...first.body.data, ...second.body.data].map(({ id }) => id)
      expect(got).toEqual(wanted.map(({ id }) => id))
    },
  )

  test('a cursor belongs to its filters', async () => {
    const { body } = await page({ method: 'oxxo', 'amount.gte': '50000', limit: '10' })
    for (const others of [
      { method: 'spei', 'amount.gte': '50000' },
      { method: 'oxxo' },
      { method: 'oxxo', 'amount.gte': '50001' },
    ]) {
      const reply = await page({
        ...(others as Record<string, string>),
        limit: '10',
        cursor: body.next_cursor,
      })
      expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([
        400,
        'cursor_invalid',
        'cursor',
      ])
    }
  })

  test.each([
    ['amount.gte', '500.00', 'amount_malformed'],
    ['amount.lte', '9'.repeat(19), 'amount_malformed'],
    ['amount.lte', '', 'amount_malformed'],
    ['method', 'cash', 'parameter_invalid'],
    ['status', 'paid', 'parameter_invalid'],
    ['origin_type', 'ticket', 'parameter_invalid'],
    ['origin_id', '7', 'parameter_invalid'],
    ['customer_id', 'ana', 'parameter_invalid'],
  ])('%s=%s is refused', async (name, value, code) => {
    const reply = await page({ [name]: value })
    expect([reply.status, reply.body.error?.code, reply.body.error?.param]).toEqual([422, code, name])
  })
})
