import { problem } from '../../../src/http/declaration.ts'

export const errors = {
  risk_list_not_found: problem(404, 'There is no such list.', 'List the lists for their ids.'),
  risk_list_deleted: problem(409, 'The list is deleted.', 'Create another one.'),
  risk_list_in_use: problem(
    409,
    'A rule asks this list.',
    'Retire the rules that name it first; drafts may stay.',
  ),
  risk_list_item_not_found: problem(404, 'There is no such value of a list.', 'List the values of the list.'),
  risk_list_item_removed: problem(409, 'The value is removed already.', 'Add it again if you want it back.'),
  risk_list_item_exists: problem(
    409,
    'The list has this value already.',
    'Remove the value first to give it another reason or end.',
  ),
  risk_value_missing: problem(
    422,
    'The payment has no such value.',
    'Name the value, or a payment by card whose buyer gave what the list is of.',
  ),
  risk_rule_not_found: problem(404, 'There is no such rule.', 'List the rules for their ids.'),
  risk_rule_not_draft: problem(
    409,
    'Only a draft can be changed.',
    'Create a new rule, watch it in shadow, and retire this one.',
  ),
  risk_rule_status: problem(
    409,
    'The status of the rule does not allow this.',
    'A rule is a draft, then in shadow, then active; retired is for good.',
  ),
  risk_rule_unwatched: problem(
    409,
    'Nobody has seen yet what this rule would do.',
    'Make a backtest of it, or leave it in shadow for 24 hours.',
  ),
  risk_backtest_not_found: problem(404, 'There is no such backtest.', 'List the backtests of the rule.'),
  risk_payment_not_judged: problem(
    422,
    'No card that was tried for this payment was judged.',
    'Name a payment by card from a page, of the last 180 days, or describe a try.',
  ),
  risk_review_not_found: problem(404, 'There is no such review.', 'List the reviews for their ids.'),
  risk_review_ended: problem(
    409,
    'The review has ended.',
    'Read it: somebody decided, the money was given back, or the authorization lapsed.',
  ),
  risk_review_nothing_left: problem(
    409,
    'Nothing is left of this payment to give back.',
    'A dispute took the rest. Approve the review to end it.',
  ),
  risk_limit_reached: problem(
    422,
    'The workspace has as many of these as it may have.',
    'Retire or remove some; GET /v1/workspace/limits shows how many there may be.',
  ),
}
