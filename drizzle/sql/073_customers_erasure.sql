-- Erasing a person in slices, each a publish that ends within its time-out. The areas declare what is erased and what is
-- kept (`personalData` in area.ts); drizzle/sql/016_areas.sql has their parts. The last slice finds nothing and moves the
-- customer to `erased`, with what other data is found by.

-- Whether a payment has this customer because of an address alone that a person typed: nothing was sold to the customer,
-- and no money has come. A stranger can make such a payment.
create or replace function door.is_unproved(p public.payments) returns boolean
language sql stable
return p.status in ('requires_action', 'requires_payment_method') and p.amount_received_minor = 0
  and not exists (select from public.payment_links l
    where l.tenant_id = p.tenant_id and l.id = p.origin_id and l.customer_id = p.customer_id)
  and not exists (select from public.checkout_sessions s
    where s.tenant_id = p.tenant_id and s.id = p.origin_id and s.customer_id = p.customer_id);

-- What of these customers is still under way: `payments`, `refunds` or `disputes`; null where nothing is.
create or replace function door.open_business(p_customers uuid[]) returns text
language sql stable
return (select case
  when bool_or(p.status in ('processing', 'requires_action', 'requires_capture', 'requires_payment_method')
    and not door.is_unproved(p)) then 'payments'
  when bool_or(exists (select from public.disputes d where d.tenant_id = p.tenant_id and d.payment_id = p.id
    and d.status not in ('won', 'lost', 'inquiry_closed'))) then 'disputes'
  when bool_or(exists (select from public.refunds r where r.tenant_id = p.tenant_id and r.payment_id = p.id
    and r.status not in ('succeeded', 'kept', 'failed', 'canceled'))) then 'refunds' end
  from public.payments p where p.tenant_id = (select door.pinned_tenant()) and p.customer_id = any (p_customers));

-- A customer, or what an event about one carries, without the person. Fields that are not there stay away.
create or replace function door.without_person(p jsonb) returns jsonb
language sql immutable
return (select coalesce(jsonb_object_agg(f.key, case
    when f.key in ('name', 'email', 'phone', 'locale', 'tax_profile', 'external_id') then 'null'::jsonb
    when f.key in ('addresses', 'tags') then '[]'
    when f.key = 'metadata' then '{}'
    when f.key = 'contact' then f.value || '{"value": "", "label": null}'
    when f.key = 'consent' then f.value || '{"ip": null}'
    else f.value end), '{}')
  from jsonb_each(p) f);

create or replace function door.is_being_erased(c public.customers) returns boolean
language sql immutable
return c.status = 'erased' or c.erasure is not null;

-- Append-only rows change in one way alone: to what they are without an erased person.
create or replace function door.refuse_rewrite_but_erasure() returns trigger
language plpgsql as $$
declare
  v_redacted constant text[] := case tg_table_name when 'events' then '{object,previous_attributes}'
    else '{response_body}' end;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - v_redacted = to_jsonb(old) - v_redacted then
    if tg_table_name = 'events' then
      if old.resource_type = 'customer' and new.object = door.without_person(old.object)
          and new.previous_attributes = door.without_person(old.previous_attributes)
          and exists (select from public.customers c
            where c.tenant_id = old.tenant_id and c.id = old.resource_id and door.is_being_erased(c)) then
        return new;
      end if;
    elsif new.response_body is null and exists (
        select from public.webhook_deliveries d
        join public.events e on e.tenant_id = d.tenant_id and e.id = d.event_id and e.resource_type = 'customer'
        join public.customers c on c.tenant_id = e.tenant_id and c.id = e.resource_id and door.is_being_erased(c)
        where d.tenant_id = old.tenant_id and d.id = old.delivery_id) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'SP460';
end $$;
create or replace trigger append_only before update or delete on public.events
  for each row execute function door.refuse_rewrite_but_erasure();
create or replace trigger append_only before update on public.webhook_attempts
  for each row execute function door.refuse_rewrite_but_erasure();
grant update (object, previous_attributes) on public.events to spindle_door;
grant update (response_body) on public.webhook_attempts to spindle_door;
grant delete on public.payment_contacts, public.buyer_details, public.sync_refusals to spindle_door;

-- What a part has read, in the order of its ids, and where the next slice begins. At the end it goes back by a minute:
-- what commits late has an older id.
create or replace function door.part_read(p_ids uuid[], p_found bigint, p_limit int) returns jsonb
language sql stable
return jsonb_build_object('found', p_found, 'left', cardinality(p_ids) >= p_limit, 'from',
  case when cardinality(p_ids) >= p_limit then p_ids[cardinality(p_ids)] else door.id_at(now() - interval '1 minute') end);

-- Whether Redis may have the reply: the long ones of a day (src/platform/redis.ts; a character counts twice there at most).
create or replace function door.is_remembered(p_publish uuid, p_reply text) returns boolean
language sql stable
return p_publish > door.id_at(now() - interval '25 hours') and length(p_reply) > 1024;

create or replace function door.erase_events(p_tenant uuid, p_customers uuid[], p_from uuid, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_ids constant uuid[] := array(select e.id from public.events e
    where e.tenant_id = p_tenant and e.resource_id = any (p_customers) and e.resource_type = 'customer' and e.id > p_from
    order by e.id limit p_limit);
  v_count bigint;
begin
  update public.events e set object = w.object, previous_attributes = w.previous
  from (select r.id, door.without_person(r.object) as object, door.without_person(r.previous_attributes) as previous
    from public.events r where r.tenant_id = p_tenant and r.id = any (v_ids)) w
  where e.tenant_id = p_tenant and e.id = w.id and (e.object, e.previous_attributes) is distinct from (w.object, w.previous);
  get diagnostics v_count = row_count;
  return door.part_read(v_ids, v_count, p_limit);
end $$;

-- Replies of what changed the customer. A replay learns that its request had its effect: without the claim it would create
-- the customer once more.
create or replace function door.erase_replies(p_tenant uuid, p_customers uuid[], p_from uuid, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_count int;
  v_forget jsonb;
begin
  with found as (
    select k.operation, k.key, k.publish_id, door.is_remembered(k.publish_id, k.reply_body) as is_remembered from public.audit_event_objects o
    join public.audit_events a on a.tenant_id = o.tenant_id and a.id = o.id
    join public.idempotency_claims k on k.publish_id = a.id and k.tenant_id = a.tenant_id
    where o.tenant_id = p_tenant and o.object_id = any (p_customers::text[]) and k.reply_body <> ''
    limit p_limit),
  emptied as (
    update public.idempotency_claims k set reply_body = '' from found f
    where k.tenant_id = p_tenant and k.operation = f.operation and k.key = f.key
    returning f.publish_id, f.is_remembered)
  select count(*), jsonb_agg(distinct publish_id) filter (where is_remembered) into v_count, v_forget from emptied;
  return jsonb_build_object('found', v_count, 'left', v_count >= p_limit, 'forget', coalesce(v_forget, '[]'));
end $$;

-- Every address of some customers.
create or replace function door.emails_of(p_tenant uuid, p_customers uuid[]) returns text[]
language sql stable
return array(
  select lower(c.value) from public.customer_contacts c
  where c.tenant_id = p_tenant and c.customer_id = any (p_customers) and c.kind = 'email' and c.value <> ''
  union select lower(c.email) from public.customers c
  where c.tenant_id = p_tenant and c.id = any (p_customers) and c.email is not null);

-- A slice for a customer and all that became part of it: what is erased, and whether something is left. p_email: an address
-- that its row has lost.
create or replace function door.erase_some(p public.customers, p_email text, p_from jsonb, p_limit int) returns jsonb
language plpgsql as $$
declare
  v_customers constant uuid[] := array(select door.customers_within(p.id));
  v_open text;
  v_emails text[];
begin
  -- Waits for payments, refunds and disputes that are about to commit: their foreign keys share the customer's row.
  perform from public.customers c where c.tenant_id = p.tenant_id and c.id = any (v_customers) order by c.id for update;
  v_open := door.open_business(v_customers);
  if v_open is not null then
    raise exception '% of the customer are open', v_open using errcode = '23514', constraint = 'customers_erased_open';
  end if;
  v_emails := array_remove(door.emails_of(p.tenant_id, v_customers) || lower(p_email), null);
  return door.erase_parts(p.tenant_id, v_customers, v_emails,
    array(select door.email_digest(p.tenant_id, e) from unnest(v_emails) e), coalesce(p_from, '{}'), p_limit);
end $$;

create or replace function door.erase_slice() returns trigger
language plpgsql as $$
begin
  if new.erasure is null then
    raise exception 'an erasure that has begun is ended' using errcode = '23514', constraint = 'customers_erasure_left';
  end if;
  update public.customers c set erasure = '{}', version = c.version + 1, updated_at = new.updated_at
  where c.tenant_id = new.tenant_id and c.id in (select door.customers_within(new.id)) and c.erasure is null;
  update public.customers c set erasure = c.erasure || door.erase_some(new, null, old.erasure->'from', 500)
  where c.tenant_id = new.tenant_id and c.id = new.id;
  return null;
end $$;
create or replace trigger erase_slice after update on public.customers
  for each row when (new.erasure->'slices' is distinct from old.erasure->'slices' and new.status <> 'erased')
  execute function door.erase_slice();

-- Nothing is left, nor has come since; then goes what other data is found by. What became part of the customer goes after it.
create or replace function door.end_erasure() returns trigger
language plpgsql as $$
declare
  v_is_over boolean := false;
begin
  if old.status = 'merged' then
    v_is_over := exists (select from public.customers c
      where c.tenant_id = old.tenant_id and c.id = old.merged_into and c.status = 'erased');
  elsif not (old.erasure->>'left')::boolean then
    v_is_over := door.erase_some(new, old.email, old.erasure->'from', 5000) @> '{"found": 0, "left": false}';
    perform door.erase_last(new.tenant_id, array(select door.customers_within(new.id)));
  end if;
  if not v_is_over then
    raise exception 'something of the person is left' using errcode = '23514', constraint = 'customers_erasure_left';
  end if;
  return null;
end $$;
create or replace trigger end_erasure after update on public.customers
  for each row when (new.status = 'erased' and old.status <> 'erased') execute function door.end_erasure();
