import { type Mutant, property, stack, unit } from './mutant.ts'

const apply = 'functions/people/customers/apply-fields.ts'
const records = 'functions/people/sync-sources/plan-records.ts'
const erasure = 'drizzle/sql/073_customers_erasure.sql'
const personalSql = 'drizzle/sql/017_personal_data.sql'
const ofRecords = 'integration/sync-sources/records.test.ts'
const ofErasure = 'integration/customers/erasure.test.ts'

export const customers: readonly Mutant[] = [
  property(
    'a field is of the source that set it last',
    apply,
    'if (at !== knownAt) return at > knownAt',
    'if (at !== knownAt) return source > knownSource || at > knownAt',
    ['customer-fields.test.ts'],
  ),
  property(
    'a survivor keeps what it would have without its merges',
    apply,
    'ownFields: ownFields && { ...ownFields, ...lastSet(ownFields, stamped) },',
    'ownFields,',
    ['customer-merges.test.ts'],
  ),
  property(
    'events of one second at Stripe keep their order',
    'functions/people/sync-sources/stripe/follow.ts',
    'last = new Date(Math.max(at.getTime(), last.getTime() + 1))',
    'last = at',
    ['stripe-customers.test.ts'],
  ),
  unit(
    'a match without its customer makes no second one',
    'functions/people/sync-sources/incoming.ts',
    'if (matches.some(({ customerId }) => !ids.has(customerId))) throw new Stale()',
    'if (matches.length > 0 && ids.size === 0) throw new Stale()',
    ['sync-sources/incoming.test.ts'],
  ),
  unit(
    'a run adds the counts of a slice to its own',
    'functions/people/sync-sources/plan-runs.ts',
    'created: run.created + counts.created,',
    'created: counts.created,',
    ['sync-sources/runs.test.ts'],
  ),
  unit(
    'a slice fails its run at the sixth try',
    'functions/people/sync-sources/plan-runs.ts',
    'triesCount >= triesMax',
    'triesCount > triesMax',
    ['sync-sources/runs.test.ts'],
  ),
  stack(
    'two verified contacts of different customers decide nothing',
    records,
    'return verified.size === 1 ? [...verified][0]! : null',
    'return verified.size > 0 ? [...verified][0]! : null',
    [ofRecords, 'never by a weak key'],
  ),
  stack(
    'a batch does not make an erased person again',
    records,
    `if (existing && refusalOfCustomer(existing.after)) return failed({ code: 'customer_erased' })`,
    '',
    [ofRecords, 'an erased one’s is a tombstone'],
  ),
  stack(
    'what is said again is known to be newer',
    records,
    'writes.push(change(customers, before, { fieldStamps: after.fieldStamps }))',
    'writes.length += 0',
    [ofRecords, 'keeps an older record away'],
  ),
  stack(
    'a backfill replaces nothing of other sources',
    records,
    'if (by !== saying.source || isSame(row[name], fields[name])) return row',
    'if (by === null || isSame(row[name], fields[name])) return row',
    [ofRecords, 'leaves what others said'],
  ),
  stack(
    'a new id waits for an erasure of its customer',
    records,
    'else if (isKnownAnew) writes.push(expect(customers, before.id, { version: before.version }))',
    'else if (isKnownAnew) writes.length += 0',
    ['integration/races/customer-payments.test.ts', 'erasure'],
  ),
  stack(
    'a blocked customer is not merged',
    'functions/people/customers/plan-merges.ts',
    `refusalOf(customer) ?? (customer.status === 'blocked' ? refuse('customer_blocked') : null)`,
    'refusalOf(customer)',
    ['integration/customers/merges.test.ts', 'what cannot be merged is refused'],
  ),
  stack(
    'a merge is undone within 30 days',
    'functions/people/customers/plan-merges.ts',
    `if (clock.now > merge.undoableUntil) return refuse('customer_unmerge_too_late')`,
    '',
    ['integration/customers/merges.test.ts'],
  ),
  stack(
    'a customer becomes part of a current one',
    'drizzle/sql/059_customers_merges.sql',
    `and c.status in ('active', 'blocked') for share`,
    'for share',
    ['integration/customers/merges.test.ts'],
  ),
  stack(
    'an address that is not verified attaches nothing',
    'drizzle/sql/058_customers.sql',
    `c.status = 'active'
      and c.verified_at is not null`,
    `c.status = 'active'`,
    ['integration/customers/attached.test.ts', 'attaches nothing'],
  ),
  stack(
    'a payment that gets its customer waits for a block',
    'drizzle/sql/058_customers.sql',
    'perform from public.customers c where c.tenant_id = p_tenant and c.id = v_locked for share;',
    '',
    ['integration/races/customer-payments.test.ts', 'with its address'],
  ),
  stack(
    'an erasure waits for money that is about to be recorded',
    erasure,
    'perform from public.customers c where c.tenant_id = p.tenant_id and c.id = any (v_customers) order by c.id for update;',
    '',
    ['integration/races/customer-payments.test.ts', 'it is put off'],
  ),
  stack(
    'an erasure empties the stored replies',
    erasure,
    `update public.idempotency_claims k set reply_body = '' from`,
    'update public.idempotency_claims k set reply_body = k.reply_body from',
    [ofErasure, 'is in no table'],
  ),
  stack(
    'an erasure forgets addresses that buyers gave',
    personalSql,
    `
      where t.tenant_id = p_tenant and (t.email = any (p_emails) or t.payment_id in`,
    `
      where t.tenant_id = p_tenant and (t.payment_id in`,
    [ofErasure, 'is in no table'],
  ),
  stack(
    'an erasure reaches what was given with an address that was not kept',
    personalSql,
    `
            union all select g.payment_id from door.details_given_with(p_tenant, p_email_digests) g)`,
    ')',
    [ofErasure, 'with an address alone'],
  ),
  stack(
    'an erasure reaches an order that cost nothing',
    personalSql,
    `
          union all select g.id from door.details_given_with(p_tenant, p_email_digests) g`,
    '',
    [ofErasure, 'with an address alone'],
  ),
  stack(
    'an erasure ends when nothing is left',
    erasure,
    `@> '{"found": 0, "left": false}'`,
    `@> '{"left": false}'`,
    ['integration/customers/erasure-slices.test.ts', 'what comes between two slices'],
  ),
  stack(
    'the next slice goes on behind the last',
    erasure,
    "door.erase_some(new, null, old.erasure->'from', 500)",
    "door.erase_some(new, null, old.erasure->'from', 5000)",
    ['integration/customers/erasure-slices.test.ts', 'at most 500 stored replies'],
  ),
  stack(
    'an open dispute keeps a customer from being erased',
    erasure,
    `and d.status not in ('won', 'lost', 'inquiry_closed'))) then`,
    `and d.status in ('needs_response'))) then`,
    [ofErasure, 'what is under way'],
  ),
]

export const rules: readonly Mutant[] = [
  property(
    '3-D Secure is required from the lowest threshold',
    'functions/money/payment-policy/policy.ts',
    'required_from: smallerAmount,',
    'required_from: largerAmount,',
    ['payment-policy.test.ts'],
  ),
  unit(
    'an amount has a minimum',
    'functions/money/payment-policy/evaluate.ts',
    `if (least !== undefined && amountMinor < BigInt(least))
    return because(
      'amount_below_minimum',`,
    `if (least === amountMinor.toString())
    return because(
      'amount_below_minimum',`,
    ['payment-links/plan.test.ts'],
  ),
  stack(
    'a markup has a cap',
    'functions/money/payment-policy/evaluate.ts',
    'merchantMarkupBps > markup_cap_bps',
    'markup_cap_bps === merchantMarkupBps + 1',
    ['integration/payment-policy/sales.test.ts', 'obeys the policy'],
  ),
  stack(
    'a sale waits for a change of the policy',
    'drizzle/sql/058_payment_policy.sql',
    'where p.tenant_id = new.tenant_id for share;',
    'where p.tenant_id = new.tenant_id;',
    ['integration/payment-policy/sales.test.ts', 'is under the new version'],
  ),
  stack(
    'a planned version holds from its beginning',
    'drizzle/sql/058_payment_policy.sql',
    '  if v.has_planned then',
    '  if v is null then',
    ['integration/payment-policy/planned.test.ts', 'from its beginning to its end'],
  ),
  stack(
    'what another location plans is known',
    'functions/money/payment-policy/plan.ts',
    'before.isAnyToBegin || planned.length > 0',
    'planned.length > 0',
    ['integration/payment-policy/planned.test.ts', 'what one location plans'],
  ),
  stack(
    'a version never begins in the past',
    'drizzle/sql/058_payment_policy.sql',
    'if new.is_planned and new.starts_at <= v_now',
    'if new.version < 0',
    ['integration/payment-policy/planned.test.ts', 'refuses'],
  ),
  property(
    'what is planned within a replaced time falls away',
    'functions/money/payment-policy/timeline.ts',
    '    ...hidden.map(({ startsAt }) => ({ settings, before: settings, startsAt })),\n',
    '',
    ['payment-policy-timeline.test.ts'],
  ),
  stack(
    'a payment is under the policy of what was sold',
    'drizzle/sql/058_payment_policy.sql',
    'if v_sold is not null and',
    'if v_sold is null and',
    ['integration/payment-policy/sales.test.ts', 'keep the version of its terms'],
  ),
  stack(
    'the schema pays out to verified accounts alone',
    'drizzle/sql/036_payouts.sql',
    `(b.status, b.clabe, b.holder) = ('verified', new.destination_clabe, new.destination_holder)`,
    '(b.clabe, b.holder) = (new.destination_clabe, new.destination_holder)',
    ['integration/database/payout-account.test.ts'],
  ),
  stack(
    'a payout waits for a change of its account',
    'drizzle/sql/036_payouts.sql',
    `b.cool_down_ends_at <= new.created_at)
  for share;`,
    'b.cool_down_ends_at <= new.created_at);',
    ['integration/payouts/settings.test.ts', 'when a payout begins'],
  ),
  stack(
    'a payout day waits for the funds that are due by it',
    'drizzle/sql/036_payouts.sql',
    'if door.awaits_release(new.tenant_id, new.currency, old.next_payout_on) then',
    'if false then',
    ['integration/payouts/backlog.test.ts'],
  ),
  stack(
    'a report counts once for a mail',
    'drizzle/sql/058_mails.sql',
    `and (m.report is null or m.report = 'delivered' and p_report <> 'delivered') returning`,
    'returning',
    ['integration/mails/suppressions.test.ts', 'an address that bounced'],
  ),
  stack(
    'mails at once to one recipient count each other',
    'drizzle/sql/058_mails.sql',
    'perform pg_advisory_xact_lock(hashtextextended(p_mail.mailbox_digest, 0));',
    '',
    ['integration/mails/outgoing.test.ts', 'not committed yet'],
  ),
  stack(
    'a mail of a member is added once',
    'functions/account/mails/store.ts',
    `on conflict (id) do nothing\``,
    `on conflict (id) do update set status = 'waiting'\``,
    ['integration/mails/notices.test.ts', 'each once'],
  ),
  unit(
    'a workspace that is reviewed takes no payments',
    'functions/insight/limits/capabilities.ts',
    'const held = (refusedWhile[name] as readonly string[]).includes(status)',
    `const held = status === 'suspended'`,
    ['limits/limits.test.ts'],
  ),
  unit(
    "a key's own limit counts before the platform's",
    'functions/insight/limits/limits.ts',
    `source: currency in key.transferLimits ? 'api_key' : 'platform',`,
    `source: 'platform',`,
    ['limits/limits.test.ts'],
  ),
  stack(
    'a row of the audit trail that is missing is found',
    'drizzle/sql/052_audit_events.sql',
    `when (p.e).sequence > p.expected then 'missing'`,
    `when (p.e).sequence < p.expected then 'missing'`,
    ['integration/audit-events/tampering.test.ts'],
  ),
  stack(
    'objects of the audit trail that a list would not find are found',
    'drizzle/sql/052_audit_events.sql',
    `and i.created_at = (p.e).created_at and i.id = (p.e).id)) then 'edited'`,
    `and i.id = (p.e).id)) then 'edited'`,
    ['integration/audit-events/tampering.test.ts'],
  ),
  stack(
    'an invitation is accepted with a factor that was shown a moment ago',
    'functions/account/members/plan-invitations.ts',
    'if (shownAt <= now.getTime() - factorMs)',
    'if (shownAt === 0)',
    ['integration/members/invitations.test.ts', 'a second factor'],
  ),
  stack(
    'invitations at once count each other',
    'drizzle/sql/035_members.sql',
    `  perform from public.tenants t where t.tenant_id = new.tenant_id for no key update;
`,
    '',
    ['integration/database/memberships.test.ts', 'beside the fiftieth'],
  ),
  stack(
    'what was reviewed of a business changes by no operation of a Worker',
    'drizzle/sql/034_workspace.sql',
    "if session_user = 'spindle_worker' and old.status <> 'pending'",
    "if session_user = 'spindle_worker' and old.status = 'pending'",
    ['integration/workspace/details.test.ts', 'any operation of a Worker'],
  ),
  stack(
    'details that an owner asks for wait for a decision',
    'functions/account/workspace/plan-details.ts',
    "environment === 'live' && status !== 'pending'",
    "environment === 'live' && status === 'pending'",
    ['integration/workspace/details.test.ts', 'an owner asks'],
  ),
  stack(
    'a refund is of the sale of its payment',
    'drizzle/sql/038_refunds.sql',
    'and p.client_reference_id is not distinct from new.client_reference_id',
    '',
    ['integration/refunds/refunds.test.ts'],
  ),
  stack(
    'a workspace has at most so many sync sources',
    'drizzle/sql/020_rows.sql',
    'if v_count >= tg_argv[0]::int then',
    'if v_count > tg_argv[0]::int then',
    ['integration/sync-sources/files.test.ts', 'are bounded'],
  ),
  stack(
    'inserts at once count each other',
    'drizzle/sql/020_rows.sql',
    "perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' of ' || new.tenant_id, 0));",
    '',
    ['integration/races/webhook-endpoints.test.ts'],
  ),
  unit(
    'a card number in an uploaded file is found',
    'functions/people/sync-sources/csv/card-numbers.ts',
    'if (cell.length < 14 || !containsCardNumber(cell)) return',
    'if (cell.length < 40 || !containsCardNumber(cell)) return',
    ['sync-sources/files.test.ts'],
  ),
]
