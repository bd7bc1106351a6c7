-- The Worker opens a workspace and asks for its review. Every other status is an operator's decision, which no login of a
-- Worker can make.
create or replace function door.workspace_status() returns trigger
language plpgsql as $$
begin
  if session_user = 'spindle_worker' and (tg_op = 'UPDATE' and new.status <> 'in_review' or tg_op = 'INSERT'
      and new.status <> (select case s.environment when 'live' then 'pending' else 'active' end from public.door_settings s))
  then
    raise exception 'an operator decides this' using errcode = '23514', constraint = 'tenants_status_by_operator';
  end if;
  return new;
end $$;

create or replace trigger status_by_operator before insert on public.tenants
  for each row execute function door.workspace_status();
create or replace trigger status_by_operator_anew before update on public.tenants
  for each row when (old.status <> new.status) execute function door.workspace_status();

-- What was reviewed of a live business stays until an operator has looked at the change.
create or replace function door.workspace_details() returns trigger
language plpgsql as $$
begin
  if session_user = 'spindle_worker' and old.status <> 'pending'
    and (select s.environment from public.door_settings s) = 'live'
    and (new.name, new.website_url, new.fiscal_profile, new.branding->>'brand_name')
      is distinct from (old.name, old.website_url, old.fiscal_profile, old.branding->>'brand_name')
  then
    raise exception 'these details were reviewed' using errcode = '23514', constraint = 'tenants_details_reviewed';
  end if;
  return new;
end $$;

create or replace trigger details_reviewed before update on public.tenants
  for each row when ((old.name, old.website_url, old.fiscal_profile, old.branding)
    is distinct from (new.name, new.website_url, new.fiscal_profile, new.branding))
  execute function door.workspace_details();

-- A workspace stays: what comes in with each sale has no foreign key to it.
create or replace trigger workspace_stays before delete on public.tenants
  for each row execute function door.refuse_rewrite();
create or replace trigger workspace_keeps_its_id before update of tenant_id on public.tenants
  for each row execute function door.refuse_rewrite();

-- Orders a change of what holds for a workspace and the sales that are made under it. Sales share the lock: a lock of the
-- row that changes would be written by each of them, and costs much where many sell at once. A sale takes the policy's
-- lock before the status's.
create or replace function door.lock_of(p_what text, p_tenant uuid) returns bigint
language sql immutable
return hashtextextended(p_what || ' of ' || p_tenant, 0);

create or replace function door.wait_for_sales() returns trigger
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(door.lock_of(tg_argv[0], new.tenant_id));
  return new;
end $$;
create or replace trigger wait_for_sales before update on public.tenants
  for each row when (old.status <> new.status) execute function door.wait_for_sales('status');

-- Refuses a row while its workspace has one of the statuses that the trigger names: what is published after a suspension
-- is refused, whatever was read before.
create or replace function door.refuse_while() returns trigger
language plpgsql as $$
declare
  v_locked constant text := pg_advisory_xact_lock_shared(door.lock_of('status', new.tenant_id))::text;
  -- After the lock, so that it sees what those committed that the lock waited for.
  v_status text;
begin
  select t.status into v_status from public.tenants t where t.tenant_id = new.tenant_id;
  if v_status = any (tg_argv) then
    raise exception 'the workspace is %', v_status using errcode = '23514', constraint = 'workspace_' || v_status;
  end if;
  return new;
end $$;

-- Whether a workspace exists to send money to, for an authorized caller of another one. Reveals neither name nor owner. What
-- its processor pays out could never leave it again.
create or replace function door.workspace_is_open(p_workspace text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select door.sealed_tenant() is not null and exists (select from public.tenants t where t.tenant_id = door.workspace_key(p_workspace) and t.status = 'active')
    and not exists (select from public.processor_credentials c where c.tenant_id = door.workspace_key(p_workspace) and c.account_ref is not null)
$$;

-- The workspaces of a signed-in customer in this environment, oldest first.
create or replace function door.workspaces_of(p_user text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(to_jsonb(t) || jsonb_build_object('tenant_id', door.workspace_id(t.tenant_id), 'role', m.role) order by t.created_at, t.tenant_id), '[]')
  from public.memberships m join public.tenants t on t.tenant_id = m.tenant_id
  where m.user_id = p_user and m.status = 'active'
$$;
