-- Seven roles. The owner, which migrates, owns the tables and is not used by any Worker.
--   spindle_door    owns door.publish: writes, under forced row-level security, for the pinned tenant only
--   spindle_auth    owns door.authorize and door.due: looks credentials and due work up before a tenant is known
--   spindle_caller  owns door.call: may EXECUTE what the Worker calls with its proof, and reads no tenant's table
--   spindle_reader  owns the Worker's queries of fixed shape, which look for the seal once: reads what the Worker may read,
--                   for the pinned tenant only
--   spindle_worker  the Worker's login: SELECT under a sealed pin, EXECUTE on the door, nothing else
do $$
declare
  r text;
begin
  foreach r in array array['spindle_door', 'spindle_auth', 'spindle_caller', 'spindle_reader'] loop
    if not exists (select from pg_roles where rolname = r) then
      execute format('create role %I nologin', r);
    end if;
    execute format('grant %I to current_user', r);
  end loop;
  if not exists (select from pg_roles where rolname = 'spindle_worker') then
    create role spindle_worker login;
  end if;
  -- The Worker has given up before (DATABASE_TIMEOUT_MS).
  alter role spindle_worker set statement_timeout = '10s';
  alter role spindle_worker set idle_in_transaction_session_timeout = '10s';
  -- An index belongs to every query of the Worker: a whole table is other tenants' rows too. Postgres would read a small
  -- one whole, and a session keeps such a plan for a while after it has grown.
  alter role spindle_worker set enable_seqscan = off;
  -- Pages are in memory or on a solid disk: a row found by an index costs little more than the next one of a table.
  alter role spindle_worker set random_page_cost = 1.1;
  -- Its queries are short: compiling one costs more than running it.
  alter role spindle_worker set jit = off;
  execute format('revoke temporary on database %I from public, spindle_worker', current_database());
end $$;

create schema if not exists door;
revoke all on schema door from public;
revoke create on schema public from public;
alter default privileges revoke execute on functions from public;
grant usage on schema public to spindle_door, spindle_auth, spindle_reader, spindle_worker;
grant usage, create on schema door to spindle_door, spindle_auth;
grant usage on schema door to spindle_worker, spindle_caller, spindle_reader;

-- The keys that seal a transaction's pin: made here once, read by spindle_auth only.
create table if not exists door.seal_keys (
  is_only boolean primary key default true check (is_only),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
insert into door.seal_keys (inner_key, outer_key)
select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
on conflict do nothing;

-- SHA-256 of the Worker's DOOR_SECRETS by version, put here by the migrate command.
create table if not exists door.proofs (
  version int primary key,
  digest bytea not null unique check (length(digest) = 32)
);
revoke all on door.seal_keys, door.proofs from public, spindle_door, spindle_reader, spindle_worker, spindle_caller;
grant select on door.seal_keys to spindle_auth;
grant select on door.proofs to spindle_auth, spindle_caller;

insert into public.door_settings (environment)
select current_setting('spindle.environment')
on conflict do nothing;

do $$
begin
  if (select array_agg(environment) from public.door_settings) <> array[current_setting('spindle.environment')] then
    raise exception 'this database belongs to the environment %', (select string_agg(environment, ', ') from public.door_settings);
  end if;
end $$;
