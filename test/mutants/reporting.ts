import { exclusive, type Mutant, migration, stack, unit } from './mutant.ts'

const ofReports = 'integration/reporting/reporting.test.ts'
const ofTypes = 'integration/reporting/types.test.ts'
const ofSchedules = 'integration/reporting/schedules.test.ts'
const ofScheduleMails = 'integration/reporting/schedule-mails.test.ts'
const ofScheduleChanges = 'integration/reporting/schedule-changes.test.ts'
const ofMapping = 'integration/reporting/mapping.test.ts'
const ofVerifying = 'integration/reporting/verify.test.ts'
const ofSummary = 'integration/reporting/summary.test.ts'

export const reporting: readonly Mutant[] = [
  stack(
    'a report waits for what is still open',
    'functions/insight/reporting/run.ts',
    'if (final < run.asOf) return false',
    'if (final < 0n) return false',
    [ofReports, 'a run waits for a transaction'],
  ),
  stack(
    'a journal is counted once in the summary',
    'drizzle/sql/059_reporting_summary.sql',
    'set commit_order = v_to,',
    'set commit_order = c.commit_order,',
    [ofSummary, '50 payments'],
  ),
  stack(
    'the summary does not pass what is still open',
    'drizzle/sql/059_reporting_summary.sql',
    'bigint := door.events_horizon();',
    'bigint := door.commit_order(pg_current_xact_id());',
    [ofSummary, 'still open'],
  ),
  stack(
    'the days of a summary are those of its zone',
    'functions/insight/reporting/store-summary.ts',
    'h.hour >= $1::date::timestamp at time zone $4::text',
    "h.hour >= $1::date::timestamp at time zone 'UTC'",
    [ofSummary, 'days are those'],
  ),
  stack(
    'a refund is taken off the net of a summary',
    'functions/insight/reporting/present-summary.ts',
    'row.grossMinor - row.refundsMinor -',
    'row.grossMinor -',
    [ofSummary, 'the groups of each part'],
  ),
  stack(
    'a report that is not balanced fails',
    'functions/insight/reporting/plan.ts',
    'typeOf(run.type).accounts.length === 0 || isBalanced(part.sums, moved)',
    'typeOf(run.type).accounts.length === 0 || moved.length < 9',
    [ofReports, 'whose rows are not what'],
  ),
  stack(
    'a movement is in one day',
    'functions/insight/reporting/types/type.ts',
    'j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint\n  and ($4',
    'j.booked_at >= $1::timestamptz and j.booked_at <= $2::timestamptz and j.commit_order < $3::bigint\n  and ($4',
    [ofReports, 'days chain'],
  ),
  stack(
    'a payout has what is under it, and nothing else',
    'functions/insight/reporting/types/payout-reconciliation.ts',
    ' and a.payout_id = o.id',
    '',
    [ofReports, 'a payout that failed'],
  ),
  stack(
    'the file of a report is what its digest says',
    'functions/insight/reporting/run.ts',
    '{ ...run, partsCount: run.partsCount + 1 }',
    'run',
    [ofReports, 'the rows of a day'],
  ),
  stack(
    'a sum that is damaged is named',
    'functions/insight/reporting/verify.ts',
    'if (was !== is)',
    'if (was !== is && figure !== "sum")',
    [ofVerifying, 'a stored sum'],
  ),
  exclusive(
    'a file that is damaged is named',
    'functions/insight/reporting/verify.ts',
    'found.fileDigest === run.fileDigest',
    'found.fileDigest !== null',
    ['integration/reporting/verify.exclusive.test.ts'],
  ),
  stack(
    'shifts that end after a run are not in it',
    'functions/insight/reporting/store.ts',
    'endsWithRun && createdAt < endsAt',
    'false',
    [ofVerifying, 'a shift that is closed later'],
  ),
  stack(
    'a period is made once',
    migration,
    'CREATE UNIQUE INDEX "report_runs_one_of_period"',
    'CREATE INDEX "report_runs_one_of_period"',
    [ofSchedules, 'fifty turns'],
  ),
  stack(
    'a schedule stops when its author has left',
    'functions/insight/reporting/schedules.ts',
    'isLeft ? planPauseSchedule(schedule, clock) : planPeriod(',
    'isLeft && schedule.version < 0 ? planPauseSchedule(schedule, clock) : planPeriod(',
    [ofSchedules, 'its author has left'],
  ),
  stack('a link is for a member', 'drizzle/sql/059_reporting.sql', ` and m.status = 'active'`, '', [
    ofSchedules,
    'is mailed a link',
  ]),
  stack(
    'a mail goes to a confirmed address',
    'functions/account/mails/confirmed-addresses.ts',
    'email_verified and ',
    '',
    [ofSchedules, 'not confirmed any more'],
  ),
  stack(
    'a success begins the count of failures again',
    'functions/insight/reporting/plan-outcome.ts',
    'schedule.failuresCount > 0 && ',
    'schedule.failuresCount > 9 && ',
    [ofSchedules, 'three runs that fail'],
  ),
  stack(
    'a run of a payout shows it alone',
    'functions/insight/reporting/types/payout-reconciliation.ts',
    'and ($7::uuid is null or o.id = $7::uuid)',
    'and ($7::uuid is null or true)',
    [ofSchedules, 'each payout has a run'],
  ),
  stack(
    'a run keeps its account numbers',
    'drizzle/sql/059_reporting.sql',
    'order by m.created_at desc, m.id desc limit 1',
    'order by m.created_at, m.id limit 1',
    [ofMapping, 'a poliza shows'],
  ),
  stack(
    'a number of a kind counts before that of its account',
    'functions/insight/reporting/types/poliza.ts',
    `coalesce(m.accounts->>(c.code || ' ' || j.entry_kind), m.accounts->>c.code)`,
    'm.accounts->>c.code',
    [ofMapping, 'a poliza shows'],
  ),
  stack(
    'a SPEI payment is collected on the day of the bank',
    'functions/insight/reporting/types/type.ts',
    'select max(d.operated_on)',
    'select min(d.operated_on)',
    [ofTypes, 'on the day of the bank'],
  ),
  stack(
    'what other funds completed is collected when it was captured',
    'functions/insight/reporting/types/type.ts',
    'and not exists (select from unapplied_funds_applications f',
    'and exists (select from unapplied_funds_applications f',
    [ofTypes, 'completed with other funds'],
  ),
  stack(
    'a link ends with the name in its schedule',
    'drizzle/sql/059_reporting.sql',
    ' and s.recipients ? d.member_id::text',
    '',
    [ofScheduleMails, 'names the member no more'],
  ),
  stack(
    'reports that end together are mailed',
    'drizzle/sql/058_mails.sql',
    `if v_cause = 'report' then`,
    `if v_cause = 'reports' then`,
    [ofScheduleMails, 'twelve schedules'],
  ),
  stack(
    'a change of a schedule loses no period',
    'functions/insight/reporting/plan-schedules.ts',
    'isSame || isKept',
    'isSame',
    [ofScheduleChanges, 'loses no payout'],
  ),
  unit(
    'a run shows the columns of its version',
    'functions/insight/reporting/types/index.ts',
    'since <= typeVersion',
    'since <= typeVersion + 9',
    ['reporting/report.test.ts', 'an earlier version'],
  ),
  stack(
    'the rates of a payment that was captured in part are not known',
    'functions/insight/reporting/types/iva-collected.ts',
    'on p.amount_captured_minor = p.amount_minor',
    'on true',
    [ofTypes, 'says where a rate is not known'],
  ),
  stack(
    'a page begins behind its row',
    'functions/insight/reporting/types/poliza.ts',
    '(r.at, r.id) > ($4::timestamptz, $5::uuid)',
    'r.at > $4::timestamptz',
    [ofTypes, 'every posting once'],
  ),
]
