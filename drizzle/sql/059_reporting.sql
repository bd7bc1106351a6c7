-- A run's days as times in its zone, and the number of its transaction: whatever was booked before this transaction began
-- has a lower number, so a run of days that are over shows the same rows for ever once the horizon has reached it.
create or replace function door.place_report_run() returns trigger
language plpgsql as $$
begin
  new.starts_at := new.period_from::timestamp at time zone new.time_zone;
  new.ends_at := (new.period_to + 1)::timestamp at time zone new.time_zone;
  new.as_of := door.commit_order(pg_current_xact_id());
  return new;
end $$;
create or replace trigger place_report_run before insert on public.report_runs
  for each row execute function door.place_report_run();

-- What was asked for stays.
create or replace trigger report_run_asked before update on public.report_runs
  for each row when ((old.type, old.type_version, old.period_from, old.period_to, old.time_zone, old.starts_at, old.ends_at,
      old.as_of, old.amounts, old.format, old.created_at)
    is distinct from (new.type, new.type_version, new.period_from, new.period_to, new.time_zone, new.starts_at, new.ends_at,
      new.as_of, new.amounts, new.format, new.created_at))
  execute function door.refuse_other_terms();
