-- Every workspace begins with version 1 of its policy, which narrows nothing.
create or replace function door.begin_policy() returns trigger
language plpgsql as $$
begin
  insert into public.payment_policies (tenant_id, id, last_version, version, created_at, updated_at)
  values (new.tenant_id, gen_random_uuid(), 1, 1, new.created_at, new.created_at);
  insert into public.payment_policy_versions (tenant_id, id, version, settings, changes, starts_at, created_at)
  values (new.tenant_id, gen_random_uuid(), 1, '{}', '[]', new.created_at, new.created_at);
  return null;
end $$;
create or replace trigger begin_policy after insert on public.tenants
  for each row execute function door.begin_policy();

-- A version begins when the change commits, by this clock, or later: what held for a sale is never changed after it.
-- A version that was to begin in between is planned again.
create or replace function door.begin_policy_version() returns trigger
language plpgsql as $$
declare
  v_locked constant text := pg_advisory_xact_lock(door.lock_of('policy', new.tenant_id))::text;
  v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_last record;
begin
  select p.last_version, p.has_planned into v_last from public.payment_policies p where p.tenant_id = new.tenant_id;
  if not new.is_planned then
    new.starts_at := v_now;
  end if;
  if new.is_planned and new.starts_at <= v_now
    or new.version > v_last.last_version
    or not v_last.has_planned and exists (select from public.payment_policy_versions v
      where v.tenant_id = new.tenant_id and v.starts_at > v_now)
    or not v_last.has_planned and (new.is_planned or new.version < v_last.last_version)
  then
    raise exception 'the payment policy has another plan' using errcode = '23514', constraint = 'policy_plan_known';
  end if;
  return new;
end $$;
create or replace trigger begin_policy_version before insert on public.payment_policy_versions
  for each row when (new.version > 1) execute function door.begin_policy_version();

-- The version that holds at a moment.
create or replace function door.policy_version_at(p_tenant uuid, p_at timestamptz) returns int
language sql stable as $$
  select v.version from public.payment_policy_versions v
  where v.tenant_id = p_tenant and v.starts_at <= p_at order by v.starts_at desc, v.version desc limit 1
$$;

-- Terms are set under the policy as it is: a sale made under another version is planned again. The lock makes a change
-- of the policy wait for the sale, and the sale for the change.
create or replace trigger wait_for_sales before update on public.payment_policies
  for each row execute function door.wait_for_sales('policy');

create or replace function door.hold_policy() returns trigger
language plpgsql as $$
declare
  v_locked constant text := pg_advisory_xact_lock_shared(door.lock_of('policy', new.tenant_id))::text;
  v record;
begin
  select p.last_version, p.has_planned into v from public.payment_policies p where p.tenant_id = new.tenant_id;
  if v.has_planned then
    v.last_version := door.policy_version_at(new.tenant_id, clock_timestamp());
  end if;
  if v.last_version is distinct from new.policy_version then
    raise exception 'the payment policy has another version'
      using errcode = '23514', constraint = 'sold_under_current_policy';
  end if;
  return new;
end $$;

do $$
declare
  v record;
begin
  for v in select k.table_name from door.kinds k where k.is_sold loop
    execute format('create or replace trigger hold_policy before insert on public.%I
      for each row execute function door.hold_policy()', v.table_name);
    execute format('create or replace trigger hold_policy_anew before update on public.%I
      for each row when (old.terms_version <> new.terms_version) execute function door.hold_policy()', v.table_name);
  end loop;
end $$;
