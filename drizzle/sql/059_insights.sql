-- Every workspace is watched from its beginning: its hours are counted from the one in which it begins, a day at a time
-- until there are weeks to compare with.
create or replace function door.begin_watch() returns trigger
language plpgsql as $$
declare
  v_hour constant timestamptz := date_trunc('hour', new.created_at, 'UTC');
begin
  insert into public.insight_watches (tenant_id, id, counted_since, counted_to, next_check_at, created_at, updated_at)
  values (new.tenant_id, gen_random_uuid(), v_hour, v_hour, v_hour + interval '1 day 70 minutes', new.created_at,
    new.created_at);
  return null;
end $$;
create or replace trigger begin_watch after insert on public.tenants
  for each row execute function door.begin_watch();

-- Those that were there before.
insert into public.insight_watches (tenant_id, id, counted_since, counted_to, next_check_at, created_at, updated_at)
select t.tenant_id, gen_random_uuid(), n.hour, n.hour, n.hour + interval '1 day 70 minutes', now(), now()
from public.tenants t cross join (select date_trunc('hour', now(), 'UTC') as hour) n
where not exists (select from public.insight_watches w where w.tenant_id = t.tenant_id)
on conflict do nothing;

create or replace trigger insight_stays before update on public.insights
  for each row when ((old.kind, old.evidence, old.created_at) is distinct from (new.kind, new.evidence, new.created_at))
  execute function door.refuse_other_terms();

-- The sweep.
grant delete on public.insight_hours to spindle_auth;
