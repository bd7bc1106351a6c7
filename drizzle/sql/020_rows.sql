-- Row-level security on every tenant table, the rights of the three roles, and the append-only tables.
create or replace function door.pinned_tenant() returns uuid
language sql stable parallel safe
return nullif(current_setting('spindle.tenant', true), '')::uuid;

-- The key by which rows name a workspace is the 16 bytes that its id has behind `tn_`, in hex digits. Null for what is no id.
create or replace function door.workspace_key(p_id text) returns uuid
language sql immutable parallel safe
return case when p_id ~ '^tn_[0-9a-f]{32}$' then substr(p_id, 4)::uuid end;

create or replace function door.workspace_id(p_key uuid) returns text
language sql immutable parallel safe
return 'tn_' || replace(p_key::text, '-', '');

-- The seal of a pin: made by `authorize` alone, good for this tenant in this transaction of this backend.
create or replace function door.seal(p_tenant uuid) returns text
language plpgsql stable as $$
declare
  k door.seal_keys;
begin
  select * into k from door.seal_keys where is_only;
  return encode(sha256(k.outer_key || sha256(k.inner_key || int4send(pg_backend_pid())
    || timestamptz_send(transaction_timestamp()) || uuid_send(p_tenant))), 'hex');
end $$;

-- The tenant that `authorize` pinned in this transaction; null where anything else did. Restricted: a parallel worker is
-- another backend.
create or replace function door.sealed_tenant() returns uuid
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_seal constant text := current_setting('spindle.seal', true);
  v_tenant constant uuid := nullif(current_setting('spindle.tenant', true), '')::uuid;
begin
  return case when v_seal <> '' and v_seal = door.seal(v_tenant) then v_tenant end;
end $$;

-- For policies only: declared immutable, so that Postgres evaluates it while planning. Without a seal the plan is
-- empty: no scan, no count of rows, no estimate from other tenants' rows. When a plan runs, only `sealed_tenant`
-- counts.
create or replace function door.is_sealed() returns boolean
language plpgsql immutable parallel restricted as $$
begin
  return door.sealed_tenant() is not null;
end $$;

do $$
declare
  t text;
  append_only constant text[] := array['events', 'ledger_journals', 'ledger_postings', 'public_ids']
    || (select a.append_only from door.area_tables a);
  looked_up constant text[] := array['public_ids', 'idempotency_claims', 'due_failures']
    || (select a.looked_up from door.area_tables a);
begin
  for t in
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('drop policy if exists tenant_pin on public.%I', t);
    execute format(
      'create policy tenant_pin on public.%I for select to spindle_worker
         using (door.is_sealed() and tenant_id = (select door.sealed_tenant()))', t);
    -- spindle_reader runs only functions whose first line looks for the seal.
    execute format('drop policy if exists reader_pin on public.%I', t);
    execute format(
      'create policy reader_pin on public.%I for select to spindle_reader using (tenant_id = (select door.pinned_tenant()))', t);
    -- spindle_door runs only door.publish, which makes the pin before it writes.
    execute format('drop policy if exists door_pin on public.%I', t);
    execute format(
      'create policy door_pin on public.%I to spindle_door
         using (tenant_id = (select door.pinned_tenant())) with check (tenant_id = (select door.pinned_tenant()))', t);
    -- The planner does not know which tenant a query asks for. It would expect an average one's rows; with 1 it expects
    -- the largest one's share, and so makes plans for large tenants: a small one has few rows under any plan.
    execute format('alter table public.%I alter column tenant_id set (n_distinct = 1)', t);
    execute format('revoke all on public.%I from public, spindle_worker, spindle_reader, spindle_door, spindle_auth', t);
    execute format('grant select, insert on public.%I to spindle_door', t);
    if t = any (append_only) then
      execute format(
        'create or replace trigger append_only before update or delete on public.%I
           for each row execute function door.refuse_rewrite()', t);
      execute format(
        'create or replace trigger append_only_whole before truncate on public.%I
           for each statement execute function door.refuse_rewrite()', t);
    else
      execute format('grant update on public.%I to spindle_door', t);
    end if;
    -- The Worker reads no digest, no ciphertext and no stored reply.
    if t <> 'idempotency_claims' then
      execute format('grant select %s on public.%I to spindle_worker, spindle_reader', (
        select '(' || string_agg(quote_ident(attname), ', ') || ')' from pg_attribute, door.secret_columns s
        where s.table_name = t and attrelid = ('public.' || t)::regclass and attnum > 0 and not attisdropped
          and attname <> all (s.columns)), t);
    end if;
    -- Scheduled jobs lease rows by moving next_check_at.
    if exists (select from pg_attribute where attrelid = ('public.' || t)::regclass and attname = 'next_check_at') then
      execute format('grant update (next_check_at) on public.%I to spindle_auth', t);
    end if;
    if t = any (looked_up) then
      execute format('grant select on public.%I to spindle_auth', t);
      execute format('drop policy if exists auth_lookup on public.%I', t);
      execute format('create policy auth_lookup on public.%I to spindle_auth using (true)', t);
    end if;
  end loop;
end $$;

grant update (status, token_digest, version, updated_at) on public.step_up_challenges to spindle_auth;
grant delete on public.idempotency_claims to spindle_auth;

do $$
declare
  t text;
begin
  foreach t in array array['door_operations', 'door_event_types', 'door_settings'] loop
    execute format('revoke all on public.%I from public, spindle_worker', t);
    execute format('grant select on public.%I to spindle_door, spindle_auth', t);
  end loop;
end $$;

-- A workspace has at most so many rows of a table, not counting those of one status: the lock makes concurrent inserts
-- wait for each other. Arguments: the most, that status, the name of the constraint.
create or replace function door.limit_rows() returns trigger
language plpgsql as $$
declare
  v_count bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended(tg_table_name || ' of ' || new.tenant_id, 0));
  execute format('select count(*) from public.%I t where t.tenant_id = $1 and t.status <> $2', tg_table_name)
  into v_count using new.tenant_id, tg_argv[1];
  if v_count >= tg_argv[0]::int then
    raise exception 'the limit of % is reached', tg_table_name using errcode = '23514', constraint = tg_argv[2];
  end if;
  return new;
end $$;
