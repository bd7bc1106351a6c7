import { expect, test } from 'vitest'
import type { ReportTypeName } from '../../../drizzle/schema/reporting.ts'
import { type RunRow, rowsOf } from '../../../functions/insight/reporting/store.ts'
import { dispute, reconsider, resolve } from '../../support/disputes.ts'
import { answered } from '../../support/explain.ts'
import { type Merchant, newMerchant } from '../../support/merchant.ts'
import { paidByCard, paidInCash, refund, refundOf } from '../../support/refunds.ts'
import { getReport, over, started, verify } from '../../support/reporting.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

type Cells = Record<string, string | null>

/** The rows of a run of today, each as its kind and two of its columns; the run balances and verifies. */
async function shownOf(merchant: Merchant, type: string, column: string) {
  const run = await over(merchant, await started(merchant, type))
  expect(run).toMatchObject({ status: 'succeeded', failure: null })
  expect((await verify(merchant, run)).body).toMatchObject({ equal: true })
  const { body } = await getReport<{ data: { cells: Cells }[] }>(merchant, `/runs/${run.id}/rows`)
  const shown = body.data.map(({ cells }) => `${cells.entry_kind} ${cells[column]} ${cells.balance}`)
  return { run, shown }
}

/** A run as its row is. */
async function placed({ id }: { readonly id: string }): Promise<RunRow> {
  const [row] = await sql<{ type: ReportTypeName; starts: string; ends: string; as_of: string }>(
    'select type, starts_at::text as starts, ends_at::text as ends, as_of::text from report_runs where id = $1',
    [id],
  )
  const { type, starts, ends, as_of } = row!
  return { type, startsAt: new Date(starts), endsAt: new Date(ends), asOf: BigInt(as_of) } as RunRow
}

test('a refund that the bank sends back is a row, with what you have again; a run of before does not show it', async () => {
  const merchant = await newMerchant()
  const destination = { clabe: '646180000000000177', holder: 'Ana Torres' }
  const { body } = await refund(merchant, { payment_id: await paidInCash(merchant), destination })
  await expect
    .poll(async () => {
      await sql(`update refunds set next_check_at = now() where id = $1 and next_check_at is not null`, [
        body.id,
      ])
      await trigger('sandbox')
      return (await refundOf(merchant, body.id)).status
    })
    .toBe('failed')
  const { amount } = await refundOf(merchant, body.id)
  const { run, shown } = await shownOf(merchant, 'refunds', 'in_flight')
  expect(shown).toEqual([
    `refund ${amount} -${amount}`,
    `refund_paid -${amount} 0`,
    `refund_returned 0 ${amount}`,
  ])
  const before = { ...(await placed(run)), typeVersion: 1 }
  expect(await answered(merchant.tenantId, rowsOf(before, null, 100))).toHaveLength(2)
})

test('what a bank gives back of a lost dispute is a row, and its fees are in none', async () => {
  const merchant = await newMerchant()
  const { body } = await dispute(merchant, await paidByCard(merchant), { amount: '6000' })
  await resolve(merchant, body.id, 'lost')
  await reconsider(merchant, body.id, 'won')
  const { run, shown } = await shownOf(merchant, 'disputes', 'held')
  expect(shown).toEqual(['hold 6000 -6000', 'lost -6000 0', 'overturned 0 6000'])
  const before = { ...(await placed(run)), typeVersion: 1 }
  expect(await answered(merchant.tenantId, rowsOf(before, null, 100))).toHaveLength(2)
})
