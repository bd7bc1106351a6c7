import { authorize, exclusive, type Mutant, migration, stack, unit } from './mutant.ts'

const sql = 'drizzle/sql/059_physical_checkout.sql'
const origin = 'functions/in-person/physical-checkout/origin.ts'
const routes = 'functions/in-person/physical-checkout/pages/routes.ts'
const plan = 'functions/in-person/physical-checkout/plan-orders.ts'
const orders = 'integration/physical-checkout/orders.test.ts'
const codes = 'integration/physical-checkout/codes.test.ts'
const cash = 'integration/physical-checkout/cash.test.ts'
const races = 'integration/physical-checkout/races.test.ts'
const byServer = 'functions/page/hosted-payment/server-paying.ts'
const ofServers = 'integration/physical-checkout/card-payments.test.ts'
const ofBuyers = 'integration/physical-checkout/card-buyers.test.ts'
const ofCounters = 'integration/digital-catalogs/counter.test.ts'

/** Orders at registers, and the cash of their drawers. */
export const registers: readonly Mutant[] = [
  unit(
    'what is measured is rounded half up',
    'functions/order/lines/made-up.ts',
    'thousandthsOf(measure) + 500n) / 1000n',
    'thousandthsOf(measure)) / 1000n',
    ['order/made-up.test.ts', 'rounded half up'],
  ),
  unit(
    'of a group a line names no more than it may',
    'functions/order/lines/made-up.ts',
    'named.length < least || named.length > most',
    'named.length < least',
    ['order/made-up.test.ts', 'with too many'],
  ),
  stack(
    'a barcode is of one item',
    migration,
    'CREATE UNIQUE INDEX "catalog_items_barcode"',
    'CREATE INDEX "catalog_items_barcode"',
    [ofCounters, 'fifty items that ask for one barcode'],
  ),
  stack(
    'a price of a place comes before one of none',
    'functions/goods/digital-catalogs/store.ts',
    '.orderBy(asc(catalogPrices.locationId))',
    '.orderBy(desc(catalogPrices.locationId))',
    [ofCounters, 'a price of a location comes before'],
  ),
  stack(
    'the page of a catalog sells nothing that needs a measure',
    'functions/selling/storefront/offer.ts',
    "if (!isAsItIs) return 'at_counter'",
    '',
    [ofCounters, 'sells nothing that needs a measure'],
  ),
  stack(
    'a register shows one order',
    migration,
    'CREATE UNIQUE INDEX "register_orders_current"',
    'CREATE INDEX "register_orders_current"',
    [races, 'it shows one'],
  ),
  stack(
    'a payment wins over every other end of an order',
    sql,
    "when (old.status = 'open' and new.status <> 'open' and new.payment_id is null)",
    'when (false)',
    [orders, 'is neither canceled nor replaced'],
  ),
  stack(
    'an order takes no payment once it has ended',
    origin,
    "{ status: 'open' }, 'expiresAt'",
    "{}, 'expiresAt'",
    [races, 'while the cashier cancels pays nothing'],
  ),
  stack('an order that costs something else is no repetition', plan, 'asksFor(asked, first) &&', '', [
    orders,
    'asked again by its own name',
  ]),
  stack('only the order that is shown is replaced', plan, 'if (replacesId !== current.id)', 'if (false)', [
    orders,
    'is not replaced',
  ]),
  stack(
    'an order of its own code alone is not at the printed one',
    routes,
    "order.mode !== 'dynamic'",
    'true',
    [codes, 'the printed code'],
  ),
  stack(
    'a drawer gives no more than is in it',
    migration,
    '- "register_shifts"."returns_minor" - "register_shifts"."paid_out_minor" >= 0',
    '- "register_shifts"."returns_minor" - "register_shifts"."paid_out_minor" > -999999999999',
    [cash, 'a drawer gives no more'],
  ),
  stack(
    'cash counts in an open shift',
    sql,
    "where s.tenant_id = new.tenant_id and s.id = new.shift_id and s.status = 'open';",
    'where s.tenant_id = new.tenant_id and s.id = new.shift_id;',
    [races, 'while the drawer is counted'],
  ),
  stack('cash takes stock', sql, 'and new.stock is not null)', 'and false)', [
    cash,
    'stock is taken by cash',
  ]),
  stack(
    'a register has one open shift',
    migration,
    'CREATE UNIQUE INDEX "register_shifts_open"',
    'CREATE INDEX "register_shifts_open"',
    [races, 'one is opened'],
  ),
  stack(
    'a key with which a server paid is of one request',
    authorize,
    'if v_claim.fingerprint <> p_fingerprint then',
    'if false then',
    [ofServers, 'a decline is a payment'],
  ),
  stack(
    'a server charges no tip that the order does not offer',
    byServer,
    "if (BigInt(quote.tip ?? '0') === BigInt(amountTip)) return quote",
    'if (quote) return quote',
    [ofServers, 'is one that the order offers'],
  ),
  stack(
    'cards of a server are counted where it says that the buyer is',
    byServer,
    'asked.ip_address === null ? seller.placeOf(row) : networkOf(asked.ip_address)',
    'seller.placeOf(row)',
    [ofServers, 'count at its register'],
  ),
  stack(
    'a server takes no payment over that a stranger was declined for on the page',
    'functions/page/hosted-payment/store.ts',
    "        sql`${lastChannel} = 'server'`,\n",
    '',
    [ofBuyers, 'has a payment of its own'],
  ),
  stack(
    'cards that fail at one order count over all addresses that a server names',
    'drizzle/sql/059_payments_guard.sql',
    'if v_of_sale >= 10 then',
    'if false then',
    [ofBuyers, 'each from another address'],
  ),
  stack(
    'one card that fails again and again at an order counts once',
    'drizzle/sql/059_payments_guard.sql',
    'v_of_sale := (select count(distinct t.card_digest)',
    'v_of_sale := (select count(*)',
    [ofBuyers, 'is one card'],
  ),
  stack(
    'an erased reply is said to be erased, and leads to no payment',
    'functions/money/payments/submit.ts',
    " || error.reply.body === ''",
    '',
    [ofBuyers, 'whose reply was erased'],
  ),
  exclusive(
    'a request that is planned again asks the processor for its card once',
    byServer,
    'described.set(amountMinor, card)',
    '',
    ['integration/stripe-own-form.exclusive.test.ts', 'planned again on fresh rows'],
  ),
  stack(
    'a server is not answered with the payment of another request',
    byServer,
    'if (!led.isOwn) throw new Stale()',
    '',
    ['integration/physical-checkout/card-races.test.ts', 'try a declined payment again'],
  ),
  stack(
    'a revoked code leads to nothing',
    'functions/in-person/physical-checkout/store.ts',
    `  eq(registerCodes.status, 'active'),
`,
    '',
    [codes, 'a revoked code'],
  ),
  stack(
    'late money pays no order that cash has paid',
    sql,
    'if v_tendered is not null then',
    'if false then',
    [orders, 'that cash has paid'],
  ),
  stack(
    'the report of a shift has what was captured',
    'functions/in-person/physical-checkout/store.ts',
    'sum(${payments.amountCapturedMinor} - ${tipCaptured})',
    'sum(${payments.amountMinor} - ${tipCaptured})',
    [cash, 'not what was authorized'],
  ),
  stack(
    'a register at an archived location sells nothing',
    'functions/in-person/physical-checkout/plan-codes.ts',
    "locationStatus === 'archived'",
    'false',
    [orders, 'at an archived location'],
  ),
]
