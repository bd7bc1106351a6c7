import { expect, test } from 'vitest'
import { reportTypeNames } from '../../../drizzle/schema/reporting.ts'
import { newMerchant } from '../../support/merchant.ts'
import { atRegisters, newCounter, openShift } from '../../support/registers.ts'
import { getReport, over, type Run, started, type Verified, verify } from '../../support/reporting.ts'
import { adminSql, trigger } from '../../support/stack.ts'
import { newWorld, take } from '../money/world.ts'

const sql = adminSql('sandbox')

const equal = { equal: true, file: 'equal', differences: [] }

/** A workspace with some money in its books. */
async function busy() {
  const world = await newWorld()
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 90_000, months: 3 })
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 30_000, months: 1 })
  await take(world, { kind: 'clock', hours: 168 })
  await take(world, { kind: 'payout' })
  return world
}

test('every report is as its run says, also after the day went on', async () => {
  const world = await busy()
  const { merchant } = world
  const runs: Run[] = []
  for (const type of reportTypeNames) runs.push(await over(merchant, await started(merchant, type)))
  await take(world, { kind: 'card', token: 'tok_sbx_approve', manual: false, amount: 70_000, months: 1 })
  await take(world, { kind: 'dashboard_refund', which: 0, part: 'third' })
  for (const [at, run] of runs.entries()) {
    const { status, body } = await verify(merchant, run)
    expect([status, body], reportTypeNames[at]).toMatchObject([200, equal])
  }
})

test('a shift that is closed later is in no run that was made before', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const first = await openShift(counter, '10000')
  await atRegisters(merchant, 'POST', `/shifts/${first.id}/close`, { amount_counted: '9000' })
  const run = await over(merchant, await started(merchant, 'shifts'))
  const next = await openShift(counter)
  await atRegisters(merchant, 'POST', `/shifts/${next.id}/close`, { amount_counted: '1' })
  expect(run.rows_count).toBe(1)
  expect((await verify(merchant, run)).body).toMatchObject(equal)
})

test('a shift whose end is booked after a run is in none of its rows, whatever its Worker’s clock said', async () => {
  const counter = await newCounter()
  const { merchant } = counter
  const late = await openShift(counter, '10000')
  const run = await over(merchant, await started(merchant, 'shifts'))
  // As of a Worker that took the time before the run and published after it.
  await sql(
    `update register_shifts set status = 'closed', counted_minor = 9000, unsettled_count = 0, version = version + 1,
       closed_at = (select created_at - interval '1 second' from report_runs where id = $2) where id = $1`,
    [late.id, run.id],
  )
  expect((await verify(merchant, run)).body).toMatchObject(equal)
  const next = await openShift(counter)
  await atRegisters(merchant, 'POST', `/shifts/${next.id}/close`, { amount_counted: '1' })
  expect((await over(merchant, await started(merchant, 'shifts'))).rows_count).toBe(2)
})

test('nothing is written', async () => {
  const merchant = await newMerchant()
  const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
  const written = () =>
    sql(
      `select (select max(version) from report_runs where id = $2) as version,
        (select count(*) from audit_events where tenant_id = $1) as audited`,
      [merchant.tenantId, run.id],
    )
  const before = await written()
  expect((await verify(merchant, run)).body).toMatchObject(equal)
  expect(await written()).toEqual(before)
})

test.each([
  ['opening', `opening = '{"mxn": "5"}'`, { figure: 'opening', currency: 'mxn', stored: '5', found: '0' }],
  ['closing', `closing = '{"mxn": "7"}'`, { figure: 'closing', currency: 'mxn', stored: '7', found: '0' }],
  ['sum', `sums = sums || '{"usd": "7"}'`, { figure: 'sum', currency: 'usd', stored: '7', found: '0' }],
  ['rows_count', `rows_count = rows_count + 1`, { figure: 'rows_count', currency: null }],
])('a stored %s that is damaged is named', async (_, set, difference) => {
  const { merchant } = await busy()
  const run = await over(merchant, await started(merchant, 'balance.activity'))
  await sql(`update report_runs set ${set} where id = $1`, [run.id])
  const { body } = await verify(merchant, run)
  expect(body).toMatchObject({ equal: false, file: 'equal', differences: [difference] })
})

test('a file whose time is over is removed, before and after the job has done it', async () => {
  const merchant = await newMerchant()
  const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
  await sql('update report_runs set remove_at = now() where id = $1', [run.id])
  for (const _ of ['before', 'after']) {
    expect((await verify(merchant, run)).body).toMatchObject({ ...equal, file: 'removed' })
    expect((await getReport<Verified>(merchant, `/runs/${run.id}/file`)).body.error?.code).toBe(
      'report_file_expired',
    )
    await trigger('sandbox')
  }
})

test('a run that has not succeeded, or is of another workspace, is not verified', async () => {
  const [merchant, other] = [await newMerchant(), await newMerchant()]
  const run = await started(merchant, 'balance.activity', '2026-03-01')
  const refused = async (by: typeof merchant) => {
    const { status, body } = await verify(by, run)
    return [status, body.error?.code]
  }
  await sql(`update report_runs set next_check_at = now() + interval '1 hour' where id = $1`, [run.id])
  expect(await refused(merchant)).toEqual([409, 'report_run_unfinished'])
  expect(await refused(other)).toEqual([404, 'report_run_not_found'])
  for (const part of ['', '/rows', '/file']) {
    const { status, body } = await getReport<Verified>(other, `/runs/${run.id}${part}`)
    expect([status, body.error?.code], part).toEqual([404, 'report_run_not_found'])
  }
})
