/** One guard taken out: at least one of the named tests must fail without it. */
export interface Mutant {
  /** The guard, in words. */
  readonly name: string
  readonly file: string
  /** The guard's exact text. It stands `times` times in the file; without a number, once. */
  readonly text: string
  readonly times?: number
  readonly instead: string
  readonly project: 'unit' | 'stack' | 'exclusive'
  /** Files of tests; `only`: those whose names contain it. */
  readonly tests: readonly string[]
  readonly only?: string
}

/**
 * A file's text without the guard.
 * @throws Error when the guard's text does not stand there as often as the list says
 */
export function mutated({ name, file, text, times = 1, instead }: Mutant, source: string): string {
  const parts = source.split(text)
  if (parts.length - 1 !== times)
    throw new Error(`"${name}": its text stands ${parts.length - 1} times in ${file}, not ${times}`)
  return parts.join(instead)
}

type Killer = readonly [test: string, only?: string]

const by =
  (project: Mutant['project'], folder: string) =>
  (name: string, file: string, text: string, instead: string, [test, only]: Killer): Mutant => ({
    name,
    file,
    text,
    instead,
    project,
    tests: [`${folder}${test}`],
    ...(only === undefined ? {} : { only }),
  })

/** What a pure function decides, and its test. */
const unit = by('unit', 'test/unit/')
/** What the Workers and the database decide together. */
const stack = by('stack', 'test/')
const exclusive = by('exclusive', 'test/')

const migration = 'drizzle/migrations/0000_initial.sql'
const authorize = 'drizzle/sql/040_authorize.sql'
const publish = 'drizzle/sql/050_publish.sql'

/** Guards that were missing once: each line undoes the repair of a fault that was found. */
const repaired: readonly Mutant[] = [
  stack(
    'a revoked key gets no reply, not even one from before',
    authorize,
    `elsif v_key.status in ('revoking', 'revoked') then`,
    `elsif v_key.status = '' then`,
    ['integration/api-keys/lifecycle.test.ts', 'revoked: stops with the next request, replays included'],
  ),
  stack(
    'a password alone does not sign in where a passkey is enrolled',
    'drizzle/identity/sql/030_sessions.sql',
    'SELECT EXISTS (SELECT FROM public.passkeys WHERE user_id = p_user_id)',
    'SELECT false',
    ['integration/auth/two-factors.test.ts', 'a password begins no session'],
  ),
  stack(
    'a pin counts only with its seal',
    'drizzle/sql/020_rows.sql',
    `return case when v_seal <> '' and v_seal = door.seal(v_tenant) then v_tenant end;`,
    'return v_tenant;',
    ['integration/database/role-attacks.test.ts', 'opens nothing'],
  ),
  stack(
    'runs that fail at once on one row count once',
    'drizzle/sql/060_due.sql',
    '\n  where f.next_try_at <= p_now;',
    '\n  where true;',
    ['integration/database/due.test.ts', 'parallel runs that fail on one row count once'],
  ),
  stack(
    'If-Match names the version that is changed',
    'src/http/operation.ts',
    '&& write.version === ifVersion,',
    '&& write.version > 0,',
    ['contract/if-match.test.ts', 'payment_links.update: changes the version that is named'],
  ),
  stack(
    'moving an endpoint takes the scopes of what it has deliveries of',
    'functions/webhooks/operations.ts',
    `if (hiddenType) return fail('insufficient_scope', unmovable(hiddenType))`,
    '',
    ['integration/webhooks/readable.test.ts', 'cannot move them to another address'],
  ),
  unit(
    'a card number with invisible characters is one',
    'src/kernel/card-number.ts',
    `.replace(invisible, '')`,
    '',
    ['kernel/card-number.test.ts'],
  ),
  exclusive(
    'a long reply that Redis has lost comes from Postgres',
    'src/http/replay-cache.ts',
    'if (found !== null) return { status, body: found, replayed: true }',
    `if (found !== '') return { status, body: found ?? '', replayed: true }`,
    ['faults/redis.test.ts', 'a long reply is replayed by the store that holds it'],
  ),
  stack(
    'a new password ends the sessions',
    'drizzle/identity/sql/045_passwords.sql',
    'DELETE FROM public.sessions WHERE user_id = NEW.user_id;',
    '',
    ['integration/auth/sessions.test.ts', 'a new password'],
  ),
  unit(
    'a made-up clave de rastreo has no digits',
    'functions/sandbox/operations-spei.ts',
    `.replace(/\\d/g, (digit) => 'GHIJKLMNOP'[Number(digit)]!)`,
    '',
    ['sandbox/clave.test.ts'],
  ),
  unit(
    'a hint whose facts could not be read is not confirmed',
    'functions/bank-orders/reconcile.ts',
    `if (answer.state === 'unknown' && orders.rowOf(known).nextCheckAt === null)`,
    `if (answer.state === 'unknown' && orders.rowOf(known).id === '')`,
    ['payments/hints.test.ts'],
  ),
  unit(
    'a version conflict is logged only when it keeps coming back',
    'src/http/scheduled.ts',
    '(failures[id] ?? 0) <= staleMax',
    '(failures[id] ?? 0) <= 0',
    ['http/due.test.ts'],
  ),
  unit(
    'a card is not refunded past its bank',
    'functions/refunds/plan.ts',
    `if (request.method === 'recorded_offline' && payment.method === 'card')`,
    `if (request.method === 'recorded_offline' && payment.id === '')`,
    ['refunds/plan.test.ts'],
  ),
]

const kernel: readonly Mutant[] = [
  unit(
    'a CLABE has a check digit',
    'src/kernel/clabe.ts',
    ' && clabeWithCheckDigit(text.slice(0, 17)) === text',
    '',
    ['kernel/clabe.test.ts'],
  ),
  unit(
    'a card number passes Luhn',
    'src/kernel/card-number.ts',
    'doubled > 9 ? doubled - 9 : doubled',
    'doubled',
    ['kernel/card-number.test.ts'],
  ),
  unit('fees are rounded half-up', 'src/kernel/money.ts', '+ 5_000n) / 10_000n', '+ 4_999n) / 10_000n', [
    'kernel/money.test.ts',
  ]),
  unit(
    'parts of an amount sum to it',
    'src/kernel/money.ts',
    'const first = totalMinor - part * BigInt(parts - 1)',
    'const first = part',
    ['kernel/money.test.ts'],
  ),
  unit(
    'an API key has a checksum',
    'src/kernel/api-key.ts',
    'if (checksum(token.slice(0, -checksumLength)) !== crc)',
    `if (crc === '')`,
    ['kernel/api-key.test.ts'],
  ),
  unit(
    'a status moves only from where its lifecycle allows',
    'src/kernel/lifecycle.ts',
    'return declared.moves[event]?.from.includes(from) ?? false',
    'return declared.moves[event] !== undefined && from !== null',
    ['kernel/lifecycle.test.ts'],
  ),
  unit(
    'a fingerprint does not depend on the order of fields',
    'src/kernel/canonical.ts',
    'Object.keys(object).sort()',
    'Object.keys(object)',
    ['kernel/canonical.test.ts'],
  ),
]

const requests: readonly Mutant[] = [
  unit('a body has at most 64 KiB', 'src/http/stages/validate.ts', '64 * 1024', '1024 * 1024', [
    'http/refusals.test.ts',
    'a body that is no JSON object',
  ]),
  unit(
    'an Idempotency-Key has 8 to 255 characters',
    'src/http/schemas.ts',
    `return length >= 8 && length <= 255 && !key.includes('\\ufffd')`,
    'return length > 0',
    ['http/refusals.test.ts', 'an Idempotency-Key of less than 8'],
  ),
  unit('If-Match names a version', 'src/http/request-context.ts', '([1-9]\\d{0,8})', '(\\d{1,9})', [
    'http/refusals.test.ts',
    'an If-Match that names no version',
  ]),
  unit(
    'the key of another environment is refused before a query',
    'src/http/stages/credential.ts',
    'if (parsed.environment !== services.settings.environment) throw environmentMismatch(services)',
    '',
    ['http/refusals.test.ts', 'a missing credential, and one in another form'],
  ),
  unit(
    'a prototype is no field',
    'src/http/stages/validate.ts',
    'if (mayNamePrototype.test(text) && namesPrototype(value))',
    `if (text === '' && namesPrototype(value))`,
    ['http/refusals.test.ts', 'a field that does not exist'],
  ),
  unit(
    'a Redis entry counts only under the name that it was stored with',
    'src/platform/redis.ts',
    `typeof stored === 'string' ? unseal(secrets, name, stored) : null`,
    `typeof stored === 'string' ? stored.slice(stored.indexOf('.') + 1) : null`,
    ['platform/memory.test.ts', 'what is stored under another name'],
  ),
  unit(
    'a proof is spent for every other Idempotency-Key',
    'src/platform/redis.ts',
    'return consumedBy !== null && consumedBy !== idempotencyKey',
    `return consumedBy === ''`,
    ['platform/memory.test.ts', 'a proof is spent'],
  ),
  unit(
    'a session token is signed',
    'functions/auth/session.ts',
    'return (await signedUnder(token, signature, secrets)) === null ? null : token',
    `return (await signedUnder(token, signature, secrets)) === '' ? null : token`,
    ['auth/session.test.ts'],
  ),
  unit(
    'a signature of a session token has one spelling',
    'functions/auth/session.ts',
    '{42}[AEIMQUYcgkosw048]=',
    '{43}=',
    ['auth/session.test.ts'],
  ),
  unit(
    'a cursor ahead of the events is refused',
    'functions/webhooks/following.ts',
    ' || from.commitOrder > horizon',
    '',
    ['webhooks/following.test.ts'],
  ),
  stack(
    'a cursor is signed',
    'src/platform/crypto.ts',
    'if (sameText(await mac(secret, purpose, text), sealed.slice(0, dot))) return text',
    `if (sameText(await mac(secret, purpose, text), sealed.slice(0, dot)) || text !== '') return text`,
    ['contract/paging.test.ts', 'payment_links.list: a cursor opens only what it was made for'],
  ),
  stack(
    'a cursor is of one workspace',
    'src/http/operation.ts',
    'if (position && position.tenantId !== tenantId) throw',
    `if (position && position.tenantId === '') throw`,
    ['contract/paging.test.ts', 'payment_links.list: a cursor of another workspace'],
  ),
  stack(
    'a used Idempotency-Key takes no other request',
    authorize,
    `elsif v_claim.fingerprint <> p_claim->>'fingerprint' then`,
    `elsif v_claim.fingerprint = '' then`,
    ['contract/matrix.test.ts', 'payment_links.create: refuses another request under the same key'],
  ),
  stack(
    'a key has scopes',
    authorize,
    'elsif not (v_key.scopes && v_op.scopes) then',
    'elsif cardinality(v_key.scopes) = 0 then',
    ['contract/callers.test.ts', 'payment_links.create: refuses a key without its scope'],
  ),
  stack(
    'a member may do less than an owner',
    authorize,
    `perform door.refuse('SP403', 'insufficient_role', jsonb_build_object('role', v_op.role));`,
    'null;',
    ['contract/callers.test.ts', 'membership is checked first, then the role'],
  ),
  stack(
    "a key's digest is compared",
    authorize,
    `or v_key.digest is distinct from p_credential->'digests'->>(v_key.pepper_version::text) then`,
    'or v_key.digest is null then',
    ['integration/database/door-credentials.test.ts', 'a key with another digest is refused'],
  ),
  stack(
    'a step-up proof is good once',
    publish,
    `and token_digest = v_wanted->>'tokenDigest' and status = 'verified'`,
    `and token_digest = v_wanted->>'tokenDigest'`,
    ['integration/database/door-credentials.test.ts', 'a step-up proof alone can read'],
  ),
  stack('a step-up proof is of its parameters', publish, ` and params_hash = v_wanted->>'paramsHash';`, ';', [
    'integration/api-keys/proofs.test.ts',
    'other parameters',
  ]),
  stack(
    'a form comes from our own page',
    'functions/hosted-payment/pages/frame.ts',
    '!own.includes(new URL(origin).host)',
    `new URL(origin).host === ''`,
    ['integration/payment-links/forms.test.ts', 'another site'],
  ),
  stack(
    'an offer opens under its own address',
    'functions/hosted-payment/signed-quote.ts',
    'return quote.publicId === publicId && quote.validUntil',
    `return publicId !== '' && quote.validUntil`,
    ['integration/payment-links/pages.test.ts', 'an offer of another link'],
  ),
  exclusive(
    'rates are limited',
    'src/http/stages/rate-limit.ts',
    'if (outcome?.success === false) {',
    'if (outcome === null) {',
    ['contract/limits.exclusive.test.ts', "a link's page has a limit of its own"],
  ),
]

const money: readonly Mutant[] = [
  unit(
    'VAT is charged on the surcharge too',
    'functions/payments/pricing.ts',
    'bpsOf(processingMinor + installmentsMinor, schedule.ivaBps)',
    'bpsOf(processingMinor, schedule.ivaBps)',
    ['payments/pricing.test.ts'],
  ),
  unit(
    'an amount has a maximum',
    'functions/payment-links/plan.ts',
    `if (link.amountMinor > amountMinorMax) return refuse('amount_above_maximum', { param: amountParam })`,
    '',
    ['payment-links/plan.test.ts'],
  ),
  unit(
    'a revoked link is not activated',
    'functions/payment-links/plan.ts',
    `if (link.revokedAt !== null) return refuse('payment_link_revoked')
  if (link.status === 'active')`,
    `if (link.status === 'active')`,
    ['payment-links/plan.test.ts'],
  ),
  unit(
    'a refund is at most what was captured',
    'functions/refunds/plan.ts',
    'BigInt(amount) > left)',
    'BigInt(amount) > left + 1n)',
    ['refunds/plan.test.ts'],
  ),
  unit(
    'a refund has the currency of its payment',
    'functions/refunds/plan.ts',
    'if (currency !== undefined && currency !== payment.currency)',
    `if (currency === '')`,
    ['refunds/plan.test.ts'],
  ),
  unit(
    'a disputed payment is not refunded',
    'functions/refunds/plan.ts',
    `if (payment.openDisputesCount > 0) return refuse('refund_blocked_by_dispute', { param: 'payment_id' })`,
    '',
    ['refunds/plan.test.ts'],
  ),
  unit(
    'a transfer is approved as it was seen',
    'functions/transfers/plan.ts',
    'if (BigInt(seen.amount) !== transfer.amountMinor)',
    'if (BigInt(seen.amount) < transfer.amountMinor)',
    ['transfers/plan.test.ts'],
  ),
  unit(
    'a transfer is approved in its currency',
    'functions/transfers/plan.ts',
    `if (seen.currency !== transfer.currency) return refuse('transfer_terms_mismatch', { param: 'currency' })`,
    '',
    ['transfers/plan.test.ts'],
  ),
  unit(
    "a key's day has a limit",
    'functions/bank-orders/plan-limit.ts',
    'return (sum?.sumMinor ?? 0n) + amountMinor <= limitMinor',
    'return amountMinor <= limitMinor && sum !== null',
    ['transfers/plan.test.ts'],
  ),
  unit(
    'an unknown answer fails no transfer',
    'functions/transfers/plan-outcome.ts',
    `    default:
      return null
  }`,
    `    default:
      return can(transfer, 'fail') ? planReversed(transfer, 'failed', null, clock) : null
  }`,
    ['transfers/plan.test.ts'],
  ),
  unit(
    'a Stripe call without an answer is unknown, not refused',
    'src/processors/stripe/client.ts',
    `return 'silent'`,
    `return 'refused'`,
    ['stripe/adapter.test.ts'],
  ),
  unit(
    'a new account waits before a payout',
    'functions/payouts/plan.ts',
    'if (coolDownEndsAt !== null && coolDownEndsAt > clock.now)',
    'if (coolDownEndsAt !== null && coolDownEndsAt < settings.createdAt)',
    ['payouts/plan.test.ts'],
  ),
  unit(
    'another account cools down anew',
    'functions/payouts/plan-settings.ts',
    'const moves = before?.clabe !== wanted.clabe',
    'const moves = before === undefined',
    ['payouts/plan.test.ts'],
  ),
  unit(
    'a location has a time zone of the IANA list',
    'functions/locations/time-zone.ts',
    'if (!written.test(name)) return false',
    '',
    ['locations/plan.test.ts'],
  ),
  stack(
    'refunds and disputes stay within what was captured',
    migration,
    `"payments"."amount_refunded_minor" + "payments"."amount_disputed_minor" <= "payments"."amount_captured_minor"`,
    'true',
    ['integration/races/refunds.test.ts', '50 refunds of 60 on 100: exactly one'],
  ),
  stack(
    'a key sends no more than its limit in a day',
    migration,
    `CHECK ("daily_spend"."sum_minor" between 0 and "daily_spend"."limit_minor")`,
    'CHECK ("daily_spend"."sum_minor" >= 0)',
    ['integration/database/daily-spend.test.ts'],
  ),
  stack(
    'an event shows no account that money goes to',
    migration,
    `CHECK (not (object -> 'destination' ? 'clabe') and not (previous_attributes -> 'destination' ? 'clabe'))`,
    'CHECK (true)',
    ['integration/webhooks/accounts.test.ts', 'the database takes no event that shows one'],
  ),
  stack(
    'an account of the ledger is not below zero',
    migration,
    `or "ledger_accounts"."balance_minor" >= 0)`,
    'or true)',
    ['integration/database/door-credentials.test.ts', 'a pending balance below zero'],
  ),
  stack(
    'a journal has two lines, which sum to zero',
    publish,
    'where s.total <> 0 or s.lines < 2)',
    'where s.lines < 0)',
    ['integration/database/door-credentials.test.ts', 'refuses a journal with'],
  ),
  stack(
    'a journal sums to zero when it is committed',
    'drizzle/sql/030_ledger.sql',
    'if (select sum(amount_minor) <> 0 or min(currency) <> max(currency) from',
    'if (select min(currency) <> max(currency) from',
    ['integration/database/door-credentials.test.ts', 'not even by hand'],
  ),
  stack(
    'a transfer is covered by the available balance',
    'drizzle/sql/030_ledger.sql',
    `if v_sum.account_code = 'merchant_available' and v_balance < 0 and exists (`,
    `if v_sum.account_code = '' and v_balance < 0 and exists (`,
    ['integration/races/transfers.test.ts', '50 transfers of 10.00 from 125.00'],
  ),
  stack(
    'a source is booked once',
    migration,
    'CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind","round")',
    'CONSTRAINT "ledger_journals_once" UNIQUE("tenant_id","source_type","source_id","entry_kind","round","id")',
    ['integration/database/door-credentials.test.ts', 'books a source once'],
  ),
  stack(
    'an exclusive origin has one live payment',
    migration,
    'CREATE UNIQUE INDEX "payments_one_live_per_exclusive_origin"',
    'CREATE INDEX "payments_one_live_per_exclusive_origin"',
    ['integration/races/payments.test.ts', 'one single-use link, 50 payers: one pays'],
  ),
  stack(
    'the schema pays out to no account that cools down',
    'drizzle/sql/036_payouts.sql',
    `and (s.cool_down_ends_at is null or s.cool_down_ends_at <= new.created_at)`,
    '',
    ['integration/database/payout-account.test.ts'],
  ),
]

const rows: readonly Mutant[] = [
  stack(
    'a row belongs to the tenant that reads it',
    'drizzle/sql/020_rows.sql',
    'using (door.is_sealed() and tenant_id = (select door.sealed_tenant()))',
    'using (door.is_sealed())',
    ['integration/database/role-attacks.test.ts', 'without its tenant filter'],
  ),
  stack(
    'what is written stays',
    'drizzle/sql/020_rows.sql',
    `'ledger_journals', 'ledger_postings',`,
    `'ledger_journals',`,
    ['integration/database/role.test.ts', 'what is written stays'],
  ),
  stack(
    'a change names the version that it read',
    publish,
    'where t.tenant_id = $2 and t.id = $3 and t.version = $4 %s',
    'where t.tenant_id = $2 and t.id = $3 and $4 > 0 %s',
    ['integration/database/door.test.ts', 'a version that has moved'],
  ),
  stack(
    'an operation writes its own tables',
    publish,
    `if ((w->>'table') = any (v_tables)) is not true then
      perform door.refuse('SP460'`,
    `if (w->>'table') is null then
      perform door.refuse('SP460'`,
    ['integration/database/door.test.ts', 'a table of another operation'],
  ),
  stack(
    'a status moves only by its lifecycle',
    publish,
    `perform door.refuse('SP440', 'illegal_move', jsonb_build_object('table', p_table, 'from', p_from, 'to', p_to));`,
    'null;',
    ['integration/database/door.test.ts', 'a move that no lifecycle has'],
  ),
  stack(
    'no function that crosses tenants runs without the proof',
    authorize,
    `  if not door.is_proof(p_proof) then
    perform door.refuse_proof();
  elsif`,
    '  if',
    ['integration/database/role-attacks.test.ts', 'no function that crosses tenants runs without the proof'],
  ),
  stack(
    'active locations have different names',
    migration,
    `CREATE UNIQUE INDEX "locations_name"`,
    `CREATE INDEX "locations_name"`,
    ['integration/locations/locations.test.ts', 'have different names'],
  ),
  stack(
    'one account of a processor is active',
    migration,
    `CREATE UNIQUE INDEX "processor_credentials_one"`,
    `CREATE INDEX "processor_credentials_one"`,
    ['integration/database/processor-account.test.ts', 'one account is active'],
  ),
  stack(
    'a workspace has the member who opened it',
    'drizzle/sql/034_memberships.sql',
    `new.role <> 'owner' or exists (select from public.memberships m where m.tenant_id = new.tenant_id))`,
    'new.role is null)',
    ['integration/database/memberships.test.ts'],
  ),
]

const events: readonly Mutant[] = [
  unit(
    'a webhook signature covers its time',
    'functions/webhooks/signing.ts',
    `\${id}.\${timestamp}.\${body}`,
    `\${id}.\${body}`,
    ['webhooks/signing.test.ts'],
  ),
  unit(
    'a signature of Stripe is good for five minutes',
    'src/processors/stripe/client.ts',
    'const toleranceSeconds = 300',
    'const toleranceSeconds = 30_000',
    ['stripe/parts.test.ts'],
  ),
  unit(
    'no webhook goes inside a network',
    'functions/webhooks/url-policy.ts',
    `return address.range() === 'unicast'`,
    `return address.range() !== 'loopback'`,
    ['webhooks/address.test.ts'],
  ),
  unit(
    'no webhook goes to our own addresses',
    'functions/webhooks/url-policy.ts',
    `if (ownZones.some((zone) => isWithin(host, zone))) return 'must not be one of our own addresses'`,
    '',
    ['webhooks/address.test.ts'],
  ),
  unit(
    'a webhook address is what a parser reads',
    'functions/webhooks/url-policy.ts',
    'if (url.href !== plainly(text, authority))',
    `if (url.href === '')`,
    ['webhooks/address.test.ts'],
  ),
  stack(
    'following waits for what is being committed',
    'drizzle/sql/055_events.sql',
    'pg_snapshot_xmin(pg_current_snapshot())',
    'pg_snapshot_xmax(pg_current_snapshot())',
    ['integration/webhooks/following.test.ts', 'an open transaction holds back'],
  ),
  stack(
    'the events of a resource are followed in their sequence',
    'drizzle/sql/055_events.sql',
    `greatest(door.commit_order(pg_current_xact_id()),
    (select e.commit_order from`,
    `coalesce(door.commit_order(pg_current_xact_id()),
    (select e.commit_order from`,
    ['integration/webhooks/following.test.ts', 'a transaction that began first, but waited'],
  ),
]

export const mutants: readonly Mutant[] = [...repaired, ...kernel, ...requests, ...money, ...rows, ...events]
