import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import { linkForSale } from '../../../functions/payment-links/store.ts'
import { plannedQueries } from '../../../local/planned.ts'
import { newLink, newMerchant } from '../../support/merchant.ts'
import { adminSql, pin, stack } from '../../support/stack.ts'

// A query of fixed shape is answered by a database function, so that a session plans it once.

test.each(['sandbox', 'live'] as const)(
  '%s: each such query has its function, which has the rights of its caller',
  async (environment) => {
    const found = await adminSql(environment)<{ name: string; lent: boolean }>(
      `select proname::text as name, prosecdef as lent from pg_proc
       where pronamespace = 'door'::regnamespace and proname like 'planned\\_%' order by proname`,
    )
    expect(found.map(({ name }) => name)).toEqual(Object.keys(await plannedQueries()).toSorted())
    expect(found.filter(({ lent }) => lent)).toEqual([])
  },
)

test('none has a limit that a call gives: a plan for any number of rows would not walk an index', async () => {
  expect(Object.values(await plannedQueries()).filter((text) => text.includes('limit $'))).toEqual([])
})

test('a session that asked before it was authorised answers afterwards, and only its own workspace', async () => {
  const [merchant, stranger] = [await newMerchant(), await newMerchant()]
  const { id, public_id: publicId } = await newLink(merchant)
  const worker = new pg.Client(stack.databases.sandbox.workerUrl)
  await worker.connect()
  const sale = linkForSale({ publicId })
  const found = async (tenantId: string | null) => {
    await worker.query('begin read only')
    if (tenantId !== null) await pin(worker, tenantId)
    const page = await worker.query(sale.planned!, sale.values as unknown[])
    const beside = await worker.query('select * from door.beside_links($1)', [[id, randomUUID()]])
    await worker.query('rollback')
    return [page.rowCount, beside.rowCount]
  }
  try {
    expect(await found(null)).toEqual([0, 0])
    expect(await found(merchant.tenantId)).toEqual([1, 1])
    expect(await found(stranger.tenantId)).toEqual([0, 0])
    expect(await found(null)).toEqual([0, 0])
  } finally {
    await worker.end()
  }
})
