import pg from 'pg'
import { linksPage } from '../functions/payment-links/store.ts'
import type { Postgres } from '../local/postgres.ts'

export type Buffers = { rows: number; pages: Page[]; ratio: number }
export type Page = { what: string; buffers: number; indexes: string }

const PAGE_ROWS = 20
const FAR_PAGE = 1_000

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] }
type PlanNode = {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/**
 * Pages that Postgres touches for the real query of the list of payment links, as the Worker's role with the tenant
 * pinned: the first page and the thousandth of one tenant's `rows` links, twenty a page, and both with a filter.
 */
export async function listBuffers(postgres: Postgres, tenantId: string, rows: number): Promise<Buffers> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl('sandbox') })
  await admin.connect()
  await fill(admin, tenantId, rows)
  const [all, inactive] = await Promise.all([
    farPosition(admin, tenantId),
    farPosition(admin, tenantId, 'inactive'),
  ])
  await admin.end()
  const client = new pg.Client({ connectionString: postgres.workerUrl('sandbox') })
  await client.connect()
  try {
    const pages: Page[] = []
    for (const [what, values] of [
      ['page 1', {}],
      ['page 1,000', all],
      ['page 1, by status', { status: 'inactive' }],
      ['page 1,000, by status', { status: 'inactive', ...inactive }],
    ] as const) {
      pages.push({ what, ...(await explain(client, tenantId, values)) })
    }
    return { rows, pages, ratio: pages[1]!.buffers / pages[0]!.buffers }
  } finally {
    await client.end()
  }
}

async function fill(admin: pg.Client, tenantId: string, rows: number): Promise<void> {
  await admin.query(
    `insert into payment_links (tenant_id, id, public_id, status, usage, amount_source, amount_minor, currency,
       payment_method_types, capture_method, installment_months, fee_allocation, merchant_markup_bps, metadata, terms_version, version,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'splink_' || lpad(n::text, 32, '0'),
       case when n % 10 = 0 then 'inactive' else 'active' end, 'multi_use', 'manual_amount', 120000, 'mxn',
       '{card}', 'automatic', '{}', 'absorb', 0, '{}', 1, 1, timestamptz '2026-01-01' + n * interval '1 second', now()
     from generate_series(1, $2::int) n`,
    [tenantId, rows],
  )
  await admin.query('vacuum analyze payment_links')
}

/** The last row of the page before the far one, as a cursor holds it. */
async function farPosition(admin: pg.Client, tenantId: string, status: string | null = null) {
  const { rows } = await admin.query<{ afterCreatedAt: Date; afterId: string }>(
    `select created_at as "afterCreatedAt", id as "afterId" from payment_links
     where tenant_id = $1 and ($2::text is null or status = $2)
     order by created_at desc, id desc offset $3 limit 1`,
    [tenantId, status, (FAR_PAGE - 1) * PAGE_ROWS - 1],
  )
  return rows[0]!
}

async function explain(client: pg.Client, tenantId: string, filters: Record<string, unknown>) {
  const { text, values } = linksPage({ rows: PAGE_ROWS + 1, ...filters })
  await client.query('begin')
  await client.query(`select set_config('spindle.tenant', $1, true)`, [tenantId])
  const explained = async () =>
    (await client.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values as unknown[]))
      .rows[0]!['QUERY PLAN'][0].Plan
  await explained() // the first one also reads what planning needs
  const plan = await explained()
  await client.query('commit')
  return {
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    indexes: indexesOf(plan).join(', '),
  }
}

const indexesOf = (node: PlanNode): string[] => [
  ...(node['Index Name'] ? [`${node['Node Type']} on ${node['Index Name']}`] : []),
  ...(node.Plans ?? []).flatMap(indexesOf),
]
