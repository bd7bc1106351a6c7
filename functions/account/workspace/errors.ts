import { problem } from '../../../src/http/declaration.ts'

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
  workspace_not_live: problem(
    403,
    'This workspace has not gone live yet: it takes no payments.',
    'Meet the requirements that the workspace names and have an owner ask to go live; sandbox takes payments at once.',
  ),
  workspace_not_pending: problem(
    409,
    'This workspace is in review, was live already, or is closed.',
    'Read the workspace for its status: only a pending one is handed over to a review.',
  ),
  workspace_details_reviewed: problem(
    409,
    'We reviewed this detail of the business: it does not change by API key.',
    'An owner asks for the change with POST /v1/workspace/details and a step-up proof; until we have decided, the reviewed one stays.',
  ),
  workspace_details_unchanged: problem(
    422,
    'All named details are as they are already.',
    'Name a detail with another value.',
  ),
  workspace_requirements_unmet: problem(
    422,
    'Requirements for going live are not met.',
    'Read the workspace: `onboarding` names each requirement and whether it is met.',
  ),
  email_not_confirmed: problem(
    422,
    'The e-mail address of your account is not confirmed.',
    'Open the link in the mail that we sent to it, or have it sent again, then repeat the request.',
  ),
  other_environment_unavailable: problem(
    503,
    'The other environment, which knows who owns this workspace, cannot be reached at the moment.',
    'Repeat the request after the seconds in Retry-After. Nothing was changed.',
  ),
  workspace_exists: problem(
    409,
    'This workspace is open in this environment already.',
    'Nothing is left to do: the workspace is open.',
  ),
}
