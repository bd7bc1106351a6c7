-- A new payment copies the metadata, the client_reference_id and the customer, where it has one, of what was sold. A
-- reference of the visit takes precedence. It is under the policy's version and of the location of what was sold, and
-- stays so. The same publish locks the row of what was sold.
create or replace function door.inherit_from_origin() returns trigger
language plpgsql as $$
declare
  v_sold jsonb;
begin
  if tg_op = 'UPDATE' and old.policy_version = new.policy_version then
    return new;
  end if;
  v_sold := door.sold_now(new.origin_type, new.tenant_id, new.origin_id);
  if v_sold is null then
    return new;
  end if;
  if ((v_sold->>'policy_version')::int, (v_sold->>'location_id')::uuid) is distinct from (new.policy_version, new.location_id) then
    raise exception 'the payment is under another version of the policy than what was sold'
      using errcode = '23514', constraint = 'paid_under_policy_of_sale';
  end if;
  if tg_op = 'INSERT' then
    new.metadata := v_sold->'metadata';
    new.client_reference_id := coalesce(new.client_reference_id, v_sold->>'client_reference_id');
    new.customer_id := (v_sold->>'customer_id')::uuid;
  end if;
  return new;
end $$;
create or replace trigger inherit_from_origin before insert or update on public.payments
  for each row execute function door.inherit_from_origin();

-- A column of its own: an expression over JSON is not leakproof, so under the policies no index on it would be used.
create or replace function door.show_paid_by() returns trigger
language plpgsql as $$
begin
  if old.method_details is distinct from new.method_details then
    new.paid_by := coalesce(new.method_details->>'last4', new.method_details->>'reference', new.method_details->>'clabe');
  end if;
  return new;
end $$;

create or replace trigger show_paid_by before insert or update on public.payments
  for each row execute function door.show_paid_by();

-- A key with its value as 128 bits of a digest, so that long values do not grow the index.
create or replace function door.metadata_entry(p_key text, p_value text) returns uuid
language sql immutable parallel safe
return substr(encode(sha256(convert_to(jsonb_build_array(p_key, p_value)::text, 'UTF8')), 'hex'), 1, 32)::uuid;

-- Texts, numbers and booleans can be filtered by, as JSON writes them; lists and objects cannot.
create or replace function door.index_metadata() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from public.metadata_entries m
    where m.tenant_id = old.tenant_id and m.resource = tg_argv[0] and m.created_at = old.created_at and m.id = old.id
      and m.entry in (select door.metadata_entry(key, value #>> '{}') from jsonb_each(old.metadata));
  end if;
  insert into public.metadata_entries (tenant_id, resource, entry, created_at, id)
  select new.tenant_id, tg_argv[0], door.metadata_entry(key, value #>> '{}'), new.created_at, new.id
  from jsonb_each(new.metadata) where jsonb_typeof(value) in ('string', 'number', 'boolean')
  on conflict do nothing;
  return null;
end $$;

do $$
declare
  v record;
begin
  for v in select k.* from door.kinds k where k.has_metadata loop
    execute format($t$create or replace trigger index_metadata after insert on public.%I
      for each row when (new.metadata <> '{}') execute function door.index_metadata(%L)$t$, v.table_name, v.kind);
    execute format('create or replace trigger index_metadata_anew after update on public.%I
      for each row when (old.metadata <> new.metadata) execute function door.index_metadata(%L)', v.table_name, v.kind);
  end loop;
end $$;

grant delete on public.metadata_entries to spindle_door;
