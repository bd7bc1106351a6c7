-- Counts a code with the prefix of an active one where it is wrong: five of them lock that one. Committed before
-- door.authorize compares for good: a refusal there takes nothing back. A right code waits for its place among those
-- that are tried with it, so that many at once are no more than five tries.
create or replace function door.try_pairing(p_prefix text, p_digests text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.device_pairing_codes
  set tries_count = tries_count + (digest is distinct from p_digests::jsonb->>(pepper_version::text))::int
  where prefix = p_prefix and status = 'active' and tries_count < 5
$$;
grant update (tries_count) on public.device_pairing_codes to spindle_auth;

-- A device was heard of. Where another request holds its row, this one is not noted: nothing waits for it.
create or replace function door.saw_device(p_kid text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.devices d set last_seen_at = now()
  where (d.tenant_id, d.id) in (select s.tenant_id, s.id from public.devices s
    join public.device_credentials c on c.tenant_id = s.tenant_id and c.device_id = s.id
    where c.kid = p_kid for update of s skip locked)
$$;
grant update (last_seen_at) on public.devices to spindle_auth;

create or replace trigger device_limit before insert on public.devices
  for each row execute function door.limit_rows('1000', 'disabled', 'devices_limit');
create or replace trigger device_limit_enabled before update on public.devices
  for each row when (old.status = 'disabled' and new.status <> 'disabled')
  execute function door.limit_rows('1000', 'disabled', 'devices_limit');

-- A credential is of one location: who moves a device pairs it again where it goes.
create or replace function door.device_stays() returns trigger
language plpgsql as $$
begin
  raise exception 'a paired device stays at its location' using errcode = '23514', constraint = 'devices_paired_stay';
end $$;
create or replace trigger stays_while_paired before update on public.devices
  for each row when (new.status = 'paired' and old.location_id <> new.location_id) execute function door.device_stays();

-- Each pairing has a number of its own, by which the credentials of those before it open nothing.
create or replace function door.device_pairing_counts() returns trigger
language plpgsql as $$
begin
  raise exception 'a pairing counts, and nothing else does' using errcode = 'SP460';
end $$;
create or replace trigger pairing_counts before update on public.devices
  for each row when (new.pairings_count <> old.pairings_count + (new.status = 'paired' and old.status <> 'paired')::int)
  execute function door.device_pairing_counts();
