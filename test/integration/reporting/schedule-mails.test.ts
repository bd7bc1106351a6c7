import { expect, test } from 'vitest'
import { join } from '../../support/customer.ts'
import { newPerson } from '../../support/members.ts'
import {
  daily,
  daysPass,
  deliveriesOf,
  mailed,
  memberOf,
  newScheduling,
  overOf,
  scheduled,
  scheduling,
} from '../../support/report-schedules.ts'
import { adminSql, trigger } from '../../support/stack.ts'

const sql = adminSql('sandbox')

const mailsOf = (tenantId: string) =>
  sql<{ status: string; dropped_for: string | null }>(
    `select status, dropped_for from outgoing_mails where tenant_id = $1 and kind = 'report_ready'`,
    [tenantId],
  )

test('twelve schedules that end together mail one member twelve times', async () => {
  const of = await newScheduling()
  const reader = await newPerson()
  await join(reader, of.merchant, 'member')
  const recipients = [await memberOf(of, reader)]
  for (let at = 0; at < 12; at++) await daysPass(await scheduled(of, { recipients }), 1)
  await expect
    .poll(() => trigger('sandbox').then(() => mailsOf(of.merchant.tenantId)), { timeout: 60_000 })
    .toHaveLength(12)
  expect((await mailsOf(of.merchant.tenantId)).filter(({ dropped_for }) => dropped_for !== null)).toEqual([])
})

test('within a day a mailbox gets forty reports of a workspace, and no other cause loses any for them', async () => {
  const { merchant } = await newScheduling()
  const written = (kind: string, hours: number) =>
    sql(
      `insert into outgoing_mails (tenant_id, id, kind, locale, recipient, data, status, next_check_at, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'en', $3, '{}', 'waiting', now() + interval '1 hour',
         now() - $4 * interval '1 hour', now()) returning dropped_for`,
      [merchant.tenantId, kind, `${merchant.tenantId}@example.com`, hours],
    )
  for (let at = 0; at < 40; at++)
    expect(await written('report_ready', at % 20)).toEqual([{ dropped_for: null }])
  expect(await written('report_ready', 0)).toEqual([{ dropped_for: 'recipient_limit' }])
  expect(await written('payment_receipt', 0)).toEqual([{ dropped_for: null }])
})

test('a link ends for good when its schedule names the member no more; a member named again gets the next report', async () => {
  const { of, reader, schedule, read } = await mailed()
  const { opened } = await read()
  const put = async (recipients: string[]) =>
    expect(
      (await scheduling(of, 'PUT', `/${schedule.id}`, { ...daily, time_zone: 'America/Tijuana', recipients }))
        .status,
    ).toBe(200)
  const member = await memberOf(of, reader)
  expect((await opened()).status).toBe(200)
  await put([])
  expect((await opened()).status).toBe(410)
  await put([member])
  expect((await opened()).status).toBe(410)
  await daysPass(schedule, 2)
  await overOf(of, schedule, 2)
  await expect
    .poll(() => trigger('sandbox').then(() => deliveriesOf(of.merchant)))
    .toMatchObject([{ status: 'mailed' }, { status: 'mailed' }])
  expect((await opened()).status).toBe(410)
})

test('a link that was written while its member was taken out opens nothing', async () => {
  const { of, schedule, read } = await mailed()
  const { opened } = await read()
  await scheduling(of, 'PUT', `/${schedule.id}`, { ...daily, time_zone: 'America/Tijuana', recipients: [] })
  // As its row stands where the run ended at the same time.
  await sql('update report_deliveries set ended_at = null where tenant_id = $1', [of.merchant.tenantId])
  expect((await opened()).status).toBe(410)
})

test('a link works while the schedule names its member, and ends when that is deleted', async () => {
  const { of, reader, schedule, read } = await mailed()
  const { opened } = await read()
  const named = { ...daily, time_zone: 'America/Tijuana', recipients: [await memberOf(of, reader)] }
  await scheduling(of, 'PUT', `/${schedule.id}`, { ...named, name: 'Another name' })
  expect((await opened()).status).toBe(200)
  await scheduling(of, 'DELETE', `/${schedule.id}`)
  expect((await opened()).status).toBe(410)
})

test('a mail that is not written when its member is named no more is withheld, also when they are named again', async () => {
  const { of, reader, schedule } = await mailed()
  const recipients = [await memberOf(of, reader)]
  const named = { ...daily, time_zone: 'America/Tijuana' }
  await sql(
    `update report_deliveries set status = 'waiting', next_check_at = now() + interval '1 hour' where tenant_id = $1`,
    [of.merchant.tenantId],
  )
  await scheduling(of, 'PUT', `/${schedule.id}`, { ...named, recipients: [] })
  await scheduling(of, 'PUT', `/${schedule.id}`, { ...named, recipients })
  await sql('update report_deliveries set next_check_at = now() where tenant_id = $1', [of.merchant.tenantId])
  await expect
    .poll(() => trigger('sandbox').then(() => deliveriesOf(of.merchant)))
    .toMatchObject([{ status: 'withheld', withheld_for: 'unnamed' }])
})

test('a link ends with the time of its file, before the job has removed it', async () => {
  const { run, read } = await mailed()
  const { opened } = await read()
  expect((await opened()).status).toBe(200)
  await sql('update report_runs set remove_at = now() where id = $1', [run.id])
  expect((await opened()).status).toBe(410)
})

test('the mail about a report of the sandbox says that it is a test', async () => {
  const { mail } = await (await mailed()).read()
  expect(mail.text).toMatch(/Modo de prueba|Test mode/)
})

test('the run and the member of a link never change', async () => {
  const { of } = await mailed()
  const [delivery] = await deliveriesOf(of.merchant)
  for (const column of ['run_id', 'member_id'])
    await expect(
      sql(`update report_deliveries set ${column} = gen_random_uuid() where id = $1`, [delivery!.id]),
    ).rejects.toMatchObject({ code: 'SP460' })
})
