import { expect, test } from 'vitest'
import { call, type Merchant, newMerchant } from '../../support/merchant.ts'
import { funded, payOut, settlesAs } from '../../support/payouts.ts'
import { newScheduling } from '../../support/report-schedules.ts'
import { getReport, over, started } from '../../support/reporting.ts'
import { adminSql, trigger } from '../../support/stack.ts'

test.each([
  '2026-02-30T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-01-01T25:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
])('rows after %s, which is no time, are refused with the field', async (at) => {
  const merchant = await newMerchant()
  const run = await started(merchant, 'balance.activity')
  const path = `/runs/${run.id}/rows?after=${at}_${run.id}`
  const { status, body } = await getReport<{ error: object }>(merchant, path)
  expect([status, body.error]).toMatchObject([422, { code: 'parameter_invalid', param: 'after' }])
})

test.each([
  ['csv', 'text/csv; charset=utf-8'],
  ['jsonl', 'application/x-ndjson; charset=utf-8'],
])('a file in %s has its own type and name', async (format, type) => {
  const merchant = await newMerchant()
  const made = await started(merchant, 'balance.activity', '2026-03-01', '2026-03-01', { format })
  const run = await over(merchant, made)
  const file = await getReport<never>(merchant, `/runs/${run.id}/file`)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': type,
    'content-disposition': `attachment; filename="balance-activity_2026-03-01_2026-03-01.${format}"`,
  })
})

const statusesOf = async (merchant: Merchant) => {
  const run = await over(merchant, await started(merchant, 'payout.reconciliation'))
  const read = async () => {
    const path = `/runs/${run.id}/rows?limit=1000`
    const { body } = await getReport<{ data: { cells: Record<string, string | null> }[] }>(merchant, path)
    return body.data.map(({ cells }) => cells.payout_status)
  }
  return { now: await read(), read }
}

test('a payout that failed says so', async () => {
  const { merchant } = await funded([10_000], '11')
  const { body } = await payOut(merchant)
  await settlesAs(merchant, body.id, 'failed')
  expect((await statusesOf(merchant)).now).toEqual(['failed'])
})

test('a payout that came back says so in a run that is made after it, and a run of before keeps what it said', async () => {
  const { merchant } = await funded([10_000])
  const { body } = await payOut(merchant)
  await settlesAs(merchant, body.id, 'paid')
  const before = await statusesOf(merchant)
  expect(before.now).toEqual(['paid'])
  const bearer = merchant.apiKey
  const { status, text } = await call('POST', `/v1/sandbox/payouts/${body.id}/return`, { bearer, body: {} })
  expect(status, text).toBe(200)
  await settlesAs(merchant, body.id, 'returned')
  expect((await statusesOf(merchant)).now).toEqual(['returned'])
  expect(await before.read()).toEqual(['paid'])
})

test('a column that a report does not have is named, with those that may be meant', async () => {
  const { apiKey: bearer } = await newMerchant()
  const period = { from: '2026-03-01', to: '2026-03-01' }
  const { status, body } = await call<{ error: object }>('POST', '/v1/reporting/runs', {
    bearer,
    body: { type: 'fees_and_iva', period, columns: ['curency', 'fee'] },
  })
  expect([status, body.error]).toMatchObject([
    422,
    {
      code: 'report_column_unknown',
      param: 'columns.0',
      message: 'fees_and_iva has no column curency. Did you mean currency?',
    },
  ])
})

test.each(['/schedules', '/account-mapping', '/schedules?status=active'])(
  'a session that names no workspace at %s is told which field is missing',
  async (path) => {
    const { admin } = await newScheduling()
    const { status, body } = await call<{ error: object }>('GET', `/v1/reporting${path}`, {
      bearer: admin.token,
    })
    expect([status, body.error]).toMatchObject([422, { code: 'parameter_missing', param: 'tenant_id' }])
  },
)

test.each(['/v1/reporting/summary', '/v1/intelligence/acceptance'])(
  'days of %s in the wrong order are said to be so',
  async (path) => {
    const { apiKey: bearer } = await newMerchant()
    const days = 'begins_on=2026-03-02&ends_on=2026-03-01'
    const { status, body } = await call<{ error: object }>('GET', `${path}?${days}`, { bearer })
    expect([status, body.error]).toMatchObject([
      422,
      { code: 'parameter_invalid', message: 'A report must not end before it begins.' },
    ])
  },
)

test('a run whose file is removed has no time at which it is', async () => {
  const merchant = await newMerchant()
  const run = await over(merchant, await started(merchant, 'balance.activity', '2026-03-01'))
  expect(run).toHaveProperty('removes_at', expect.any(String))
  await adminSql('sandbox')('update report_runs set remove_at = now() where id = $1', [run.id])
  await expect
    .poll(() => trigger('sandbox').then(() => getReport(merchant, `/runs/${run.id}`)))
    .toMatchObject({ body: { status: 'expired', removes_at: null } })
})

test('a run of a day that goes on says until when it has what was booked', async () => {
  const { merchant } = await funded()
  const made = await started(merchant, 'poliza')
  expect(made.as_of).toBeNull()
  const { as_of, rows_count } = await over(merchant, made)
  await payOut(merchant)
  const [booked] = await adminSql('sandbox')<{ before: number; after: number }>(
    `select count(*) filter (where j.booked_at < $2)::int as before, count(*) filter (where j.booked_at >= $2)::int as after
     from ledger_journals j join ledger_postings p on p.tenant_id = j.tenant_id and p.journal_id = j.id
     where j.tenant_id = $1`,
    [merchant.tenantId, as_of],
  )
  expect(booked).toEqual({ before: rows_count, after: 2 })
})
