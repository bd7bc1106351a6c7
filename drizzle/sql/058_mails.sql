-- A mail to a named recipient never fails the publish that causes it: one to an address that could name a second recipient,
-- or that is too many for its recipient, is dropped.

-- The digest of an address that may get another mail; null when it had ten from this workspace or thirty from all within
-- an hour. The lock makes concurrent publishes count each other.
create or replace function door.admit_recipient(p_tenant text, p_recipient text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  c_workspace_max constant int := 10;
  c_all_max constant int := 30;
  v_digest text;
  v_all int;
  v_own int;
begin
  select encode(sha256(k.outer_key || sha256(k.inner_key || convert_to('recipient:' || lower(p_recipient), 'UTF8'))), 'hex')
    into v_digest from door.seal_keys k where k.is_only;
  perform pg_advisory_xact_lock(hashtextextended(v_digest, 0));
  select count(*), count(*) filter (where m.tenant_id = p_tenant) into v_all, v_own from public.outgoing_mails m
  where m.recipient_digest = v_digest and m.created_at > now() - interval '1 hour';
  return case when v_all < c_all_max and v_own < c_workspace_max then v_digest end;
end $$;

create or replace function door.admit_mail() returns trigger
language plpgsql as $$
begin
  new.recipient_digest := null;
  -- The buyer of a payment gets mails about it where they asked for them.
  if new.payment_id is not null then
    select c.email, c.locale, new.data || jsonb_build_object('page', c.page) into new.recipient, new.locale, new.data
    from public.payment_contacts c where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id
    order by c.created_at desc limit 1;
    if not found then
      return null;
    end if;
    if new.kind = 'payment_instructions' then
      update public.payment_contacts c
      set remind_at = (new.data->>'expires_at')::timestamptz - interval '24 hours', version = c.version + 1
      where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id
        and (new.data->>'expires_at')::timestamptz - interval '36 hours' > new.created_at;
    end if;
  end if;
  if new.status = 'waiting' and char_length(new.recipient) <= 254
     and new.recipient ~ '^[A-Za-z0-9_+.''-]+@[A-Za-z0-9.-]+$' then
    new.recipient_digest := door.admit_recipient(new.tenant_id, new.recipient);
  end if;
  if new.recipient_digest is null then
    new.status := 'dropped';
    new.recipient := null;
    new.data := '{}';
    new.next_check_at := null;
  end if;
  return new;
end $$;

create or replace trigger admit_mail before insert on public.outgoing_mails
  for each row execute function door.admit_mail();

-- Deletes at most p_limit mails that were over 30 days ago.
create or replace function door.forget_mails(p_limit int) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off as $$
declare
  v_count int;
begin
  delete from public.outgoing_mails m using (
    select d.tenant_id, d.id from public.outgoing_mails d
    where d.created_at < now() - interval '30 days' and d.status <> 'waiting'
    order by d.created_at limit p_limit for update skip locked) o
  where m.tenant_id = o.tenant_id and m.id = o.id;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

grant delete on public.outgoing_mails to spindle_auth;
