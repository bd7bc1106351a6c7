import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  transfers_not_configured: problem(
    503,
    'Sending money is not set up in this environment.',
    'Nothing you can do in a request: sending money is not switched on in this environment yet.',
  ),
  insufficient_funds: problem(
    409,
    'The available balance does not cover this.',
    'Read the balance; wait for pending funds, or send less. Nothing was debited.',
  ),
  transfer_not_found: problem(
    404,
    'There is no such transfer.',
    'Check the id; list the transfers for their ids.',
  ),
  transfer_amount_not_positive: problem(
    422,
    'The amount must be more than zero.',
    'Send an amount of at least one minor unit, as a string of digits.',
  ),
  transfer_destination_unknown: problem(
    422,
    'There is no workspace to send this to.',
    'Ask the receiver for the tenant_id of their workspace in this environment.',
  ),
  transfer_destination_own: problem(
    422,
    'A transfer goes to another workspace.',
    'Name another workspace, or send to a CLABE.',
  ),
  transfer_not_cancelable: problem(
    409,
    'This transfer has been sent or has ended.',
    'Read the transfer. Money that has arrived is for the receiver to send back.',
  ),
  transfer_not_pending_approval: problem(
    409,
    'This transfer does not wait for approval.',
    'Read the transfer: it was approved, rejected or canceled already.',
  ),
  transfer_terms_mismatch: problem(
    422,
    'The amount or the currency does not match the transfer.',
    'Read the transfer again and approve exactly its amount and currency.',
  ),
}
