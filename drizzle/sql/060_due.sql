-- Work that has become due, over all tenants: ids only. The Worker publishes its changes per tenant.

-- True for work that has failed and whose next try is not due yet.
create or replace function door.is_put_off(p_job text, p_tenant uuid, p_id uuid, p_now timestamptz) returns boolean
language sql stable
return exists (select from public.due_failures f
  where f.job = p_job and f.tenant_id = p_tenant and f.id = p_id and f.next_try_at > p_now);

grant select on door.due_jobs to spindle_auth;

-- The rows d of a job's table that are due at p_now. A job without a condition leases its rows by moving
-- next_check_at, so that two runs of a job never hold the same row; it may be one of several jobs of a table.
create or replace function door.due(p_job text, p_now timestamptz, p_limit int) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_job door.due_jobs;
  v_due jsonb;
begin
  select * into strict v_job from door.due_jobs j where j.job = p_job;
  execute format(case when v_job.condition is null then
      'with due as (update public.%1$I t set next_check_at = greatest($1, now()) + interval ''30 seconds''
       from (select d.tenant_id, d.id, d.%2$I as first_by from public.%1$I d where d.next_check_at <= $1 and %4$s
             order by d.%2$I limit $4 for update skip locked) waiting
       where t.tenant_id = waiting.tenant_id and t.id = waiting.id
       returning t.tenant_id, t.id, waiting.first_by)'
    else
      'with due as (select d.tenant_id, d.id, d.%2$I as first_by from public.%1$I d
       where (%3$s) and not door.is_put_off($3, d.tenant_id, d.id, $1) order by d.%2$I limit $4)'
    end || ' select jsonb_agg(jsonb_build_object(''tenantId'', door.workspace_id(due.tenant_id), ''id'', due.id) order by due.first_by) from due',
    v_job.table_name, v_job.first_by, v_job.condition, coalesce(v_job.only_rows, 'true'))
  into v_due using p_now, (p_now at time zone 'America/Mexico_City')::date, p_job, p_limit;
  return coalesce(v_due, '[]');
end $$;

-- The jobs that have something to do at p_now.
create or replace function door.waiting_jobs(p_now timestamptz) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_waiting jsonb;
begin
  execute (select format('select jsonb_agg(w.job) from (%s) w (job)', string_agg(format(case
      when j.table_name is null then 'select %1$L where %3$s'
      when j.condition is null then 'select %1$L where exists (select from public.%2$I d where d.next_check_at <= $1 and %4$s)'
      else 'select %1$L where exists (select from public.%2$I d
        where (%3$s) and not door.is_put_off(%1$L, d.tenant_id, d.id, $1))' end,
    j.job, j.table_name, j.condition, coalesce(j.only_rows, 'true')), ' union all ')) from door.due_jobs j)
  into v_waiting using p_now, (p_now at time zone 'America/Mexico_City')::date;
  return v_waiting;
end $$;

-- Failed work comes back: after the first failure with the next run, then after 1, 2, 4 … minutes, at most an hour.
-- Concurrent runs that fail on one row count once: only a run that began after the row's next try was due counts.
-- Returns how often each has failed.
create or replace function door.back_off(p_job text, p_now timestamptz, p_workspaces text[], p_ids uuid[]) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_table constant text := (select j.table_name from door.due_jobs j where j.job = p_job and j.condition is null);
  v_tenants constant uuid[] := (select array_agg(door.workspace_key(w) order by n) from unnest(p_workspaces) with ordinality u (w, n));
begin
  insert into public.due_failures as f (job, tenant_id, id, failures_count, next_try_at)
  select p_job, u.tenant_id, u.id, 1, p_now + interval '1 millisecond'
  from unnest(v_tenants, p_ids) u (tenant_id, id) order by 2, 3
  on conflict (job, tenant_id, id) do update
  set failures_count = case when f.next_try_at <= p_now - interval '1 day' then 1 else f.failures_count + 1 end,
    next_try_at = case when f.next_try_at <= p_now - interval '1 day' then excluded.next_try_at
      else greatest(p_now, now()) + least(interval '1 minute' * 2 ^ least(f.failures_count - 1, 10), interval '1 hour') end
  where f.next_try_at <= p_now;
  if v_table is not null then
    execute format('update public.%I t set next_check_at = f.next_try_at from public.due_failures f
      where f.job = $1 and f.tenant_id = any ($2) and f.id = any ($3) and f.failures_count > 1
        and t.tenant_id = f.tenant_id and t.id = f.id and t.next_check_at < f.next_try_at', v_table)
    using p_job, v_tenants, p_ids;
  end if;
  return (select jsonb_object_agg(f.id, f.failures_count) from public.due_failures f
    where f.job = p_job and f.tenant_id = any (v_tenants) and f.id = any (p_ids));
end $$;

-- Expires old challenges, deletes expired claims, old failures, what buyers gave at readers and what was counted of cards and
-- hours. No event: nothing depends on them.
create or replace function door.sweep(p_now timestamptz, p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_challenges int;
  v_claims int;
begin
  update public.step_up_challenges c set status = 'expired', token_digest = null, version = c.version + 1, updated_at = p_now
  from (select d.tenant_id, d.id from public.step_up_challenges d
        where d.status in ('pending', 'verified') and d.challenge_expires_at <= p_now - interval '1 hour'
        limit p_limit for update skip locked) due
  where c.tenant_id = due.tenant_id and c.id = due.id;
  get diagnostics v_challenges = row_count;
  delete from public.idempotency_claims c
  using (select d.tenant_id, d.operation, d.key from public.idempotency_claims d
         where d.publish_id < door.id_at(p_now - interval '30 days') and d.expires_at <= p_now
         limit p_limit for update skip locked) due
  where c.tenant_id = due.tenant_id and c.operation = due.operation and c.key = due.key;
  get diagnostics v_claims = row_count;
  delete from public.due_failures f
  using (select d.job, d.tenant_id, d.id from public.due_failures d
         where d.next_try_at <= p_now - interval '1 day' limit p_limit for update skip locked) due
  where f.job = due.job and f.tenant_id = due.tenant_id and f.id = due.id;
  delete from public.card_tries t
  using (select d.tenant_id, d.id from public.card_tries d
         where d.created_at <= p_now - interval '1 day' limit p_limit) due
  where t.tenant_id = due.tenant_id and t.id = due.id;
  delete from public.risk_evaluations e
  using (select d.tenant_id, d.id from public.risk_evaluations d
         where d.created_at <= p_now - interval '180 days' limit p_limit) due
  where e.tenant_id = due.tenant_id and e.id = due.id;
  delete from public.risk_list_items i
  using (select d.tenant_id, d.id from public.risk_list_items d
         where d.status = 'removed' and d.updated_at <= p_now - interval '30 days' limit p_limit) due
  where i.tenant_id = due.tenant_id and i.id = due.id;
  update public.reader_actions a set answers = null, version = a.version + 1, updated_at = p_now
  from (select d.tenant_id, d.id from public.reader_actions d
        where d.answers is not null and d.answers_until <= p_now limit p_limit for update skip locked) due
  where a.tenant_id = due.tenant_id and a.id = due.id;
  delete from public.insight_hours h
  using (select d.tenant_id, d.id from public.insight_hours d
         where d.begins_at <= p_now - interval '70 days' limit p_limit) due
  where h.tenant_id = due.tenant_id and h.id = due.id;
  return v_challenges + v_claims;
end $$;

grant update on public.idempotency_claims to spindle_auth;
revoke all on public.due_failures from spindle_worker, spindle_reader, spindle_door;
grant insert, update, delete on public.due_failures to spindle_auth;

-- The tenant of a row that a processor's notification names, in a table whose rows a job leases.
create or replace function door.owner_of(p_table text, p_id uuid) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_table constant text := (select distinct j.table_name from door.due_jobs j
    where j.table_name = p_table and j.condition is null);
  v_tenant uuid;
begin
  execute format('select o.tenant_id from public.%I o where o.id = $1', v_table) into v_tenant using p_id;
  return door.workspace_id(v_tenant);
end $$;
