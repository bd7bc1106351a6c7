import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { mailsTo } from '../../local/mailbox.ts'
import type { Json } from '../../src/kernel/json.ts'
import { type Customer, join } from './customer.ts'
import { linkIn } from './mails.ts'
import { memberIdOf, newPerson } from './members.ts'
import { call, type Merchant, newMerchant, type Reply } from './merchant.ts'
import { getReport, type Run } from './reporting.ts'
import { adminSql, stack, trigger } from './stack.ts'

const sql = adminSql('sandbox')

export type Schedule = {
  id: string
  status: string
  paused_for: string | null
  every: string
  weekday: number | null
  recipients: string[]
  next_period: { from: string; to: string } | null
  author: { user_id: string }
  version: number
  error?: { code: string; param: string | null }
}

export interface Scheduling {
  readonly merchant: Merchant
  readonly admin: Customer
}

let signedUp: Promise<Customer> | undefined

/** A fresh workspace, and an admin with a confirmed address: one for the whole file. */
export async function newScheduling(): Promise<Scheduling> {
  signedUp ??= newPerson()
  const [admin, merchant] = [await signedUp, await newMerchant()]
  await join(admin, merchant, 'admin')
  return { merchant, admin }
}

export const daily = { name: 'Each day', type: 'balance.activity', every: 'day', recipients: [] as string[] }

/** A request of the admin's about the schedules. */
export const scheduling = (
  { merchant, admin }: Scheduling,
  method: 'POST' | 'PUT' | 'DELETE',
  path = '',
  body: Record<string, Json> = {},
): Promise<Reply<Schedule>> =>
  method === 'DELETE'
    ? call('DELETE', `/v1/reporting/schedules${path}?tenant_id=${merchant.tenantId}`, {
        bearer: admin.token,
        headers: { 'idempotency-key': randomUUID() },
      })
    : call(method, `/v1/reporting/schedules${path}`, {
        bearer: admin.token,
        headers: { 'idempotency-key': randomUUID() },
        body: { tenant_id: merchant.tenantId, ...body },
      })

export async function scheduled(of: Scheduling, body: Record<string, Json> = {}): Promise<Schedule> {
  const reply = await scheduling(of, 'POST', '', { ...daily, ...body })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/** As if so many days had gone by while no job ran. */
export const undone = ({ id }: { readonly id: string }, days: number) =>
  sql(`do $$ begin
    update report_schedules set next_from = next_from - ${days}, next_to = next_to - ${days}, version = version + 1
    where id = '${id}';
    update report_schedules set next_check_at = now() + interval '1 hour' where id = '${id}';
  end $$`)

export const scheduleOf = async ({ merchant }: Scheduling, { id }: { readonly id: string }) =>
  (await getReport<Schedule>(merchant, `/schedules/${id}`)).body

/** As if so many days had gone by: its next period lies as far back, and so does the time at which it is due. */
export const daysPass = ({ id }: { readonly id: string }, days: number) =>
  sql(
    `update report_schedules set next_from = next_from - $2::int, next_to = next_to - $2::int, version = version + 1
     where id = $1`,
    [id, days],
  )

export const runsOf = async ({ merchant }: Scheduling, { id }: { readonly id: string }) =>
  (
    await getReport<{ data: (Run & { period: { from: string; to: string }; payout_id: string | null })[] }>(
      merchant,
      `/runs?limit=100&schedule_id=${id}`,
    )
  ).body.data

/** Runs of the jobs until this many runs of a schedule are over; the newest first. */
export async function overOf(of: Scheduling, schedule: { readonly id: string }, count: number) {
  await expect
    .poll(
      async () => {
        await sql(
          `update report_runs set next_check_at = now() where schedule_id = $1 and next_check_at is not null`,
          [schedule.id],
        )
        await sql(`update report_schedules set next_check_at = due_at where id = $1 and due_at is not null`, [
          schedule.id,
        ])
        await trigger('sandbox')
        return (await runsOf(of, schedule)).filter(({ status }) => !/queued|running/.test(status)).length
      },
      { timeout: 60_000 },
    )
    .toBe(count)
  return runsOf(of, schedule)
}

/** What became of who is mailed a run. */
export const deliveriesOf = (merchant: Merchant) =>
  sql<{ id: string; status: string; withheld_for: string | null }>(
    'select id, status, withheld_for from report_deliveries where tenant_id = $1 order by withheld_for',
    [merchant.tenantId],
  )

export const memberOf = ({ merchant }: Scheduling, person: Customer) => memberIdOf(person, merchant)

/** A workspace with a daily schedule that mails one person, and its first run. */
export async function mailed() {
  const of = await newScheduling()
  const reader = await newPerson()
  await join(reader, of.merchant, 'member')
  const schedule = await scheduled(of, {
    recipients: [await memberOf(of, reader)],
    time_zone: 'America/Tijuana',
  })
  await daysPass(schedule, 1)
  const [run] = await overOf(of, schedule, 1)
  await expect
    .poll(() => trigger('sandbox').then(() => deliveriesOf(of.merchant)))
    .toMatchObject([{ status: 'mailed' }])
  return { of, reader, schedule, run: run!, read: () => readMail(reader.email) }
}

/** The one mail about a report that a person got, and what its link answers. */
async function readMail(to: string) {
  const reports = async () =>
    (await mailsTo(stack.mailboxUrl, to)).filter(({ subject }) => /reporte|report/.test(subject))
  await expect.poll(() => trigger('sandbox').then(reports), { timeout: 30_000 }).toHaveLength(1)
  const mail = (await reports())[0]!
  return { mail, opened: () => fetch(stack.sandbox.directUrl + linkIn(mail)) }
}
