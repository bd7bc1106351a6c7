-- The customer that an id stands for: a merged one stands for what it became part of, over as many steps as people make.
create or replace function door.surviving_customer(p_id uuid) returns uuid
language plpgsql stable as $$
declare
  v_id uuid := p_id;
  v_next uuid;
begin
  for i in 1..100 loop
    select c.merged_into into v_next from public.customers c
    where c.tenant_id = (select door.pinned_tenant()) and c.id = v_id;
    if v_next is null then
      return v_id;
    end if;
    v_id := v_next;
  end loop;
  return v_id;
end $$;

-- The customer that an id stands for, and all that became part of it: what happened to any of them happened to it.
create or replace function door.customers_within(p_id uuid) returns setof uuid
language sql stable rows 2 as $$
  with recursive part (id) as (
    select door.surviving_customer(p_id)
    union
    select c.id from part p join public.customers c on c.tenant_id = (select door.pinned_tenant()) and c.merged_into = p.id)
  select id from part
$$;

-- Only an active customer gets something new to pay. The lock orders it and a block.
create or replace function door.refuse_unless_active_customer() returns trigger
language plpgsql as $$
declare
  v_status text;
begin
  if new.customer_id is null or old.customer_id = new.customer_id then
    return new;
  end if;
  select c.status into v_status from public.customers c
  where c.tenant_id = new.tenant_id and c.id = new.customer_id for share;
  if v_status <> 'active' then
    raise exception 'the customer is %', v_status using errcode = '23514', constraint = 'customer_is_' || v_status;
  end if;
  return new;
end $$;

do $$
declare
  v record;
begin
  for v in select k.table_name from door.kinds k
    join pg_attribute a on a.attrelid = ('public.' || k.table_name)::regclass and a.attname = 'customer_id' and not a.attisdropped
    where k.is_sold
  loop
    execute format('create or replace trigger customer_is_active before insert or update on public.%I
      for each row execute function door.refuse_unless_active_customer()', v.table_name);
  end loop;
end $$;

-- What belongs to a payment has its customer. The lock orders this and a change of the payment.
create or replace function door.refuse_unless_customer_of_payment() returns trigger
language plpgsql as $$
declare
  v_customer uuid;
begin
  select p.customer_id into v_customer from public.payments p
  where p.tenant_id = new.tenant_id and p.id = new.payment_id for no key update;
  if v_customer is distinct from new.customer_id then
    raise exception 'the customer is the payment''s' using errcode = '23514',
      constraint = tg_table_name || '_customer_of_payment';
  end if;
  return new;
end $$;

-- A payment keeps its customer; one without gets one only while nothing belongs to it.
create or replace function door.may_get_customer(p public.payments) returns boolean
language sql stable as $$
  select p.customer_id is null
    and not exists (select from public.refunds r where r.tenant_id = p.tenant_id and r.payment_id = p.id)
    and not exists (select from public.disputes d where d.tenant_id = p.tenant_id and d.payment_id = p.id)
$$;

create or replace function door.keep_customer() returns trigger
language plpgsql as $$
begin
  if not door.may_get_customer(old) then
    raise exception 'a payment keeps its customer' using errcode = '23514', constraint = 'payments_customer_kept';
  end if;
  return new;
end $$;
create or replace trigger keep_customer before update on public.payments
  for each row when (old.customer_id is distinct from new.customer_id) execute function door.keep_customer();

create or replace trigger customer_of_payment before insert on public.refunds
  for each row execute function door.refuse_unless_customer_of_payment();
create or replace trigger customer_of_payment_anew before update on public.refunds
  for each row when ((old.payment_id, old.customer_id) is distinct from (new.payment_id, new.customer_id))
  execute function door.refuse_unless_customer_of_payment();
create or replace trigger customer_of_payment before insert on public.disputes
  for each row execute function door.refuse_unless_customer_of_payment();
create or replace trigger customer_of_payment_anew before update on public.disputes
  for each row when ((old.payment_id, old.customer_id) is distinct from (new.payment_id, new.customer_id))
  execute function door.refuse_unless_customer_of_payment();

-- The active customer whose verified address this is, locked; null where there is none. A merge takes the address to
-- another customer and a removal takes it away, both under the customer's lock: so the address is looked up again with it.
create or replace function door.customer_of_email(p_tenant uuid, p_email text) returns uuid
language plpgsql as $$
declare
  v_found uuid;
  v_locked uuid;
begin
  loop
    select c.customer_id into v_found from public.customer_contacts c
    where c.tenant_id = p_tenant and c.kind = 'email' and c.value = p_email and c.status = 'active'
      and c.verified_at is not null;
    exit when v_found is not distinct from v_locked;
    v_locked := v_found;
    perform from public.customers c where c.tenant_id = p_tenant and c.id = v_locked for share;
  end loop;
  return (select c.id from public.customers c where c.tenant_id = p_tenant and c.id = v_locked and c.status = 'active');
end $$;

-- An address by which a buyer's details are erased, without being kept: in this workspace alone.
create or replace function door.email_digest(p_tenant uuid, p_email text) returns text
language sql immutable
return encode(sha256(convert_to(p_tenant || ' ' || lower(p_email), 'UTF8')), 'hex');

-- The details that were given with one of these addresses. The Worker does not read the digests, and asks for its tenant.
create or replace function door.details_given_with(p_tenant uuid, p_email_digests text[]) returns table (id uuid, payment_id uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select d.id, d.payment_id from public.buyer_details d
  where d.tenant_id = p_tenant and d.email_digests <> '{}' and d.email_digests && p_email_digests
    and (session_user <> 'spindle_worker' or p_tenant = (select door.sealed_tenant()))
$$;

-- Keeps digests in place of the addresses: those that were given beside the details, and those in the answers.
create or replace function door.digest_answers() returns trigger
language plpgsql as $$
begin
  new.email_digests := array(select distinct door.email_digest(new.tenant_id, e) from unnest(new.email_digests) e);
  return new;
end $$;
create or replace trigger digest_answers before insert on public.buyer_details
  for each row execute function door.digest_answers();

-- A payment without a customer gets the one whose verified address its buyer gave.
create or replace function door.attach_customer() returns trigger
language plpgsql as $$
declare
  v_customer uuid;
begin
  if exists (select from public.payments p
      where p.tenant_id = new.tenant_id and p.id = new.payment_id and door.may_get_customer(p)) then
    v_customer := door.customer_of_email(new.tenant_id, new.email);
  end if;
  if v_customer is not null then
    update public.payments p set customer_id = v_customer where p.tenant_id = new.tenant_id and p.id = new.payment_id;
  end if;
  return new;
end $$;
create or replace trigger attach_customer before insert on public.payment_contacts
  for each row execute function door.attach_customer();

-- What happens to a customer, to whatever names one, and to what belongs to a payment of one, enters its timeline with the
-- event.
create or replace function door.enter_timeline() returns trigger
language plpgsql as $$
declare
  v_customer constant uuid := case
    when new.resource_type = 'customer' then new.resource_id
    when new.object->>'customer_id' is not null then (new.object->>'customer_id')::uuid
    else (select p.customer_id from public.payments p
      where p.tenant_id = new.tenant_id and p.id = (new.object->>'payment_id')::uuid) end;
begin
  if v_customer is null then
    return null;
  end if;
  insert into public.customer_timeline
    (tenant_id, id, customer_id, source, event_key, resource_type, type, resource_id, summary, occurred_at)
  values (new.tenant_id, new.id, v_customer, 'spindle', new.id::text, new.resource_type, new.type, new.resource_id::text,
    jsonb_strip_nulls(jsonb_build_object('status', new.object->'status',
      'amount', coalesce(new.object->>'amount', new.object->>'manual_amount'), 'currency', new.object->'currency')),
    new.created_at);
  return null;
end $$;
create or replace trigger enter_timeline after insert on public.events
  for each row when (new.resource_type = 'customer' or new.object->>'customer_id' is not null
    or new.object->>'payment_id' is not null)
  execute function door.enter_timeline();

create or replace function door.find_by_terms(p_tenant uuid, p_id uuid, p_created_at timestamptz, p_old text[], p_new text[]) returns void
language sql as $$
  delete from public.customer_terms t
  where t.tenant_id = p_tenant and t.id = p_id and t.created_at = p_created_at and t.term = any (p_old)
    and t.term <> all (p_new);
  insert into public.customer_terms (tenant_id, term, created_at, id)
  select p_tenant, term, p_created_at, p_id from unnest(p_new) term on conflict do nothing;
$$;

create or replace function door.keep_customer_terms() returns trigger
language plpgsql as $$
begin
  perform door.find_by_terms(new.tenant_id, new.id, new.created_at,
    case when tg_op = 'UPDATE' then old.terms else '{}' end, new.terms);
  return null;
end $$;
create or replace trigger keep_terms after insert on public.customers
  for each row when (new.terms <> '{}') execute function door.keep_customer_terms();
create or replace trigger keep_terms_anew after update on public.customers
  for each row when (old.terms <> new.terms) execute function door.keep_customer_terms();

-- An e-mail address, or a number's digits: a Mexican one is also found without its country code.
create or replace function door.contact_terms(p_kind text, p_value text) returns text[]
language sql immutable
return case when p_kind = 'email' then array['e:' || p_value]
  when p_value like '+52%' then array['p:' || substr(p_value, 2), 'p:' || substr(p_value, 4)]
  else array['p:' || substr(p_value, 2)] end;

create or replace function door.keep_contact_terms() returns trigger
language plpgsql as $$
declare
  v_created_at timestamptz;
begin
  if tg_op = 'UPDATE' then
    select c.created_at into v_created_at from public.customers c where c.tenant_id = old.tenant_id and c.id = old.customer_id;
    perform door.find_by_terms(old.tenant_id, old.customer_id, v_created_at, door.contact_terms(old.kind, old.value), '{}');
  end if;
  if new.status = 'active' then
    select c.created_at into v_created_at from public.customers c where c.tenant_id = new.tenant_id and c.id = new.customer_id;
    perform door.find_by_terms(new.tenant_id, new.customer_id, v_created_at, '{}', door.contact_terms(new.kind, new.value));
  end if;
  return null;
end $$;
create or replace trigger keep_terms after insert on public.customer_contacts
  for each row execute function door.keep_contact_terms();
create or replace trigger keep_terms_anew after update on public.customer_contacts
  for each row when ((old.status, old.customer_id, old.kind, old.value)
    is distinct from (new.status, new.customer_id, new.kind, new.value)) execute function door.keep_contact_terms();

grant delete on public.customer_terms to spindle_door;
