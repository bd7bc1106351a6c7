-- A run's days as times in its zone, and the number of its transaction: whatever was booked before this transaction began
-- has a lower number, so a run of days that are over shows the same rows for ever once the horizon has reached it.
create or replace function door.place_report_run() returns trigger
language plpgsql as $$
begin
  new.starts_at := new.period_from::timestamp at time zone new.time_zone;
  new.ends_at := (new.period_to + 1)::timestamp at time zone new.time_zone;
  -- A Worker's clock may be ahead. In the sandbox a moved clock makes runs of days that are not over.
  if new.schedule_id is not null and new.payout_id is null and new.ends_at > clock_timestamp()
      and (select s.environment from public.door_settings s) = 'live' then
    raise exception 'the period is not over' using errcode = '23514', constraint = 'report_runs_period_over';
  end if;
  new.as_of := door.commit_order(pg_current_xact_id());
  new.booked_until := date_trunc('milliseconds', now());
  new.mapping_id := case when new.type = 'poliza' then (select m.id from public.report_account_mappings m
    where m.tenant_id = new.tenant_id order by m.created_at desc, m.id desc limit 1) end;
  -- Who asks for addresses is in the audit trail before the run is there.
  if new.shows_persons and not exists (
      select from public.audit_event_objects o
      join public.audit_events e on e.tenant_id = o.tenant_id and e.id = o.id and e.operation = 'report_runs.ask_addresses'
      where o.tenant_id = new.tenant_id and o.object_id = new.id::text) then
    raise exception 'nobody asked for addresses' using errcode = '23514', constraint = 'report_runs_asked';
  end if;
  return new;
end $$;
create or replace trigger place_report_run before insert on public.report_runs
  for each row execute function door.place_report_run();

-- What was asked for stays.
create or replace trigger report_run_asked before update on public.report_runs
  for each row when ((old.type, old.type_version, old.period_from, old.period_to, old.time_zone, old.starts_at, old.ends_at,
      old.as_of, old.booked_until, old.amounts, old.format, old.schedule_id, old.payout_id, old.mapping_id, old.columns,
      old.shows_persons, old.created_at)
    is distinct from (new.type, new.type_version, new.period_from, new.period_to, new.time_zone, new.starts_at, new.ends_at,
      new.as_of, new.booked_until, new.amounts, new.format, new.schedule_id, new.payout_id, new.mapping_id, new.columns,
      new.shows_persons, new.created_at))
  execute function door.refuse_other_terms();

-- A schedule is due when its period is over in its zone, and looked at a minute later, by when the clocks of all Workers
-- say so; one with each payout when there is one.
create or replace function door.place_report_schedule() returns trigger
language plpgsql as $$
begin
  new.due_at := case when new.status <> 'active' then null when new.every = 'payout' then new.due_at
    else (new.next_to + 1)::timestamp at time zone new.time_zone end;
  new.next_check_at := new.due_at + case when new.every = 'payout' then interval '0' else interval '1 minute' end;
  return new;
end $$;
create or replace trigger place_report_schedule before insert on public.report_schedules
  for each row execute function door.place_report_schedule();
create or replace trigger replace_report_schedule before update on public.report_schedules
  for each row when ((old.status, old.every, old.next_from, old.next_to, old.time_zone, old.payouts_since)
    is distinct from (new.status, new.every, new.next_from, new.next_to, new.time_zone, new.payouts_since))
  execute function door.place_report_schedule();

-- Each schedule is a run a day, and mails.
create or replace trigger report_schedules_limit before insert on public.report_schedules
  for each row execute function door.limit_rows('20', 'deleted', 'report_schedules_limit');

-- A payout of ours makes the schedules due that report each. The version moves, so that a run of the job which has read
-- the payouts already looks again.
create or replace function door.report_payout() returns trigger
language plpgsql as $$
begin
  update public.report_schedules s set due_at = new.created_at, next_check_at = new.created_at, version = s.version + 1
  where s.tenant_id = new.tenant_id and s.every = 'payout' and s.status = 'active';
  return null;
end $$;
create or replace trigger report_payout after insert on public.payouts
  for each row when (new.account_id is null) execute function door.report_payout();

-- Whom a link is for, and what it opens, stays.
create or replace trigger made_with before update on public.report_deliveries
  for each row when ((old.run_id, old.member_id) is distinct from (new.run_id, new.member_id))
  execute function door.refuse_other_terms();

-- A link ends with the naming of its member, for good: who is named again gets links to later runs. The version moves, so that
-- a mail which is being written is refused.
create or replace function door.end_report_links() returns trigger
language plpgsql as $$
begin
  update public.report_deliveries d set ended_at = clock_timestamp(), version = d.version + 1
  from public.report_runs r
  where r.tenant_id = new.tenant_id and r.schedule_id = new.id and r.status = 'succeeded'
    and d.tenant_id = r.tenant_id and d.run_id = r.id and d.ended_at is null
    and not new.recipients ? d.member_id::text;
  return null;
end $$;
create or replace trigger end_report_links after update on public.report_schedules
  for each row when (old.recipients is distinct from new.recipients) execute function door.end_report_links();

-- The run whose file the link of a mail opens: while it is kept, its reader is a member, and its schedule has named them since.
create or replace function door.report_of_delivery(p_delivery uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('tenantId', door.workspace_id(d.tenant_id), 'runId', d.run_id)
  from public.report_deliveries d
  join public.memberships m on m.tenant_id = d.tenant_id and m.id = d.member_id and m.status = 'active'
  join public.report_runs r on r.tenant_id = d.tenant_id and r.id = d.run_id and r.status = 'succeeded'
    and r.remove_at > now()
  join public.report_schedules s on s.tenant_id = r.tenant_id and s.id = r.schedule_id and s.status <> 'deleted'
    and s.recipients ? d.member_id::text
  where d.id = p_delivery and d.ended_at is null
$$;
