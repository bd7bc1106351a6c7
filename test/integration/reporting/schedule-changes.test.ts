import { expect, test } from 'vitest'
import { newMerchant } from '../../support/merchant.ts'
import { keyOf } from '../../support/postgres.ts'
import {
  daily,
  newScheduling,
  overOf,
  scheduled,
  scheduleOf,
  scheduling,
  undone,
} from '../../support/report-schedules.ts'
import { over, started, today } from '../../support/reporting.ts'
import { adminSql } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const dayBefore = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)

test('PUT loses no period that is over and has no run yet', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  await undone(schedule, 2)
  const weekday = new Date(dayBefore(1)).getUTCDay() || 7
  const { status } = await scheduling(of, 'PUT', `/${schedule.id}`, { ...daily, every: 'week', weekday })
  expect(status).toBe(200)
  const [run] = await overOf(of, schedule, 1)
  expect(run!.period).toEqual({ from: dayBefore(2), to: dayBefore(2) })
  expect(await scheduleOf(of, schedule)).toMatchObject({
    next_period: { from: dayBefore(1), to: dayBefore(-5) },
  })
})

test('PUT loses no payout that has no run yet, whatever the zone', async () => {
  const of = await newScheduling()
  const body = { ...daily, type: 'payout.reconciliation', every: 'payout' }
  const { id } = await scheduled(of, body)
  const kept = () =>
    sql(
      `select payouts_since::text, due_at > now() + interval '30 minutes' as is_due from report_schedules where id = $1`,
      [id],
    )
  await sql(
    `update report_schedules set due_at = now() + interval '1 hour', next_check_at = now() + interval '1 hour',
       payouts_since = now() - interval '3 hours' where id = $1`,
    [id],
  )
  await sql(
    `update report_schedules set due_at = now() + interval '1 hour', next_check_at = now() + interval '1 hour' where id = $1`,
    [id],
  )
  const before = await kept()
  expect(before).toMatchObject([{ is_due: true }])
  await scheduling(of, 'PUT', `/${id}`, { ...body, time_zone: 'America/Tijuana' })
  expect(await kept()).toEqual(before)
})

test('a run is looked for a minute after its period is over, by when the clocks of all Workers say so', async () => {
  const of = await newScheduling()
  const { id } = await scheduled(of)
  expect(
    await sql('select (next_check_at - due_at)::text as later from report_schedules where id = $1', [id]),
  ).toEqual([{ later: '00:01:00' }])
})

test('in live the database makes no run of a period that is not over by its own clock', async () => {
  const [of, live] = [await newScheduling(), await newMerchant({ environment: 'live' })]
  const schedule = await scheduled(of)
  const run = await over(of.merchant, await started(of.merchant, 'balance.activity', dayBefore(1)))
  const copied = async (table: string, id: string, set: object) => {
    const [found] = await sql<{ row: object }>(`select to_jsonb(t) as row from ${table} t where id = $1`, [
      id,
    ])
    await adminSql('live')(
      `insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`,
      [JSON.stringify({ ...found!.row, tenant_id: keyOf(live.tenantId), ...set })],
    )
  }
  await copied('report_schedules', schedule.id, { next_from: '2099-01-01', next_to: '2099-01-01' })
  const made = (day: string) =>
    copied('report_runs', run.id, {
      id: crypto.randomUUID(),
      schedule_id: schedule.id,
      period_from: day,
      period_to: day,
      remove_at: '2099-01-01T00:00:00Z',
    })
  await expect(made(today)).rejects.toMatchObject({ constraint: 'report_runs_period_over' })
  await made(dayBefore(1))
  await expect(made(dayBefore(1))).rejects.toMatchObject({ constraint: 'report_runs_one_of_period' })
})

test('a period whose run was canceled has one made', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  const run = await over(of.merchant, await started(of.merchant, 'balance.activity', dayBefore(1)))
  const canceled = {
    id: crypto.randomUUID(),
    schedule_id: schedule.id,
    status: 'canceled',
  }
  await sql(
    'insert into report_runs select (jsonb_populate_record(r, $2::jsonb)).* from report_runs r where r.id = $1',
    [run.id, JSON.stringify(canceled)],
  )
  await undone(schedule, 1)
  const runs = await overOf(of, schedule, 2)
  expect(runs.map(({ status }) => status).sort()).toEqual(['canceled', 'succeeded'])
})
