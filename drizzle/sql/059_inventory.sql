-- A movement changes what is on hand: on_hand is always the sum of the movements. Levels are locked in the order of
-- their ids, here and below, so that no two publishes deadlock.
create or replace function door.apply_movements() returns trigger
language plpgsql as $$
declare
  v record;
begin
  for v in
    select m.tenant_id, m.level_id, sum(m.quantity)::int as quantity, max(m.created_at) as at from moved m
    group by m.tenant_id, m.level_id order by m.level_id
  loop
    update public.stock_levels l set on_hand = l.on_hand + v.quantity, version = l.version + 1, updated_at = v.at
    where l.tenant_id = v.tenant_id and l.id = v.level_id and v.quantity <> 0;
  end loop;
  return null;
end $$;

create or replace trigger apply_movements after insert on public.stock_movements
  referencing new table as moved for each statement execute function door.apply_movements();

-- The lines of a reservation with the levels that they take from; no level: nothing of it was ever there.
create or replace function door.reserved_lines(r public.stock_reservations)
returns table (level_id uuid, item_id uuid, quantity int)
language sql stable as $$
  select l.id, n.item_id, n.quantity
  from jsonb_to_recordset(r.lines) n (item_id uuid, quantity int)
  left join public.stock_levels l on l.tenant_id = r.tenant_id and l.item_id = n.item_id
    and l.location_id is not distinct from r.location_id
  order by l.id
$$;

-- A reservation takes from what is available. The CHECK stock_levels_available refuses more than there is.
create or replace function door.hold_stock() returns trigger
language plpgsql as $$
declare
  v record;
begin
  for v in select * from door.reserved_lines(new) loop
    update public.stock_levels l set reserved = l.reserved + v.quantity
    where l.tenant_id = new.tenant_id and l.id = v.level_id;
    if not found or v.quantity < 1 then
      raise exception 'nothing of it was ever in stock' using errcode = '23514', constraint = 'stock_levels_available';
    end if;
  end loop;
  return null;
end $$;

create or replace trigger hold_stock after insert on public.stock_reservations
  for each row execute function door.hold_stock();

-- A reservation ends: what it held is free again, and where it is committed, sold. What it holds does not change. One of
-- an attempt that was paid after the end sells what is still there.
create or replace function door.end_reservation() returns trigger
language plpgsql as $$
declare
  v record;
  v_sold int;
begin
  if (old.lines, old.location_id, old.attempt_id) is distinct from (new.lines, new.location_id, new.attempt_id)
    or (old.status <> 'held' and not (old.status in ('released', 'expired') and new.status = 'committed'
      and new.attempt_id is not null))
  then
    raise exception 'a reservation keeps what it holds, and ends once' using errcode = 'SP460';
  end if;
  for v in select * from door.reserved_lines(new) loop
    if old.status = 'held' then
      update public.stock_levels l set reserved = l.reserved - v.quantity
      where l.tenant_id = new.tenant_id and l.id = v.level_id;
    end if;
    v_sold := v.quantity - coalesce((select s.quantity from jsonb_to_recordset(new.shortages) s (item_id uuid, quantity int)
      where s.item_id = v.item_id), 0);
    if new.status = 'committed' and v_sold > 0 then
      insert into public.stock_movements
        (tenant_id, id, level_id, item_id, location_id, kind, quantity, reservation_id, created_at)
      values (new.tenant_id, gen_random_uuid(), v.level_id, v.item_id, new.location_id, 'sold', -v_sold, new.id,
        new.updated_at);
    end if;
  end loop;
  return null;
end $$;

create or replace trigger end_reservation after update on public.stock_reservations
  for each row when (old.status <> new.status or old.lines <> new.lines or old.location_id is distinct from new.location_id)
  execute function door.end_reservation();

-- An attempt to pay what takes stock holds it. Too little left: no attempt.
create or replace function door.hold_stock(a public.payment_attempts, p public.payments)
returns table (resource_id uuid, quantity bigint, free bigint)
language plpgsql strict rows 1 as $$
declare
  v_stock jsonb;
  r public.stock_reservations;
begin
  select nullif(door.sold_now(k.kind, p.tenant_id, p.origin_id)->'stock', 'null') into v_stock
  from door.kinds k where k.kind = p.origin_type;
  if v_stock is null then
    return;
  end if;
  insert into public.stock_reservations
    (tenant_id, id, status, location_id, lines, shortages, attempt_id, created_at, updated_at)
  values (p.tenant_id, gen_random_uuid(), 'held', (v_stock->>'location_id')::uuid,
    (select jsonb_agg(jsonb_build_object('item_id', n.item_id, 'quantity', n.quantity * p.quantity) order by n.item_id)
      from jsonb_to_recordset(coalesce(p.takes, v_stock->'lines')) n (item_id uuid, quantity int)), '[]', a.id, a.created_at, a.created_at)
  returning * into r;
  return query select n.level_id, n.quantity::bigint, (l.on_hand - l.reserved)::bigint from door.reserved_lines(r) n
    join public.stock_levels l on l.tenant_id = r.tenant_id and l.id = n.level_id
    where a.expires_at is not null;
end $$;

-- The attempt ends, and with it what it held: sold where it was captured. Money that comes after the end is never
-- refused: what is missing by then is recorded.
create or replace function door.end_stock(a public.payment_attempts, p public.payments, p_was text, p_is text) returns void
language plpgsql as $$
declare
  r public.stock_reservations;
  v record;
  v_missing jsonb := '[]';
begin
  if p_is not in ('taken', 'free') then
    return;
  end if;
  select * into r from public.stock_reservations s where s.tenant_id = a.tenant_id and s.attempt_id = a.id;
  if not found or r.status = 'committed' or (r.status <> 'held' and p_is = 'free') then
    return;
  end if;
  if r.status <> 'held' then
    for v in
      select n.item_id, n.quantity - coalesce(least(n.quantity, l.on_hand - l.reserved), 0) as missing
      from door.reserved_lines(r) n
      left join lateral (select s.on_hand, s.reserved from public.stock_levels s
        where s.tenant_id = r.tenant_id and s.id = n.level_id for update) l on true
    loop
      if v.missing > 0 then
        v_missing := v_missing || jsonb_build_object('item_id', v.item_id, 'quantity', v.missing);
      end if;
    end loop;
  end if;
  update public.stock_reservations s
  set status = case p_is when 'taken' then 'committed' else 'released' end, shortages = v_missing,
    resolved_at = a.updated_at, updated_at = a.updated_at, version = s.version + 1
  where s.tenant_id = r.tenant_id and s.id = r.id;
end $$;

-- Since when a level is low, and whether that is announced: it begins again when the level was not low in between.
create or replace function door.watch_stock() returns trigger
language plpgsql as $$
begin
  if (new.on_hand - new.reserved <= new.low_quantity) is not true then
    new.low_since := null;
    new.low_announced_at := null;
  elsif new.low_since is null then
    new.low_since := date_trunc('milliseconds', now());
  end if;
  return new;
end $$;

create or replace trigger watch_stock before insert or update on public.stock_levels
  for each row execute function door.watch_stock();

-- Takes what is sold without a payment from the stock at once, all of it or nothing: reserved, and committed.
create or replace function door.take_stock(p_tenant uuid, p_stock jsonb, p_note text, p_at timestamptz) returns void
language plpgsql as $$
declare
  v_reservation constant uuid := gen_random_uuid();
begin
  insert into public.stock_reservations
    (tenant_id, id, status, location_id, lines, shortages, note, expires_at, created_at, updated_at)
  values (p_tenant, v_reservation, 'held', (p_stock->>'location_id')::uuid, p_stock->'lines', '[]', p_note,
    p_at + interval '1 hour', p_at, p_at);
  update public.stock_reservations r set status = 'committed', resolved_at = p_at, version = r.version + 1
  where r.tenant_id = p_tenant and r.id = v_reservation;
end $$;
