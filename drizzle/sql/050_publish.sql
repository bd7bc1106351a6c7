-- The one door through which every row is written: authorizes, claims the idempotency key, consumes the step-up
-- proof, applies the writes in order, inserts the events and appends to the audit trail, all or nothing.
--   SP410 replay · SP411 key used with another payload · SP420 step-up · SP409 stale version · SP430 expectation
--   SP440 illegal move · SP450 unbalanced journal · SP460 not allowed here · SP470 refused by the plan, key free ·
--   SP471 rehearsed, and nothing refused it
-- A key is claimed as its digest under each version of the secret, in one order: a Worker that has any of these
-- versions finds the claim.
create or replace function door.claim(p_tenant uuid, p jsonb) returns boolean
language plpgsql as $$
declare
  v_taken jsonb;
begin
  with claimed as (
    insert into public.idempotency_claims
      (tenant_id, operation, key, fingerprint, publish_id, reply_status, reply_body, created_at, expires_at)
    select p_tenant, p->>'operation', k.key, p->'claim'->>'fingerprint', (p->>'publishId')::uuid,
      (p->'claim'->>'status')::int, p->'claim'->>'body', now(), now() + interval '30 days'
    from jsonb_array_elements_text(p->'claim'->'keys') with ordinality k (key, at) order by k.at
    on conflict (tenant_id, operation, key) do nothing returning key)
  select jsonb_agg(k.key) into v_taken
  from jsonb_array_elements_text(p->'claim'->'keys') k (key) where k.key not in (select key from claimed);
  if v_taken is not null then
    perform door.replay(p_tenant, p->>'operation', p->'claim' || jsonb_build_object('keys', v_taken));
  end if;
  return true;
end $$;

-- Why a proof did not match. Owned by spindle_auth: the holder of a proof may learn that it is another tenant's.
create or replace function door.explain_proof(p_tenant uuid, p_wanted jsonb) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v public.step_up_challenges;
begin
  select * into v from public.step_up_challenges where token_digest = p_wanted->>'tokenDigest';
  return case
    when not found then 'step_up_invalid'
    when v.status = 'consumed' then 'step_up_already_used'
    when v.status <> 'verified' then 'step_up_invalid'
    when v.token_expires_at <= now() then 'step_up_expired'
    when v.user_id <> p_wanted->>'userId' or v.session_id <> p_wanted->>'sessionId' then 'step_up_session_mismatch'
    when v.tenant_id <> p_tenant then 'step_up_tenant_mismatch'
    when v.environment <> p_wanted->>'environment' then 'step_up_environment_mismatch'
    when v.action <> p_wanted->>'action' then 'step_up_action_mismatch'
    when v.scope <> p_wanted->>'scope' then 'step_up_scope_mismatch'
    when not p_wanted->'idempotencyKeys' ? v.idempotency_key then 'step_up_idempotency_key_mismatch'
    when v.params_hash <> p_wanted->>'paramsHash' then 'step_up_params_mismatch'
    else 'step_up_already_used'
  end;
end $$;

create or replace function door.consume_proof(p_tenant uuid, p jsonb) returns void
language plpgsql as $$
declare
  v_wanted jsonb := p || jsonb_build_object('environment', (select environment from public.door_settings));
begin
  update public.step_up_challenges
  set status = 'consumed', consumed_at = now(), version = version + 1, updated_at = now()
  where tenant_id = p_tenant and token_digest = v_wanted->>'tokenDigest' and status = 'verified'
    and token_expires_at > now() and user_id = v_wanted->>'userId' and session_id = v_wanted->>'sessionId'
    and environment = v_wanted->>'environment' and action = v_wanted->>'action' and scope = v_wanted->>'scope'
    and v_wanted->'idempotencyKeys' ? idempotency_key and params_hash = v_wanted->>'paramsHash';
  if not found then
    perform door.refuse('SP420', door.explain_proof(p_tenant, v_wanted));
  end if;
end $$;

-- What applies a write returns true: so it is called by an assignment, where PERFORM would be a statement more.
create or replace function door.apply_insert(p_tenant uuid, w jsonb) returns boolean
language plpgsql as $$
declare
  v_table constant text := w->>'table';
  v_rows constant jsonb := w->'rows';
begin
  if jsonb_path_exists(v_rows, '$[*].tenant_id') then
    perform door.refuse('SP460', 'tenant_is_stamped');
  end if;
  if jsonb_path_exists(v_rows, '$[*].status') then
    for at in 0 .. jsonb_array_length(v_rows) - 1 loop
      if door.may_move(v_table, '', v_rows->at->>'status') is not true then
        perform door.refuse_move(v_table, '', v_rows->at->>'status');
      end if;
    end loop;
  end if;
  return door.insert_rows(v_table, p_tenant, v_rows);
end $$;

create or replace function door.refuse_move(p_table text, p_from text, p_to text) returns void
language plpgsql as $$
begin
  perform door.refuse('SP440', 'illegal_move', jsonb_build_object('table', p_table, 'from', p_from, 'to', p_to));
end $$;

-- A publish without a claim, sent again after a lost answer, finds its own change: its first event exists already.
create or replace function door.refuse_stale(p_tenant uuid, p_table text, p jsonb) returns void
language plpgsql as $$
begin
  if exists (select from public.events e
             where e.tenant_id = p_tenant and e.id = (p->'events'->0->>'id')::uuid) then
    perform door.refuse('SP410', 'replay', jsonb_build_object('publishId', p->>'publishId'));
  end if;
  perform door.refuse('SP409', 'stale_version', jsonb_build_object('table', p_table));
end $$;

create or replace function door.apply_change(p_tenant uuid, w jsonb, p jsonb) returns boolean
language plpgsql as $$
declare
  v_table constant text := w->>'table';
  v_set constant jsonb := w->'set';
  v_from constant text := case when v_set ? 'status' then w->>'fromStatus' end;
begin
  if v_set ? 'status' and v_set->>'status' is distinct from v_from
    and door.may_move(v_table, v_from, v_set->>'status') is not true
  then
    perform door.refuse_move(v_table, v_from, v_set->>'status');
  end if;
  if not door.change_row(v_table, p_tenant, (w->>'id')::uuid, (w->>'version')::int, v_from, v_set) then
    perform door.refuse_stale(p_tenant, v_table, p);
  end if;
  return true;
end $$;

create or replace function door.columns_of(p_row jsonb) returns text
language sql immutable
return (select string_agg(quote_ident(k), ', ' order by k) from jsonb_object_keys(p_row) k);

-- The same change of many rows: all of them or none.
create or replace function door.apply_change_each(p_tenant uuid, w jsonb, p jsonb) returns boolean
language plpgsql as $$
declare
  v_table constant text := w->>'table';
  v_moves constant boolean := (w->'set') ? 'status';
  v_from text;
  v_count int;
begin
  if (w->'set') ?| array['tenant_id', 'id', 'version'] then
    perform door.refuse('SP460', 'column_not_writable');
  end if;
  if v_moves then
    for v_from in select distinct r->>'fromStatus' from jsonb_array_elements(w->'rows') r loop
      if door.may_move(v_table, v_from, w->'set'->>'status') is not true then
        perform door.refuse_move(v_table, v_from, w->'set'->>'status');
      end if;
    end loop;
  end if;
  execute format(
    'update public.%1$I t set (%2$s, version) = (%3$s, t.version + 1)
     from jsonb_populate_record(null::public.%1$I, $1) s, jsonb_to_recordset($2) r(id uuid, version int, "fromStatus" text)
     where t.tenant_id = $3 and t.id = r.id and t.version = r.version %4$s',
    v_table, door.columns_of(w->'set'), (select string_agg('s.' || quote_ident(k), ', ' order by k)
      from jsonb_object_keys(w->'set') k), case when v_moves then 'and t.status = r."fromStatus"' else '' end)
  using w->'set', w->'rows', p_tenant;
  get diagnostics v_count = row_count;
  if v_count <> jsonb_array_length(w->'rows') then
    perform door.refuse_stale(p_tenant, v_table, p);
  end if;
  return true;
end $$;

create or replace function door.apply_adjust(p_tenant uuid, w jsonb) returns boolean
language plpgsql as $$
declare
  v_count int;
begin
  if not coalesce((select (w->'deltas') - c.columns = '{}' from door.counters c where c.table_name = w->>'table'), false) then
    perform door.refuse('SP460', 'column_not_writable', jsonb_build_object('table', w->>'table'));
  end if;
  execute format('update public.%I t set %s where t.tenant_id = $1 and t.id = $2', w->>'table', (
    select string_agg(format('%1$I = t.%1$I + %2$s', key, value::bigint), ', ' order by key)
    from jsonb_each_text(w->'deltas')))
  using p_tenant, (w->>'id')::uuid;
  get diagnostics v_count = row_count;
  if v_count = 0 then
    perform door.refuse('SP430', 'expectation_failed', jsonb_build_object('table', w->>'table'));
  end if;
  return true;
end $$;

-- Returns the current row, every value as text, so that no number loses digits. Expected values are cast to the table's
-- own types: numbers come as text.
create or replace function door.apply_expect(p_tenant uuid, w jsonb) returns jsonb
language plpgsql as $$
declare
  v_row constant jsonb := door.expect_row(w->>'table', p_tenant, (w->>'id')::uuid, w->'where', w->>'unexpired');
begin
  if v_row is null then
    perform door.refuse('SP430', 'expectation_failed', jsonb_build_object('table', w->>'table'));
  end if;
  return (select jsonb_object_agg(key, value #>> '{}') from jsonb_each(v_row));
end $$;

-- Inserts all postings in the order of their accounts, so that accounts are locked in one order across journals.
create or replace function door.apply_journals(p_tenant uuid, p_journals jsonb) returns boolean
language plpgsql as $$
begin
  -- That each sums to zero, the trigger of the postings holds.
  if jsonb_path_exists(p_journals, '$[*] ? (!exists(@.postings[1]))') then
    perform door.refuse('SP450', 'journal_unbalanced');
  end if;
  insert into public.ledger_journals (tenant_id, id, source_type, source_id, entry_kind, round, currency, created_at)
  select p_tenant, (j->>'id')::uuid, j->>'sourceType', (j->>'sourceId')::uuid, j->>'entryKind',
    coalesce((j->>'round')::int, 1), j->>'currency', (j->>'createdAt')::timestamptz
  from jsonb_array_elements(p_journals) j;
  insert into public.ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
  select p_tenant, (j->>'id')::uuid, row_number() over (partition by j->>'id' order by p->>'account'),
    j->>'currency', p->>'account', (p->>'amountMinor')::bigint
  from jsonb_array_elements(p_journals) j, jsonb_array_elements(j->'postings') p
  order by p->>'account', j->>'id';
  if jsonb_path_exists(p_journals, '$[*].leaves') then
    -- A statement of its own: after waiting for the postings' locks, it sees what earlier transactions committed.
    if exists (select from jsonb_array_elements(p_journals) j where j ? 'leaves' and (
      select coalesce(sum(a.balance_minor), 0) >= (j->'leaves'->>'balanceMinorMin')::bigint
      from public.ledger_accounts a
      where a.tenant_id = p_tenant and a.currency = j->>'currency' and j->'leaves'->'accounts' ? a.code) is not true)
    then
      perform door.refuse('SP430', 'expectation_failed', jsonb_build_object('table', 'ledger_accounts'));
    end if;
  end if;
  return true;
end $$;

-- Several journals of one publish lock their accounts together and in order, as one journal does, so that no two
-- publishes deadlock.
create or replace function door.lock_accounts(p_tenant uuid, p_writes jsonb) returns boolean
language plpgsql as $$
begin
  if jsonb_array_length(jsonb_path_query_array(p_writes, '$[*] ? (@.kind == "post")')) > 1 then
    perform 1 from public.ledger_accounts a
    where a.tenant_id = p_tenant and (a.currency, a.code) in (
      select w->>'currency', p->>'account'
      from jsonb_array_elements(p_writes) w, jsonb_array_elements(w->'postings') p where w->>'kind' = 'post')
    order by a.code for update;
  end if;
  return true;
end $$;

-- How much of an amount is a part of it: as functions/money/payments/present.ts says it of refunds.
create or replace function door.portion_of(p_part bigint, p_whole bigint) returns text
language sql immutable as $$
  select case when p_part = 0 then 'none' when p_part < p_whole then 'partial' else 'full' end
$$;

-- An event's object with its counters after the writes, one of which has locked the row.
create or replace function door.count_in(p_tenant uuid, p_tables text[], e jsonb) returns jsonb
language plpgsql as $$
declare
  v_row jsonb;
  v_now jsonb;
  v_before jsonb;
begin
  if not e ? 'counted' then
    return e;
  end if;
  if ((e->'counted'->>'table') = any (p_tables)) is not true then
    perform door.refuse('SP460', 'table_not_allowed', jsonb_build_object('table', e->'counted'->>'table'));
  end if;
  v_row := door.row_now(e->'counted'->>'table', p_tenant, (e->'counted'->>'id')::uuid);
  select jsonb_object_agg(f.key, s.now), jsonb_object_agg(f.key, s.before) filter (where s.before <> s.now)
  into v_now, v_before
  from jsonb_each(e->'counted'->'fields') f,
    lateral (select v_row->(f.value->>'column') as now, (f.value->>'delta')::bigint as delta,
      (v_row->>(f.value->>'whole'))::bigint as whole) n,
    lateral (select case when n.whole is not null then to_jsonb(door.portion_of((n.now #>> '{}')::bigint, n.whole))
        when n.delta is null then n.now else to_jsonb(n.now #>> '{}') end as now,
      case when n.whole is not null then to_jsonb(door.portion_of((n.now #>> '{}')::bigint - n.delta, n.whole))
        when n.delta is null then f.value->'before'
        else to_jsonb(((n.now #>> '{}')::bigint - n.delta)::text) end as before) s;
  return e || jsonb_build_object('object', (e->'object') || v_now,
    'previousAttributes', (e->'previousAttributes') || coalesce(v_before, '{}'));
end $$;

create or replace function door.publish(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_operation record;
  v_principal jsonb;
  v_tenant uuid;
  v_step_up jsonb;
  v_writes constant jsonb := coalesce(p->'writes', '[]');
  v_locked boolean := false;
  v_expected jsonb := '[]';
  v_done boolean;
  w jsonb;
begin
  -- Its locks order what waits for them only where each statement sees what was committed before it.
  if current_setting('transaction_isolation') <> 'read committed' then
    perform door.refuse('SP460', 'isolation_not_allowed');
  end if;
  select o.access, o.tables, s.environment into v_operation
  from public.door_operations o, public.door_settings s where o.id = p->>'operation';
  v_principal := door.admit(p->'credential', v_operation.access, v_operation.environment);
  v_tenant := door.pinned_tenant();
  if v_principal->>'kind' = 'step_up' then
    perform door.refuse('SP401', 'credential_not_accepted'); -- a proof alone only reads
  end if;
  if p ? 'claim' then
    v_done := door.claim(v_tenant, p);
  end if;
  if (p->>'refused')::boolean then
    perform door.refuse('SP470', 'key_is_free'); -- the plan refused, and this is no replay: write nothing
  end if;
  v_step_up := v_operation.access->(v_principal->>'kind')->'stepUp';
  if v_step_up is not null then
    if not p ? 'stepUp' then
      perform door.refuse('SP420', 'step_up_invalid');
    end if;
    perform door.consume_proof(v_tenant, p->'stepUp' || v_step_up);
  end if;

  for at in 0 .. jsonb_array_length(v_writes) - 1 loop
    w := v_writes->at;
    if ((w->>'table') = any (v_operation.tables)) is not true then
      perform door.refuse('SP460', 'table_not_allowed', jsonb_build_object('table', w->>'table'));
    end if;
    case w->>'kind'
      when 'insert' then v_done := door.apply_insert(v_tenant, w);
      when 'change' then v_done := door.apply_change(v_tenant, w, p);
      when 'adjust' then v_done := door.apply_adjust(v_tenant, w);
      when 'expect' then v_expected := v_expected || door.apply_expect(v_tenant, w);
      when 'post' then
        if not v_locked then
          v_locked := door.lock_accounts(v_tenant, v_writes);
        end if;
        v_done := door.apply_journals(v_tenant, jsonb_build_array(w));
      when 'changeEach' then v_done := door.apply_change_each(v_tenant, w, p);
      when 'postEach' then v_done := door.apply_journals(v_tenant, w->'journals');
    end case;
  end loop;

  -- Its trigger numbers each after those before it.
  insert into public.events (tenant_id, id, type, resource_type, resource_id, object, previous_attributes, request_id, created_at)
  select v_tenant, (c.e->>'id')::uuid, c.e->>'type', c.e->>'resourceType', (c.e->>'resourceId')::uuid, c.e->'object',
    c.e->'previousAttributes', p->>'requestId', (p->>'now')::timestamptz
  from (select door.count_in(v_tenant, v_operation.tables, e.value) as e from jsonb_array_elements(p->'events') e (value) offset 0) c;

  if (p->>'rehearsed')::boolean then
    perform door.refuse('SP471', 'it_would_hold'); -- nothing refused it: write nothing
  end if;
  v_done := door.append_audit(v_principal, p);
  return v_principal || jsonb_build_object('expected', v_expected,
    'woken', string_to_array(nullif(current_setting('spindle.woken', true), ''), ','));
end $$;
