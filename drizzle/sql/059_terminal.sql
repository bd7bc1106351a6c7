-- A reader's action ends with the attempt that it made, by whatever way that ends. Contradicting numbers are looked at by
-- people, and the reader takes the next card meanwhile.
create or replace function door.end_reader_action() returns trigger
language plpgsql as $$
declare
  v_status constant text := case new.status when 'captured' then 'succeeded' when 'authorized' then 'succeeded'
    when 'declined' then 'failed' when 'canceled' then 'canceled' when 'expired' then 'timed_out'
    when 'amount_mismatch' then 'unknown' end;
begin
  if new.method <> 'card_present' or old.status = new.status then
    return null;
  end if;
  update public.reader_actions a
  set status = v_status,
    failure_code = case v_status when 'failed' then new.decline_code when 'canceled' then new.device_failure end,
    ended_at = case when v_status <> 'unknown' then new.updated_at end, announced_at = null,
    version = a.version + 1, updated_at = new.updated_at
  where a.tenant_id = new.tenant_id and a.payment_id = new.payment_id and a.status in ('in_progress', 'unknown')
    and a.status <> v_status;
  return null;
end $$;

create or replace trigger end_reader_action after update on public.payment_attempts
  for each row execute function door.end_reader_action();

-- The tenant of the action that a processor's notification names, while it may end by that.
create or replace function door.action_tenant(p_action uuid) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select door.workspace_id(a.tenant_id) from public.reader_actions a 
  where a.id = p_action and a.status = 'in_progress' and a.payment_id is null
$$;

-- A phone takes cards in a session of its own alone: open, of its present pairing, before its time is over, and for the
-- account that the processor's program on it is connected to.
create or replace function door.phone_takes_cards() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.tap_sessions s where s.tenant_id = new.tenant_id and s.id = new.session_id
    and s.device_id = new.reader_id and s.pairing = new.pairing and s.status = 'open' and s.expires_at > new.created_at
    and not exists (select from public.payment_attempts a where a.tenant_id = new.tenant_id and a.payment_id = new.payment_id
      and a.account_id is distinct from s.account_id))
  then
    raise exception 'a phone takes cards in its session' using errcode = '23514', constraint = 'reader_actions_in_session';
  end if;
  return null;
end $$;
create or replace trigger phone_takes_cards after insert on public.reader_actions
  for each row when (new.session_id is not null) execute function door.phone_takes_cards();

-- The tip that a buyer has chosen is charged as it was chosen: by the device of that pairing, on what it was chosen on, with
-- the currency, and soon.
create or replace function door.tip_is_chosen() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.reader_actions c
    join public.payments p on p.tenant_id = c.tenant_id and p.id = new.payment_id
    where c.tenant_id = new.tenant_id and c.id = new.tip_action_id and c.reader_id = new.reader_id
      and c.pairing = new.pairing and c.type = 'collect_tip' and c.status = 'succeeded'
      and c.ended_at > new.created_at - interval '10 minutes' and c.tip_minor = p.tip_amount_minor
      and (c.offers->>'amount')::bigint = p.amount_minor - p.tip_amount_minor and c.offers->>'currency' = p.currency)
  then
    raise exception 'the tip is not as it was chosen' using errcode = '23514', constraint = 'reader_actions_tip_chosen';
  end if;
  return null;
end $$;
create or replace trigger tip_is_chosen after insert on public.reader_actions
  for each row when (new.tip_action_id is not null) execute function door.tip_is_chosen();

-- What a device was asked stays as it was asked, and what a buyer has chosen as it was chosen.
create or replace trigger keep_action before update on public.reader_actions for each row
  when ((old.type, old.reader_id, old.pairing, old.offers, old.inputs, old.tip_action_id)
      is distinct from (new.type, new.reader_id, new.pairing, new.offers, new.inputs, new.tip_action_id)
    or new.answers is not null and old.answers is distinct from new.answers and old.status <> 'in_progress'
    or old.chosen is not null and (old.chosen, old.tip_minor, old.ended_at) is distinct from (new.chosen, new.tip_minor, new.ended_at))
  execute function door.refuse_other_terms();
-- What a buyer gave is only deleted (door.sweep).
grant update (answers, version, updated_at) on public.reader_actions to spindle_auth;
-- And who served.
create or replace trigger keep_waiter before update on public.in_person_payments
  for each row when (old.waiter_id is distinct from new.waiter_id) execute function door.refuse_other_terms();

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

-- So does what the device was asked that takes no payment. A payment is closed at the processor.
create or replace function door.end_device_actions() returns trigger
language plpgsql as $$
begin
  update public.reader_actions a
  set status = 'canceled', ended_at = new.updated_at, announced_at = null, version = a.version + 1, updated_at = new.updated_at
  where a.tenant_id = new.tenant_id and a.reader_id = new.id and a.status = 'in_progress' and a.payment_id is null;
  return null;
end $$;
create or replace trigger end_actions after update on public.devices
  for each row when (old.status = 'paired' and new.status <> 'paired') execute function door.end_device_actions();

-- With its first captured money a payment in person owes its tip to who served. Where less is captured than was authorized,
-- what is left out is of the goods first, as of a refund.
create or replace function door.owe_in_person_tip() returns trigger
language plpgsql as $$
begin
  if new.method <> 'card_present' or old.amount_captured_minor > 0 or new.amount_captured_minor = 0 or new.tip_amount_minor = 0 then
    return null;
  end if;
  insert into public.table_tips (tenant_id, id, waiter_id, payment_id, amount_minor, currency, returned_minor, created_at, updated_at)
  select new.tenant_id, new.id, s.waiter_id, new.id, least(new.tip_amount_minor, new.amount_captured_minor), new.currency, 0,
    new.updated_at, new.updated_at
  from public.in_person_payments s
  where s.tenant_id = new.tenant_id and s.id = new.origin_id and s.waiter_id is not null;
  return null;
end $$;
create or replace trigger owe_in_person_tip after update on public.payments
  for each row execute function door.owe_in_person_tip();
