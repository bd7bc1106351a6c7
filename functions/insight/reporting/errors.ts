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
}
