-- A reader follows events by (commit_order, position), only up to where no open transaction can still add one.
-- commit_order is the number of the event's transaction, or that of the resource's previous event where it is higher: a
-- transaction that began earlier but waited for the other's lock comes after it. So an open transaction makes no event
-- below its own number, and a resource's events are in the order of their sequence.
create or replace function door.commit_order(p_transaction xid8) returns bigint
language sql stable
return (select s.commit_order_offset from public.door_settings s) + p_transaction::text::bigint;

-- An event without a sequence gets the next one of its resource.
create or replace function door.order_event() returns trigger
language plpgsql as $$
declare
  v_before record;
begin
  select e.sequence, e.commit_order into v_before from public.events e
  where e.tenant_id = new.tenant_id and e.resource_id = new.resource_id order by e.sequence desc limit 1;
  new.sequence := coalesce(nullif(new.sequence, 0), v_before.sequence + 1, 1);
  new.commit_order := greatest(door.commit_order(pg_current_xact_id()), v_before.commit_order);
  return new;
end $$;
create or replace trigger order_event before insert on public.events
  for each row execute function door.order_event();

-- Events below this are committed and complete: no transaction with a lower number is open.
create or replace function door.events_horizon() returns bigint
language sql stable security definer set search_path = pg_catalog, pg_temp
return door.commit_order(pg_snapshot_xmin(pg_current_snapshot()));

-- The types of events that an API key of the sealed tenant may read, by the scopes of their resource.
create or replace function door.readable_event_types(p_kid text) returns setof text
language sql stable rows 80 security definer set search_path = pg_catalog, pg_temp as $$
  select t.type from public.api_keys k join public.door_event_types t on t.scopes && k.scopes
  where k.tenant_id = (select door.sealed_tenant()) and k.kid = p_kid
$$;
