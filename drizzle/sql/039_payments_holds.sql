-- What an attempt to pay holds of what is scarce, from its insert to its end. A kind declares its holds in its area.ts;
-- each hold is two functions, and a CHECK or an index of its resource refuses more than there is. They are called in the
-- order in which the kind names them, so that no two attempts deadlock.
--   door.hold_<name>(attempt, payment): takes, and returns each resource with how many it took and how many are left, where
--   a share of them bounds what is held unpaid.
--   door.end_<name>(attempt, payment, was, is): the attempt moved from one state of its hold to another.

-- An attempt holds until it ends: `free` without money, `taken` with it. An authorization is neither yet. A contradiction
-- found after the end holds nothing.
create or replace function door.hold_state(p_status text, p_resolved_at timestamptz) returns text
language sql immutable
return case when p_status = 'captured' then 'taken' when p_status = 'authorized' then 'authorized'
  when p_resolved_at is not null then 'free' else 'held' end;

create or replace function door.hold_for_attempt() returns trigger
language plpgsql as $$
declare
  p public.payments;
  h record;
begin
  select * into p from public.payments o where o.tenant_id = new.tenant_id and o.id = new.payment_id;
  if new.expires_at is null then
    perform from door.take_holds(new, p);
    return null;
  end if;
  if new.network_digest is null or new.contact_digest is null or new.unpaid_share_bps is null then
    raise exception 'an unpaid attempt says who holds it' using errcode = '23514', constraint = 'unpaid_holds_holder';
  end if;
  -- Everything is taken before the first share is looked at: what is sold out is refused as sold out.
  for h in select * from door.take_holds(new, p) t where t.free is not null loop
    perform door.hold_unpaid(new, h.resource_id, h.quantity, h.free);
  end loop;
  return null;
end $$;

create or replace trigger hold after insert on public.payment_attempts
  for each row execute function door.hold_for_attempt();

create or replace function door.end_for_attempt() returns trigger
language plpgsql as $$
declare
  v_was constant text := door.hold_state(old.status, old.resolved_at);
  v_is constant text := door.hold_state(new.status, new.resolved_at);
  p public.payments;
begin
  if v_was <> v_is then
    select * into p from public.payments o where o.tenant_id = new.tenant_id and o.id = new.payment_id;
    perform door.end_holds(new, p, v_was, v_is);
  end if;
  return null;
end $$;

create or replace trigger end_holds after update on public.payment_attempts
  for each row when (old.status <> new.status) execute function door.end_for_attempt();
