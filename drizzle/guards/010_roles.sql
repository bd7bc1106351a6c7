-- Four roles. The owner (whoever migrates) owns the tables and is not used by any Worker.
--   spindle_door    owns door.publish: writes, under forced row-level security, for the pinned tenant only
--   spindle_gate    owns door.authorize and door.due: looks credentials and due work up before a tenant is known
--   spindle_worker  the Worker's login: SELECT under row-level security, EXECUTE on the door, nothing else
do $$
declare
  r text;
begin
  foreach r in array array['spindle_door', 'spindle_gate'] loop
    if not exists (select from pg_roles where rolname = r) then
      execute format('create role %I nologin', r);
    end if;
    execute format('grant %I to current_user', r);
  end loop;
  if not exists (select from pg_roles where rolname = 'spindle_worker') then
    create role spindle_worker login;
  end if;
end $$;

create schema if not exists door;
revoke all on schema door from public;
revoke create on schema public from public;
grant usage on schema public to spindle_door, spindle_gate, spindle_worker;
grant usage, create on schema door to spindle_door, spindle_gate;
grant usage on schema door to spindle_worker;

insert into public.door_settings (environment)
select current_setting('spindle.environment')
on conflict do nothing;

do $$
begin
  if (select array_agg(environment) from public.door_settings) <> array[current_setting('spindle.environment')] then
    raise exception 'this database belongs to the environment %', (select string_agg(environment, ', ') from public.door_settings);
  end if;
end $$;
