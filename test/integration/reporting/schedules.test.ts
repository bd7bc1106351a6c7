import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { join } from '../../support/customer.ts'
import { writtenByHand } from '../../support/kept-books.ts'
import { linkIn, noticesOf, received } from '../../support/mails.ts'
import { newPerson } from '../../support/members.ts'
import { call } from '../../support/merchant.ts'
import { funded, payOut, release } from '../../support/payouts.ts'
import { paidByCard } from '../../support/refunds.ts'
import {
  daily,
  daysPass,
  deliveriesOf,
  mailed,
  memberOf,
  newScheduling,
  overOf,
  runsOf,
  type Schedule,
  type Scheduling,
  scheduled,
  scheduleOf,
  scheduling,
  undone,
} from '../../support/report-schedules.ts'
import { getReport, today, verify } from '../../support/reporting.ts'
import { adminSql, stack, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const dayBefore = (day: string, days = 1) =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

test('a schedule makes one run of each day that is over, and says what it reports next', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  expect(schedule).toMatchObject({ status: 'active', next_period: { from: today, to: today } })
  await daysPass(schedule, 3)
  const runs = await overOf(of, schedule, 3)
  expect(runs.map(({ period }) => period.from)).toEqual([
    dayBefore(today),
    dayBefore(today, 2),
    dayBefore(today, 3),
  ])
  for (const run of runs) expect(run.status).toBe('succeeded')
  expect(await scheduleOf(of, schedule)).toMatchObject({ next_period: { from: today, to: today } })
  await trigger('sandbox')
  expect(await runsOf(of, schedule)).toHaveLength(3)
})

test('a weekly run is of the seven days before its day, a monthly one of a month', async () => {
  const of = await newScheduling()
  const week = await scheduled(of, { every: 'week', weekday: 1 })
  const month = await scheduled(of, { every: 'month' })
  const { from, to } = week.next_period!
  expect([new Date(from).getUTCDay(), new Date(to).getUTCDay()]).toEqual([1, 0])
  expect(from <= today && today <= to).toBe(true)
  expect(month.next_period!.from).toBe(`${today.slice(0, 8)}01`)
  await daysPass(week, 7)
  const [run] = await overOf(of, week, 1)
  expect(run!.period).toEqual({ from: dayBefore(from, 7), to: dayBefore(to, 7) })
})

test('a period is over when its last day is over in its zone, also where a day has 23 or 25 hours', async () => {
  const of = await newScheduling()
  const { id } = await scheduled(of, { time_zone: 'America/Tijuana' })
  const due = async (day: string) =>
    (
      await sql<{ due: string }>(
        `update report_schedules set next_from = $2, next_to = $2 where id = $1
         returning to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due`,
        [id, day],
      )
    )[0]!.due
  expect(await due('2026-03-07')).toBe('2026-03-08 08:00')
  expect(await due('2026-03-08')).toBe('2026-03-09 07:00')
  expect(await due('2026-10-31')).toBe('2026-11-01 07:00')
  expect(await due('2026-11-01')).toBe('2026-11-02 08:00')
})

test('fifty turns of the job at once make one run of a period', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  await daysPass(schedule, 1)
  await Promise.all(
    Array.from({ length: 50 }, async () => {
      await sql('update report_schedules set next_check_at = due_at where id = $1', [schedule.id])
      await trigger('sandbox')
    }),
  )
  expect(await overOf(of, schedule, 1)).toHaveLength(1)
  const twice = sql(
    `insert into report_runs select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
     from report_runs r where r.schedule_id = $1`,
    [schedule.id],
  )
  await expect(twice).rejects.toMatchObject({ constraint: 'report_runs_one_of_period' })
})

test('each payout has a run of its own, whose rows sum to it', async () => {
  const of = await newScheduling()
  const { merchant } = await funded([10_000, 20_000], '11')
  await join(of.admin, merchant, 'admin')
  const own = { ...of, merchant }
  const schedule = await scheduled(own, { type: 'payout.reconciliation', every: 'payout' })
  expect(schedule.next_period).toBeNull()
  const first = await payOut(merchant)
  await overOf(own, schedule, 1)
  await paidByCard(merchant, { amount: 50_000 })
  await release(merchant)
  const second = await payOut(merchant)
  const runs = await overOf(own, schedule, 2)
  for (const [at, { body: payout }] of [second, first].entries()) {
    const run = runs[at]!
    expect(run).toMatchObject({ status: 'succeeded', payout_id: payout.id, period: { from: today } })
    const { body } = await getReport<{ data: { cells: { amount: string; payout_id: string } }[] }>(
      merchant,
      `/runs/${run.id}/rows`,
    )
    expect(new Set(body.data.map(({ cells }) => cells.payout_id))).toEqual(new Set([payout.id]))
    expect(body.data.reduce((sum, { cells }) => sum + Number(cells.amount), 0)).toBe(Number(payout.amount))
    expect((await verify(merchant, run)).body).toMatchObject({ equal: true })
  }
  await trigger('sandbox')
  expect(await runsOf(own, schedule)).toHaveLength(2)
})

test('a recipient is mailed a link, which opens the file while they are a member and it is kept', async () => {
  const { of, reader, run, read } = await mailed()
  const { mail, opened } = await read()
  expect(mail.text).not.toContain(run.id)
  const file = await opened()
  expect(file.status).toBe(200)
  expect(
    createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex'),
  ).toBe(run.sha256)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-disposition': `attachment; filename="balance-activity_${run.period.from}_${run.period.to}.csv"`,
    'content-type': 'text/csv; charset=utf-8',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
  })
  const changed = `${linkIn(mail).slice(0, -1)}${linkIn(mail).endsWith('0') ? '1' : '0'}`
  expect((await fetch(stack.sandbox.directUrl + changed)).status).toBe(410)
  const membership = (status: string) =>
    sql('update memberships set status = $3 where tenant_id = $1 and user_id = $2', [
      of.merchant.tenantId,
      reader.userId,
      status,
    ])
  await membership('removed')
  expect((await opened()).status).toBe(410)
  await membership('active')
  expect((await opened()).status).toBe(200)
  await sql('update report_runs set remove_at = now() where id = $1', [run.id])
  await trigger('sandbox')
  expect((await opened()).status).toBe(410)
})

test('one who has left, and one whose address is not confirmed any more, get nothing', async () => {
  const of = await newScheduling()
  const [left, unconfirmed] = [await newPerson(), await newPerson()]
  for (const person of [left, unconfirmed]) await join(person, of.merchant, 'member')
  const recipients = [await memberOf(of, left), await memberOf(of, unconfirmed)]
  const schedule = await scheduled(of, { recipients })
  await sql(`update memberships set status = 'removed' where user_id = $1`, [left.userId])
  await adminSql('identity')('update users set email_verified = false where id = $1', [unconfirmed.userId])
  await daysPass(schedule, 1)
  const [run] = await overOf(of, schedule, 1)
  await expect
    .poll(() => trigger('sandbox').then(() => deliveriesOf(of.merchant)))
    .toMatchObject([
      { status: 'withheld', withheld_for: 'address_unconfirmed' },
      { status: 'withheld', withheld_for: 'member_left' },
    ])
  const { body: told } = await getReport<{ data: object[] }>(of.merchant, `/runs/${run!.id}/deliveries`)
  const shown = { object: 'report_delivery', run_id: run!.id, status: 'withheld' }
  expect(told.data).toHaveLength(2)
  expect(told.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...shown, member_id: recipients[0], withheld_for: 'member_left' }),
      expect.objectContaining({ ...shown, member_id: recipients[1], withheld_for: 'address_unconfirmed' }),
    ]),
  )
  expect(await sql('select from outgoing_mails where tenant_id = $1', [of.merchant.tenantId])).toEqual([])
})

test('one whom the schedule does not name any more gets no mail with a dead link', async () => {
  const of = await newScheduling()
  const [named, unnamed] = [await newPerson(), await newPerson()]
  for (const person of [named, unnamed]) await join(person, of.merchant, 'member')
  const schedule = await scheduled(of, { recipients: [await memberOf(of, named)] })
  await daysPass(schedule, 1)
  const [run] = await overOf(of, schedule, 1)
  await sql(
    `insert into report_deliveries (tenant_id, id, run_id, member_id, status, next_check_at, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, $3, 'waiting', now(), now(), now())`,
    [of.merchant.tenantId, run!.id, await memberOf(of, unnamed)],
  )
  await expect
    .poll(() => trigger('sandbox').then(() => deliveriesOf(of.merchant)))
    .toMatchObject([
      { status: 'withheld', withheld_for: 'unnamed' },
      { status: 'mailed', withheld_for: null },
    ])
})

test('a schedule stops when its author has left; another admin resumes it, and owners are mailed', async () => {
  const of = await newScheduling()
  const owner = await newPerson()
  await join(owner, of.merchant, 'owner')
  const schedule = await scheduled(of)
  await sql(`update memberships set status = 'removed' where tenant_id = $1 and user_id = $2`, [
    of.merchant.tenantId,
    of.admin.userId,
  ])
  await daysPass(schedule, 1)
  await trigger('sandbox')
  expect(await scheduleOf(of, schedule)).toMatchObject({ status: 'paused', paused_for: 'creator_left' })
  expect(await runsOf(of, schedule)).toEqual([])
  expect(await noticesOf(of.merchant.tenantId)).toEqual(['report_paused'])
  const { body: events } = await call<{ data: { type: string }[] }>(
    'GET',
    '/v1/webhooks/events?type=report_schedule.paused',
    { bearer: of.merchant.apiKey },
  )
  expect(events.data).toHaveLength(1)
  await trigger('sandbox')
  const subjects = (await received(owner.email, 2)).map(({ subject }) => subject)
  expect(subjects.filter((each) => /stopped|se detuvo/.test(each))).toHaveLength(1)
  const other = await newPerson()
  await join(other, of.merchant, 'admin')
  const { body: resumed } = await scheduling({ ...of, admin: other }, 'POST', `/${schedule.id}/resume`)
  expect(resumed).toMatchObject({
    status: 'active',
    paused_for: null,
    author: { user_id: other.userId },
    next_period: { from: today, to: today },
  })
})

test('three runs that fail in a row pause it, one that succeeds begins the count again', async () => {
  const of = await newScheduling()
  const { merchant } = of
  const schedule = await scheduled(of)
  writtenByHand(merchant.tenantId)
  /** How far the balance is from its postings: a run of any day fails by it. */
  const wrongBy = (minor: number) =>
    sql(
      `insert into ledger_accounts values ($1, 'mxn', 'merchant_available', $2)
       on conflict (tenant_id, currency, code) do update set balance_minor = $2`,
      [merchant.tenantId, minor],
    )
  await wrongBy(1)
  await daysPass(schedule, 1)
  await overOf(of, schedule, 1)
  const { body: events } = await call<{ data: { data: { object: object } }[] }>(
    'GET',
    '/v1/webhooks/events?type=report_run.failed',
    { bearer: merchant.apiKey },
  )
  // From the first one on, an event tells of it.
  expect(events.data.map(({ data }) => data.object)).toMatchObject([
    { schedule_id: schedule.id, failure: 'report_unbalanced' },
  ])
  await daysPass(schedule, 2)
  await overOf(of, schedule, 2)
  expect((await scheduleOf(of, schedule)).status).toBe('active')
  await wrongBy(0)
  await daysPass(schedule, 3)
  expect((await overOf(of, schedule, 3))[0]).toMatchObject({ status: 'succeeded' })
  await wrongBy(1)
  await daysPass(schedule, 5)
  await overOf(of, schedule, 5)
  expect((await scheduleOf(of, schedule)).status).toBe('active')
  await daysPass(schedule, 6)
  await overOf(of, schedule, 6)
  expect(await scheduleOf(of, schedule)).toMatchObject({ status: 'paused', paused_for: 'failures' })
  expect(await noticesOf(merchant.tenantId)).toEqual(['report_paused'])
})

test('PUT replaces what it says and resumes it, DELETE ends it for good', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  await sql(`update report_schedules set status = 'paused', paused_for = 'failures' where id = $1`, [
    schedule.id,
  ])
  const put = (body: object = {}) => scheduling(of, 'PUT', `/${schedule.id}`, { ...daily, ...body })
  const { body: changed } = await put({ every: 'week', weekday: 3, format: 'jsonl' })
  expect(changed).toMatchObject({ status: 'active', every: 'week', weekday: 3, format: 'jsonl' })
  await undone(schedule, 14)
  const { status, body: deleted } = await scheduling(of, 'DELETE', `/${schedule.id}`)
  expect([status, deleted.status, deleted.next_period, deleted.recipients]).toEqual([
    200,
    'deleted',
    null,
    [],
  ])
  const refused = [
    await put(),
    await scheduling(of, 'POST', `/${schedule.id}/resume`),
    await scheduling(of, 'DELETE', `/${schedule.id}`),
  ]
  for (const reply of refused)
    expect([reply.status, reply.body.error?.code]).toEqual([409, 'report_schedule_deleted'])
  await sql('update report_schedules set next_check_at = due_at where id = $1', [schedule.id])
  await trigger('sandbox')
  expect(await runsOf(of, schedule)).toEqual([])
})

test('the clock of the sandbox brings the next run nearer', async () => {
  const of = await newScheduling()
  const schedule = await scheduled(of)
  const { status, text } = await call('POST', '/v1/sandbox/clock', {
    bearer: of.merchant.apiKey,
    body: { advance: 'P1D' },
  })
  expect(status, text).toBe(200)
  const [run] = await overOf(of, schedule, 1)
  expect(run!.period).toEqual({ from: today, to: today })
})

const refusals: [string, (of: Scheduling) => object | Promise<object>, string, string | null][] = [
  ['a week without its day', () => ({ every: 'week' }), 'parameter_missing', 'weekday'],
  ['a day of the week without a week', () => ({ weekday: 1 }), 'parameter_invalid', 'weekday'],
  ['another report with each payout', () => ({ every: 'payout' }), 'parameter_invalid', 'type'],
  ['a stranger', () => ({ recipients: [crypto.randomUUID()] }), 'member_not_found', 'recipients.0'],
  [
    'a member of another workspace',
    async () => {
      const other = await newScheduling()
      return { recipients: [await memberOf(other, other.admin)] }
    },
    'member_not_found',
    'recipients.0',
  ],
  [
    'a member without a confirmed address',
    async ({ merchant }) => {
      const [member] = await sql<{ id: string }>(
        'select id from memberships where tenant_id = $1 and user_id = $2',
        [merchant.tenantId, merchant.ownerId],
      )
      return { recipients: [member!.id] }
    },
    'report_recipient_unconfirmed',
    'recipients.0',
  ],
]
test.each(refusals)('%s is refused by its own error', async (_, wrong, code, param) => {
  const of = await newScheduling()
  const { body } = await scheduling(of, 'POST', '', { ...daily, ...(await wrong(of)) })
  expect([body.error?.code, body.error?.param]).toEqual([code, param])
})

test('a workspace has twenty schedules, also where fifty are asked for at once', async () => {
  const of = await newScheduling()
  const replies = await Promise.all(Array.from({ length: 50 }, () => scheduling(of, 'POST', '', daily)))
  const made: Schedule[] = replies.filter(({ status }) => status === 201).map(({ body }) => body)
  expect(made).toHaveLength(20)
  const codes = new Set(replies.filter(({ status }) => status !== 201).map(({ body }) => body.error?.code))
  expect([...codes]).toEqual(['report_schedule_limit_reached'])
  await scheduling(of, 'DELETE', `/${made[0]!.id}`)
  expect((await scheduling(of, 'POST', '', daily)).status).toBe(201)
})
