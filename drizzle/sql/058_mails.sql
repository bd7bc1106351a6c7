-- A mail to a named recipient never fails the publish that causes it: one to an address that could name a second recipient,
-- or that is too many for its recipient, is dropped.

-- The digest of an address that may get another mail; null when it had ten from this workspace or thirty from all within
-- an hour. The lock makes concurrent publishes count each other.
create or replace function door.admit_recipient(p_tenant text, p_recipient text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

-- What the provider, or the reader of a reminder, says of a mail. `bounced` is a refusal for good. A provider's report
-- counts once, so that a repeated one never suppresses what was lifted since.
create or replace function door.report_mail(p_mail uuid, p_report text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_mail public.outgoing_mails;
begin
  if p_report = 'unsubscribed' then
    select m.* into v_mail from public.outgoing_mails m where m.id = p_mail and m.kind in ('payment_reminder', 'checkout_recovery');
  else
    update public.outgoing_mails m set report = p_report
    where m.id = p_mail and (m.report is null or m.report = 'delivered' and p_report <> 'delivered') returning m.* into v_mail;
  end if;
  if v_mail.recipient_digest is null or p_report = 'delivered' then
    return 'false';
  end if;
  insert into public.mail_suppressions
    (tenant_id, id, status, reason, recipient_digest, kind, payment_id, version, created_at, updated_at)
  values (v_mail.tenant_id, uuidv7(), 'active',
    case p_report when 'bounced' then 'hard_bounce' when 'complained' then 'complaint' else p_report end,
    v_mail.recipient_digest, v_mail.kind, v_mail.payment_id, 1, now(), now())
  on conflict do nothing;
  return 'true';
end $$;

-- What the page of a reminder's link says and looks like: the merchant, the language of the mail, and whether reminders to
-- this address have ended. Null for a mail that is deleted.
create or replace function door.reminders_of(p_mail uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('merchant', coalesce(t.branding->>'brand_name', t.name),
    'look', t.branding, 'locale', m.locale, 'have_ended', exists (
    select from public.mail_suppressions s where s.tenant_id = m.tenant_id and s.recipient_digest = m.recipient_digest
      and s.status = 'active' and s.reason = 'unsubscribed'))
  from public.outgoing_mails m join public.tenants t on t.tenant_id = m.tenant_id
  where m.id = p_mail and m.kind in ('payment_reminder', 'checkout_recovery')
$$;

grant update (report) on public.outgoing_mails to spindle_auth;
grant insert on public.mail_suppressions to spindle_auth;
