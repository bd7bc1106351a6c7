import pg from 'pg'
import { linksPage } from '../functions/payment-links/store.ts'
import type { Postgres } from '../local/postgres.ts'

export type Buffers = { rows: number; firstPage: number; farPage: number; ratio: number; plan: string }

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
 * pinned: the first page and the thousandth of one tenant's `rows` links, twenty a page.
 */
export async function listBuffers(postgres: Postgres, tenantId: string, rows: number): Promise<Buffers> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl('sandbox') })
  await admin.connect()
  await admin.query(
    `insert into payment_links (tenant_id, id, public_id, status, usage, amount_source, amount_minor, currency,
       payment_method_types, installment_months, fee_allocation, merchant_markup_bps, metadata, terms_version, version,
       created_at, updated_at)
     select $1, gen_random_uuid(), 'splink_' || lpad(n::text, 32, '0'),
       case when n % 10 = 0 then 'inactive' else 'active' end, 'multi_use', 'manual_amount', 120000, 'mxn',
       '{card}', '{}', 'absorb', 0, '{}', 1, 1, timestamptz '2026-01-01' + n * interval '1 second', now()
     from generate_series(1, $2::int) n`,
    [tenantId, rows],
  )
  await admin.query('vacuum analyze payment_links')
  const far = await admin.query<{ created_at: Date; id: string }>(
    `select created_at, id from payment_links where tenant_id = $1 order by created_at desc, id desc
     offset $2 limit 1`,
    [tenantId, (FAR_PAGE - 1) * PAGE_ROWS - 1],
  )
  await admin.end()
  const position = far.rows[0]!
  const client = new pg.Client({ connectionString: postgres.workerUrl('sandbox') })
  await client.connect()
  try {
    const first = await explain(client, tenantId, {})
    const deep = await explain(client, tenantId, {
      afterCreatedAt: position.created_at,
      afterId: position.id,
    })
    const ratio = deep.buffers / first.buffers
    return { rows, firstPage: first.buffers, farPage: deep.buffers, ratio, plan: deep.plan }
  } finally {
    await client.end()
  }
}

async function explain(client: pg.Client, tenantId: string, position: Record<string, unknown>) {
  const { text, values } = linksPage({ rows: PAGE_ROWS + 1, ...position })
  await client.query('begin')
  await client.query(`select set_config('spindle.tenant', $1, true)`, [tenantId])
  const explained = async () =>
    (await client.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values as unknown[]))
      .rows[0]!['QUERY PLAN'][0].Plan
  await explained() // the first one also reads what planning needs
  const plan = await explained()
  await client.query('commit')
  return { buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], plan: indexesOf(plan).join(', ') }
}

const indexesOf = (node: PlanNode): string[] => [
  ...(node['Index Name'] ? [`${node['Node Type']} on ${node['Index Name']}`] : []),
  ...(node.Plans ?? []).flatMap(indexesOf),
]
