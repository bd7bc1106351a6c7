-- The statements that `publish` writes rows with: four functions a table, made from its columns. A session plans each of
-- them once; a statement made from text would be parsed and planned at every call. `insert_rows`, `change_row`,
-- `expect_row` and `row_now` lead to the table's own; `sold_now` to what a payment takes over of what was sold.

-- The first key that is no column, or must not be written.
create or replace function door.not_among(p_row jsonb, p_columns text[]) returns text
language sql immutable
return (select min(k) from jsonb_object_keys(p_row) k where k <> all (p_columns));

do $do$
declare
  t record;
  v_inserts text := '';
  v_changes text := '';
  v_expects text := '';
  v_reads text := '';
  v_sales text := '';
  v_path constant text := current_setting('search_path');
begin
  -- Defaults are written with the names of their schemas.
  perform set_config('search_path', 'pg_catalog', true);
  for t in
    select c.relname as name, max(a.attname) filter (where a.attname = 'version') is not null as is_versioned,
      max(a.attname) filter (where a.attname = 'id') is not null as has_id,
      max(a.attname) filter (where a.attname = 'status') is not null as has_status,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
      string_agg(case when a.attname = 'tenant_id' then 'p_tenant' else 'r.' || quote_ident(a.attname) end, ', ' order by a.attnum)
        as of_row,
      array_agg(a.attname order by a.attnum) as names,
      (select k.kind from door.kinds k where k.table_name = c.relname and k.is_sold) as sold_as,
      string_agg(coalesce(pg_get_expr(d.adbin, d.adrelid), 'null'), ', ' order by a.attnum) as defaults,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attname not in ('tenant_id', 'id', 'version'))
        as settable,
      string_agg('r.' || quote_ident(a.attname), ', ' order by a.attnum)
        filter (where a.attname not in ('tenant_id', 'id', 'version')) as settable_of_row,
      array_agg(a.attname order by a.attnum) filter (where a.attname not in ('tenant_id', 'id', 'version')) as settable_names
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = '' and a.attgenerated = ''
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and exists (select from pg_attribute o
      where o.attrelid = c.oid and o.attname = 'tenant_id' and not o.attisdropped)
    group by c.oid
    -- What is found most is indexed most: it is asked for first.
    order by (select count(*) from pg_index i where i.indrelid = c.oid) desc, c.relname
  loop
    execute format($f$create or replace function door.%1$I(p_tenant uuid, p_rows jsonb) returns boolean language plpgsql as $b$
begin
  if (p_rows->0) - %2$L::text[] <> '{}' then
    perform door.refuse('SP460', 'column_not_writable', jsonb_build_object('column', door.not_among(p_rows->0, %2$L)));
  end if;
  insert into public.%3$I (%4$s)
  select %5$s from jsonb_populate_recordset(row(%6$s)::public.%3$I, p_rows) r;
  return true;
end $b$$f$, 'insert_into_' || t.name, t.names, t.name, t.columns, t.of_row, t.defaults);
    v_inserts := v_inserts || format(E'\n    when %L then return door.%I(p_tenant, p_rows);', t.name, 'insert_into_' || t.name);
    continue when not t.has_id;
    execute format($f$create or replace function door.%1$I(p_tenant uuid, p_id uuid, p_where jsonb, p_unexpired text)
returns jsonb language plpgsql as $b$
declare
  v public.%2$I;
  v_row jsonb;
begin
  select * into v from public.%2$I t where t.tenant_id = p_tenant and t.id = p_id for share;
  if not found or not v *= jsonb_populate_record(v, p_where) then
    return null;
  end if;
  v_row := to_jsonb(v);
  return case when p_unexpired is null or v_row->p_unexpired = 'null' or (v_row->>p_unexpired)::timestamptz > now()
    then v_row end;
end $b$$f$, 'expect_of_' || t.name, t.name);
    v_expects := v_expects
      || format(E'\n    when %L then return door.%I(p_tenant, p_id, p_where, p_unexpired);', t.name, 'expect_of_' || t.name);
    execute format($f$create or replace function door.%1$I(p_tenant uuid, p_id uuid) returns jsonb language plpgsql stable as $b$
begin
  return (select to_jsonb(t) from public.%2$I t where t.tenant_id = p_tenant and t.id = p_id);
end $b$$f$, 'row_of_' || t.name, t.name);
    v_reads := v_reads || format(E'\n    when %L then return door.%I(p_tenant, p_id);', t.name, 'row_of_' || t.name);
    if t.sold_as is not null then
      v_sales := v_sales || format(E'\n    when %L then return (select jsonb_build_object(%s) from public.%I t
        where t.tenant_id = p_tenant and t.id = p_id);', t.sold_as, (select string_agg(format('%1$L, t.%1$I', column_name), ', ')
        from unnest(array['metadata', 'client_reference_id', 'customer_id', 'policy_version', 'location_id', 'stock', 'delivers'])
          column_name where column_name = any (t.names)), t.name);
    end if;
    continue when not t.is_versioned;
    -- A column that does not change is written as it is: its triggers compare.
    execute format($f$create or replace function door.%1$I(p_tenant uuid, p_id uuid, p_version int, p_from text, p_set jsonb)
returns boolean language plpgsql as $b$
begin
  if p_set - %2$L::text[] <> '{}' then
    perform door.refuse('SP460', 'column_not_writable', jsonb_build_object('column', door.not_among(p_set, %2$L)));
  end if;
  update public.%3$I t set (%4$s, version) = (select %5$s, t.version + 1 from jsonb_populate_record(t, p_set) r)
  where t.tenant_id = p_tenant and t.id = p_id and t.version = p_version%6$s;
  return found;
end $b$$f$, 'change_of_' || t.name, t.settable_names, t.name, t.settable, t.settable_of_row,
      case when t.has_status then ' and (p_from is null or t.status = p_from)' else '' end);
    v_changes := v_changes
      || format(E'\n    when %L then return door.%I(p_tenant, p_id, p_version, p_from, p_set);', t.name, 'change_of_' || t.name);
  end loop;
  execute format($f$create or replace function door.insert_rows(p_table text, p_tenant uuid, p_rows jsonb) returns boolean
language plpgsql as $b$
begin
  case p_table%s
  end case;
end $b$$f$, v_inserts);
  execute format($f$create or replace function door.change_row(p_table text, p_tenant uuid, p_id uuid, p_version int, p_from text,
  p_set jsonb) returns boolean
language plpgsql as $b$
begin
  case p_table%s
  end case;
end $b$$f$, v_changes);
  execute format($f$create or replace function door.expect_row(p_table text, p_tenant uuid, p_id uuid, p_where jsonb, p_unexpired text)
returns jsonb
language plpgsql as $b$
begin
  case p_table%s
  end case;
end $b$$f$, v_expects);
  execute format($f$create or replace function door.row_now(p_table text, p_tenant uuid, p_id uuid) returns jsonb
language plpgsql stable as $b$
begin
  case p_table%s
  end case;
end $b$$f$, v_reads);
  execute format($f$create or replace function door.sold_now(p_kind text, p_tenant uuid, p_id uuid) returns jsonb
language plpgsql stable as $b$
begin
  case p_kind%s
  end case;
end $b$$f$, v_sales);
  perform set_config('search_path', v_path, true);
end $do$;
