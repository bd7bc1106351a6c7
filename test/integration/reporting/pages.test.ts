import { expect, test } from 'vitest'
import type { ReportTypeName } from '../../../drizzle/schema/reporting.ts'
import { type FoundRow, movedBy, type RunRow, rowsOf } from '../../../functions/insight/reporting/store.ts'
import { answered, explained, pastTriggers } from '../../support/explain.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const run = {
  startsAt: new Date('2026-03-01T06:00:00Z'),
  endsAt: new Date('2026-03-02T06:00:00Z'),
  asOf: 2n,
  mappingId: null,
  timeZone: 'America/Mexico_City',
} as RunRow

/** Journals of so many seconds after the beginning of a day, past the triggers. */
const journals = ({ tenantId }: Merchant, from: number, to: number) =>
  pastTriggers(
    `with made as (
       insert into ledger_journals (tenant_id, id, source_type, source_id, entry_kind, currency, created_at, commit_order, booked_at)
       select $1, gen_random_uuid(), 'payment', gen_random_uuid(), 'capture', 'mxn', at.time, 1, at.time
       from generate_series($2::int, $3::int) n
       cross join lateral (select '2026-03-01 06:00Z'::timestamptz + n * interval '1 second' as time) at returning id)
     insert into ledger_postings select $1, m.id, p.line, 'mxn', p.code, p.amount
     from made m cross join (values (1, 'merchant_available', 100), (2, 'processor_clearing', -100)) p (line, code, amount)`,
    [tenantId, from, to],
  )

test('a page of a large report costs what its rows cost, however many follow', async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  const behind = { at: '2026-03-01T06:01:40.000Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
  const costs = async () => {
    await sql('analyze ledger_journals, ledger_postings')
    const all: number[] = []
    for (const type of ['poliza', 'iva_collected'] as const)
      all.push((await explained(merchant.tenantId, rowsOf({ ...run, type }, behind, 100))).buffers)
    return all
  }
  await journals(merchant, 1, 600)
  const few = await costs()
  await journals(merchant, 601, 12_000)
  const many = await costs()
  for (const [at, buffers] of many.entries()) expect(buffers, String(many)).toBeLessThan(few[at]! * 1.5)
})

test('lines of journals of one time are each in one page', async () => {
  const merchant = await newMerchant()
  writtenByHand(merchant.tenantId)
  for (const second of [1, 1, 1, 1, 1, 2]) await journals(merchant, second, second)
  const found: string[] = []
  for (let after: Parameters<typeof rowsOf>[1] = null; ; ) {
    const page: readonly FoundRow[] = await answered(
      merchant.tenantId,
      rowsOf({ ...run, type: 'poliza' }, after, 3),
    )
    found.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (!last) break
    after = { at: last.createdAt.toISOString(), id: last.id }
    expect(page).toHaveLength(3)
  }
  expect([found.length, new Set(found).size]).toEqual([12, 12])
})

test('a report without accounts reads no posting for its balances', async () => {
  const merchant = await newMerchant()
  const read = async (type: ReportTypeName) =>
    (await explained(merchant.tenantId, movedBy({ ...run, type }))).nodes.flatMap(
      (node) => node['Relation Name'] ?? [],
    )
  expect(await read('refunds')).toContain('ledger_postings')
  expect(await read('shifts')).not.toContain('ledger_postings')
})
