import { exclusive, type Mutant, migration, stack, unit } from './mutant.ts'

const sql = 'drizzle/sql/059_payment_links.sql'
const viewed = 'hosted-payment/viewed.test.ts'
const views = 'integration/payment-links/views.test.ts'
const uses = 'integration/payment-links/uses.test.ts'
const lines = 'integration/payment-links/lines.test.ts'
const choices = 'integration/payment-links/choices.test.ts'
const quantities = 'integration/payment-links/quantities.test.ts'
const templates = 'functions/selling/payment-links/plan-templates.ts'
const ofTemplates = 'integration/payment-links/share.test.ts'

const codes = 'integration/payment-links/codes.test.ts'
const codesHeld = 'integration/payment-links/codes-held.test.ts'
const networks = 'integration/payment-links/networks.exclusive.test.ts'
const chosen = 'functions/page/hosted-payment/pages/pay/chosen.ts'

export const links: readonly Mutant[] = [
  stack(
    'a payment of a link holds a use of each code of its order',
    'drizzle/sql/059_hosted_checkout_discounts.sql',
    'elsif door.is_discounted(p."order") then',
    'elsif false then',
    [codesHeld, '50 buyers of one link'],
  ),
  stack(
    'a payment of a link says what its codes take off',
    sql,
    'or n.amount is distinct from -least',
    'or 1 = -least',
    [codesHeld, 'no row says'],
  ),
  stack(
    'a link that takes no codes is paid with none',
    sql,
    'if v_typed > l.takes_codes::int then',
    'if false then',
    [codes, 'is refused once the link takes none'],
  ),
  stack(
    'a use of a code is of a session or of a payment',
    migration,
    'CHECK (num_nonnulls("discount_uses"."session_id", "discount_uses"."payment_id") = 1)',
    'CHECK (true)',
    [codesHeld, 'no row says'],
  ),
  exclusive(
    'codes in the addresses of a link are not guessed from one network',
    chosen,
    "await limitRate(c.env, 'auth', `${networkOfCaller(c)} ${publicId}`)",
    'void networkOfCaller',
    [networks, 'codes in the addresses'],
  ),
  exclusive(
    'codes in the addresses of a link are not guessed from many networks',
    chosen,
    "await limitRate(c.env, 'write', `codes ${publicId}`)",
    '',
    [networks, 'codes in the addresses'],
  ),
  stack(
    'a link costs what its lines cost',
    sql,
    "if door.lines_total(new.lines) - door.discounts_total(new.discounts)\n    + coalesce((new.shipping_options->0->>'amount')::bigint, 0) is distinct from new.amount_minor",
    'if false',
    [lines, 'no row of a link says'],
  ),
  stack(
    'what a form chooses and its page did not is shown before it is charged',
    'functions/page/hosted-payment/sealed-quote.ts',
    '    ...(visit.choices ? { choices: visit.choices } : {}),\n',
    '    ...(visit.choices ? { choices: visit.choices, adjustable: undefined as never } : {}),\n',
    [choices, 'what the page shows as chosen'],
  ),
  stack(
    'nothing is paid while a choice cannot be had',
    'functions/page/hosted-payment/pages/pay/form.ts',
    '(choices !== undefined || unadjusted.problem',
    '(unadjusted.problem',
    [choices, 'a choice that cannot be had'],
  ),
  stack(
    'a second try pays what was chosen',
    'functions/page/hosted-payment/pages/pay/chosen.ts',
    '...(retried && chosenBefore(retried, sale)), ',
    '',
    [choices, 'a second try after a declined card'],
  ),
  stack(
    'tips and ways to be sent go with lines',
    'functions/selling/payment-links/plan-amount.ts',
    'const beside = sold.lines ? null : problemBeside(sold)',
    'const beside = null',
    [choices, 'refused without lines'],
  ),
  stack(
    'an attempt takes the quantities that its buyer chose',
    'drizzle/sql/059_inventory.sql',
    `coalesce(p.takes, v_stock->'lines')`,
    `v_stock->'lines'`,
    [quantities, 'each payment takes and grants'],
  ),
  stack(
    'a payment grants the quantities that its buyer chose',
    'drizzle/sql/059_entitlements.sql',
    'coalesce(new.delivers, nullif(',
    'coalesce(null, nullif(',
    [quantities, 'each payment takes and grants'],
  ),
  stack(
    'a payment of a link buys its lines within their bounds',
    sql,
    `coalesce(s.line->'quantity_max', s.line->'quantity')::int`,
    '10000',
    [quantities, 'no payment is made of more'],
  ),
  stack(
    'a line of a payment has the price of the link',
    sql,
    `      and (o.line->>'total')::bigint = c.priced + (c.priced * c.percent * 2 + 100) / 200) is not true)`,
    '      ) is not true)',
    [quantities, 'no row of a payment says'],
  ),
  stack(
    'a line costs what its quantity costs',
    'drizzle/sql/057_order.sql',
    ' = n.unit_amount * n.quantity',
    ' is not null',
    [lines, 'no row of a link says'],
  ),
  stack(
    'lines that change move the terms of a link',
    'functions/selling/payment-links/plan.ts',
    'const termsMoved = isOffered || !isSameTerms',
    'const termsMoved = !isSameTerms',
    [lines, 'a line that becomes another one'],
  ),
  stack(
    'a link takes the stock of all its lines',
    'functions/selling/payment-links/plan.ts',
    'promisedBy(lines ?? [], input.location_id)',
    'promisedBy((lines ?? []).slice(0, 1), input.location_id)',
    [lines, 'an attempt takes the stock of all lines'],
  ),
  stack(
    'a payment under way holds a use',
    sql,
    'set held_count = u.held_count + 1, updated_at',
    'set updated_at',
    [uses, 'an unpaid voucher holds'],
  ),
  stack('a link takes nothing before its start', sql, 'v_link.starts_at > a.created_at', 'false', [
    uses,
    'before its start',
  ]),
  stack(
    'a limit comes before the first payment',
    sql,
    `tg_op = 'UPDATE' and old.uses_max is null and exists`,
    `tg_op = 'UPDATE' and false and exists`,
    [uses, 'a limit belongs'],
  ),
  stack(
    'a buyer goes on to an origin of the settings',
    sql,
    'when (new.success_url is not null) execute',
    'when (false) execute',
    ['integration/payment-links/payers.test.ts', 'after the payment'],
  ),
  stack(
    'a form of older questions is refused',
    'functions/selling/payment-links/origin.ts',
    `{ status: 'active', asksVersion, termsVersion`,
    `{ status: 'active', termsVersion`,
    ['integration/payment-links/collects.test.ts', 'a form that was opened before'],
  ),
  stack(
    'what is asked again closes the forms that are open',
    'functions/order/sales/plan-terms.ts',
    'asksVersion: before.asksVersion + 1',
    'asksVersion: before.asksVersion',
    ['integration/payment-links/collects.test.ts', 'a form that was opened before'],
  ),
  stack('events leave out what the buyer gave', 'src/kernel/events.ts', '!names.includes(key)', 'true', [
    'integration/payment-links/collects.test.ts',
    'in no event',
  ]),
  unit(
    'programs that say what they are do not count',
    'functions/page/hosted-payment/pages/pay/viewed.ts',
    ' &&\n    !programs.test(agent)',
    '',
    [viewed],
  ),
  unit(
    'a step within the page does not count',
    'functions/page/hosted-payment/pages/pay/viewed.ts',
    ` &&\n    header('sec-fetch-site') !== 'same-origin'`,
    '',
    [viewed],
  ),
  unit(
    'a prefetch does not count',
    'functions/page/hosted-payment/pages/pay/viewed.ts',
    ' &&\n    !/prefetch|preview/i.test(purpose)',
    '',
    [viewed],
  ),
  stack('nothing waits for a count', sql, ` set lock_timeout = '250ms'`, '', [
    views,
    'a count that would wait',
  ]),
  stack(
    'a count that moves is shown to who has the version',
    'functions/selling/payment-links/contract-read.ts',
    '  showsLive: true,\n',
    '',
    [views, 'openings by browsers'],
  ),
  stack('what shows a live count is never left out', 'src/http/router.ts', ' && !showsLive &&', ' &&', [
    'contract/if-match.test.ts',
    'a body each time',
  ]),
  stack(
    'a revoked link counts what was paid',
    'drizzle/sql/059_payment_links.sql',
    'is not null)::int',
    'is null)::int',
    ['integration/payment-links/session-ref.test.ts', 'revoke'],
  ),
  stack(
    'what the body says wins over the template',
    templates,
    '...Object.fromEntries(kept), ...asked',
    '...asked, ...Object.fromEntries(kept)',
    [ofTemplates, 'made from a template'],
  ),
  stack('a body’s amount takes the place of the template’s', templates, '!left.includes(name)', 'true', [
    ofTemplates,
    'made from a template',
  ]),
  stack(
    'a deleted template makes no link',
    'functions/selling/payment-links/store.ts',
    `slot('id')), isKept)`,
    `slot('id')))`,
    [ofTemplates, 'made from a template'],
  ),
]
