import { exclusive, type Mutant, migration, property, stack, unit } from './mutant.ts'

const ofPersons = 'integration/payments/person-check.exclusive.test.ts'

export const intelligence: readonly Mutant[] = [
  stack(
    'nobody paid before there was a voucher',
    'functions/insight/intelligence/store.ts',
    'greatest(0, extract',
    'greatest(-999999999, extract',
    ['integration/intelligence/reports.test.ts', 'clock went on'],
  ),
  property(
    'a forecast knows nothing of what comes after it',
    'functions/insight/intelligence/forecast.ts',
    'for (let week = Math.ceil(ahead / 7);',
    'for (let week = 0;',
    ['forecast.test.ts'],
  ),
  property(
    'a likely amount leaves out what is certain',
    'functions/insight/intelligence/forecast.ts',
    'this.all(like) - this.known(like, addDays(like, -ahead))',
    'this.all(like)',
    ['forecast.test.ts'],
  ),
  property(
    'few payments have no rate',
    'functions/insight/intelligence/rates.ts',
    'decided < rateCountMin ? null :',
    '',
    ['forecast.test.ts'],
  ),
  stack(
    'what is unknown is in no rate',
    'functions/insight/intelligence/store.ts',
    'not "unknown" and not "open" and "declined"`',
    'not "open" and ("declined" or "unknown")`',
    ['integration/intelligence/reports.test.ts', 'counts payments'],
  ),
  stack(
    'a payment declined twice for one reason is one',
    'functions/insight/intelligence/store.ts',
    '.groupBy(payments.id, paymentAttempts.declineCode, paymentAttempts.declineCategory)',
    '.groupBy(paymentAttempts.id, paymentAttempts.declineCode, paymentAttempts.declineCategory)',
    ['integration/intelligence/reports.test.ts', 'declines say why'],
  ),
  stack(
    'a voucher that waits is in no rate',
    'functions/insight/intelligence/store.ts',
    `in ('canceled', 'expired', 'requires_payment_method')`,
    `in ('canceled', 'expired', 'requires_payment_method', 'requires_action')`,
    ['integration/intelligence/reports.test.ts', 'a voucher that waits'],
  ),
  stack(
    'cards that are tried out are confirmed',
    'drizzle/sql/059_payments_guard.sql',
    'if not new.is_confirmed and (v_failed >= 5',
    'if not new.is_confirmed and (v_failed >= 500',
    ['integration/payments/card-guard.test.ts', 'after five declined cards'],
  ),
  stack(
    'cards pause where most fail',
    'drizzle/sql/059_payments_guard.sql',
    'v_failed >= 40 and',
    'v_failed >= 400 and',
    ['integration/payments/card-guard.test.ts', 'stolen cards: the first five'],
  ),
  stack(
    'a network alone pauses nothing',
    'drizzle/sql/059_payments_guard.sql',
    'if v_of_contact >= 10 then',
    'if v_of_contact >= 10 or v_of_network >= 20 then',
    ['integration/payments/card-guard.test.ts', 'never paused'],
  ),
  stack(
    'one good card is one accepted card',
    'drizzle/sql/059_payments_guard.sql',
    'v_accepted := (select count(distinct o.card_digest)',
    'v_accepted := (select count(o.card_digest)',
    ['integration/payments/card-guard.test.ts', 'one good card'],
  ),
  stack(
    'one mailbox is one buyer',
    'functions/page/hosted-payment/digests.ts',
    '`address ${mailboxOf(address)}`',
    '`address ${address}`',
    ['integration/payments/card-guard.test.ts', 'ten declined cards of one address'],
  ),
  stack(
    'accepted cards speak for a place',
    'drizzle/sql/059_payments_guard.sql',
    'v_failed * 2 >= v_accepted * 3',
    'true',
    ['integration/payments/card-guard.test.ts', 'where most cards are accepted'],
  ),
  exclusive(
    'programs are not counted as persons',
    'drizzle/sql/059_payments_guard.sql',
    'filter (where t.origin_id = new.origin_id and t.is_person = new.is_person)',
    'filter (where t.origin_id = new.origin_id)',
    [ofPersons, 'however many cards of programs'],
  ),
  exclusive(
    'persons who try cards are paused',
    'drizzle/sql/059_payments_guard.sql',
    'if v_failed >= 5 or new.is_person then',
    'if v_failed >= 5 then',
    [ofPersons, 'persons who try out'],
  ),
  exclusive(
    'the bank confirms a person where cards pause',
    'functions/page/hosted-payment/paying.ts',
    'needsThreeDs || choice.isPerson',
    'needsThreeDs',
    [ofPersons, 'the bank confirms a person'],
  ),
  exclusive(
    'a person was taken for one at this sale',
    'src/platform/person-check.ts',
    ' && ofCdata === cdata',
    '',
    [ofPersons, 'one of another sale'],
  ),
  exclusive(
    'a form is checked under its own key',
    'src/platform/person-check.ts',
    'idempotency_key: await uuidOf(form)',
    'idempotency_key: await uuidOf(token)',
    [ofPersons, 'one that another form has used'],
  ),
]

const ofReports = 'integration/reporting/reporting.test.ts'
const ofTypes = 'integration/reporting/types.test.ts'
const ofSchedules = 'integration/reporting/schedules.test.ts'
const ofMapping = 'integration/reporting/mapping.test.ts'
const ofVerifying = 'integration/reporting/verify.test.ts'

const judging = 'drizzle/sql/059_risk.sql'
const counting = 'integration/risk/counts.test.ts'
const reviewing = 'integration/risk/reviews.test.ts'
const ruling = 'integration/risk/rules.test.ts'

export const risk: readonly Mutant[] = [
  stack(
    'tries with one address are counted one after the other',
    'drizzle/sql/059_payments_guard.sql',
    'unnest(array[new.network_digest, new.contact_digest, new.card_digest])',
    'unnest(array[new.network_digest, new.card_digest])',
    [counting, 'fifty at once of one address'],
  ),
  stack(
    'tries with one card are counted one after the other',
    'drizzle/sql/059_payments_guard.sql',
    'unnest(array[new.network_digest, new.contact_digest, new.card_digest])',
    'unnest(array[new.network_digest, new.contact_digest])',
    [counting, 'fifty at once of one card'],
  ),
  stack(
    'a rule in shadow decides nothing',
    judging,
    `bool_or(r.status = 'active' and r.action = 'block')`,
    `bool_or(r.action = 'block')`,
    [ruling, 'only then does it decide'],
  ),
  stack('what is not known holds nothing', judging, 'end, false);', 'end, true);', [
    counting,
    'a backtest is what the live rule',
  ]),
  stack(
    'a rule is seen before it decides',
    judging,
    'if old.shadowed_at >',
    'if false and old.shadowed_at >',
    [ruling, 'only then does it decide'],
  ),
  stack(
    'what is watched keeps its condition',
    judging,
    `for each row when (old.status <> 'draft' and`,
    `for each row when (false and`,
    ['integration/risk/forged.test.ts', 'keeps its condition'],
  ),
  stack('a value names nobody after its end', judging, 'and coalesce(m.expires_at > p_at, true)', '', [
    'integration/risk/lists.test.ts',
    'has expired',
  ]),
  stack('a deleted list names nobody', judging, `and o.status = 'active'`, '', [
    'integration/risk/lists.test.ts',
    'has expired',
  ]),
  stack(
    'a rule that begins to be asked finds all its lists',
    judging,
    '< cardinality(v_lists) then',
    '< 0 then',
    ['integration/risk/lists.test.ts', 'is not watched'],
  ),
  stack(
    'a list that blocks comes before what allows',
    judging,
    `case when p_blocks then 'block' when p_allows or m.allows then 'allow' when m.blocks`,
    `case when p_allows or m.allows then 'allow' when p_blocks or m.blocks`,
    ['integration/risk/lists.test.ts', 'not blocked by a rule'],
  ),
  stack(
    'a blocked card asks no processor',
    'functions/money/payments/submit.ts',
    '? blocked(submission.attempt)',
    '? await processor.createAttempt(chargeOf(submission))',
    [ruling, 'asks no bank'],
  ),
  stack(
    'a rule in shadow sends nothing to review',
    judging,
    `bool_or(r.status = 'active' and r.action = 'review')`,
    `bool_or(r.action = 'review')`,
    [reviewing, 'a rule in shadow'],
  ),
  stack(
    'a review is of the card that brought the money',
    'drizzle/sql/059_risk_reviews.sql',
    ` and a.status in ('authorized', 'captured')`,
    '',
    [reviewing, 'another card that pays'],
  ),
  stack(
    'a review of captured money has no end',
    'drizzle/sql/059_risk_reviews.sql',
    `case when new.status = 'requires_capture' then new.capture_before end`,
    'new.capture_before',
    [reviewing, 'a capture by the merchant'],
  ),
  stack(
    'what others give back in full ends a review',
    'drizzle/sql/059_risk_reviews.sql',
    'or new.amount_captured_minor > 0 and new.amount_refunded_minor = new.amount_captured_minor then',
    'then',
    [reviewing, 'refunded in full by others'],
  ),
  stack(
    'a rejection gives the money back in its own publish',
    'functions/insight/risk/plan-reviews.ts',
    ', ...back.after]',
    ']',
    [reviewing, 'refunds what is left'],
  ),
  stack(
    'a dry run asks the lists of now',
    'drizzle/sql/059_risk_dry.sql',
    `k.features || jsonb_build_object('lists', l.lists)`,
    'k.features',
    ['integration/risk/dry-runs.test.ts', 'rules and lists of now'],
  ),
]

export const reporting: readonly Mutant[] = [
  stack(
    'a report waits for what is still open',
    'functions/insight/reporting/run.ts',
    'if (final < run.asOf) return false',
    'if (final < 0n) return false',
    [ofReports, 'a run waits for a transaction'],
  ),
  stack(
    'a report that is not balanced fails',
    'functions/insight/reporting/plan.ts',
    'typeOf(run.type).accounts.length === 0 || isBalanced(part.sums, moved)',
    'typeOf(run.type).accounts.length === 0 || moved.length < 9',
    [ofReports, 'whose rows are not what'],
  ),
  stack(
    'a movement is in one day',
    'functions/insight/reporting/types/type.ts',
    'j.booked_at >= $1::timestamptz and j.booked_at < $2::timestamptz and j.commit_order < $3::bigint\n  and ($4',
    'j.booked_at >= $1::timestamptz and j.booked_at <= $2::timestamptz and j.commit_order < $3::bigint\n  and ($4',
    [ofReports, 'days chain'],
  ),
  stack(
    'a payout has what is under it, and nothing else',
    'functions/insight/reporting/types/payout-reconciliation.ts',
    ' and a.payout_id = o.id',
    '',
    [ofReports, 'a payout that failed'],
  ),
  stack(
    'the file of a report is what its digest says',
    'functions/insight/reporting/run.ts',
    '{ ...run, partsCount: run.partsCount + 1 }',
    'run',
    [ofReports, 'the rows of a day'],
  ),
  stack(
    'a sum that is damaged is named',
    'functions/insight/reporting/verify.ts',
    'if (was !== is)',
    'if (was !== is && figure !== "sum")',
    [ofVerifying, 'a stored sum'],
  ),
  exclusive(
    'a file that is damaged is named',
    'functions/insight/reporting/verify.ts',
    'found.fileDigest === run.fileDigest',
    'found.fileDigest !== null',
    ['integration/reporting/verify.exclusive.test.ts'],
  ),
  stack(
    'shifts that end after a run are not in it',
    'functions/insight/reporting/store.ts',
    'endsWithRun && createdAt < endsAt',
    'false',
    [ofVerifying, 'a shift that is closed later'],
  ),
  stack(
    'a period is made once',
    migration,
    'CREATE UNIQUE INDEX "report_runs_one_of_period"',
    'CREATE INDEX "report_runs_one_of_period"',
    [ofSchedules, 'fifty turns'],
  ),
  stack(
    'a schedule stops when its author has left',
    'functions/insight/reporting/schedules.ts',
    'isLeft ? planPauseSchedule(schedule, clock) : planPeriod(',
    'false ? planPauseSchedule(schedule, clock) : planPeriod(',
    [ofSchedules, 'its author has left'],
  ),
  stack('a link is for a member', 'drizzle/sql/059_reporting.sql', ` and m.status = 'active'`, '', [
    ofSchedules,
    'is mailed a link',
  ]),
  stack(
    'a mail goes to a confirmed address',
    'functions/account/mails/confirmed-addresses.ts',
    'email_verified and ',
    '',
    [ofSchedules, 'not confirmed any more'],
  ),
  stack(
    'a success begins the count of failures again',
    'functions/insight/reporting/plan-outcome.ts',
    'schedule.failuresCount > 0 && ',
    'schedule.failuresCount > 9 && ',
    [ofSchedules, 'three runs that fail'],
  ),
  stack(
    'a run of a payout shows it alone',
    'functions/insight/reporting/types/payout-reconciliation.ts',
    'and ($7::uuid is null or o.id = $7::uuid)',
    'and ($7::uuid is null or true)',
    [ofSchedules, 'each payout has a run'],
  ),
  stack(
    'a run keeps its account numbers',
    'drizzle/sql/059_reporting.sql',
    'order by m.created_at desc, m.id desc limit 1',
    'order by m.created_at, m.id limit 1',
    [ofMapping, 'a poliza shows'],
  ),
  stack(
    'a number of a kind counts before that of its account',
    'functions/insight/reporting/types/poliza.ts',
    `coalesce(m.accounts->>(c.code || ' ' || j.entry_kind), m.accounts->>c.code)`,
    'm.accounts->>c.code',
    [ofMapping, 'a poliza shows'],
  ),
  unit(
    'a run shows the columns of its version',
    'functions/insight/reporting/types/index.ts',
    'since <= typeVersion',
    'since <= typeVersion + 9',
    ['reporting/report.test.ts', 'an earlier version'],
  ),
  stack(
    'the rates of a payment that was captured in part are not known',
    'functions/insight/reporting/types/iva-collected.ts',
    'on p.amount_captured_minor = p.amount_minor',
    'on true',
    [ofTypes, 'says where a rate is not known'],
  ),
  stack(
    'a page begins behind its row',
    'functions/insight/reporting/types/poliza.ts',
    '(r.at, r.id) > ($4::timestamptz, $5::uuid)',
    'r.at > $4::timestamptz',
    [ofTypes, 'every posting once'],
  ),
]
