-- Processors' notifications, and merchants' accounts at processors. Only these functions touch the notifications and how
-- far the events were read.
revoke all on public.processor_notifications, public.processor_event_reads, public.environment_accounts
  from public, spindle_worker, spindle_door;
grant select, insert, update, delete on public.processor_notifications, public.processor_event_reads,
  public.environment_accounts to spindle_auth;

-- Stores a notification and returns whether it still has to be processed: 'false' for one that was.
create or replace function door.keep_notification(p_processor text, p_account text, p_event text, p_kind text, p_reference text)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_processed timestamptz;
begin
  insert into public.processor_notifications
    (processor, account, event_id, kind, reference, received_at, tries_count, next_try_at)
  values (p_processor, p_account, p_event, p_kind, p_reference, now(), 0, now() + interval '30 seconds')
  on conflict (processor, account, event_id) do nothing;
  if found then
    return 'true';
  end if;
  select n.processed_at into v_processed from public.processor_notifications n
  where n.processor = p_processor and n.account = p_account and n.event_id = p_event;
  return (v_processed is null)::text;
end $$;

create or replace function door.finish_notification(p_processor text, p_account text, p_event text) returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.processor_notifications n set processed_at = now(), next_try_at = null
  where n.processor = p_processor and n.account = p_account and n.event_id = p_event and n.processed_at is null
  returning 'done'
$$;

-- Leases stored notifications that are not processed, by moving the next try: growing waits, up to an hour. For a
-- resource that is over (a refund that came back, late cash, a new dispute) the notification is the only hint: no
-- reconciler asks. Deletes notifications after 30 days.
create or replace function door.waiting_notifications(p_now timestamptz, p_limit int) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_waiting jsonb;
begin
  delete from public.processor_notifications n using (
    select d.processor, d.account, d.event_id from public.processor_notifications d
    where d.received_at <= p_now - interval '30 days' limit p_limit for update skip locked) old
  where n.processor = old.processor and n.account = old.account and n.event_id = old.event_id;
  with waiting as (
    select d.processor, d.account, d.event_id from public.processor_notifications d
    where d.next_try_at <= p_now order by d.next_try_at limit p_limit for update skip locked),
  leased as (
    update public.processor_notifications n
    set tries_count = n.tries_count + 1,
      next_try_at = case when n.received_at > p_now - interval '30 days'
        then p_now + least(interval '30 seconds' * 2 ^ least(n.tries_count + 1, 10), interval '1 hour') end
    from waiting w
    where n.processor = w.processor and n.account = w.account and n.event_id = w.event_id
    returning n.*)
  select coalesce(jsonb_agg(jsonb_build_object('processor', l.processor, 'account', l.account, 'eventId', l.event_id,
    'kind', l.kind, 'reference', l.reference) order by l.received_at), '[]') into v_waiting from leased l;
  return v_waiting;
end $$;

-- Live alone has a processor whose events can be read: the environment's own account from the start, and each account
-- that a merchant brings.
insert into public.processor_event_reads (processor, account, next_read_at)
select 'stripe', '', now() from public.door_settings s where s.environment = 'live'
on conflict (processor, account) do nothing;

create or replace function door.follow_account() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.processor_event_reads (processor, account, next_read_at)
  select new.processor, new.id::text, now() from public.door_settings s where s.environment = 'live'
  on conflict (processor, account) do nothing;
  return null;
end $$;
create or replace trigger follow_account after insert on public.processor_credentials
  for each row execute function door.follow_account();

-- What the environment's own account may take is asked in live alone.
insert into public.environment_accounts (processor, next_check_at)
select 'stripe', now() from public.door_settings s where s.environment = 'live'
on conflict (processor) do nothing;

-- Leases the environment's own account for an hour, where it is to be asked what it may take: its publishable key that was
-- checked before.
create or replace function door.environment_account_to_check(p_processor text, p_now timestamptz) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.environment_accounts a set next_check_at = p_now + interval '1 hour'
  where a.processor = p_processor and a.next_check_at <= p_now
  returning jsonb_build_object('publishableKey', a.publishable_key)
$$;

-- No methods: its key may not say. What was known stays, and it is asked again when the lease is over.
create or replace function door.keep_environment_account(p_processor text, p_methods jsonb, p_publishable_key text, p_next timestamptz)
returns text
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update public.environment_accounts a
  set methods = coalesce(p_methods, a.methods), publishable_key = p_publishable_key,
    next_check_at = case when p_methods is null then a.next_check_at else p_next end
  where a.processor = p_processor
  returning 'kept'
$$;

-- What the environment's own account may take, for what its tenants sell; null: not known.
create or replace function door.environment_methods() returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.methods from public.environment_accounts a
$$;

-- Leases accounts whose events are to be read, for ten minutes. `p_has_own`: whether the environment has an account of its
-- own; without one it is looked for again in an hour.
create or replace function door.accounts_to_read(p_now timestamptz, p_has_own boolean, p_limit int) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_due jsonb;
begin
  with due as (
    select r.processor, r.account from public.processor_event_reads r
    where r.next_read_at <= p_now order by r.next_read_at limit p_limit for update skip locked),
  leased as (
    update public.processor_event_reads r
    set next_read_at = p_now + case when r.account = '' and not p_has_own then interval '1 hour' else interval '10 minutes' end
    from due d where r.processor = d.processor and r.account = d.account
    returning r.*)
  select coalesce(jsonb_agg(jsonb_build_object('processor', l.processor, 'account', l.account, 'eventId', l.event_id)), '[]')
    into v_due from leased l where l.account <> '' or p_has_own;
  return v_due;
end $$;

-- Stores what events refer to, each due at once unless it was stored before, and how far they were read. `p_has_more`: the
-- account is read on with the next run.
create or replace function door.keep_events(p_processor text, p_account text, p_hints jsonb, p_event text, p_has_more boolean, p_now timestamptz)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_new int;
begin
  insert into public.processor_notifications
    (processor, account, event_id, kind, reference, received_at, tries_count, next_try_at)
  select p_processor, p_account, h.value->>'eventId', h.value->>'kind', h.value->>'reference', now(), 0, p_now
  from jsonb_array_elements(p_hints) h
  on conflict (processor, account, event_id) do nothing;
  get diagnostics v_new = row_count;
  update public.processor_event_reads r set event_id = coalesce(p_event, r.event_id),
    next_read_at = case when p_has_more then p_now else r.next_read_at end
  where r.processor = p_processor and r.account = p_account;
  return v_new::text;
end $$;

-- Whether a processor that does not repeat its notifications may have unconfirmed ones: only it knows, so it is asked.
-- The sandbox's simulated processor is in the database.
create or replace function door.has_unconfirmed(p_what text) returns boolean
language sql volatile
return true;

-- A merchant's own account at a processor, its secrets encrypted: by its id, by the attempt that went to it, or by what is
-- sold, which uses the active account. Null where that is the environment's.
create or replace function door.processor_account(p_processor text, p_kind text, p_id text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_id uuid;
begin
  case p_kind
  when 'account' then v_id := p_id::uuid;
  when 'attempt' then select a.account_id into v_id from public.payment_attempts a where a.id = p_id::uuid;
  when 'sale' then
    select c.id into v_id from public.public_ids i join public.processor_credentials c on c.tenant_id = i.tenant_id
    where i.public_id = p_id and c.processor = p_processor and c.status = 'active';
  end case;
  return (select jsonb_build_object('id', c.id, 'tenantId', door.workspace_id(c.tenant_id), 'secretKey', c.secret_key,
      'webhookSecret', c.webhook_secret, 'publishableKey', c.publishable_key)
    from public.processor_credentials c where c.id = v_id and c.processor = p_processor);
end $$;

-- All accounts that a merchant has or had at a processor, the active one first: their notifications share one address.
create or replace function door.processor_accounts(p_processor text, p_workspace text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'tenantId', door.workspace_id(c.tenant_id), 'secretKey', c.secret_key,
    'webhookSecret', c.webhook_secret, 'publishableKey', c.publishable_key) order by c.status, c.updated_at desc), '[]')
  from public.processor_credentials c where c.tenant_id = door.workspace_key(p_workspace) and c.processor = p_processor
$$;

-- An attempt keeps its account: no plan may move it.
create or replace function door.keep_account() returns trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'an attempt stays with its account' using errcode = '23514', constraint = 'payment_attempts_account_kept';
end $$;
create or replace trigger keep_account before update on public.payment_attempts
  for each row when (old.account_id is distinct from new.account_id) execute function door.keep_account();

-- Money at a merchant's own account is paid out by its processor: nothing of ours sends it. A workspace's balance does not
-- tell the accounts apart, so one account, active or former, ends all that we send. What is written before the account is
-- linked is of the environment's money, since an account takes nothing before its row is there.
create or replace function door.refuse_paid_by_processor() returns trigger
language plpgsql as $$
begin
  if exists (select from public.processor_credentials c where c.tenant_id = new.tenant_id and c.account_ref is not null) then
    raise exception 'the processor pays out what this workspace sells'
      using errcode = '23514', constraint = tg_table_name || '_by_processor';
  end if;
  return new;
end $$;
create or replace trigger paid_by_processor before insert on public.payouts
  for each row when (new.account_id is null) execute function door.refuse_paid_by_processor();
create or replace trigger paid_by_processor before insert on public.transfers
  for each row when (new.status in ('pending_approval', 'pending')) execute function door.refuse_paid_by_processor();
create or replace trigger paid_by_processor_anew before update on public.transfers
  for each row when (old.status <> new.status and new.status in ('pending_approval', 'pending'))
  execute function door.refuse_paid_by_processor();
