import { type Mutant, migration, stack } from './mutant.ts'

const terminalSql = 'drizzle/sql/059_terminal.sql'
const ofActions = 'integration/terminal/actions.test.ts'
const ofChosen = 'integration/terminal/chosen-tips.test.ts'
const ofTips = 'integration/in-person/tips.test.ts'
const planActions = 'functions/in-person/terminal/plan-actions.ts'
const planSale = 'functions/in-person/terminal/plan-sale.ts'

/** What devices sell, the tips that they take, and what else they are asked. */
export const devices: readonly Mutant[] = [
  stack(
    'the lines at a device come to the amount',
    planSale,
    'sold.amountMinor !== BigInt(amount)',
    'sold.amountMinor < 0n',
    [ofTips, 'is refused, with the field'],
  ),
  stack(
    'a tip at a device is at most the amount',
    planSale,
    'if (tipMinor > amountMinor)',
    'if (tipMinor < 0n)',
    [ofTips, 'is refused, with the field'],
  ),
  stack('a device sells nothing with stock', planSale, 'if (kept >= 0)', 'if (kept >= 1_000)', [
    ofTips,
    'may be an item of a catalog',
  ]),
  stack('a name hides no other lines', planSale, 'total === written.amount_total', 'total !== undefined', [
    ofTips,
    'is one sale by its name',
  ]),
  stack('a tip at a device is owed', terminalSql, 'or new.tip_amount_minor = 0 then', 'or true then', [
    ofTips,
    'is owed to who served',
  ]),
  stack(
    'no more of a tip is owed than was captured',
    terminalSql,
    'least(new.tip_amount_minor, new.amount_captured_minor)',
    'new.tip_amount_minor',
    [ofTips, 'is whole where the rest'],
  ),
  stack('the tip that is charged was chosen', terminalSql, 'c.tip_minor = p.tip_amount_minor', 'true', [
    ofChosen,
    'no other tip is charged by it',
  ]),
  stack(
    'a tip is charged at the reader that asked',
    terminalSql,
    'and c.reader_id = new.reader_id',
    'and true',
    [ofChosen, 'it is of the same reader'],
  ),
  stack(
    'a tip is charged within ten minutes',
    terminalSql,
    "c.ended_at > new.created_at - interval '10 minutes'",
    'true',
    [ofChosen, 'it is of the same reader'],
  ),
  stack('what was chosen is written once', terminalSql, 'old.chosen is not null and', 'false and', [
    ofChosen,
    'is written once',
  ]),
  stack(
    'a reader that is paired again is free',
    terminalSql,
    "old.status = 'paired' and new.status <> 'paired') execute function door.end_device",
    'false) execute function door.end_device',
    [ofActions, 'stop what takes no payment'],
  ),
  stack(
    'a tip that was chosen is charged once',
    migration,
    'CREATE UNIQUE INDEX "reader_actions_tip_once"',
    'CREATE INDEX "reader_actions_tip_once"',
    [ofChosen, 'is in one payment when 50'],
  ),
  stack('another tip is at most the amount', planActions, 'tipMinor <= BigInt(amount)', 'tipMinor > 0n', [
    ofActions,
    'is refused otherwise: more than',
  ]),
  stack('a device is late after its time', planActions, 'action.expiresAt < clock.now', 'false', [
    ofActions,
    'do something in time',
  ]),
  stack(
    'the first result of what takes no payment counts',
    planActions,
    "if (!isSame) return refuse('reader_action_reported')",
    '',
    [ofActions, 'answer, which it does once'],
  ),
  stack(
    'what takes no payment is never unknown',
    'functions/in-person/terminal/plan.ts',
    '  paymentId === null ? { status',
    "  paymentId === '' ? { status",
    [ofActions, 'do something in time'],
  ),
  stack(
    'a receipt that was not printed is no payment that was declined',
    'functions/in-person/terminal/store.ts',
    '    isNotNull(readerActions.paymentId),\n',
    '',
    [ofActions, 'take no card by it'],
  ),
  stack(
    'the bytes of a receipt are there while it is printed',
    'functions/in-person/terminal/operations-actions.ts',
    "action.status !== 'in_progress' || action.expiresAt <= call.now",
    'action.expiresAt <= call.now',
    [ofActions, 'print a receipt, whose bytes'],
  ),
]
