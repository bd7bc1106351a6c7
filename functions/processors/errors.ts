import { problem } from '../../src/http/declaration.ts'

export const errors = {
  processor_account_unavailable: problem(
    422,
    'Workspaces cannot set their own account in this environment: payments go through ours.',
    'Set nothing: payments of this workspace go through our account.',
  ),
  processor_keys_refused: problem(
    422,
    'The processor does not accept these keys.',
    'Copy the secret key of the account again; a restricted key must be allowed to read the account.',
  ),
}
