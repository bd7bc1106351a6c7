import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  report_run_not_found: problem(404, 'There is no such run of a report.', 'List the runs for their ids.'),
  report_run_over: problem(409, 'The run is over.', 'Get it to see how it ended.'),
  report_run_unfinished: problem(
    409,
    'The run has not succeeded.',
    'Get it until its status is `succeeded`. Where it failed or was canceled, start another one.',
  ),
  report_file_expired: problem(
    410,
    'The file of this run is removed.',
    'Start another run of the same days: it has the same rows.',
  ),
  report_time_ahead: problem(
    422,
    'This time has not come yet.',
    'Send a time that has passed, or a period that ends today at the latest.',
  ),
  report_column_unknown: problem(
    422,
    'The report has no column of this name.',
    'List the reports for the names of their columns.',
  ),
  report_schedule_not_found: problem(
    404,
    'There is no such schedule of a report.',
    'List the schedules for their ids.',
  ),
  report_schedule_deleted: problem(409, 'The schedule is deleted.', 'Create another one.'),
  report_schedule_active: problem(409, 'The schedule is active.', 'Only a paused one is resumed.'),
  report_schedule_limit_reached: problem(
    422,
    'The workspace has as many schedules as it may have.',
    'Delete some; GET /v1/workspace/limits shows how many there may be.',
  ),
  report_recipient_unconfirmed: problem(
    422,
    'A recipient has not confirmed their address.',
    'Ask them to open the link of the mail that confirms it, or leave them out.',
  ),
}
