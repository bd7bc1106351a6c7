import pg from 'pg'
import type { Stack } from '../local/stack.ts'
import type { BoundQuery } from '../src/platform/query.ts'

/** A filter of a list: what the first page and a far one of it cost. */
export type Case = {
  what: string
  filters: Record<string, unknown>
  /** The filter may match nothing: then there is no far page, and only the first page is measured. */
  onePage?: true
}

/** `sorted`: more rows than the page shows. */
export type Page = { buffers: number; rows: number; nodes: string; sorted: boolean }
export type Measured = { what: string; first: Page; far: Page | null }
export type Buffers = { list: string; rows: number; cases: Measured[] }

export type List = {
  name: string
  /** The store's own query. */
  page: (values: Record<string, unknown>) => BoundQuery<{ createdAt: Date; id: string }>
  cases: readonly Case[]
}

const PAGE_ROWS = 20
export const FAR_PAGE = 1_000

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] }
type PlanNode = {
  'Node Type': string
  'Index Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/**
 * Pages of memory or disk that Postgres touches for the real query of a list, as the Worker's role with the tenant
 * pinned: the first page and the thousandth, twenty rows each, for every filter.
 */
export async function listBuffers(
  { postgres, sandbox }: Stack,
  tenantId: string,
  list: List,
  rows: number,
): Promise<Buffers> {
  const client = new pg.Client({ connectionString: postgres.workerUrl('sandbox') })
  await client.connect()
  try {
    const proof = (JSON.parse(sandbox.doorSecrets) as Record<string, string>)['1']
    await client.query('begin')
    await client.query(`set local statement_timeout = 0`)
    await client.query(`select door.authorize($1::jsonb, 'payments.settle')`, [
      JSON.stringify({ kind: 'system', tenantId, proof }),
    ])
    const cases: Measured[] = []
    for (const { what, filters, onePage } of list.cases) {
      const first = await explain(client, list.page({ rows: PAGE_ROWS + 1, ...filters }))
      const position = onePage ? null : await farPosition(client, list, filters)
      const far =
        position && (await explain(client, list.page({ rows: PAGE_ROWS + 1, ...filters, ...position })))
      cases.push({ what, first, far })
    }
    return { list: list.name, rows, cases }
  } finally {
    await client.end()
  }
}

/** The last row of the page before the far one, as a cursor holds it. */
async function farPosition(client: pg.Client, list: List, filters: Record<string, unknown>) {
  const { text, values, rows } = list.page({ rows: (FAR_PAGE - 1) * PAGE_ROWS, ...filters })
  const asText = { getTypeParser: () => (cell: unknown) => cell }
  const query = { text, values: values as unknown[], rowMode: 'array', types: asText } as const
  const { rows: cells } = await client.query(query)
  if (cells.length !== (FAR_PAGE - 1) * PAGE_ROWS)
    throw new Error(`${list.name}: ${cells.length} rows do not reach page ${FAR_PAGE}`)
  const { createdAt, id } = rows(cells).at(-1)!
  return { afterCreatedAt: createdAt, afterId: id }
}

async function explain(client: pg.Client, { text, values }: BoundQuery<unknown>): Promise<Page> {
  const explained = async () =>
    (await client.query<Explained>(`explain (analyze, buffers, format json) ${text}`, values as unknown[]))
      .rows[0]!['QUERY PLAN'][0].Plan
  await explained() // the first one also reads what planning needs
  const plan = await explained()
  const nodes = nodesOf(plan)
  return {
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rows: plan['Actual Rows'],
    nodes: nodes
      .filter((node) => /Scan|Sort/.test(node['Node Type']))
      .map((node) => [node['Node Type'], node['Index Name']].filter(Boolean).join(' on '))
      .join(', '),
    sorted: nodes.some(
      (node) =>
        node['Node Type'].includes('Sort') &&
        (node.Plans ?? []).some((part) => part['Actual Rows'] > PAGE_ROWS + 1),
    ),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
