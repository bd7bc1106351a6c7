-- What vouchers and bank transfers hold unpaid of a link's uses, of stock and of a discount's uses is a share of what
-- there is, free and unpaid together: at least one, and of one network or one address at most a fifth. Runs after the
-- triggers that took it, which hold the locks of its rows (its name comes after theirs). Cards are paid at once.
create or replace function door.hold_unpaid() returns trigger
language plpgsql as $$
declare
  v_share_bps constant bigint := new.unpaid_share_bps;
  h record;
  v_there bigint;
begin
  if new.network_digest is null or new.contact_digest is null or v_share_bps is null then
    raise exception 'an unpaid attempt says who holds it' using errcode = '23514', constraint = 'unpaid_holds_holder';
  end if;
  insert into public.unpaid_holds
    (tenant_id, id, attempt_id, resource_id, quantity, network_digest, contact_digest, created_at)
  select new.tenant_id, gen_random_uuid(), new.id, n.resource_id, n.quantity, new.network_digest, new.contact_digest,
    new.created_at
  from (
    select u.id, 1 from public.payments p
    join public.payment_link_uses u on u.tenant_id = p.tenant_id and u.id = p.origin_id and u.uses_max is not null
    where p.tenant_id = new.tenant_id and p.id = new.payment_id
    union all
    select n.level_id, n.quantity from public.stock_reservations r, door.reserved_lines(r) n
    where r.tenant_id = new.tenant_id and r.attempt_id = new.id
    union all
    select d.id, 1 from public.discount_uses x
    join public.discounts d on d.tenant_id = x.tenant_id and d.id = x.discount_id and d.uses_max is not null
    where x.tenant_id = new.tenant_id and x.attempt_id = new.id) n (resource_id, quantity);

  for h in
    select t.*, f.free from public.unpaid_holds x
    cross join lateral (select sum(o.quantity) as held,
        sum(o.quantity) filter (where o.network_digest = new.network_digest) as of_network,
        sum(o.quantity) filter (where o.contact_digest = new.contact_digest) as of_contact
      from public.unpaid_holds o where o.tenant_id = x.tenant_id and o.resource_id = x.resource_id) t
    cross join lateral (
      select u.uses_max - u.paid_count - u.held_count from public.payment_link_uses u
      where u.tenant_id = x.tenant_id and u.id = x.resource_id
      union all
      select l.on_hand - l.reserved from public.stock_levels l where l.tenant_id = x.tenant_id and l.id = x.resource_id
      union all
      select d.uses_max - d.uses from public.discounts d where d.tenant_id = x.tenant_id and d.id = x.resource_id) f (free)
    where x.tenant_id = new.tenant_id and x.attempt_id = new.id
  loop
    v_there := h.free + h.held;
    if h.held > door.share_of(v_there, v_share_bps)
      or greatest(h.of_network, h.of_contact) > door.share_of(v_there, least(v_share_bps, 2000))
    then
      raise exception 'as much is held unpaid as may be' using errcode = '23514', constraint = 'unpaid_holds_bounded';
    end if;
    -- Where little is left it is held until the end of the next day, and no longer.
    if v_there < 10 and new.expires_at > new.created_at + interval '48 hours' then
      raise exception 'little is left: it is held for a day' using errcode = '23514', constraint = 'unpaid_holds_brief';
    end if;
  end loop;
  return null;
end $$;

-- A share of what there is, rounded down; at least one where any may be held.
create or replace function door.share_of(p_there bigint, p_bps bigint) returns bigint
language sql immutable
return case when p_bps = 0 then 0 else greatest(1, p_there * p_bps / 10000) end;

create or replace trigger unpaid_bounded after insert on public.payment_attempts
  for each row when (new.expires_at is not null) execute function door.hold_unpaid();

-- The attempt ends: what it held unpaid is free, and who held it is forgotten.
create or replace function door.forget_holder() returns trigger
language plpgsql as $$
begin
  delete from public.unpaid_holds h where h.tenant_id = new.tenant_id and h.attempt_id = new.id;
  new.network_digest := null;
  new.contact_digest := null;
  return new;
end $$;
create or replace trigger forget_holder before update on public.payment_attempts
  for each row when (new.resolved_at is not null and old.network_digest is not null)
  execute function door.forget_holder();
grant delete on public.unpaid_holds to spindle_door;
