import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  payout_not_found: problem(404, 'There is no such payout.', 'Check the id; list the payouts for their ids.'),
  payout_settings_missing: problem(
    409,
    'No bank account is set for payouts in this currency.',
    'Set the payout settings of this currency first.',
  ),
  payout_account_not_verified: problem(
    409,
    'The bank account is not verified, or was disabled: nothing is paid out to it.',
    'Name a verified account of the workspace in the payout settings; read the bank accounts for theirs.',
  ),
  payout_account_cooling_down: problem(
    409,
    'The account for payouts was verified a short while ago: nothing is paid out to it yet.',
    'Wait for cool_down_ends_at of the payout settings; the balance stays yours. In sandbox move the clock.',
  ),
  payout_below_minimum: problem(
    409,
    'The available balance is below the minimum of the payout settings.',
    'Wait until more is available, or lower the minimum of the payout settings.',
  ),
  payout_not_cancelable: problem(
    409,
    'This payout has been sent or has ended.',
    'Read the payout. The bank has it, or it has arrived.',
  ),
  payout_nothing_available: problem(
    409,
    'Nothing is available to be paid out in this currency.',
    'Wait until pending funds are available; a negative balance is recovered and refunds that wait for the balance are sent first.',
  ),
}
