-- Erasing a person: the move of a customer to `erased` empties everything that holds the person's data, in the same
-- transaction. functions/people/customers/erased-data.ts says what is deleted and what is kept, and why.

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
            where c.tenant_id = old.tenant_id and c.id = old.resource_id and c.status = 'erased') then
        return new;
      end if;
    elsif new.response_body is null and exists (
        select from public.webhook_deliveries d
        join public.events e on e.tenant_id = d.tenant_id and e.id = d.event_id and e.resource_type = 'customer'
        join public.customers c on c.tenant_id = e.tenant_id and c.id = e.resource_id and c.status = 'erased'
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

-- The publishes of batches of records whose stored replies have one of these texts. A batch also names the customers that
-- it left as they were, of which no event tells: so the replies themselves are read, of 30 days at most.
create or replace function door.batches_naming(p_texts text[], p_since timestamptz) returns setof uuid
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.publish_id from public.idempotency_claims k
  where k.tenant_id = (select door.sealed_tenant()) and k.operation = 'sync_sources.push_records' and k.created_at > p_since
    and exists (select from unnest(p_texts) t where strpos(k.reply_body, t) > 0)
$$;

-- The publishes since a time whose replies hold something of these customers.
create or replace function door.replies_about(p_customers uuid[], p_since timestamptz) returns setof uuid
language sql stable as $$
  select o.id from public.audit_event_objects o
  where o.tenant_id = (select door.pinned_tenant()) and o.object_id = any (p_customers::text[]) and o.created_at > p_since
  union
  select door.batches_naming(p_customers::text[] || array(
    select '"external_id":' || to_json(x.external_id)::text from public.customer_external_ids x
    where x.tenant_id = (select door.pinned_tenant()) and x.customer_id = any (p_customers) and x.external_id is not null),
    p_since)
$$;

create or replace function door.erase_person() returns trigger
language plpgsql as $$
declare
  v_open text;
  v_emails text[];
  v_digests text[];
begin
  -- Waits for payments, refunds and disputes that are about to commit: their foreign keys share the customer's row.
  perform from public.customers c where c.tenant_id = new.tenant_id and c.id = new.id for update;
  v_open := door.open_business(array[new.id]);
  if v_open is not null then
    raise exception '% of the customer are open', v_open using errcode = '23514', constraint = 'customers_erased_open';
  end if;
  select coalesce(array_agg(lower(c.value)), '{}') || lower(old.email) into v_emails from public.customer_contacts c
  where c.tenant_id = new.tenant_id and c.customer_id = new.id and c.kind = 'email';
  v_digests := array(select door.email_digest(new.tenant_id, e) from unnest(v_emails) e);
  update public.outgoing_mails m set status = 'given_up', recipient = null, data = '{}', next_check_at = null,
    version = m.version + 1, updated_at = new.updated_at
  where m.tenant_id = new.tenant_id and m.status = 'waiting' and (lower(m.recipient) = any (v_emails)
    or exists (select from public.payments p
      where p.tenant_id = m.tenant_id and p.id = m.payment_id and p.customer_id = new.id));
  update public.checkout_recoveries r set status = 'withdrawn', email = null, mail_at = null, version = r.version + 1,
    updated_at = new.updated_at
  where r.tenant_id = new.tenant_id and r.status = 'waiting' and (r.email = any (v_emails) or r.session_id in (
    select s.id from public.checkout_sessions s where s.tenant_id = new.tenant_id and s.customer_id = new.id));
  -- What a merchant filled in beforehand for this person.
  update public.checkout_sessions s set customer_email = null, customer_name = null, version = s.version + 1,
    updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.customer_email is not null
    and (s.customer_email = any (v_emails) or s.customer_id = new.id);
  update public.payment_links l set customer_email = null, customer_name = null, version = l.version + 1,
    updated_at = new.updated_at
  where l.tenant_id = new.tenant_id and l.customer_email is not null
    and (l.customer_email = any (v_emails) or l.customer_id = new.id);
  -- What was given with one of the addresses, or names one, before the addresses go.
  delete from public.buyer_details x where x.tenant_id = new.tenant_id and x.id in (
    select d.id from public.buyer_details d where d.tenant_id = new.tenant_id and d.payment_id in (
      select p.id from public.payments p where p.tenant_id = new.tenant_id and p.customer_id = new.id
      union all select c.payment_id from public.payment_contacts c where c.tenant_id = new.tenant_id and c.email = any (v_emails)
      union all select g.payment_id from public.buyer_details g
      where g.tenant_id = new.tenant_id and g.email_digests <> '{}' and g.email_digests && v_digests)
    union all select d.id from public.buyer_details d
    where d.tenant_id = new.tenant_id and d.email_digests <> '{}' and d.email_digests && v_digests
    union all select d.id from public.buyer_details d join public.checkout_sessions s on s.tenant_id = d.tenant_id and s.id = d.origin_id
    where d.tenant_id = new.tenant_id and d.payment_id is null and s.customer_id = new.id);
  delete from public.payment_contacts x where x.tenant_id = new.tenant_id and (x.email = any (v_emails)
    or x.payment_id in (select p.id from public.payments p where p.tenant_id = new.tenant_id and p.customer_id = new.id));
  update public.customer_contacts c set status = 'removed', value = '', label = null, version = c.version + 1,
    updated_at = new.updated_at
  where c.tenant_id = new.tenant_id and c.customer_id = new.id;
  update public.customer_consents c set ip = null, version = c.version + 1, updated_at = new.updated_at
  where c.tenant_id = new.tenant_id and c.customer_id = new.id;
  update public.customer_notes n set status = 'deleted', text = '', version = n.version + 1, updated_at = new.updated_at
  where n.tenant_id = new.tenant_id and n.customer_id = new.id;
  -- A replay learns that its request had its effect. Without the claim it would create the customer once more.
  update public.idempotency_claims k set reply_body = ''
  where k.tenant_id = new.tenant_id and k.publish_id in (select door.replies_about(array[new.id], '-infinity'));
  -- Files of sources that know the customer are due to be removed. One whose upload is under way cannot be stored any more,
  -- and goes when its hour is over: it may come into the bucket until then.
  update public.sync_files f set remove_at = case f.status when 'uploading' then f.remove_at else new.updated_at end, version = f.version + 1, updated_at = new.updated_at
  where f.tenant_id = new.tenant_id and f.status in ('uploading', 'stored', 'replaced')
    and f.source_id in (select x.source_id from public.customer_external_ids x
      where x.tenant_id = new.tenant_id and x.customer_id = new.id);
  -- Lists of refused records go with them: they name customers by their source's id.
  delete from public.sync_refusals r where r.tenant_id = new.tenant_id and r.source_id in (
    select x.source_id from public.customer_external_ids x
    where x.tenant_id = new.tenant_id and x.customer_id = new.id and x.external_id is not null);
  -- A source's ids become digests, by which its records are refused later.
  update public.customer_external_ids x set external_id = null, version = x.version + 1, updated_at = new.updated_at
  where x.tenant_id = new.tenant_id and x.customer_id = new.id and x.external_id is not null;
  delete from public.customer_terms t where t.tenant_id = new.tenant_id and t.id = new.id;

  update public.events e set object = door.without_person(e.object),
    previous_attributes = door.without_person(e.previous_attributes)
  where e.tenant_id = new.tenant_id and e.resource_id = new.id and e.resource_type = 'customer';
  update public.webhook_attempts a set response_body = null
  from public.events e join public.webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
  where e.tenant_id = new.tenant_id and e.resource_id = new.id and a.tenant_id = d.tenant_id and a.delivery_id = d.id
    and a.response_body is not null;
  return null;
end $$;
create or replace trigger erase_person after update on public.customers
  for each row when (new.status = 'erased' and old.status <> 'erased') execute function door.erase_person();
