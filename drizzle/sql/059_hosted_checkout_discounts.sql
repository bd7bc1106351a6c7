-- The uses of a discount that a customer holds or has taken, under whatever customers became part of the same one.
create or replace function door.discount_uses_of(p_tenant uuid, p_discount uuid, p_customer uuid) returns bigint
language sql stable as $$
  with recursive family (id) as (
    select door.surviving_customer(p_customer)
    union
    select c.id from family f join public.customers c on c.tenant_id = p_tenant and c.merged_into = f.id)
  select count(*) from family f
  join public.discount_uses u on u.tenant_id = p_tenant and u.customer_id = f.id and u.discount_id = p_discount
  where u.is_counted
$$;

-- A use counts from its insert on, until it is released. The row of the discount is locked first, so that its limits
-- are compared with what is committed by then. CHECK discounts_uses_bounded refuses more than there may be.
create or replace function door.count_discount_use() returns trigger
language plpgsql as $$
declare
  d public.discounts;
  v_before constant int := case when tg_op = 'UPDATE' then old.is_counted::int else 0 end;
begin
  update public.discounts o set uses = o.uses + new.is_counted::int - v_before
  where o.tenant_id = new.tenant_id and o.id = new.discount_id returning * into d;
  if tg_op = 'UPDATE' then
    return null;
  end if;
  if not d.is_active or d.starts_at > new.created_at or d.ends_at <= new.created_at then
    raise exception 'the discount does not apply now' using errcode = '23514', constraint = 'discounts_apply_now';
  end if;
  if d.uses_per_customer_max is not null then
    if new.customer_id is null
      or door.discount_uses_of(new.tenant_id, d.id, new.customer_id) > d.uses_per_customer_max
    then
      raise exception 'this customer has used it as often as they may'
        using errcode = '23514', constraint = 'discounts_customer_bounded';
    end if;
  end if;
  return null;
end $$;

create or replace trigger count_use after insert on public.discount_uses
  for each row execute function door.count_discount_use();
create or replace trigger count_use_anew after update on public.discount_uses
  for each row when (old.is_counted <> new.is_counted) execute function door.count_discount_use();

-- A limit moves, but not below the uses that are counted: that is a field of the merchant's request.
create or replace function door.limit_discount_uses() returns trigger
language plpgsql as $$
begin
  raise exception 'more uses are counted' using errcode = '23514', constraint = 'discounts_uses_counted';
end $$;
create or replace trigger limit_uses before update on public.discounts
  for each row when (old.uses_max is distinct from new.uses_max and new.uses > new.uses_max)
  execute function door.limit_discount_uses();

-- Whose session it is stays so once a payment was tried: the payment, and the uses of discounts, are of that customer.
create or replace function door.refuse_other_customer() returns trigger
language plpgsql as $$
begin
  if exists (select from public.payments p where p.tenant_id = new.tenant_id and p.origin_id = new.id) then
    raise exception 'a payment has been tried for this customer'
      using errcode = '23514', constraint = 'checkout_sessions_customer_fixed';
  end if;
  return new;
end $$;
create or replace trigger customer_fixed before update on public.checkout_sessions
  for each row when (old.customer_id is distinct from new.customer_id)
  execute function door.refuse_other_customer();

-- An attempt to pay holds a use of each discount of its session, or of its payment's own order where many buy, in the order
-- of their ids so that no two attempts deadlock. None left: no attempt. Nor is one of a session of which something is off
-- sale.
create or replace function door.hold_discounts(a public.payment_attempts, p public.payments)
returns table (resource_id uuid, quantity bigint, free bigint)
language plpgsql strict rows 1 as $$
begin
  if p.origin_type = 'checkout_session' then
    if door.is_off_sale(p.tenant_id, p."order"->'lines') then
      raise exception 'it is not for sale now' using errcode = '23514', constraint = 'catalog_items_for_sale';
    end if;
    insert into public.discount_uses
      (tenant_id, id, discount_id, session_id, customer_id, attempt_id, status, is_counted, created_at, updated_at)
    select p.tenant_id, gen_random_uuid(), d.discount_id, s.id, s.customer_id, a.id, 'held', true, a.created_at, a.created_at
    from public.checkout_sessions s, jsonb_to_recordset(s.discounts) d (discount_id uuid)
    where s.tenant_id = p.tenant_id and s.id = p.origin_id and s.discounts <> '[]'
    order by d.discount_id;
  elsif door.is_discounted(p."order") then
    insert into public.discount_uses
      (tenant_id, id, discount_id, payment_id, customer_id, attempt_id, status, is_counted, created_at, updated_at)
    select p.tenant_id, gen_random_uuid(), d.id, p.id, p.customer_id, a.id, 'held', true, a.created_at, a.created_at
    from jsonb_to_recordset(p."order"->'parts') n (kind text, name text)
    join public.discounts d on d.tenant_id = p.tenant_id and d.code = n.name
    where n.kind = 'discount'
    order by d.id;
  end if;
  if found and a.expires_at is not null then
    return query select d.id, 1::bigint, (d.uses_max - d.uses)::bigint from public.discount_uses u
      join public.discounts d on d.tenant_id = u.tenant_id and d.id = u.discount_id
      where u.tenant_id = a.tenant_id and u.attempt_id = a.id;
  end if;
end $$;

-- The attempt ends, and with it what it held: taken where it was captured. Money that comes after the end is never
-- refused: the use is counted where one is left.
create or replace function door.end_discounts(
  a public.payment_attempts, p public.payments, p_was text, p_is text) returns void
language plpgsql as $$
declare
  u record;
begin
  if p_is not in ('taken', 'free') or p.origin_type <> 'checkout_session' and not door.is_discounted(p."order") then
    return;
  end if;
  for u in
    select x.id, x.discount_id, x.status from public.discount_uses x
    where x.tenant_id = a.tenant_id and x.attempt_id = a.id
      and (x.status = 'held' or x.status = 'released' and p_is = 'taken')
    order by x.discount_id
  loop
    perform from public.discounts d where d.tenant_id = a.tenant_id and d.id = u.discount_id for update;
    update public.discount_uses x
    set status = case p_is when 'taken' then 'committed' else 'released' end,
      is_counted = p_is = 'taken' and (u.status = 'held' or (select (d.uses < d.uses_max) is not false
        from public.discounts d where d.tenant_id = a.tenant_id and d.id = u.discount_id)),
      version = x.version + 1, updated_at = a.updated_at
    where x.tenant_id = a.tenant_id and x.id = u.id;
  end loop;
end $$;
