import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { linkForSale } from '../../../functions/selling/payment-links/store.ts'
import { plannedQueries } from '../../../local/planned.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { Client } from '../../support/postgres.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

// A query of fixed shape is answered by a database function, so that a session plans it once.

test.each(['sandbox', 'live'] as const)(
  '%s: each such query has its function, which reads as spindle_reader',
  async (environment) => {
    const found = await adminSql(environment)<{ name: string; reads_as: string | null }>(
      `select proname::text as name, case when prosecdef then proowner::regrole::text end as reads_as from pg_proc
       where pronamespace = 'door'::regnamespace and proname like 'planned\\_%' order by proname`,
    )
    expect(found.map(({ name }) => name)).toEqual(Object.keys(await plannedQueries()).toSorted())
    expect(found.filter(({ reads_as: readsAs }) => readsAs !== 'spindle_reader')).toEqual([])
  },
)

type Node = { 'Node Type': string; Plans?: Node[] }
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

test('of a page, which may be of any length, each walks an index in its order', async () => {
  const lists = Object.values(await plannedQueries()).filter((text) => text.includes('limit $'))
  expect(lists.length).toBeGreaterThan(40)
  const { tenantId } = await newMerchant()
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  try {
    await worker.query('begin')
    await pin(worker, tenantId)
    await worker.query(
      'set local enable_sort = off; set local enable_incremental_sort = off; set local enable_bitmapscan = off',
    )
    const wrong: string[] = []
    for (const text of lists) {
      const { rows } = await worker.query(`explain (generic_plan, format json) ${text}`)
      const nodes = nodesOf((rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan)
      const page = nodes.find((node) => node['Node Type'] === 'Limit')!
      const types = nodesOf(page).map((node) => node['Node Type'])
      if (
        types.some((type) => /Sort|Seq Scan|Bitmap/.test(type)) ||
        !types.some((type) => /^Index/.test(type))
      )
        wrong.push(`${types}: ${text.replace(/^.* from "(\w+)"/, '$1')}`)
    }
    expect(wrong).toEqual([])
  } finally {
    await worker.end()
  }
})

test('a session that asked before it was authorized answers afterwards, and only its own workspace', async () => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  const { id, public_id: publicId } = await newLink(merchant)
  const worker = new Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  const sale = linkForSale({ publicId })
  const found = async (tenantId: string | null, forged?: string) => {
    await worker.query('begin read only')
    if (tenantId !== null) await pin(worker, tenantId)
    if (forged) await worker.query(`select set_config('spindle.tenant', $1, true)`, [forged])
    const page = await worker.query(sale.planned!, sale.values as unknown[])
    const beside = await worker.query('select * from door.beside_links($1)', [[id, randomUUID()]])
    await worker.query('rollback')
    return [page.rowCount, beside.rowCount]
  }
  try {
    expect(await found(null)).toEqual([0, 0])
    expect(await found(merchant.tenantId)).toEqual([1, 1])
    expect(await found(stranger.tenantId)).toEqual([0, 0])
    // The seal is of the tenant that was authorized.
    expect(await found(stranger.tenantId, merchant.tenantId)).toEqual([0, 0])
    expect(await found(null, merchant.tenantId)).toEqual([0, 0])
    expect(await found(null)).toEqual([0, 0])
  } finally {
    await worker.end()
  }
})
