import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  payment_policy_too_wide: problem(
    422,
    'The payment policy would allow what the level above it does not.',
    'Read the effective policy: `sources` says which level each field comes from. A level may only narrow the one above.',
  ),
  payment_policy_planned: problem(
    409,
    'Another change of this level is planned for that time.',
    'Read `upcoming` of the payment policy. End before it, or send `replaces_planned: true`, and it falls away.',
  ),
  payment_policy_planned_max: problem(
    422,
    'Too many changes of this level are planned.',
    'Wait until some have begun, or replace them with one that has `replaces_planned: true`.',
  ),
  payment_policy_version_not_found: problem(
    404,
    'There is no such version of the payment policy.',
    'List the versions for their ids.',
  ),
  manual_capture_not_allowed: problem(
    422,
    'The payment policy does not allow manual capture.',
    'Capture automatically, or have an admin allow it in the payment policy.',
  ),
  fee_allocation_not_allowed: problem(
    422,
    'The payment policy does not allow this allocation of the cost of installments.',
    'Read `msi.fee_allocations` of the effective payment policy.',
  ),
  markup_above_cap: problem(
    422,
    'The markup is above what the payment policy allows.',
    'Read `msi.markup_cap_bps` of the effective payment policy.',
  ),
}
