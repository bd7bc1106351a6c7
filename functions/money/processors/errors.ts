import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  paid_out_by_processor: problem(
    409,
    'The payments of this workspace go to its own account at a processor, which pays them out.',
    'Set the days and the bank account of payouts at the processor. Payouts that it made are read like any other.',
  ),
  processor_account_unavailable: problem(
    422,
    'Workspaces cannot set their own account in this environment: payments go through ours.',
    'Set nothing: payments of this workspace go through our account.',
  ),
  processor_account_unfit: problem(
    422,
    'The account may not charge, or is not one of Mexico.',
    'Finish the set-up of the account at the processor, then send its keys again.',
  ),
  processor_keys_of_other_mode: problem(
    422,
    'This key is of the other mode: live takes live keys, and the sandbox takes test keys.',
    'Copy the key of the mode that fits: sk_live_ or rk_live_, pk_live_ and whsec_ in live; sk_test_ or rk_test_, pk_test_ and whsec_ in the sandbox.',
  ),
  processor_keys_of_two_accounts: problem(
    422,
    'The publishable key is of another account than the secret key.',
    'Copy both keys from the same page of the same account.',
  ),
  processor_keys_refused: problem(
    422,
    'The processor does not accept this key.',
    'Copy the key again. A restricted key must be allowed to read the account and to write PaymentIntents.',
  ),
}
