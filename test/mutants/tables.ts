import { exclusive, type Mutant, migration, stack } from './mutant.ts'

const sql = 'drizzle/sql/059_table_pay.sql'
const bill = 'integration/table-pay/bill.test.ts'
const races = 'integration/table-pay/races.test.ts'
const waiters = 'integration/table-pay/waiters.test.ts'
const late = 'integration/table-pay/transfers-and-vouchers.test.ts'
const merge = 'integration/table-pay/merge.test.ts'
const codes = 'integration/table-pay/codes.test.ts'
const guests = 'integration/table-pay/guests.test.ts'

/** Bills that a table pays in parts. */
export const tables: readonly Mutant[] = [
  stack(
    'a bill is paid once',
    migration,
    'CHECK ("table_session_sums"."held_minor" + "table_session_sums"."paid_minor" <= "table_session_sums"."total_minor")',
    'CHECK (true)',
    [races, 'for the rest'],
  ),
  stack(
    'a line is paid by one guest',
    sql,
    'and l.payment_id is null and l.external_payment_id is null;',
    ';',
    [races, 'for one line of two'],
  ),
  stack(
    'late money takes the lines of its part again',
    sql,
    '    perform door.claim_table_lines(p, a.updated_at);\n',
    '',
    [late, 'its line is taken again'],
  ),
  stack(
    'late money pays an open bill alone',
    sql,
    "s.id = p.origin_id and s.status = 'open' for share;",
    's.id = p.origin_id for share;',
    [late, 'its bill is void'],
  ),
  stack(
    'money that is applied too late is told that its sale is gone',
    'functions/money/payments/payment-origin.ts',
    'error instanceof Problem ? error.cause : error',
    'error',
    [late, 'others have paid more'],
  ),
  stack(
    'a bill is closed once all of it is paid',
    sql,
    "new.status = 'closed' and v.paid_minor <> v.total_minor",
    'false',
    [bill, 'then the bill closes'],
  ),
  stack(
    'a bill of which something is paid is not voided',
    sql,
    "new.status = 'void' and v.paid_minor + v.held_minor > 0",
    'false',
    [bill, 'is not voided; a void one is reopened'],
  ),
  stack(
    'a line that is paid is not voided',
    migration,
    `CHECK ("table_lines"."status" = 'ordered' or ("table_lines"."payment_id" is null and "table_lines"."external_payment_id" is null))`,
    'CHECK (true)',
    [bill, 'a line that is paid is not voided'],
  ),
  stack(
    'a bill of which something is paid is not merged',
    sql,
    "new.status = 'merged' and v.paid_minor + v.held_minor > 0",
    'false',
    [merge, 'begins to pay while the bill is merged'],
  ),
  stack(
    'a line changes its bill only where that is merged',
    sql,
    'and s.merged_into = new.session_id) then',
    ') then',
    [merge, 'only where that is merged'],
  ),
  stack(
    'only an open bill is merged',
    'functions/selling/table-pay/plan-merge.ts',
    `  if (from.status !== 'open') return refuse('table_session_not_open', { param: 'from_id' })\n`,
    '',
    [merge, 'a bill is not merged with one that is void'],
  ),
  stack(
    'a bill with a PIN is shown once it is typed',
    'functions/selling/table-pay/origin.ts',
    'passwordHashOf: ({ pinHash }) => pinHash',
    'passwordHashOf: () => null',
    ['integration/table-pay/pin.test.ts', 'until it is typed'],
  ),
  stack(
    'an open page of a bill learns what others pay',
    'functions/selling/table-pay/origin.ts',
    '`${session.totalMinor} ${restOf(session)} ${free}`',
    '`${session.totalMinor}`',
    ['integration/table-pay/following.test.ts', 'learns of a new line'],
  ),
  exclusive(
    'tries of a PIN count together',
    'functions/page/hosted-payment/pages/pay/password.ts',
    "  await limitRate(c.env, 'public', `unlock ${publicId}`)\n",
    '',
    ['integration/table-pay/pin-tries.exclusive.test.ts', 'not guessed from many addresses'],
  ),
  stack(
    'the code of a table leads on from its newest bill alone',
    'functions/selling/table-pay/store.ts',
    'order by each.created_at desc, each.id desc limit 1) latest',
    "and each.status = 'merged' order by each.created_at desc, each.id desc limit 1) latest",
    [codes, 'later guests of a table'],
  ),
  stack(
    'a merge keeps a PIN',
    'functions/selling/table-pay/plan-merge.ts',
    'session.pinHash ?? from.pinHash',
    'session.pinHash',
    [codes, 'has that of the one that is merged'],
  ),
  stack(
    'a bill is reopened at an active table',
    sql,
    "t.id = new.table_id and t.status = 'active' for share",
    't.id = new.table_id for share',
    [codes, 'archived since'],
  ),
  stack(
    'who holds all that is left of a bill leaves the bank’s question',
    'functions/page/hosted-payment/checkout-flow.ts',
    'why.own?.isHeld === true && !isOver(payment)',
    'false',
    [guests, 'leaves the bank’s question'],
  ),
  stack(
    'a payment that is over leads to no form of a bill that others pay',
    'functions/page/hosted-payment/checkout-flow.ts',
    'why.own?.isHeld === true && !isOver(payment)',
    'why.own?.isHeld === true',
    [guests, 'leads to no form'],
  ),
  stack(
    'a voucher holds a part of a bill until the end of the next day',
    'functions/selling/table-pay/origin.ts',
    '    pushDaysMax: 1,\n',
    '',
    [guests, 'until the end of the next day'],
  ),
  stack(
    'a guest does not name a payment in the books',
    'functions/page/hosted-payment/pages/pay/form.ts',
    'onSale.sale.shared ? undefined : ',
    '',
    [guests, 'gives the payment of a bill no reference'],
  ),
  exclusive(
    'a bill is announced as paid while it is',
    'functions/selling/table-pay/plan.ts',
    '      expect(tableSessionSums, session.id, { settledAt: sums.settledAt }),\n',
    '',
    ['integration/table-pay/settled.exclusive.test.ts', 'is not announced'],
  ),
  stack(
    'a waiter is paid what they are owed and no more',
    'drizzle/sql/030_ledger.sql',
    `if v_balance < 0 and v_sum.account_code like 'waiter:%' then`,
    `if v_balance < 0 and v_sum.account_code = '' then`,
    [waiters, '50 payouts of 4.00'],
  ),
  stack(
    'a refund takes the part of the bill first',
    sql,
    'greatest(0, new.amount_refunded_minor - new.amount_captured_minor\n    + least(new.tip_amount_minor, new.amount_captured_minor)) as minor',
    'least(new.amount_refunded_minor, new.tip_amount_minor) as minor',
    [waiters, 'takes back of the tip what goes beyond it'],
  ),
  stack(
    'the tip of a recorded payment that is canceled is owed no more',
    sql,
    'update public.table_tips t set returned_minor = t.amount_minor, version',
    'update public.table_tips t set version',
    [waiters, 'until it is canceled'],
  ),
  stack(
    'an archived waiter is named by no new bill',
    'functions/selling/table-pay/plan.ts',
    '      ...(waiter ? [expectServing(waiter)] : []),\n      insert(tableSessions',
    '      insert(tableSessions',
    [waiters, 'while a bill is opened for them'],
  ),
]
