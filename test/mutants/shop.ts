import { type Mutant, stack, unit } from './mutant.ts'

const inventory = 'drizzle/sql/059_inventory.sql'
const checkout = 'drizzle/sql/059_hosted_checkout.sql'
const ofStock = 'integration/inventory/stock.test.ts'
const ofSessions = 'integration/hosted-checkout/sessions.test.ts'

export const shop: readonly Mutant[] = [
  stack(
    'what is reserved cannot be reserved again',
    inventory,
    'set reserved = l.reserved + v.quantity',
    'set reserved = l.reserved',
    [ofStock, 'a reservation takes from'],
  ),
  stack(
    'what was never in stock cannot be reserved',
    inventory,
    'if not found or v.quantity < 1 then',
    'if v.quantity < 1 then',
    [ofStock, 'nothing was ever there'],
  ),
  stack(
    'a reservation that ends frees what it held',
    inventory,
    'set reserved = l.reserved - v.quantity',
    'set reserved = l.reserved',
    [ofStock, 'a reservation takes from'],
  ),
  stack(
    'a reservation ends once',
    inventory,
    `or (old.status <> 'held' and not`,
    `or (old.status <> 'held' and new.status = 'held' and not`,
    [ofStock, 'another end'],
  ),
  stack(
    'what was committed is sold',
    inventory,
    `if new.status = 'committed' and v_sold > 0 then`,
    'if false then',
    [ofStock, 'a reservation takes from'],
  ),
  stack('an attempt to pay holds the stock', inventory, 'if v_stock is not null then', 'if false then', [
    ofSessions,
    'an attempt holds it',
  ]),
  stack(
    'a declined attempt frees the stock',
    inventory,
    `new.status in ('captured', 'declined', 'canceled', 'expired'))`,
    `new.status in ('captured', 'canceled', 'expired'))`,
    [ofSessions, 'a declined payment frees it'],
  ),
  stack(
    'late money sells no more than there is',
    inventory,
    `      if v.missing > 0 then
        v_missing`,
    `      if false then
        v_missing`,
    [ofSessions, 'late money'],
  ),
  stack(
    'a session that is being paid does not expire',
    checkout,
    'if door.is_being_paid(new.tenant_id, new.id) then',
    'if false then',
    [ofSessions, 'a voucher: pending'],
  ),
  stack(
    'buyers are sent back to origins of the settings alone',
    checkout,
    `substring(u.url from '^[a-z]+://[^/?#]+') = any (s.return_origins)`,
    `u.url like s.return_origins[1] || '%'`,
    [ofSessions, 'the buyer goes back'],
  ),
  stack('a session costs what its lines cost', checkout, 'sum(n.amount_total) <> new.amount_minor or', '', [
    ofSessions,
    'lines that do not add up',
  ]),
  stack(
    'a form of older terms is refused',
    'functions/hosted-checkout/origin.ts',
    `{ status: 'open', termsVersion, policyVersion }`,
    `{ status: 'open', policyVersion }`,
    [ofSessions, 'a form of older terms'],
  ),
  unit(
    'two lines of one item take their sum',
    'functions/hosted-checkout/lines.ts',
    'taken.set(itemId, (taken.get(itemId) ?? 0) + quantity)',
    'taken.set(itemId, quantity)',
    ['hosted-checkout/lines.test.ts'],
  ),
]
