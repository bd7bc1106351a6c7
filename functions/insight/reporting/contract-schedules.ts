import * as z from 'zod'
import { reportSchedules } from '../../../drizzle/schema/reporting.ts'
import { contract, decides, reads } from '../../../src/http/contract.ts'
import { exampleOf, shown } from '../../../src/http/contract-resource.ts'
import { freeText, one, paged, tenantId, uuid } from '../../../src/http/schemas.ts'
import { amounts, format, tag, timeZone, type } from './contract.ts'

const path = '/v1/reporting/schedules'
const workspaceOfSession = tenantId
  .optional()
  .describe('With a session: the workspace. An API key reads its own.')
const reading = {
  ...reads,
  tag,
  access: { api_key: { scopes: ['reporting:read'] }, session: { role: 'member' } },
} as const
const deciding = {
  ...decides,
  tag,
  access: { session: { role: 'admin' } },
  tables: ['report_schedules'],
  versioned: true,
} as const
const ofSession = ['workspace_not_found', 'insufficient_role'] as const

export const recipientsMax = 20

const every = z
  .enum(reportSchedules.every.enumValues)
  .describe(
    '`day`: the day, once it is over. `week`: on a day of the week, the seven days before it. `month`: on the first day, the month before. `payout`: each payout of ours, for `payout.reconciliation` alone.',
  )
const weekday = z.int().min(1).max(7)
const recipients = z
  .array(uuid)
  .max(recipientsMax)
  .describe(
    `Ids of members with a confirmed address, at most ${recipientsMax}: each is mailed a link to the file.`,
  )

const fields = z
  .strictObject({
    tenant_id: tenantId,
    name: freeText(120).trim().min(1).describe('Your own name for it.'),
    type,
    format: format.default('csv'),
    amounts: amounts.default('minor'),
    time_zone: timeZone.default('America/Mexico_City'),
    every,
    weekday: weekday.optional().describe('With `week`: 1 Monday to 7 Sunday.'),
    recipients: recipients.refine((ids) => new Set(ids).size === ids.length, 'must name each member once'),
  })
  .refine((asked) => asked.every !== 'week' || asked.weekday !== undefined, {
    path: ['weekday'],
    message: 'must be sent with `week`',
  })
  .refine((asked) => asked.every === 'week' || asked.weekday === undefined, {
    path: ['weekday'],
    message: 'must be left out unless `every` is `week`',
  })
  .refine((asked) => asked.every !== 'payout' || asked.type === 'payout.reconciliation', {
    path: ['type'],
    message: 'must be `payout.reconciliation` with each payout',
  })

const Schedule = shown('report_schedule', {
  name: z.string().describe('Your own name for it.'),
  type,
  format,
  amounts,
  time_zone: timeZone,
  every,
  weekday: weekday.nullable().describe('1 Monday to 7 Sunday; null where it is not weekly.'),
  recipients: z.array(uuid).describe('Ids of the members who are mailed.'),
  status: z
    .enum(reportSchedules.status.enumValues)
    .describe('A `paused` one makes no runs until it is changed or resumed.'),
  paused_for: z
    .enum(reportSchedules.pausedFor.enumValues)
    .nullable()
    .describe('`creator_left`: its author is no member any more. `failures`: three runs in a row failed.'),
  next_period: z
    .strictObject({
      from: z.iso.date().describe('The first day.'),
      to: z.iso.date().describe('The last day; the run is made when it is over.'),
    })
    .nullable()
    .describe('What it reports next; null with each payout, and while it is not active.'),
  author: z
    .strictObject({
      user_id: z.string().describe('The id of their account.'),
      email: z.string().describe('Their e-mail address at that time.'),
    })
    .describe('Who created, changed or resumed it last: while they are a member, it runs.'),
}).meta({ id: 'ReportSchedule' })

const body = {
  name: 'For the bookkeeper',
  type: 'iva_collected',
  format: 'csv',
  amounts: 'decimal',
  time_zone: 'America/Mexico_City',
  every: 'month',
  recipients: [] as string[],
} as const
const example = exampleOf('report_schedule', '0190a6d2-7c3e-7b1a-9f00-0000000000b1', {
  ...body,
  weekday: null,
  status: 'active' as const,
  paused_for: null,
  next_period: { from: '2026-06-01', to: '2026-06-30' },
  author: { user_id: 'usr_0190a6d2', email: 'ana@cafeazul.example' },
})
const asked = { tenant_id: 'tn_demo', ...body }

const ofRecipients = ['member_not_found', 'report_recipient_unconfirmed'] as const

export const create = contract({
  ...deciding,
  id: 'report_schedules.create',
  path,
  location: `${path}/:id?tenant_id=:tenant_id`,
  summary: 'Schedule a report',
  description:
    'Each period that ends has one run, and its recipients are mailed a link to the file, which works while the file is kept, they are members and the schedule names them. A schedule stops when its author leaves the workspace.',
  body: fields,
  reply: { status: 201, schema: Schedule },
  errors: [...ofSession, ...ofRecipients, 'report_schedule_limit_reached'],
  example: { body: asked, reply: example },
})

export const list = contract({
  ...reading,
  id: 'report_schedules.list',
  path,
  summary: 'List schedules of reports',
  ...paged(Schedule, example, {
    tenant_id: workspaceOfSession,
    status: z.enum(reportSchedules.status.enumValues).optional().describe('Only what has this status.'),
  }),
})

export const get = contract({
  ...reading,
  ...one(Schedule, example, 'report_schedule_not_found'),
  id: 'report_schedules.get',
  path: `${path}/:id`,
  summary: 'Get a schedule of a report',
  versioned: true,
  query: z.strictObject({ tenant_id: workspaceOfSession }),
})

const ofSchedule = { params: z.strictObject({ id: uuid }), notFound: 'report_schedule_not_found' } as const
const moved = {
  ...deciding,
  ...ofSchedule,
  reply: { status: 200, schema: Schedule },
} as const
const onSchedule = ['report_schedule_not_found', ...ofSession, 'report_schedule_deleted'] as const

export const update = contract({
  ...moved,
  id: 'report_schedules.update',
  method: 'PUT',
  path: `${path}/:id`,
  summary: 'Change a schedule of a report',
  description:
    'Replaces all that it says, and resumes it where it was paused. A period that is over and has no run yet is reported first. Links to reports end, for good, for members whom it no longer names. Between payouts and days it begins again from now.',
  body: fields,
  errors: [...onSchedule, ...ofRecipients],
  example: { body: asked, reply: { ...example, version: 2 } },
})

export const resume = contract({
  ...moved,
  id: 'report_schedules.resume',
  path: `${path}/:id/resume`,
  summary: 'Resume a schedule of a report',
  description: 'From the period that is not over yet. Periods that ended meanwhile have no run: start one.',
  body: z.strictObject({ tenant_id: tenantId }),
  errors: [...onSchedule, 'report_schedule_active'],
  example: { body: { tenant_id: 'tn_demo' }, reply: { ...example, version: 3 } },
})

export const remove = contract({
  ...moved,
  id: 'report_schedules.delete',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete a schedule of a report',
  description: 'For good. Its runs and their files stay for their time; the links that were mailed end.',
  query: z.strictObject({ tenant_id: tenantId }),
  errors: [...onSchedule],
  example: { reply: { ...example, status: 'deleted', next_period: null, version: 2 } },
})

/** The runs that become due, and what is mailed of them. */
export const making = {
  id: 'report_schedules.run',
  access: { system: {} },
  tables: ['mail_notices', 'report_runs', 'report_schedules'],
} as const
export const delivering = {
  id: 'report_deliveries.mail',
  access: { system: {} },
  tables: ['outgoing_mails', 'report_deliveries'],
} as const
