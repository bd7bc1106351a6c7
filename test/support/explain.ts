import type pg from 'pg'
import { expect, vi } from 'vitest'
import type { BoundQuery } from '../../src/platform/query.ts'
import { Client } from './postgres.ts'
import { adminSql, pin, stack } from './stack.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** How Postgres ran a query of a workspace as the Worker's role, and how many blocks it touched once they were read. */
export async function explained(
  tenantId: string,
  { text, values }: Pick<BoundQuery<unknown>, 'text' | 'values'>,
): Promise<{ nodes: PlanNode[]; buffers: number }> {
  return asWorker(tenantId, async (worker) => {
    const explain = () =>
      worker.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values as unknown[],
      )
    await explain()
    const [{ 'QUERY PLAN': plan } = { 'QUERY PLAN': [] }] = (await explain()).rows
    const nodes = nodesOf(plan[0]!.Plan)
    return { nodes, buffers: nodes[0]!['Shared Hit Blocks'] + nodes[0]!['Shared Read Blocks'] }
  })
}

/** What a query of a store answers a workspace. */
export const answered = <Row>(tenantId: string, { text, values, rows }: BoundQuery<Row>): Promise<Row[]> =>
  asWorker(tenantId, async (worker) => {
    const asText = { getTypeParser: () => String } as pg.CustomTypesConfig
    const found = await worker.query({
      text,
      values: values as unknown[],
      rowMode: 'array',
      types: asText,
    })
    return rows(found.rows as (string | null)[][])
  })

async function asWorker<T>(tenantId: string, work: (worker: pg.Client) => Promise<T>): Promise<T> {
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  try {
    await worker.query('begin read only')
    await pin(worker, tenantId)
    return await work(worker)
  } finally {
    await worker.end()
  }
}

/** An index is read alone only where every row is visible to all: not while another test's transaction is older. */
export const vacuumed = (table: string) =>
  vi.waitFor(
    async () => {
      await adminSql('sandbox')(`vacuum analyze ${table}`)
      const [pages] = await adminSql('sandbox')<{ visible: boolean }>(
        'select relallvisible >= relpages * 0.98 as visible from pg_class where oid = $1::regclass',
        [table],
      )
      expect(pages!.visible).toBe(true)
    },
    { timeout: 60_000, interval: 250 },
  )

/** Past the triggers: rows by the ten thousand, and states that no publish makes. */
export async function pastTriggers(statement: string, values: readonly unknown[] = []): Promise<void> {
  const admin = new Client(stack.databases.sandbox.adminUrl)
  await admin.connect()
  try {
    await admin.query('begin')
    await admin.query('set local session_replication_role = replica')
    await admin.query(statement, [...values])
    await admin.query('commit')
  } finally {
    await admin.end()
  }
}
