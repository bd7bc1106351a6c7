import { authorize, exclusive, type Mutant, migration, publish, stack, unit } from './mutant.ts'

export const rows: readonly Mutant[] = [
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
    'drizzle/sql/049_statements.sql',
    't.id = p_id and t.version = p_version%6$s',
    't.id = p_id and p_version > 0%6$s',
    ['integration/database/door.test.ts', 'a version that has moved'],
  ),
  stack(
    'a session plans no query without a seal',
    'local/planned.ts',
    'if door.sealed_tenant() is not null then',
    'if true then',
    ['integration/database/planned.test.ts', 'before it was authorized'],
  ),
  stack(
    'what reads without looking for a seal reads the pinned tenant alone',
    'drizzle/sql/020_rows.sql',
    'for select to spindle_reader using (tenant_id = (select door.pinned_tenant()))',
    'for select to spindle_reader using (true)',
    ['integration/database/role.test.ts', 'separates its tenants'],
  ),
  stack(
    'a workspace stays',
    'drizzle/sql/034_workspace.sql',
    'workspace_stays before delete on public.tenants',
    'workspace_stays after delete on public.locations',
    ['integration/database/accounts.test.ts', 'deletes a workspace'],
  ),
  stack(
    'a sale waits for a suspension',
    'drizzle/sql/034_workspace.sql',
    `pg_advisory_xact_lock_shared(door.lock_of('status', new.tenant_id))::text`,
    `''`,
    ['integration/workspace/suspended.test.ts', 'while a suspension is being recorded'],
  ),
  stack(
    'an event has the next number of its resource',
    'drizzle/sql/055_events.sql',
    'v_before.sequence + 1, 1)',
    'v_before.sequence + 2, 1)',
    ['integration/workspace/suspended.test.ts', 'takes no new payment'],
  ),
  stack(
    'an operation writes its own tables',
    publish,
    `if ((w->>'table') = any (v_operation.tables)) is not true then
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
    'a membership comes with an invitation',
    'drizzle/sql/035_members.sql',
    `if current_user <> 'spindle_door'`,
    'if current_user is not null',
    ['integration/database/memberships.test.ts'],
  ),
  stack(
    'owners who remove each other wait for each other',
    'drizzle/sql/035_members.sql',
    `perform from public.tenants t where t.tenant_id = old.tenant_id for no key update;
    if not exists`,
    'if not exists',
    ['integration/database/memberships.test.ts', 'an owner stays'],
  ),
]

export const events: readonly Mutant[] = [
  unit(
    'a webhook signature covers its time',
    'src/platform/standard-webhooks.ts',
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
    'functions/developer/webhooks/url-policy.ts',
    `return address.range() === 'unicast'`,
    `return address.range() !== 'loopback'`,
    ['webhooks/address.test.ts'],
  ),
  unit(
    'no webhook goes to our own addresses',
    'functions/developer/webhooks/url-policy.ts',
    `if (ownZones.some((zone) => isWithin(host, zone))) return 'must not be one of our own addresses'`,
    '',
    ['webhooks/address.test.ts'],
  ),
  unit(
    'a webhook address is what a parser reads',
    'functions/developer/webhooks/url-policy.ts',
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
    'greatest(door.commit_order(pg_current_xact_id()), v_before.commit_order)',
    'door.commit_order(pg_current_xact_id())',
    ['integration/webhooks/following.test.ts', 'a transaction that began first, but waited'],
  ),
  exclusive(
    'a transfer pays once Stripe has applied it',
    'functions/money/payments/deposits.ts',
    "  if (answer.state !== 'captured') return null\n",
    "  if (answer.state !== 'captured') return {}\n",
    ['integration/stripe-transfers.exclusive.test.ts', 'are progress'],
  ),
  exclusive(
    'what one buyer sent pays no other buyer’s order',
    'functions/money/unapplied-funds/operations.ts',
    "    if (isHeld(funds)) return fail('unapplied_funds_held_for_buyer')\n",
    '',
    ['integration/stripe-transfers.exclusive.test.ts', 'no other buyer'],
  ),
  exclusive(
    'live takes no key of the test mode',
    'functions/money/processors/operations.ts',
    "    if (wrong) return fail('processor_keys_of_other_mode', { param: wrong })\n",
    '',
    ['integration/stripe-accounts.exclusive.test.ts', 'keys of the test mode'],
  ),
  exclusive(
    'what no notification reported is stored',
    'functions/money/notifications/missed.ts',
    'JSON.stringify(hints)',
    "'[]'",
    ['integration/stripe-missed.exclusive.test.ts', 'what no notification'],
  ),
]
