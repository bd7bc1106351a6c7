-- What phones prove of themselves. In live nothing counts that was attested by rule, or built for development.
create or replace function door.refuse_unreal_attestation() returns trigger
language plpgsql as $$
begin
  if (select environment from public.door_settings) = 'live' then
    raise exception 'live takes attestations of production alone' using errcode = '23514', constraint = 'phone_attestations_real';
  end if;
  return null;
end $$;
create or replace trigger refuse_unreal_attestation after insert on public.phone_attestations
  for each row when (new.provider = 'sandbox' or new.environment = 'development')
  execute function door.refuse_unreal_attestation();

-- A phone tries twenty times within an hour at most, in each pairing: each try is a row for ever, and an event.
create or replace function door.limit_attestation_tries() returns trigger
language plpgsql as $$
begin
  if (select count(*) from public.phone_attestations a where a.tenant_id = new.tenant_id and a.device_id = new.device_id
      and a.pairing = new.pairing and a.created_at > new.created_at - interval '1 hour') >= 20
  then
    raise exception 'a phone tries twenty times within an hour' using errcode = '23514', constraint = 'phone_attestations_hourly';
  end if;
  return new;
end $$;
create or replace trigger limit_tries before insert on public.phone_attestations
  for each row execute function door.limit_attestation_tries();

-- A challenge that another has replaced is named by no record, and forgotten.
create or replace function door.forget_challenge() returns trigger
language plpgsql as $$
begin
  delete from public.attestation_challenges c where c.tenant_id = new.tenant_id and c.id = new.id;
  return null;
end $$;
create or replace trigger forget_replaced after update on public.attestation_challenges
  for each row when (new.status = 'replaced') execute function door.forget_challenge();
grant delete on public.attestation_challenges to spindle_door;

-- A key counts up: who has copied it is found out, and an assertion is taken once.
create or replace function door.attested_key_counts() returns trigger
language plpgsql as $$
begin
  if exists (select from public.phone_attestations a
    where a.tenant_id = new.tenant_id and a.device_id = new.device_id and a.key_digest = new.key_digest
      and a.sign_count >= new.sign_count and a.id <> new.id)
  then
    raise exception 'a key counts up' using errcode = '23514', constraint = 'phone_attestations_counter';
  end if;
  return null;
end $$;
create or replace trigger attested_key_counts after insert on public.phone_attestations
  for each row when (new.sign_count is not null) execute function door.attested_key_counts();

-- Where a workspace wants its phones attested, none takes cards that is not, or whose attestation is over.
create or replace function door.session_is_attested() returns trigger
language plpgsql as $$
begin
  if exists (select from public.attestation_settings s where s.tenant_id = new.tenant_id and s.is_required)
    and not exists (select from public.devices d where d.tenant_id = new.tenant_id and d.id = new.device_id
      and d.pairings_count = new.pairing and d.attested_until > new.created_at)
  then
    raise exception 'the phone is not attested' using errcode = '23514', constraint = 'tap_sessions_attested';
  end if;
  return null;
end $$;
create or replace trigger session_is_attested after insert on public.tap_sessions
  for each row execute function door.session_is_attested();

create or replace trigger phone_app_limit before insert on public.phone_apps
  for each row execute function door.limit_rows('20', 'removed', 'phone_apps_limit');

-- An app that is removed attests nothing, and what it has attested ends; so it does where its certificates or keys are set
-- again, since the former ones may have been another's. A try that is on its way expects the app as it has read it.
create or replace function door.end_attestations() returns trigger
language plpgsql as $$
begin
  update public.devices d
  set attestation_id = null, attested_by = null, attested_app = null, attested_environment = null, attested_at = null,
    attested_until = null, version = d.version + 1, updated_at = new.updated_at
  where d.tenant_id = new.tenant_id and d.kind = 'phone' and d.attested_app = new.app
    and d.attested_by = case new.platform when 'ios' then 'app_attest' else 'play_integrity' end;
  return null;
end $$;
create or replace trigger end_attestations after update on public.phone_apps
  for each row when ((new.status, new.certificate_digests, new.decryption_key, new.verification_key)
    is distinct from (old.status, old.certificate_digests, old.decryption_key, old.verification_key))
  execute function door.end_attestations();

-- The keys of an app of Android, still encrypted, for the phone that calls; null where the app does not count.
create or replace function door.phone_app_keys(p_kid text, p_app text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', a.id, 'version', a.version, 'decryptionKey', a.decryption_key, 'verificationKey', a.verification_key)
  from public.device_credentials c
  join public.phone_apps a on a.tenant_id = c.tenant_id and a.platform = 'android' and a.app = p_app and a.status = 'active'
  where c.kid = p_kid
$$;
