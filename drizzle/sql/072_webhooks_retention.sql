-- Deletes old deliveries, endpoints' responses, ended recoveries and expired secrets.
-- Events stay: they are the record, and their sequences go on.

-- No role can delete attempts before 30 days.
create or replace function door.refuse_forgetting() returns trigger
language plpgsql as $$
begin
  if old.created_at > now() - interval '30 days' then
    raise exception 'webhook_attempts are kept for 31 days at least' using errcode = 'SP460';
  end if;
  return old;
end $$;
create or replace trigger append_only before update on public.webhook_attempts
  for each row execute function door.refuse_rewrite();
create or replace trigger kept before delete on public.webhook_attempts
  for each row execute function door.refuse_forgetting();

-- Deletes at most p_limit deliveries that ended p_days ago or earlier, oldest first, with everything that belongs to
-- them. Returns how many: p_limit means that there may be more.
create or replace function door.forget_deliveries(p_days int, p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_tenants uuid[];
  v_ids uuid[];
begin
  if p_days < 31 then
    raise exception 'deliveries are kept for 31 days at least' using errcode = 'SP460';
  end if;
  select array_agg(o.tenant_id), array_agg(o.id) into v_tenants, v_ids
  from (select d.tenant_id, d.id from public.webhook_deliveries d
        where d.finished_at < now() - p_days * interval '1 day'
        order by d.finished_at limit p_limit for update skip locked) o;
  delete from public.webhook_attempts a using unnest(v_tenants, v_ids) o (tenant_id, id)
  where a.tenant_id = o.tenant_id and a.delivery_id = o.id;
  delete from public.webhook_deliveries d using unnest(v_tenants, v_ids) o (tenant_id, id)
  where d.tenant_id = o.tenant_id and d.id = o.id;

  delete from public.webhook_recoveries r using (
    select c.tenant_id, c.id from public.webhook_recoveries c
    where c.status = 'completed' and c.updated_at < now() - p_days * interval '1 day' limit p_limit for update skip locked) o
  where r.tenant_id = o.tenant_id and r.id = o.id;
  -- A day after expiry: deliveries claimed with them have long been sent.
  delete from public.webhook_secrets s using (
    select e.tenant_id, e.id from public.webhook_secrets e
    where e.expires_at < now() - interval '1 day' limit p_limit for update skip locked) o
  where s.tenant_id = o.tenant_id and s.id = o.id;
  return coalesce(cardinality(v_ids), 0);
end $$;

grant delete on public.webhook_attempts, public.webhook_deliveries, public.webhook_recoveries,
  public.webhook_secrets to spindle_auth;
grant update on public.webhook_secrets, public.webhook_recoveries to spindle_auth;
