-- A reader's action ends with the attempt that it made, by whatever way that ends. Contradicting numbers are looked at by
-- people, and the reader takes the next card meanwhile.
create or replace function door.end_reader_action() returns trigger
language plpgsql as $$
declare
  v_status constant text := case new.status when 'captured' then 'succeeded' when 'authorized' then 'succeeded'
    when 'declined' then 'failed' when 'canceled' then 'canceled' when 'expired' then 'timed_out'
    when 'amount_mismatch' then 'unknown' end;
begin
  update public.reader_actions a
  set status = v_status, failure_code = case when v_status = 'failed' then new.decline_code end,
    ended_at = case when v_status <> 'unknown' then new.updated_at end, announced_at = null,
    version = a.version + 1, updated_at = new.updated_at
  where a.tenant_id = new.tenant_id and a.payment_id = new.payment_id and a.status in ('in_progress', 'unknown')
    and a.status <> v_status;
  return null;
end $$;

create or replace trigger end_reader_action after update on public.payment_attempts
  for each row when (new.method = 'card_present' and old.status <> new.status)
  execute function door.end_reader_action();

-- A phone takes cards in a session of its own alone: open, of its present pairing, and before its time is over.
create or replace function door.phone_takes_cards() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.tap_sessions s where s.tenant_id = new.tenant_id and s.id = new.session_id
    and s.device_id = new.reader_id and s.pairing = new.pairing and s.status = 'open' and s.expires_at > new.created_at)
  then
    raise exception 'a phone takes cards in its session' using errcode = '23514', constraint = 'reader_actions_in_session';
  end if;
  return null;
end $$;
create or replace trigger phone_takes_cards after insert on public.reader_actions
  for each row when (new.session_id is not null) execute function door.phone_takes_cards();

-- A session ends with the pairing of its phone.
create or replace function door.end_tap_session() returns trigger
language plpgsql as $$
begin
  update public.tap_sessions s
  set status = 'ended', ended_at = new.updated_at, version = s.version + 1, updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.device_id = new.id and s.status = 'open';
  return null;
end $$;
create or replace trigger end_tap_session after update on public.devices
  for each row when (old.kind = 'phone' and old.status = 'paired' and new.status <> 'paired')
  execute function door.end_tap_session();
