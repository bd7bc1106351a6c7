-- What a reader may store without a network is written down whenever that changes: with its pairing, its key, the
-- status of its location, the configuration that it or its location names, and each change of that one. Each step locks
-- what the next one reads, whatever it says, so that such changes, and what readers forward, wait for each other and
-- see what was committed meanwhile.
create or replace function door.renew_offline_allowances(p_tenant uuid, p_devices uuid[], p_at timestamptz) returns void
language plpgsql as $$
begin
  perform from public.devices d where d.tenant_id = p_tenant and d.id = any (p_devices) order by d.id for no key update;
  perform from public.locations l where l.tenant_id = p_tenant and l.id in (
    select d.location_id from public.devices d where d.tenant_id = p_tenant and d.id = any (p_devices)) order by l.id for share;
  perform from public.terminal_configurations c where c.tenant_id = p_tenant and c.id in (
    select coalesce(d.terminal_configuration_id, l.terminal_configuration_id) from public.devices d
    join public.locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
    where d.tenant_id = p_tenant and d.id = any (p_devices)) order by c.id for share;
  update public.offline_allowances a
  set ended_at = p_at, takes_until = p_at + make_interval(hours => a.stored_hours_max), version = a.version + 1, updated_at = p_at
  where a.tenant_id = p_tenant and a.device_id = any (p_devices) and a.ended_at is null;
  insert into public.offline_allowances (tenant_id, id, device_id, pairing, location_id, configuration_id, configuration_version,
    signing_key, currency, amount_max_minor, stored_amount_max_minor, stored_hours_max, stored_minor, created_at, updated_at)
  select d.tenant_id, gen_random_uuid(), d.id, d.pairings_count, d.location_id, c.id, c.version, d.signing_key, c.currency,
    c.amount_max_minor, c.stored_amount_max_minor, c.stored_hours_max, 0, p_at, p_at
  from public.devices d
  join public.locations l on l.tenant_id = d.tenant_id and l.id = d.location_id
  join public.terminal_configurations c on c.tenant_id = d.tenant_id
    and c.id = coalesce(d.terminal_configuration_id, l.terminal_configuration_id)
  where d.tenant_id = p_tenant and d.id = any (p_devices) and d.kind = 'reader' and d.status = 'paired'
    and d.signing_key is not null and l.status = 'active' and c.status = 'active' and c.offline_enabled;
end $$;

create or replace function door.renew_of_device() returns trigger
language plpgsql as $$
begin
  perform door.renew_offline_allowances(new.tenant_id, array[new.id], new.updated_at);
  return null;
end $$;
create or replace trigger renew_allowance after update on public.devices
  for each row when (new.kind = 'reader'
    and (old.status, old.pairings_count, old.location_id, old.terminal_configuration_id, old.signing_key)
      is distinct from (new.status, new.pairings_count, new.location_id, new.terminal_configuration_id, new.signing_key))
  execute function door.renew_of_device();

create or replace function door.renew_of_location() returns trigger
language plpgsql as $$
begin
  perform door.renew_offline_allowances(new.tenant_id, array(select d.id from public.devices d
    where d.tenant_id = new.tenant_id and d.kind = 'reader' and d.location_id = new.id
      and (d.terminal_configuration_id is null or old.status <> new.status)), new.updated_at);
  return null;
end $$;
create or replace trigger renew_allowances after update on public.locations
  for each row when ((old.status, old.terminal_configuration_id) is distinct from (new.status, new.terminal_configuration_id))
  execute function door.renew_of_location();

create or replace function door.renew_of_configuration() returns trigger
language plpgsql as $$
begin
  perform door.renew_offline_allowances(new.tenant_id, array(
    select d.id from public.devices d
    where d.tenant_id = new.tenant_id and d.kind = 'reader' and d.terminal_configuration_id = new.id
    union all
    select d.id from public.locations l join public.devices d on d.tenant_id = l.tenant_id and d.location_id = l.id
    where l.tenant_id = new.tenant_id and l.terminal_configuration_id = new.id and d.kind = 'reader'
      and d.terminal_configuration_id is null), new.updated_at);
  return null;
end $$;
create or replace trigger renew_allowances after update on public.terminal_configurations
  for each row when (
    (old.status, old.offline_enabled, old.currency, old.amount_max_minor, old.stored_amount_max_minor, old.stored_hours_max)
    is distinct from
    (new.status, new.offline_enabled, new.currency, new.amount_max_minor, new.stored_amount_max_minor, new.stored_hours_max))
  execute function door.renew_of_configuration();

-- What a reader was allowed stays as it was.
create or replace trigger keep_allowance before update on public.offline_allowances for each row
  when ((old.device_id, old.pairing, old.location_id, old.configuration_id, old.configuration_version, old.signing_key, old.currency,
      old.amount_max_minor, old.stored_amount_max_minor, old.stored_hours_max)
    is distinct from (new.device_id, new.pairing, new.location_id, new.configuration_id, new.configuration_version, new.signing_key,
      new.currency, new.amount_max_minor, new.stored_amount_max_minor, new.stored_hours_max)
    or new.stored_minor < old.stored_minor or old.ended_at is distinct from new.ended_at and old.ended_at is not null)
  execute function door.refuse_other_terms();

-- What is taken is within what its reader was allowed, each and in all (offline_allowances_kept), in the time of that by our clock.
create or replace function door.take_of_allowance() returns trigger
language plpgsql as $$
begin
  update public.offline_allowances a set stored_minor = a.stored_minor + new.amount_minor
  where a.tenant_id = new.tenant_id and a.id = new.allowance_id and a.device_id = new.device_id
    and a.location_id = new.location_id and a.currency = new.currency and new.amount_minor <= a.amount_max_minor
    and (a.takes_until is null or a.takes_until > new.created_at);
  if not found then
    raise exception 'the reader was not allowed to store it' using errcode = '23514', constraint = 'offline_payments_allowed';
  end if;
  return new;
end $$;
create or replace trigger take_of_allowance before insert on public.offline_payments
  for each row when (new.status <> 'refused') execute function door.take_of_allowance();

-- It is taken, and refused, under the policy as it is.
create or replace trigger hold_policy before insert on public.offline_payments
  for each row execute function door.hold_policy();

-- It is the sale and the payment of its amount, and stays as it was forwarded.
create or replace function door.offline_is_sold() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.payments p
    join public.in_person_payments s on s.tenant_id = p.tenant_id and s.id = p.origin_id
    where p.tenant_id = new.tenant_id and p.id = new.payment_id and s.id = new.in_person_payment_id
      and s.device_id = new.device_id and p.location_id = new.location_id and p.capture_method = 'automatic'
      and (p.amount_minor, p.tip_amount_minor, p.currency) = (new.amount_minor, new.tip_minor, new.currency))
  then
    raise exception 'another payment than what was stored' using errcode = '23514', constraint = 'offline_payments_sold';
  end if;
  return null;
end $$;
create or replace trigger offline_is_sold after insert on public.offline_payments
  for each row when (new.status <> 'refused') execute function door.offline_is_sold();
create or replace trigger keep_offline_payment before update on public.offline_payments for each row
  when ((old.device_id, old.location_id, old.allowance_id, old.device_payment_id, old.sequence, old.refusal_code, old.amount_minor,
      old.currency, old.tip_minor, old.taken_at, old.in_person_payment_id, old.payment_id)
    is distinct from (new.device_id, new.location_id, new.allowance_id, new.device_payment_id, new.sequence, new.refusal_code,
      new.amount_minor, new.currency, new.tip_minor, new.taken_at, new.in_person_payment_id, new.payment_id))
  execute function door.refuse_other_terms();

-- It ends with its attempt, as a reader's action does. What the card did not pay is lost, once, also where the processor first
-- said something else and now agrees; what a person has decided in a review of the payment is no loss that we know of.
create or replace function door.end_offline_payment() returns trigger
language plpgsql as $$
declare
  v_status constant text := case new.status when 'captured' then 'succeeded' when 'declined' then 'declined'
    when 'canceled' then 'canceled' when 'expired' then 'canceled' when 'unknown' then 'unknown'
    when 'amount_mismatch' then 'unknown' end;
begin
  -- Every other payment at a device costs nothing here. A stored card is forgotten later than these.
  if new.method <> 'card_present' or old.status = new.status
    or old.stored_card is null and old.status in ('submitting', 'unknown')
  then
    return null;
  end if;
  with moved as (
    update public.offline_payments o
    set status = v_status, announced_at = null, version = o.version + 1, updated_at = new.updated_at
    where o.tenant_id = new.tenant_id and o.payment_id = new.payment_id and o.status in ('forwarding', 'unknown')
      and o.status <> v_status
    returning o.*)
  insert into public.offline_losses (tenant_id, id, payment_id, device_id, location_id, amount_minor, currency, reason, created_at)
  select m.tenant_id, m.id, m.payment_id, m.device_id, m.location_id, m.amount_minor, m.currency,
    case m.status when 'declined' then new.decline_code else 'canceled' end, new.updated_at
  from moved m where m.status in ('declined', 'canceled') and coalesce(new.resolution, 'agreed') = 'agreed';
  return null;
end $$;
create or replace trigger end_offline_payment after update on public.payment_attempts
  for each row execute function door.end_offline_payment();
create or replace trigger order_journal before insert on public.offline_losses
  for each row execute function door.order_journal();

-- A card that a reader has stored is kept until the processor has answered.
create or replace function door.forget_stored_card() returns trigger
language plpgsql as $$
begin
  if new.status not in ('submitting', 'unknown') then
    new.stored_card := null;
  end if;
  return new;
end $$;
create or replace trigger forget_stored_card before update on public.payment_attempts
  for each row execute function door.forget_stored_card();
