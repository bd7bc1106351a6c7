import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customersPage, termsAsked } from '../../../functions/people/customers/store.ts'
import { vacuumed } from '../../support/explain.ts'
import { type Merchant, newMerchant, smallWorkspaces } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

const rows = 20_000

let merchant: Merchant
let worker: pg.Client

/** A large workspace beside many small ones: every tenth is a María, every hundredth a Pérez, one in a thousand both. */
beforeAll(async () => {
  merchant = await newMerchant()
  const small = await smallWorkspaces()
  await adminSql('sandbox')(
    `insert into customers (tenant_id, id, status, name, addresses, tags, metadata, field_stamps, terms, created_at, updated_at)
     select m.tenant_id, gen_random_uuid(), case when n % 50 = 0 then 'blocked' else 'active' end, 'x', '[]', '{}',
       jsonb_build_object('shop', n % 40), '{}', w.terms, now() - n * interval '1 minute', now()
     from unnest($1::uuid[], $2::int[]) m (tenant_id, rows), generate_series(1, m.rows) n,
       lateral (select array[case when n % 10 = 0 then 'n:maria' else 'n:luz' || n end,
         case when n % 100 < 2 then 'n:perez' else 'n:soto' || n end, case when n % 7 = 0 then 't:vip' else 't:new' end] as terms) w`,
    [
      [merchant.tenantId, ...small],
      [rows, ...small.map(() => 10)],
    ],
  )
  for (const table of ['customers', 'customer_terms', 'metadata_entries']) await vacuumed(table)
  worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
})

afterAll(() => worker?.end())

type Node = {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

async function explained(asked: Parameters<typeof termsAsked>[0], more: object) {
  const { text, values } = customersPage({ rows: 21, ...termsAsked(asked), ...more })
  await worker.query('begin read only')
  try {
    await pin(worker, merchant.tenantId)
    const explain = `explain (analyze, buffers, format json) ${text}`
    await worker.query(explain, values as unknown[])
    const { rows } = await worker.query(explain, values as unknown[])
    return nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
  } finally {
    await worker.query('rollback')
  }
}

const metadata = { metadataKey: 'shop', metadataValue: '7' }
/** Buffers by what has to be read: 21 customers with their look-ups, or besides all terms that begin so. */
const cases: readonly [Parameters<typeof termsAsked>[0], object, number][] = [
  [{}, {}, 60],
  [{}, { status: 'blocked' }, 120],
  [{}, metadata, 300],
  [{ tag: 'vip' }, {}, 200],
  [{ query: 'maria' }, {}, 400],
  [{ query: 'mar' }, {}, 400],
  [{ query: 'mar per' }, {}, 400],
  [{ query: 'mar per', tag: 'vip' }, {}, 600],
  [{ tag: 'vip' }, metadata, 400],
  [{ tag: 'vip' }, { ...metadata, metadataValue: 'none' }, 200],
  [{ query: 'mar' }, metadata, 400],
  [{ email: 'nobody@example.com' }, {}, 60],
]

test.each(cases)(
  'the list with %j and %j reads indexes, and customers that it shows',
  async (asked, more, most) => {
    for (const after of [
      {},
      {
        afterCreatedAt: new Date(Date.now() - 10_000 * 60_000),
        afterId: '00000000-0000-4000-8000-000000000000',
      },
    ]) {
      const nodes = await explained(asked, { ...more, ...after })
      expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
      const [top] = nodes
      const plan = nodes.map((node) => [node['Node Type'], node['Index Name'], node['Actual Rows']].join(' '))
      expect(top!['Shared Hit Blocks']! + top!['Shared Read Blocks']!, plan.join(', ')).toBeLessThanOrEqual(
        most,
      )
    }
  },
)
