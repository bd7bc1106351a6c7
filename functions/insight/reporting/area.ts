import type { Declaration } from '../../../src/http/declaration.ts'
import { daysMax, running } from './contract.ts'
import { asking, showing } from './contract-addresses.ts'
import { mappingMax } from './contract-mapping.ts'
import { delivering, making, recipientsMax } from './contract-schedules.ts'
import { errors } from './errors.ts'
import { reportDeliveryLifecycle, reportRunLifecycle, reportScheduleLifecycle } from './lifecycle.ts'
import { mails } from './mails.ts'

const unmade = 'a customer does that, signed in'

export const area: Declaration = {
  routes: [
    { at: ['/v1/reporting'], by: 'operations.ts#operations' },
    { at: ['/account/report'], by: 'pages/download.ts#reportPages' },
  ],
  tags: [
    {
      at: 90,
      name: 'Reporting',
      description:
        'Reports over days, computed from the ledger. A run is over when its opening, its rows and its closing agree. Days that are over never change.',
    },
  ],
  nouns: { runs: 'run of a report', 'reporting/schedules': 'schedule of a report' },
  publishes: [asking, showing, running, making, delivering],
  mails,
  jobs: {
    report_schedules: {
      at: 219,
      runs: 'schedules.ts#runSchedules',
      table: 'report_schedules',
      firstBy: 'next_check_at',
    },
    report_runs: { at: 220, runs: 'run.ts#runReports', table: 'report_runs' },
    report_files: {
      at: 221,
      runs: 'run.ts#removeReports',
      table: 'report_runs',
      due: 'd.remove_at <= $1',
      firstBy: 'remove_at',
    },
    report_deliveries: {
      at: 222,
      runs: 'schedules.ts#mailReports',
      table: 'report_deliveries',
      firstBy: 'next_check_at',
    },
    report_hours: {
      at: 223,
      runs: 'follow.ts#followJournals',
      // Where no money moves, the time of what is counted goes on every five minutes.
      due: `exists (select from public.ledger_journals d where d.commit_order >= (select c.commit_order from public.report_cursor c where c.is_only))
        or exists (select from public.report_cursor c
          where c.is_only and (c.as_of < c.counted_at or c.mark_at < now() - interval '5 minutes'))`,
    },
  },
  appendOnly: ['report_account_mappings'],
  lookedUp: [
    'ledger_journals',
    'ledger_postings',
    'report_deliveries',
    'report_hours',
    'report_runs',
    'report_schedules',
  ],
  deadlines: [
    { table: 'report_runs', columns: ['next_check_at', 'remove_at'] },
    { table: 'report_schedules', columns: ['due_at', 'next_check_at'] },
    { table: 'report_deliveries', columns: ['next_check_at'] },
  ],
  lifecycles: [reportDeliveryLifecycle, reportRunLifecycle, reportScheduleLifecycle],
  events: {
    report_schedule: {
      scopes: ['reporting:read'],
      shownBy: 'report_schedules.get',
      types: {
        created: { says: 'A report was scheduled.', unmade },
        updated: { says: 'A schedule of a report was changed.', unmade },
        paused: {
          says: 'A schedule of a report stopped: its author left, or three runs in a row failed.',
          unmade: 'its author has to leave, or three runs to fail',
        },
        resumed: { says: 'A schedule of a report goes on.', unmade },
        deleted: { says: 'A schedule of a report was deleted.', unmade },
      },
    },
    report_run: {
      scopes: ['reporting:read'],
      shownBy: 'report_runs.get',
      types: {
        succeeded: { says: 'A run of a report ended: its file is there.', trigger: 'report_runs.create' },
        failed: {
          says: 'A run of a report failed: its rows are not what the accounts moved by, or it did not end within 7 days.',
          unmade: 'the books of the ledger would have to be wrong, or its steps fail for days',
        },
      },
    },
  },
  errors,
  constraints: {
    report_schedules_limit: { code: 'report_schedule_limit_reached' },
    report_runs_one_of_period: 'stale',
    report_runs_one_of_payout: 'stale',
    report_runs_period_over: 'stale',
  },
  personalData: {
    // The people in them are the business’s own.
    report_schedules: {
      columns: [],
      impersonal: 'name time_zone recipients created_by_user_id created_by_email',
    },
    report_account_mappings: { columns: [], impersonal: 'accounts created_by_user_id created_by_email' },
  },
  limits: {
    report_schedules: { most: 20, unit: 'count', says: 'The schedules of reports that are not deleted.' },
    report_recipients: { most: recipientsMax, unit: 'count', says: 'The members whom a schedule mails.' },
    report_account_numbers: { most: mappingMax, unit: 'count', says: 'The account numbers of your mapping.' },
    report_days: { most: daysMax, unit: 'days', says: 'The days of a run of a report, and of a summary.' },
  },
  samples: {
    'report_runs.create': { other: { format: 'jsonl' } },
    'report_account_mapping.set': { other: { accounts: [] } },
    'report_schedules.create': { other: { format: 'jsonl' } },
    'report_schedules.update': { other: { format: 'jsonl' } },
  },
}
