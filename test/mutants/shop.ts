import { type Mutant, stack, unit } from './mutant.ts'

const inventory = 'drizzle/sql/059_inventory.sql'
const checkout = 'drizzle/sql/059_hosted_checkout.sql'
const entitlements = 'drizzle/sql/059_entitlements.sql'
const ofEntitlements = 'integration/entitlements/delivering.test.ts'
const ofStock = 'integration/inventory/stock.test.ts'
const ofSessions = 'integration/hosted-checkout/sessions.test.ts'
const ofFree = 'integration/hosted-checkout/free.test.ts'
const ofBounds = 'integration/entitlements/bounds.test.ts'
const recovery = 'functions/hosted-checkout/plan-recovery.ts'
const ofRecovery = 'integration/hosted-checkout/recovery.test.ts'

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
  stack('a session costs what its lines cost', checkout, 'sum(n.amount_total) <> v_lines or', '', [
    ofSessions,
    'lines that do not add up',
  ]),
  stack(
    'a code for each customer is counted for that customer',
    'drizzle/sql/059_hosted_checkout_discounts.sql',
    'v_customer is null or door.discount_uses_of(new.tenant_id, d.id, v_customer) > d.uses_per_customer_max',
    'v_customer is null',
    ['integration/hosted-checkout/discounts.test.ts', '50 sessions of one customer'],
  ),
  stack(
    'a use is free again once its attempt is over',
    'drizzle/sql/059_hosted_checkout_discounts.sql',
    `new.status in ('captured', 'declined', 'canceled', 'expired')`,
    `new.status in ('captured', 'canceled', 'expired')`,
    ['integration/hosted-checkout/discounts.test.ts', 'is held by the attempt'],
  ),
  stack(
    'a form of older terms is refused',
    'functions/hosted-checkout/origin.ts',
    `{ status: 'open', asksVersion, termsVersion, policyVersion }`,
    `{ status: 'open', asksVersion, policyVersion }`,
    [ofSessions, 'a form of older terms'],
  ),
  stack(
    'a form of older questions of a checkout is refused',
    'functions/hosted-checkout/origin.ts',
    `{ status: 'open', asksVersion, termsVersion, policyVersion }`,
    `{ status: 'open', termsVersion, policyVersion }`,
    ['integration/hosted-checkout/details.test.ts', 'a form that was opened before'],
  ),
  stack(
    'a session that stops to offer a mail forgets the consent',
    checkout,
    ' or old.recovery is not null and new.recovery is null)',
    ')',
    ['integration/hosted-checkout/recovery.test.ts', 'follows a change of what'],
  ),
  stack(
    'grants and new keys of an item wait for each other',
    entitlements,
    `  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'license_keys', p_tenant, p_item), 0));`,
    '',
    [ofEntitlements, 'a key that is being added'],
  ),
  stack(
    'a partial refund leaves what only a full one takes back',
    entitlements,
    'and p.amount_refunded_minor = p.amount_captured_minor) then',
    ') then',
    [ofEntitlements, 'by the policy full_refund'],
  ),
  stack(
    'a dispute that is decided anew gives it back',
    entitlements,
    `'lost' in (old.status, new.status))`,
    `new.status = 'lost')`,
    [ofEntitlements, 'a lost dispute'],
  ),
  stack(
    'a download of what was revoked is refused',
    'functions/entitlements/plan.ts',
    `if (status !== 'active') return`,
    `if (status === 'pending') return`,
    [ofEntitlements, 'refused: altered'],
  ),
  stack('downloads are counted', 'functions/entitlements/plan.ts', 'downloadsCount: 1', 'downloadsCount: 0', [
    ofEntitlements,
    'the buyer saves the file',
  ]),
  stack(
    'a link with a password shows its form once it is typed',
    'functions/hosted-payment/pages/form.ts',
    '  if (locked) return locked\n',
    '',
    ['integration/payment-links/password.test.ts', 'shows nothing'],
  ),
  stack(
    'another password closes what the former one opened',
    'functions/hosted-payment/pages/password.ts',
    '`${publicId}.${hash.slice(-16)}`',
    'publicId',
    ['integration/payment-links/password.test.ts', 'another password'],
  ),
  stack(
    'who takes three of a link takes three from the stock',
    inventory,
    'n.quantity * v_quantity)',
    'n.quantity)',
    ['integration/payment-links/catalog-items.test.ts', 'no longer choose'],
  ),
  stack(
    'who takes three of a link gets three',
    entitlements,
    'g.quantity * p_quantity end)',
    'g.quantity end)',
    ['integration/payment-links/catalog-items.test.ts', 'how many'],
  ),
  unit(
    'two lines of one item take their sum',
    'functions/hosted-checkout/lines.ts',
    '(sums.get(each.item_id) ?? 0) + each.quantity * line.quantity',
    'each.quantity * line.quantity',
    ['hosted-checkout/lines.test.ts'],
  ),
  stack(
    'a payment grants at most 1000 things',
    entitlements,
    'i.id = d.item_id) > 1000\n',
    'i.id = d.item_id) > 1000000\n',
    [ofBounds, 'the database refuses more'],
  ),
  stack(
    'a payment takes no more stock than a level holds',
    entitlements,
    'n.quantity * v_most > 1000000000',
    'false',
    [ofBounds, 'the database refuses more'],
  ),
  stack(
    'a promise counts for the most that one buyer may take',
    entitlements,
    `coalesce((to_jsonb(new)->>'quantity_max')::bigint, 1)`,
    '1',
    [ofBounds, 'the database refuses more'],
  ),
  stack(
    'a link that lets a buyer take more is bounded anew',
    entitlements,
    `' or old.quantity_max is distinct from new.quantity_max'`,
    `''`,
    [ofBounds, 'the database refuses more'],
  ),
  stack(
    'a promise is bounded where it is made',
    entitlements,
    'when (new.stock is not null or new.delivers is not null)',
    'when (false)',
    [ofBounds, 'the database refuses more'],
  ),
  stack(
    'a file is granted once, however many are bought',
    entitlements,
    `sum(case when i.kind = 'file' then 1 else d.quantity * v_most end)`,
    'sum(d.quantity * v_most)',
    [ofBounds, 'a checkout grants at most'],
  ),
  stack(
    'a workspace that takes no payments completes no free order',
    checkout,
    `and new.amount_minor = 0)
  execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed')`,
    `and new.amount_minor = 0)
  execute function door.refuse_while('suspended', 'closed')`,
    [ofFree, 'is not completed, though'],
  ),
  stack('a free session that was over stays over', checkout, `old.status <> 'open'`, 'false', [
    ofFree,
    'the database',
  ]),
  stack(
    'a free session is completed before it expires',
    checkout,
    'old.expires_at <= new.completed_at',
    'false',
    [ofFree, 'the database'],
  ),
  stack('a free session takes its stock', checkout, 'if new.stock is not null then', 'if false then', [
    ofFree,
    'the last unit',
  ]),
  stack(
    'a free session takes a use of each code',
    checkout,
    'd (discount_id uuid) order by',
    'd (discount_id uuid) where false order by',
    [ofFree, 'whose code is used up'],
  ),
  stack(
    'a free session grants what it delivers',
    checkout,
    'if new.delivers is not null then',
    'if false then',
    [ofFree, 'grants keys and files'],
  ),
  stack(
    'a free order that has changed is not completed',
    'functions/hosted-checkout/completing.ts',
    'isSame ? planFree(',
    'isSame || true ? planFree(',
    [ofFree, 'sells something else meanwhile'],
  ),
  stack(
    'a buyer is mailed with consent alone',
    'functions/hosted-payment/pages/recovering.ts',
    `field('consent') === 'yes' ? null : 'consent'`,
    'null',
    [ofRecovery, 'without the box'],
  ),
  stack(
    'the address of who paid is forgotten',
    checkout,
    `set status = case when new.recovery is null then 'withdrawn' when new.status = 'complete' then 'not_needed' else r.status end,
    email = case when new.recovery is not null and new.status <> 'complete' then r.email end,`,
    `set status = case when new.recovery is null then 'withdrawn' else r.status end,
    email = case when new.recovery is not null then r.email end,`,
    [ofRecovery, 'where the session was paid'],
  ),
  stack(
    'a mail is due so much later as the session says',
    checkout,
    `new.updated_at + make_interval(mins => (new.recovery->>'delay_minutes')::int)`,
    'new.updated_at',
    [ofRecovery, 'waits for as long'],
  ),
  stack(
    'a workspace that takes no payments gives its mails up',
    recovery,
    'if (!recovery.takesPayments) return',
    'if (false) return',
    [ofRecovery, 'of a workspace that is'],
  ),
  stack('the address in its mails is over', recovery, 'takesPayments &&', '', [
    ofRecovery,
    'of a workspace that is',
  ]),
  stack('an address in a mail ends', recovery, 'validUntil > now', 'true', [ofRecovery, 'its address ends']),
  stack(
    'an address in a mail is of its own session',
    'functions/hosted-checkout/recovering.ts',
    '!session || !current || recovery?.sessionId !== session.id',
    '!session || !current || !recovery',
    [ofRecovery, 'its address ends'],
  ),
  stack(
    'a mail opens one session',
    'functions/hosted-checkout/recovering.ts',
    'if (recovery.recoveredRef !== null) return recovery.recoveredRef',
    '',
    [ofRecovery, '50 clicks'],
  ),
  stack(
    'who ended reminders is not reminded of a checkout',
    'functions/mails/plan.ts',
    `reason !== 'unsubscribed' || isReminder(kind)`,
    `reason !== 'unsubscribed'`,
    [ofRecovery, 'ended reminders'],
  ),
]
