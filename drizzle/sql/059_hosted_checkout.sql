-- The amount of a session with lines is their sum less its discounts, with shipping and tip.
create or replace function door.check_session_lines() returns trigger
language plpgsql as $$
declare
  v_off constant bigint := door.discounts_total(new.discounts);
begin
  if v_off is null or new.lines <> '[]'
    and door.lines_total(new.lines) - v_off + new.shipping_minor + new.tip_minor is distinct from new.amount_minor
  then
    raise exception 'the lines are not what the session costs'
      using errcode = '23514', constraint = 'checkout_sessions_lines_sum';
  end if;
  return new;
end $$;

create or replace trigger lines_sum before insert or update on public.checkout_sessions
  for each row execute function door.check_session_lines();

-- Buyers are sent to origins that the workspace's settings name, by whatever is sold.
create or replace function door.check_return_origins() returns trigger
language plpgsql as $$
declare
  v_which text;
begin
  select u.which into v_which
  from (values ('success', to_jsonb(new)->>'success_url'), ('cancel', to_jsonb(new)->>'cancel_url')) u (which, url)
  where u.url is not null and not exists (select from public.checkout_settings s
    where s.tenant_id = new.tenant_id and substring(u.url from '^[a-z]+://[^/?#]+') = any (s.return_origins));
  if found then
    raise exception 'no such origin in the settings'
      using errcode = '23514', constraint = tg_table_name || '_' || v_which || '_origin';
  end if;
  return new;
end $$;

-- A session that others' pages show needs a page that may.
create or replace function door.check_embedding_origin() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.checkout_settings s
    where s.tenant_id = new.tenant_id and s.return_origins <> '{}')
  then
    raise exception 'no origin in the settings may show it'
      using errcode = '23514', constraint = 'checkout_sessions_embedding_origin';
  end if;
  return new;
end $$;

create or replace trigger embedding_origin before insert on public.checkout_sessions
  for each row when (new.ui_mode = 'embedded') execute function door.check_embedding_origin();
create or replace trigger return_origins before insert on public.checkout_sessions
  for each row execute function door.check_return_origins();
create or replace trigger return_origins_anew before update on public.checkout_sessions
  for each row when ((old.success_url, old.cancel_url) is distinct from (new.success_url, new.cancel_url))
  execute function door.check_return_origins();

-- A session does not expire while a payment of it is under way. Submissions lock the session first.
create or replace trigger not_while_paying before update on public.checkout_sessions
  for each row when (old.status <> 'expired' and new.status = 'expired')
  execute function door.refuse_while_paying('checkout_session', 'checkout_sessions_being_paid');

-- A session that costs nothing is completed without a payment: with the move it takes its discounts and its stock and
-- grants what it delivers, all of it or nothing. No payment of it can exist: payments are positive, and a session that
-- was tried keeps its amount.
create or replace function door.complete_free_session() returns trigger
language plpgsql as $$
declare
  e public.entitlements;
begin
  if old.status <> 'open' or old.expires_at <= new.completed_at then
    raise exception 'the session is over' using errcode = '23514', constraint = 'checkout_sessions_free_open';
  end if;
  if door.is_off_sale(new.tenant_id, new.lines) then
    raise exception 'it is not for sale now' using errcode = '23514', constraint = 'catalog_items_for_sale';
  end if;
  insert into public.discount_uses
    (tenant_id, id, discount_id, session_id, customer_id, status, is_counted, created_at, updated_at)
  select new.tenant_id, gen_random_uuid(), d.discount_id, new.id, new.customer_id, 'committed', true, new.completed_at, new.completed_at
  from jsonb_to_recordset(new.discounts) d (discount_id uuid) order by d.discount_id;
  if new.stock is not null then
    perform door.take_stock(new.tenant_id, new.stock, new.public_id, new.completed_at);
  end if;
  if new.delivers is not null then
    e.tenant_id := new.tenant_id;
    e.checkout_session_id := new.id;
    e.created_at := new.completed_at;
    perform door.grant_delivered(e, new.delivers, 1);
  end if;
  return null;
end $$;

create or replace trigger complete_free after update on public.checkout_sessions
  for each row when (old.status <> new.status and new.status = 'complete' and new.amount_minor = 0)
  execute function door.complete_free_session();

-- A workspace that takes no payments sells nothing for free either.
create or replace trigger complete_free_while_open before update on public.checkout_sessions
  for each row when (old.status <> new.status and new.status = 'complete' and new.amount_minor = 0)
  execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed');

-- With a session that ends unpaid its recovery falls due, so much later as the session says; one that is paid needs none,
-- and one that no longer offers a mail forgets whom it would have gone to.
create or replace function door.follow_session_end() returns trigger
language plpgsql as $$
begin
  if (old.status = new.status or new.recovery is null) and (old.recovery is null or new.recovery is not null) then
    return null;
  end if;
  update public.checkout_recoveries r
  set status = case when new.recovery is null then 'withdrawn' when new.status = 'complete' then 'not_needed' else r.status end,
    email = case when new.recovery is not null and new.status <> 'complete' then r.email end,
    mail_at = case new.status when 'expired'
      then new.updated_at + make_interval(mins => (new.recovery->>'delay_minutes')::int) end,
    version = r.version + 1, updated_at = new.updated_at
  where r.tenant_id = new.tenant_id and r.session_id = new.id and r.status = 'waiting';
  return null;
end $$;

create or replace trigger follow_session_end after update on public.checkout_sessions
  for each row execute function door.follow_session_end();

-- A buyer consents to what is offered alone. A consent locks its session first.
create or replace function door.refuse_unoffered_recovery() returns trigger
language plpgsql as $$
begin
  if not exists (select from public.checkout_sessions s
    where s.tenant_id = new.tenant_id and s.id = new.session_id and s.recovery is not null)
  then
    raise exception 'the session offers no mail' using errcode = '23514', constraint = 'checkout_recoveries_offered';
  end if;
  return new;
end $$;

create or replace trigger recovery_offered before insert on public.checkout_recoveries
  for each row execute function door.refuse_unoffered_recovery();
create or replace trigger recovery_offered_anew before update on public.checkout_recoveries
  for each row when (old.status = 'withdrawn' and new.status = 'waiting') execute function door.refuse_unoffered_recovery();

-- Its buyer is not mailed from a workspace that takes no payments.
create or replace trigger mail_while_open before update on public.checkout_recoveries
  for each row when (old.status <> new.status and new.status = 'mailed')
  execute function door.refuse_while('pending', 'in_review', 'suspended', 'closed');
