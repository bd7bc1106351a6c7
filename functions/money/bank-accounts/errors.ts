import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  bank_account_not_found: problem(
    404,
    'There is no such bank account.',
    'Check the id; list the bank accounts for their ids.',
  ),
  bank_account_exists: problem(
    409,
    'This account is one of the workspace already.',
    'List the bank accounts: use the one with these last digits, or disable it before you add it again.',
  ),
  bank_account_over: problem(
    409,
    'This bank account is rejected or disabled.',
    'Nothing is left to do. Add another account.',
  ),
  clabe_bank_unknown: problem(
    422,
    'The first three digits of this CLABE are of no bank that we know.',
    'Check the CLABE with the bank. If it is right, ask us to add the bank.',
  ),
}
