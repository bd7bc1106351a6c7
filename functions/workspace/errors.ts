import { problem } from '../../src/http/declaration.ts'

export const errors = {
  workspace_suspended: problem(
    403,
    'This workspace is suspended: it takes no new payments, and its payouts and transfers are held.',
    'Read the workspace for its status. Refunds, captures, cancels and reads go on. Contact us to have it reinstated.',
  ),
  workspace_closed: problem(
    403,
    'This workspace is closed: it takes no new payments.',
    'Open another workspace to be paid again. Reads, refunds and payouts of what was paid go on.',
  ),
  workspace_exists: problem(
    409,
    'This workspace is open in this environment already.',
    'Nothing is left to do: the workspace is open.',
  ),
}
