-- What vouchers and bank transfers hold unpaid of something scarce is a share of what there is, free and unpaid together:
-- at least one, and of one network or one address at most a fifth. The hold before it locks the resource's row. Cards are
-- paid at once.
create or replace function door.hold_unpaid(a public.payment_attempts, p_resource uuid, p_quantity bigint, p_free bigint)
returns void
language plpgsql as $$
declare
  h record;
  v_there bigint;
begin
  insert into public.unpaid_holds
    (tenant_id, id, attempt_id, resource_id, quantity, network_digest, contact_digest, created_at)
  values (a.tenant_id, gen_random_uuid(), a.id, p_resource, p_quantity, a.network_digest, a.contact_digest, a.created_at);
  select sum(o.quantity) as held,
    sum(o.quantity) filter (where o.network_digest = a.network_digest) as of_network,
    sum(o.quantity) filter (where o.contact_digest = a.contact_digest) as of_contact
  into h from public.unpaid_holds o where o.tenant_id = a.tenant_id and o.resource_id = p_resource;
  v_there := p_free + h.held;
  if h.held > door.share_of(v_there, a.unpaid_share_bps)
    or greatest(h.of_network, h.of_contact) > door.share_of(v_there, least(a.unpaid_share_bps, 2000))
  then
    raise exception 'as much is held unpaid as may be' using errcode = '23514', constraint = 'unpaid_holds_bounded';
  end if;
  -- Where little is left it is held until the end of the next day, and no longer.
  if v_there < 10 and a.expires_at > a.created_at + interval '48 hours' then
    raise exception 'little is left: it is held for a day' using errcode = '23514', constraint = 'unpaid_holds_brief';
  end if;
end $$;

-- A share of what there is, rounded down; at least one where any may be held.
create or replace function door.share_of(p_there bigint, p_bps bigint) returns bigint
language sql immutable
return case when p_bps = 0 then 0 else greatest(1, p_there * p_bps / 10000) end;

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
