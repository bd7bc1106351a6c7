import { type Mutant, migration, stack, unit } from './mutant.ts'

const checkoutRaces = 'integration/hosted-checkout/races.test.ts'
const ofSessions = 'integration/hosted-checkout/sessions.test.ts'
const ofStock = 'integration/inventory/races.test.ts'
const ofUses = 'integration/payment-links/uses.test.ts'
const ofCodes = 'integration/hosted-checkout/discounts.test.ts'
const ofEntitlements = 'integration/entitlements/delivering.test.ts'
const holds = 'drizzle/sql/039_payments_holds.sql'
const inventory = 'drizzle/sql/059_inventory.sql'
const entitlements = 'drizzle/sql/059_entitlements.sql'

/** What holds when many want the last one at once, and what a buyer of files and keys may not get. */
export const held: readonly Mutant[] = [
  stack(
    'what is held never exceeds what there is',
    migration,
    'CHECK ("stock_levels"."reserved" <= "stock_levels"."on_hand")',
    'CHECK (true)',
    [ofStock, '50 for the last unit'],
  ),
  stack(
    'a bundle takes its parts from the stock',
    'functions/order/lines/lines.ts',
    '[{ item_id: item.id, quantity: 1 }, ...item.components]',
    '[{ item_id: item.id, quantity: 1 }]',
    [ofSessions, 'a bundle takes its parts'],
  ),
  stack(
    'what was released is not sold',
    inventory,
    `or (old.status <> 'held' and not`,
    `or (old.status = 'committed' and not`,
    ['integration/inventory/stock.test.ts', 'what was released is not sold'],
  ),
  stack(
    'a code is used at most as often as it may',
    migration,
    'CHECK ("discounts"."uses" <= "discounts"."uses_max")',
    'CHECK (true)',
    [ofCodes, '50 buyers at a code'],
  ),
  stack(
    'a session in 50 tabs is charged once',
    migration,
    'CREATE UNIQUE INDEX "payments_one_live_per_exclusive_origin"',
    'CREATE INDEX "payments_one_live_per_exclusive_origin"',
    [checkoutRaces, 'one session in 50 tabs'],
  ),
  stack(
    'a session that has ended takes no payment',
    'functions/selling/hosted-checkout/origin.ts',
    `{ status: 'open', asksVersion, termsVersion, policyVersion }`,
    `{ asksVersion, termsVersion, policyVersion }`,
    [checkoutRaces, 'submit against expire'],
  ),
  stack(
    'a price that changes beside submits charges nobody another one',
    'functions/selling/hosted-checkout/origin.ts',
    `{ status: 'open', asksVersion, termsVersion, policyVersion }`,
    `{ status: 'open', asksVersion, policyVersion }`,
    [checkoutRaces, 'a price that changes while'],
  ),
  stack(
    'a link is paid as often as it may be, and never once more',
    migration,
    'CHECK ("payment_link_uses"."paid_count" + "payment_link_uses"."held_count" <= "payment_link_uses"."uses_max")',
    'CHECK (true)',
    [ofUses, '50 buyers for the last 3'],
  ),
  stack(
    'an expired voucher holds its stock through its grace',
    'src/kernel/payment-methods.ts',
    'days: 3, graceBankDays: 2',
    'days: 3, graceBankDays: 0',
    [ofSessions, 'a voucher that is not paid'],
  ),
  stack(
    'a voucher that ends frees its stock',
    holds,
    `when p_resolved_at is not null then`,
    `when p_resolved_at is not null and p_status <> 'expired' then`,
    [ofSessions, 'a voucher that is not paid'],
  ),
  stack('a key goes to one buyer', entitlements, `f.status = 'available'`, `f.status <> 'withdrawn'`, [
    ofEntitlements,
    '50 buyers at once',
  ]),
  stack(
    'nothing is granted before the money is there',
    entitlements,
    'if old.amount_captured_minor > 0 or new.amount_captured_minor = 0 then',
    'if old.status = new.status then',
    [ofEntitlements, 'nothing where the payment is declined'],
  ),
  stack(
    'a refund takes back what was granted',
    entitlements,
    'when (old.amount_refunded_minor <> new.amount_refunded_minor)',
    'when (false)',
    [ofEntitlements, 'two partial refunds'],
  ),
  stack(
    'what was revoked is not counted as a download',
    entitlements,
    `when (new.downloads_count > old.downloads_count and new.status <> 'active')`,
    'when (false)',
    [ofEntitlements, 'refused: altered'],
  ),
  stack(
    'a file that is being removed is not downloaded',
    'functions/goods/entitlements/store.ts',
    `those, eq(deliveredFiles.status, 'stored')`,
    'those',
    [ofEntitlements, 'refused: altered'],
  ),
  unit(
    'an address of a download ends',
    'functions/goods/entitlements/download.ts',
    `if (named.validUntil <= now.getTime()) return 'late'`,
    '',
    ['hosted-payment/downloads.test.ts'],
  ),
  unit(
    'an address of a download is signed',
    'src/platform/crypto.ts',
    'if (sameText(await mac(secret, purpose, text), sealed.slice(0, dot))) return text',
    'if (secret !== "") return text',
    ['hosted-payment/downloads.test.ts'],
  ),
  stack(
    'a file of no bytes is refused',
    'functions/goods/entitlements/operations.ts',
    'if (bytes.length === 0)',
    'if (bytes.length < 0)',
    [ofEntitlements, 'what an upload is refused for'],
  ),
  stack(
    'a file that is too large is refused',
    'functions/goods/entitlements/operations.ts',
    'if (bytes.length > ofGoods.fileBytesMax)',
    'if (bytes.length < 0)',
    [ofEntitlements, 'what an upload is refused for'],
  ),
  unit(
    'an image has as many pixels as it may',
    'src/kernel/images/raster.ts',
    ' && longer <= sidePxMax',
    '',
    ['branding/image.test.ts'],
  ),
  unit(
    'an SVG has only what draws',
    'functions/page/branding/svg.ts',
    '(!elements.has(local) || (',
    '(false || (',
    ['branding/image.test.ts'],
  ),
  unit(
    'an image is what its bytes say',
    'src/kernel/images/raster.ts',
    `'\\x89PNG\\r\\n\\x1a\\n') return`,
    `'\\x89PNG\\r\\n\\x1a\\n' || asciiAt(bytes, 0, 3) === 'GIF') return`,
    ['branding/image.test.ts'],
  ),
]
