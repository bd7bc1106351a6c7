-- The uses of links that many pay: each success counts, and where the link has a limit, each attempt holds a use until it
-- ends. The CHECK payment_link_uses_bounded refuses the attempt for which no use is left. What is off sale is refused too.
create or replace function door.hold_payment_link_uses(a public.payment_attempts, p public.payments)
returns table (resource_id uuid, quantity bigint, free bigint)
language plpgsql strict rows 1 as $$
declare
  v_link record;
begin
  select l.uses_max, l.starts_at, door.is_off_sale(l.tenant_id,
    coalesce(l.lines, jsonb_build_array(jsonb_build_object('item_id', l.catalog_item_id)))) as is_off_sale
  into v_link from public.payment_links l
  where l.tenant_id = p.tenant_id and l.id = p.origin_id;
  if v_link.starts_at > a.created_at then
    raise exception 'the link takes no payments yet' using errcode = '23514', constraint = 'payment_links_started';
  end if;
  if v_link.is_off_sale then
    raise exception 'it is not for sale now' using errcode = '23514', constraint = 'catalog_items_for_sale';
  end if;
  if v_link.uses_max is not null then
    return query update public.payment_link_uses u set held_count = u.held_count + 1, updated_at = a.created_at
    where u.tenant_id = p.tenant_id and u.id = p.origin_id
    returning u.id, 1::bigint, (u.uses_max - u.paid_count - u.held_count)::bigint;
  end if;
end $$;

-- An authorization counts as a success, until it is canceled.
create or replace function door.end_payment_link_uses(
  a public.payment_attempts, p public.payments, p_was text, p_is text) returns void
language plpgsql as $$
declare
  v_link record;
  v_paid constant int := (p_is in ('authorized', 'taken'))::int - (p_was in ('authorized', 'taken'))::int;
  v_held int := (p_is = 'held')::int - (p_was = 'held')::int;
  v_authorized int := (p_is = 'authorized')::int - (p_was = 'authorized')::int;
begin
  select l.usage, l.uses_max into v_link from public.payment_links l
  where l.tenant_id = p.tenant_id and l.id = p.origin_id;
  if v_link.uses_max is null then
    v_held := 0;
    v_authorized := 0;
  end if;
  if v_link.usage = 'single_use' or (v_paid, v_held, v_authorized) = (0, 0, 0) then
    return;
  end if;
  update public.payment_link_uses u
  set paid_count = u.paid_count + v_paid, held_count = u.held_count + v_held,
    authorized_count = u.authorized_count + v_authorized, updated_at = a.updated_at
  where u.tenant_id = p.tenant_id and u.id = p.origin_id;
  if not found and v_paid > 0 then
    insert into public.payment_link_uses as u (tenant_id, id, uses_max, paid_count, held_count, created_at, updated_at)
    values (p.tenant_id, p.origin_id, v_link.uses_max, v_paid, v_held, a.updated_at, a.updated_at)
    on conflict (tenant_id, id) do update
    set paid_count = u.paid_count + v_paid, held_count = u.held_count + v_held, updated_at = a.updated_at;
  end if;
end $$;

-- A link that sells a line item costs what that comes to, with the IVA that its price has not: of one where buyers choose
-- how many. The IVA is rounded half up once.
create or replace function door.check_link_item() returns trigger
language plpgsql as $$
declare
  v_item constant jsonb := new.catalog_line_item_snapshot;
  v_priced constant bigint := (v_item->>'unit_amount')::bigint
    * case when new.quantity_max is null then (v_item->>'quantity')::bigint else 1 end;
  v_percent constant bigint := case when (v_item->>'price_includes_tax')::boolean then 0
    else coalesce(nullif(v_item->>'iva_rate', 'exempt'), '0')::bigint end;
begin
  if new.amount_minor <> v_priced + (v_priced * v_percent * 2 + 100) / 200 then
    raise exception 'the line item is not what the link costs'
      using errcode = '23514', constraint = 'payment_links_item_amount';
  end if;
  return new;
end $$;

create or replace trigger item_amount before insert on public.payment_links
  for each row when (new.catalog_line_item_snapshot is not null) execute function door.check_link_item();
create or replace trigger item_amount_anew before update on public.payment_links
  for each row when (new.catalog_line_item_snapshot is not null
    and (old.amount_minor, old.quantity_max) is distinct from (new.amount_minor, new.quantity_max))
  execute function door.check_link_item();

-- A link of several lines costs their sum less its discounts, and the first way to send them.
create or replace function door.check_link_lines() returns trigger
language plpgsql as $$
begin
  if door.lines_total(new.lines) - door.discounts_total(new.discounts)
    + coalesce((new.shipping_options->0->>'amount')::bigint, 0) is distinct from new.amount_minor
  then
    raise exception 'the lines are not what the link costs'
      using errcode = '23514', constraint = 'payment_links_lines_sum';
  end if;
  return new;
end $$;

create or replace trigger lines_sum before insert on public.payment_links
  for each row when (new.lines is not null) execute function door.check_link_lines();
create or replace trigger lines_sum_anew before update on public.payment_links
  for each row when (new.lines is not null
    and (old.lines, old.discounts, old.shipping_options, old.amount_minor)
      is distinct from (new.lines, new.discounts, new.shipping_options, new.amount_minor))
  execute function door.check_link_lines();

-- What a payment of a link takes off its lines is a discount of the link, or one code of the buyer's where the link takes
-- codes: each takes its amount, or its part rounded half up, off what the former ones leave.
create or replace function door.refuse_other_discounts(p public.payments, l public.payment_links) returns void
language plpgsql as $$
declare
  n record;
  d public.discounts;
  v_subtotal constant bigint := (select sum(o.total) from jsonb_to_recordset(p."order"->'lines') o (total bigint));
  v_left bigint := v_subtotal;
  v_typed int := 0;
begin
  for n in select o.part->>'name' as code, (o.part->>'amount')::bigint as amount
    from jsonb_array_elements(p."order"->'parts') with ordinality o (part, at)
    where o.part->>'kind' = 'discount' order by o.at
  loop
    select * into d from public.discounts c where c.tenant_id = p.tenant_id and c.code = n.code;
    if d.id is null or d.currency <> p.currency or d.subtotal_minor_min > v_subtotal
      or n.amount is distinct from -least(coalesce(d.amount_off_minor, (v_left * d.percent_off_bps + 5000) / 10000), v_left)
    then
      raise exception 'no discount takes this off' using errcode = '23514', constraint = 'payments_order_of_link';
    end if;
    v_left := v_left + n.amount;
    v_typed := v_typed + (not l.discounts @> jsonb_build_array(jsonb_build_object('discount_id', d.id)))::int;
  end loop;
  if v_typed > l.takes_codes::int then
    raise exception 'the link does not take this code' using errcode = '23514', constraint = 'discounts_apply_now';
  end if;
end $$;

-- A payment of a link of lines is of these lines, each in a quantity that its buyer may choose and at its own price. Where
-- they choose, the payment takes and grants what it ordered.
create or replace function door.order_link_lines() returns trigger
language plpgsql as $$
declare
  l public.payment_links;
  v_sold jsonb;
begin
  if new.origin_type <> 'payment_link' or (old."order", old.takes, old.delivers)
    is not distinct from (new."order", new.takes, new.delivers)
  then
    return new;
  end if;
  select * into l from public.payment_links k where k.tenant_id = new.tenant_id and k.id = new.origin_id;
  v_sold := l.lines;
  if v_sold is null then
    return new;
  end if;
  if exists (select from jsonb_array_elements(v_sold) with ordinality s (line, at)
    full join jsonb_array_elements(new."order"->'lines') with ordinality o (line, at) on o.at = s.at
    cross join lateral (select (s.line->>'unit_amount')::bigint * (o.line->>'quantity')::bigint as priced,
      case when (s.line->>'price_includes_tax')::boolean then 0
        else coalesce(nullif(s.line->>'iva_rate', 'exempt'), '0')::bigint end as percent) c
    where ((o.line->'item_id', o.line->'iva_rate') = (s.line->'item_id', s.line->'iva_rate')
      and (o.line->>'quantity')::int between coalesce(s.line->'quantity_min', s.line->'quantity')::int
        and coalesce(s.line->'quantity_max', s.line->'quantity')::int
      and (o.line->>'total')::bigint = c.priced + (c.priced * c.percent * 2 + 100) / 200) is not true)
  then
    raise exception 'the link does not sell these lines' using errcode = '23514', constraint = 'payments_order_of_link';
  end if;
  if door.is_discounted(new."order") and (tg_op = 'INSERT' or old."order" is distinct from new."order") then
    perform door.refuse_other_discounts(new, l);
  end if;
  if v_sold @? '$[*].quantity_max' then
    new.takes := door.promised_by(v_sold, new."order"->'lines', 'takes');
    new.delivers := door.promised_by(v_sold, new."order"->'lines', 'delivers');
  end if;
  return new;
end $$;

create or replace trigger order_of_link before insert or update on public.payments
  for each row execute function door.order_link_lines();

-- A link gets its limit before its first payment; the limit moves, but not below what is paid and held.
create or replace function door.limit_link_uses() returns trigger
language plpgsql as $$
declare
  v_taken int;
begin
  if tg_op = 'UPDATE' and old.uses_max is null and exists (select from public.payments p
    where p.tenant_id = new.tenant_id and p.origin_id = new.id)
  then
    raise exception 'payments were made without a limit'
      using errcode = '23514', constraint = 'payment_links_limit_late';
  end if;
  select u.paid_count + u.held_count into v_taken from public.payment_link_uses u
  where u.tenant_id = new.tenant_id and u.id = new.id for update;
  if v_taken > new.uses_max then
    raise exception 'more uses are taken' using errcode = '23514', constraint = 'payment_links_uses_taken';
  end if;
  insert into public.payment_link_uses as u (tenant_id, id, uses_max, paid_count, held_count, created_at, updated_at)
  values (new.tenant_id, new.id, new.uses_max, 0, 0, new.updated_at, new.updated_at)
  on conflict (tenant_id, id) do update set uses_max = new.uses_max, updated_at = new.updated_at,
    held_count = case when new.uses_max is null then 0 else u.held_count end,
    authorized_count = case when new.uses_max is null then 0 else u.authorized_count end;
  return null;
end $$;

create or replace trigger limit_uses after insert on public.payment_links
  for each row when (new.uses_max is not null) execute function door.limit_link_uses();
create or replace trigger limit_uses_anew after update on public.payment_links
  for each row when (old.uses_max is distinct from new.uses_max) execute function door.limit_link_uses();

-- Since when the last use is paid for good, and whether that is announced: it begins again when uses were left in between.
create or replace function door.watch_link_uses() returns trigger
language plpgsql as $$
begin
  if (new.paid_count - new.authorized_count >= new.uses_max) is not true then
    new.used_up_at := null;
    new.announced_at := null;
  elsif new.used_up_at is null then
    new.used_up_at := new.updated_at;
  end if;
  return new;
end $$;

create or replace trigger watch_uses before insert or update on public.payment_link_uses
  for each row execute function door.watch_link_uses();

-- Buyers are sent on as from a checkout (059_hosted_checkout.sql).
create or replace trigger return_origin before insert on public.payment_links
  for each row when (new.success_url is not null) execute function door.check_return_origins();
create or replace trigger return_origin_anew before update on public.payment_links
  for each row when (new.success_url is not null and new.success_url is distinct from old.success_url)
  execute function door.check_return_origins();

-- An opening of a link's page. Where another one holds the row for long, this one is not counted: nothing waits for a count.
create or replace function door.count_link_view(p_public_id text) returns void
language sql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms' as $$
  insert into public.payment_link_views as v (tenant_id, id, views_count)
  select p.tenant_id, p.id, 1 from public.public_ids p where p.public_id = p_public_id and p.kind = 'payment_link'
  on conflict (tenant_id, id) do update set views_count = v.views_count + 1
$$;
grant insert, update on public.payment_link_views to spindle_auth;

-- What stands beside links wherever they are read: how often each was paid and how many uses are held, what the buyer of a
-- single-use link gave with the last attempt, the payment that holds such a link, and how often its page was opened. A
-- session plans it once, and one call answers for a whole page of links.
create or replace function door.beside_links(p_ids uuid[])
returns table (id uuid, paid_count int, held_count int, collected jsonb, live_ref text, views_count int)
language plpgsql stable rows 20 security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  if door.sealed_tenant() is null then
    return;
  end if;
  return query
  select l.id,
    case l.usage when 'single_use' then (p.succeeded_at is not null)::int else coalesce(u.paid_count, 0) end,
    coalesce(u.held_count, 0),
    case l.usage when 'single_use' then (select d.details from public.buyer_details d
      where d.tenant_id = l.tenant_id and d.origin_id = l.id order by d.created_at desc, d.id desc limit 1) end,
    p.public_id, coalesce(v.views_count, 0)
  from public.payment_links l
  left join public.payments p on p.tenant_id = l.tenant_id and p.origin_type = 'payment_link' and p.origin_id = l.id
    and p.exclusive and p.status in ('processing', 'requires_action', 'requires_capture', 'succeeded', 'partially_captured')
  left join public.payment_link_uses u on u.tenant_id = l.tenant_id and u.id = l.id
  left join public.payment_link_views v on v.tenant_id = l.tenant_id and v.id = l.id
  where l.tenant_id = door.pinned_tenant() and l.id = any (p_ids);
end $$;
