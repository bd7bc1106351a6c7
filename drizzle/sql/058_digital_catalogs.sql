-- Whether a variant has exactly one of the values of each option of its parent.
create or replace function door.fits_options(p_values jsonb, p_options jsonb) returns boolean
language sql immutable
return (select count(*) from jsonb_object_keys(p_values)) = jsonb_array_length(p_options)
  and not exists (select from jsonb_array_elements(p_options) o
    where not o->'values' ? coalesce(p_values->>(o->>'name'), ''));

create or replace function door.refuse_catalog_item(p_rule text) returns void
language plpgsql as $$
begin
  raise exception '%', p_rule using errcode = '23514', constraint = 'catalog_items_' || p_rule;
end $$;

-- A variant's parent is locked, so that its options and the number of its variants stay what they are meanwhile. Of a
-- bundle's parts nothing that matters here ever changes but their status: reads of what is for sale look at that.
create or replace function door.keep_catalog_item() returns trigger
language plpgsql as $$
declare
  v_parent public.catalog_items;
begin
  if new.variant_of is not null and new.status <> 'archived' and (tg_op = 'INSERT' or old.status = 'archived') then
    select * into v_parent from public.catalog_items i
    where i.tenant_id = new.tenant_id and i.catalog_id = new.catalog_id and i.id = new.variant_of for no key update;
    if not found or v_parent.options = '[]' then
      perform door.refuse_catalog_item('parent');
    elsif v_parent.status = 'archived' then
      perform door.refuse_catalog_item('parent_archived');
    elsif v_parent.kind <> new.kind then
      perform door.refuse_catalog_item('variant_kind');
    elsif not door.fits_options(new.option_values, v_parent.options) then
      perform door.refuse_catalog_item('option_values');
    elsif (select count(*) from public.catalog_items i where i.tenant_id = new.tenant_id
        and i.catalog_id = new.catalog_id and i.variant_of = new.variant_of and i.status <> 'archived') >= 100 then
      perform door.refuse_catalog_item('variants_max');
    end if;
  end if;
  if tg_op = 'INSERT' then
    if new.kind = 'bundle' and jsonb_array_length(new.components) <> (
        select count(*) from jsonb_array_elements(new.components) c join public.catalog_items i
          on i.tenant_id = new.tenant_id and i.id = (c->>'item_id')::uuid
        where i.catalog_id = new.catalog_id and i.kind <> 'bundle' and i.options = '[]' and i.measure_unit is null
          and i.status <> 'archived') then
      perform door.refuse_catalog_item('components');
    end if;
  elsif new.options <> old.options and exists (select from public.catalog_items i where i.tenant_id = new.tenant_id
      and i.catalog_id = new.catalog_id and i.variant_of = new.id and i.status <> 'archived'
      and not door.fits_options(i.option_values, new.options)) then
    perform door.refuse_catalog_item('options_in_use');
  end if;
  return new;
end $$;
create or replace trigger keep_item before insert on public.catalog_items
  for each row execute function door.keep_catalog_item();
create or replace trigger keep_item_anew before update on public.catalog_items
  for each row when (old.status <> new.status or old.options <> new.options) execute function door.keep_catalog_item();

-- Whether one of the items that lines name is not for sale now: it, its parent, a part of it or the parent of that is not
-- active, or their catalog is not published. What a sale reads says the same (itemsForSale).
create or replace function door.is_off_sale(p_tenant uuid, p_lines jsonb) returns boolean
language plpgsql stable as $$
begin
  if (p_lines @? '$[*] ? (@.item_id != null)') is not true then
    return false;
  end if;
  return (with recursive relied_on as (
      select i.* from jsonb_to_recordset(p_lines) n (item_id uuid)
      cross join lateral (select i.status, i.catalog_id, i.variant_of, i.components from public.catalog_items i
        where i.tenant_id = p_tenant and i.id = n.item_id offset 0) i
      union
      select i.* from relied_on r
      cross join lateral (select r.variant_of as id
        union all select c.item_id from jsonb_to_recordset(r.components) c (item_id uuid)) n
      cross join lateral (select i.status, i.catalog_id, i.variant_of, i.components from public.catalog_items i
        where i.tenant_id = p_tenant and i.id = n.id offset 0) i)
    select exists (select from relied_on r where r.status <> 'active' or (select c.status from public.digital_catalogs c
      where c.tenant_id = p_tenant and c.id = r.catalog_id) <> 'published'));
end $$;

-- What orders, stock and bundles rely on.
create or replace trigger keep_what_it_is before update on public.catalog_items
  for each row when ((old.catalog_id, old.kind, old.variant_of, old.option_values, old.components, old.tracks_stock, old.keys,
      old.measure_unit, old.options = '[]') is distinct from
    (new.catalog_id, new.kind, new.variant_of, new.option_values, new.components, new.tracks_stock, new.keys,
      new.measure_unit, new.options = '[]'))
  execute function door.refuse_rewrite();

create or replace function door.keep_catalog_item_terms() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.catalog_item_terms t where t.tenant_id = old.tenant_id and t.catalog_id = old.catalog_id
      and t.term = any (old.terms) and t.term <> all (new.terms) and t.created_at = old.created_at and t.id = old.id;
  end if;
  insert into public.catalog_item_terms (tenant_id, catalog_id, term, created_at, id)
  select new.tenant_id, new.catalog_id, term, new.created_at, new.id from unnest(new.terms) term on conflict do nothing;
  return null;
end $$;
create or replace trigger keep_terms after insert on public.catalog_items
  for each row execute function door.keep_catalog_item_terms();
create or replace trigger keep_terms_anew after update on public.catalog_items
  for each row when (old.terms <> new.terms) execute function door.keep_catalog_item_terms();
grant delete on public.catalog_item_terms to spindle_door;

-- How many prices of an item at a place are in effect or may yet be: of those that started and have no end, the last of
-- each currency. In two forms, so that each goes by its own index.
create or replace function door.prices_alive(p_tenant uuid, p_item uuid, p_location uuid, p_at timestamptz) returns int
language sql stable as $$
  select (count(*) filter (where p.ends_at > p_at or p.starts_at > p_at)
    + count(distinct p.currency) filter (where p.ends_at is null and p.starts_at <= p_at))::int
  from (select p.* from public.catalog_prices p where p.tenant_id = p_tenant and p.item_id = p_item
      and p.location_id is null and p_location is null
    union all
    select p.* from public.catalog_prices p where p.tenant_id = p_tenant and p.item_id = p_item
      and p.location_id = p_location) p
$$;

-- The item's lock orders the prices that are set at once, so that they are counted.
create or replace function door.limit_catalog_prices() returns trigger
language plpgsql as $$
begin
  perform from public.catalog_items i where i.tenant_id = new.tenant_id and i.id = new.item_id for no key update;
  if door.prices_alive(new.tenant_id, new.item_id, new.location_id, new.created_at) >= 100 then
    raise exception 'too many prices' using errcode = '23514', constraint = 'catalog_prices_max';
  end if;
  return new;
end $$;
create or replace trigger limit_prices before insert on public.catalog_prices
  for each row execute function door.limit_catalog_prices();

-- A price is a fact: only its end may be set or brought nearer. A sandbox's clock brings start and end nearer together.
create or replace trigger keep_price before update on public.catalog_prices
  for each row when ((old.item_id, old.location_id, old.amount_minor, old.currency, old.compare_at_minor, old.created_at)
      is distinct from (new.item_id, new.location_id, new.amount_minor, new.currency, new.compare_at_minor, new.created_at)
    or new.starts_at > old.starts_at
    or new.starts_at = old.starts_at and (new.ends_at is null or new.ends_at > old.ends_at)
    or new.starts_at < old.starts_at and new.ends_at - new.starts_at is distinct from old.ends_at - old.starts_at)
  execute function door.refuse_rewrite();

create or replace function door.limit_catalog_categories() returns trigger
language plpgsql as $$
begin
  perform from public.digital_catalogs c where c.tenant_id = new.tenant_id and c.id = new.catalog_id for no key update;
  if (select count(*) from public.catalog_categories c where c.tenant_id = new.tenant_id
      and c.catalog_id = new.catalog_id) >= 200 then
    raise exception 'too many categories' using errcode = '23514', constraint = 'catalog_categories_max';
  end if;
  return new;
end $$;
create or replace trigger limit_categories before insert on public.catalog_categories
  for each row execute function door.limit_catalog_categories();
