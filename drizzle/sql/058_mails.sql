-- A mail to a named recipient never fails the publish that causes it: one to an address that could name a second recipient,
-- or that is too many, is dropped with its reason. Only a business that no confirmed owner stands for is refused what it
-- sends itself.

-- The mailbox that an address leads to: case and what follows a plus are left out, at Gmail dots too.
create or replace function door.mailbox_of(p_address text) returns text
language sql immutable as $$
  select case when p.domain in ('gmail.com', 'googlemail.com')
    then replace(p.person, '.', '') || '@gmail.com' else p.person || '@' || p.domain end
  from (select regexp_replace(split_part(lower(p_address), '@', 1), '(.)\+.*$', '\1') person,
               split_part(lower(p_address), '@', 2) domain) p
$$;

-- A verified address of a customer is found by its mailbox too.
create or replace function door.keep_mailbox() returns trigger
language plpgsql as $$
begin
  new.mailbox := door.mailbox_of(new.value);
  return new;
end $$;
create or replace trigger keep_mailbox before insert or update on public.customer_contacts
  for each row when (new.kind = 'email' and new.status = 'active' and new.verified_at is not null)
  execute function door.keep_mailbox();

create or replace function door.mail_digest(p_of text) returns text
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(k.outer_key || sha256(k.inner_key || convert_to(p_of, 'UTF8'))), 'hex')
  from door.seal_keys k where k.is_only
$$;

-- Why this mail is one too many; null where it is sent. A mailbox gets ten mails of a cause from one workspace within an
-- hour and thirty from all; those of workspaces that we have not reviewed are counted apart from the others. A network
-- causes sixty by forms within an hour, three hundred at reviewed workspaces. Within a day a workspace has a budget, small
-- until it is reviewed, and the owners of unreviewed ones twice that budget over all of theirs. The locks make concurrent
-- publishes count each other; payments take none but the mailbox's, so that they do not wait for each other. Reports end
-- together at midnight and go to members whom an admin named: within a day a mailbox gets forty from one workspace.
create or replace function door.mail_refused(p_mail public.outgoing_mails) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c_workspace_max constant int := 10;
  c_all_max constant int := 30;
  c_reports_max constant int := 40;
  c_network_max constant int := case when p_mail.of_reviewed then 300 else 60 end;
  v_cause constant text := p_mail.cause;
  v_hour constant timestamptz := now() - interval '1 hour';
  v_day constant timestamptz := now() - interval '1 day';
  v_day_max int;
  v_all int;
  v_own int;
begin
  v_day_max := case when p_mail.of_reviewed then case v_cause when 'sent' then 1000 when 'invitation' then 200 end
    else case v_cause when 'sent' then 20 when 'invitation' then 50 when 'report' then 50 when 'form' then 200 else 500 end end;
  if v_cause in ('sent', 'invitation') then
    perform pg_advisory_xact_lock(hashtextextended('mails of ' || o.user_id, 0))
    from (select m.user_id from public.memberships m
          where m.tenant_id = p_mail.tenant_id and m.role = 'owner' and m.status = 'active' order by m.user_id) o;
    perform pg_advisory_xact_lock(hashtextextended('mails of ' || p_mail.tenant_id, 0));
  end if;
  if v_day_max is not null then
    select count(*) into v_own from public.outgoing_mails m
    where m.tenant_id = p_mail.tenant_id and m.cause = v_cause and m.created_at > v_day and m.status <> 'dropped';
    if v_own >= v_day_max then
      return 'workspace_limit';
    end if;
    if not p_mail.of_reviewed then
      select count(*) into v_all from public.outgoing_mails m
      where m.cause = v_cause and m.created_at > v_day and m.status <> 'dropped' and not m.of_reviewed and m.tenant_id in (
        select theirs.tenant_id from public.memberships mine join public.memberships theirs on theirs.user_id = mine.user_id
        where mine.tenant_id = p_mail.tenant_id and mine.role = 'owner' and mine.status = 'active' and theirs.role = 'owner');
      if v_all >= 2 * v_day_max then
        return 'account_limit';
      end if;
    end if;
  end if;
  if p_mail.network_digest is not null then
    if c_network_max <= (select count(*) from public.outgoing_mails m
        where m.network_digest = p_mail.network_digest and m.created_at > v_hour and m.of_reviewed = p_mail.of_reviewed
          and m.status <> 'dropped') then
      return 'network_limit';
    end if;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_mail.mailbox_digest, 0));
  if v_cause = 'report' then
    return (select case when count(*) >= c_reports_max then 'recipient_limit' end from public.outgoing_mails m
      where m.mailbox_digest = p_mail.mailbox_digest and m.tenant_id = p_mail.tenant_id and m.created_at > v_day
        and m.cause = 'report' and m.status <> 'dropped');
  end if;
  select count(*), count(*) filter (where m.tenant_id = p_mail.tenant_id) into v_all, v_own from public.outgoing_mails m
  where m.mailbox_digest = p_mail.mailbox_digest and m.created_at > v_hour and m.cause = v_cause
    and m.of_reviewed = p_mail.of_reviewed and m.status <> 'dropped';
  return case when v_all >= c_all_max or v_own >= c_workspace_max then 'recipient_limit' end;
end $$;

create or replace function door.admit_mail() returns trigger
language plpgsql as $$
declare
  v_is_reminded boolean;
  v_contact uuid;
begin
  new.recipient_digest := null;
  new.mailbox_digest := null;
  new.network_digest := null;
  new.dropped_for := null;
  -- Each cause is counted for itself, so that vouchers that a stranger types spend nothing of what receipts, invitations or
  -- sent links may be.
  select m.cause, m.is_reminded, exists (
    select from public.tenants t, public.door_settings s
    where t.tenant_id = new.tenant_id and s.environment = 'live' and t.status in ('active', 'suspended', 'closed'))
  into new.cause, v_is_reminded, new.of_reviewed from door.mail_kinds m where m.kind = new.kind;
  -- The buyer of a payment gets mails about it at the address that they gave with it; a copy may go to one that the merchant
  -- names.
  if new.payment_id is not null and new.recipient is null then
    select c.id, c.email, c.locale, new.data || jsonb_build_object('page', c.page)
    into v_contact, new.recipient, new.locale, new.data
    from public.payment_contacts c where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id
    order by c.created_at desc, c.id desc limit 1;
    if not found then
      return null;
    end if;
    -- Of the rows of a buyer who tried more than once the newest alone reminds.
    if v_is_reminded then
      update public.payment_contacts c
      set remind_at = case when c.id = v_contact and (new.data->>'expires_at')::timestamptz - interval '36 hours' > new.created_at
          then (new.data->>'expires_at')::timestamptz - interval '24 hours' end, version = c.version + 1
      where c.tenant_id = new.tenant_id and c.payment_id = new.payment_id and (c.id = v_contact or c.remind_at is not null);
    end if;
  end if;
  if new.cause = 'form' then
    new.network_digest := (select a.network_digest from public.payment_attempts a
      where a.tenant_id = new.tenant_id and a.payment_id = new.payment_id order by a.created_at desc limit 1);
  end if;
  if new.cause in ('sent', 'invitation') and not exists (
      select from public.memberships m where m.tenant_id = new.tenant_id and (m.role = 'owner' or new.cause = 'invitation')
        and m.status = 'active' and not m.email_unconfirmed) then
    raise exception 'a confirmed address stands for what is sent'
      using errcode = '23514', constraint = 'outgoing_mails_of_confirmed_owner';
  end if;
  if new.status = 'waiting' and char_length(new.recipient) <= 254 and new.recipient ~ '^[A-Za-z0-9_+.&''-]+@[A-Za-z0-9.-]+$' then
    new.recipient_digest := door.mail_digest('recipient:' || lower(new.recipient));
    new.mailbox_digest := door.mail_digest('mailbox:' || door.mailbox_of(new.recipient));
    new.dropped_for := door.mail_refused(new);
  else
    new.dropped_for := 'recipient_form';
  end if;
  if new.dropped_for is not null then
    new.status := 'dropped';
    new.recipient := null;
    new.recipient_digest := null;
    new.data := '{}';
    new.next_check_at := null;
  end if;
  return new;
end $$;

create or replace trigger admit_mail before insert on public.outgoing_mails
  for each row execute function door.admit_mail();

-- A payment that was canceled no longer mails its buyer: where they wanted mails is forgotten.
create or replace function door.forget_contacts() returns trigger
language plpgsql as $$
begin
  if new.status = 'canceled' and old.status <> 'canceled' then
    delete from public.payment_contacts c where c.tenant_id = new.tenant_id and c.payment_id = new.id;
  end if;
  return null;
end $$;

create or replace trigger forget_contacts after update on public.payments
  for each row execute function door.forget_contacts();

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
    select m.* into v_mail from public.outgoing_mails m where m.id = p_mail
      and m.kind in (select k.kind from door.mail_kinds k where k.is_reminder);
  else
    update public.outgoing_mails m set report = p_report
    where m.id = p_mail and (m.report is null or m.report = 'delivered' and p_report <> 'delivered') returning m.* into v_mail;
  end if;
  if v_mail.recipient_digest is null or p_report = 'delivered' then
    return 'false';
  end if;
  insert into public.mail_suppressions
    (tenant_id, id, status, reason, recipient_digest, kind, payment_id, contact_id, version, created_at, updated_at)
  values (v_mail.tenant_id, uuidv7(), 'active',
    case p_report when 'bounced' then 'hard_bounce' when 'complained' then 'complaint' else p_report end,
    v_mail.recipient_digest, v_mail.kind, v_mail.payment_id, (select c.id from public.payment_contacts c
      where c.tenant_id = v_mail.tenant_id and c.payment_id = v_mail.payment_id
        and door.mail_digest('recipient:' || lower(c.email)) = v_mail.recipient_digest
      order by c.created_at desc, c.id desc limit 1), 1, now(), now())
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
  where m.id = p_mail and m.kind in (select k.kind from door.mail_kinds k where k.is_reminder)
$$;

grant update (report) on public.outgoing_mails to spindle_auth;
grant insert on public.mail_suppressions to spindle_auth;
