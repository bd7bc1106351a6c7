-- A table with an open bill is not archived. Who opens one locks the table for share.
create or replace function door.check_table_is_free() returns trigger
language plpgsql as $$
begin
  if exists (select from public.table_sessions s
    where s.tenant_id = new.tenant_id and s.table_id = new.id and s.status = 'open') then
    raise exception 'a bill of the table is open' using errcode = '23514', constraint = 'dining_tables_occupied';
  end if;
  return new;
end $$;

create or replace trigger check_is_free before update on public.dining_tables
  for each row when (old.status = 'active' and new.status <> 'active') execute function door.check_table_is_free();

-- And a bill is not reopened at a table that was archived since.
create or replace function door.check_table_is_active() returns trigger
language plpgsql as $$
begin
  perform from public.dining_tables t
  where t.tenant_id = new.tenant_id and t.id = new.table_id and t.status = 'active' for share;
  if not found then
    raise exception 'the table is archived' using errcode = '23514', constraint = 'dining_tables_active';
  end if;
  return new;
end $$;

create or replace trigger check_table_is_active before update on public.table_sessions
  for each row when (old.status <> 'open' and new.status = 'open') execute function door.check_table_is_active();

-- A bill's sums. The lines and the discount are the merchant's, what is held and paid is the guests': triggers keep all of
-- them, and the CHECK table_sessions_bounded refuses what would be paid twice.
create or replace function door.begin_table_session() returns trigger
language plpgsql as $$
begin
  insert into public.table_session_sums (tenant_id, id, total_minor, held_minor, paid_minor, tips_minor, updated_at)
  values (new.tenant_id, new.id, 0, 0, 0, 0, new.updated_at);
  return null;
end $$;

create or replace trigger begin_session after insert on public.table_sessions
  for each row execute function door.begin_table_session();

-- A bill begins without a discount, since it begins without a line.
create or replace function door.discount_table_session() returns trigger
language plpgsql as $$
begin
  update public.table_session_sums s
  set total_minor = s.total_minor + old.discount_minor - new.discount_minor, updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.id = new.id;
  return null;
end $$;

create or replace trigger discount_session after update on public.table_sessions
  for each row when (old.discount_minor <> new.discount_minor) execute function door.discount_table_session();

create or replace function door.add_table_lines() returns trigger
language plpgsql as $$
begin
  update public.table_session_sums s set total_minor = s.total_minor + n.total_minor, updated_at = n.updated_at
  from (select tenant_id, session_id, sum(total_minor)::bigint as total_minor, max(updated_at) as updated_at
    from added group by tenant_id, session_id) n
  where s.tenant_id = n.tenant_id and s.id = n.session_id;
  return null;
end $$;

create or replace trigger add_lines after insert on public.table_lines
  referencing new table as added for each statement execute function door.add_table_lines();

create or replace function door.end_table_line() returns trigger
language plpgsql as $$
begin
  update public.table_session_sums s set total_minor = s.total_minor - new.total_minor, updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.id = new.session_id;
  return null;
end $$;

create or replace trigger end_line after update on public.table_lines
  for each row when (old.status = 'ordered' and new.status <> 'ordered') execute function door.end_table_line();

-- What a line costs stays: it is voided, split or paid. Its bill changes only where that is merged into another.
create or replace function door.keep_table_line() returns trigger
language plpgsql as $$
begin
  if (old.total_minor, old.unit_amount_minor, old.quantity) = (new.total_minor, new.unit_amount_minor, new.quantity)
    and exists (select from public.table_sessions s
      where s.tenant_id = new.tenant_id and s.id = old.session_id and s.merged_into = new.session_id) then
    return new;
  end if;
  raise exception 'a line of a bill keeps what it costs' using errcode = 'SP460';
end $$;

create or replace trigger keep_line before update on public.table_lines for each row
  when ((old.session_id, old.total_minor, old.unit_amount_minor, old.quantity)
    is distinct from (new.session_id, new.total_minor, new.unit_amount_minor, new.quantity))
  execute function door.keep_table_line();

-- A recorded payment pays at once; one that is canceled frees what it paid.
create or replace function door.record_table_payment() returns trigger
language plpgsql as $$
declare
  v_sign constant int := case new.status when 'recorded' then 1 else -1 end;
begin
  update public.table_session_sums s set paid_minor = s.paid_minor + v_sign * new.amount_minor,
    tips_minor = s.tips_minor + v_sign * new.tip_minor, updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.id = new.session_id;
  if new.status = 'canceled' then
    update public.table_lines l set external_payment_id = null
    where l.tenant_id = new.tenant_id and l.external_payment_id = new.id;
    update public.table_tips t set returned_minor = t.amount_minor, version = t.version + 1, updated_at = new.updated_at
    where t.tenant_id = new.tenant_id and t.id = new.id;
  elsif new.tip_minor > 0 and new.waiter_id is not null then
    insert into public.table_tips (tenant_id, id, waiter_id, session_id, external_payment_id, amount_minor, currency,
      returned_minor, created_at, updated_at)
    values (new.tenant_id, new.id, new.waiter_id, new.session_id, new.id, new.tip_minor, 'mxn', 0, new.created_at, new.created_at);
  end if;
  return null;
end $$;

create or replace trigger record_payment after insert on public.table_external_payments
  for each row execute function door.record_table_payment();
create or replace trigger cancel_payment after update on public.table_external_payments
  for each row when (old.status <> new.status) execute function door.record_table_payment();

-- Closed: all of it is paid. Void or merged: nothing of it is. The row is locked, so no payment begins meanwhile.
create or replace function door.check_table_session_end() returns trigger
language plpgsql as $$
declare
  v public.table_session_sums;
begin
  select * into strict v from public.table_session_sums s where s.tenant_id = new.tenant_id and s.id = new.id;
  if new.status = 'closed' and v.paid_minor <> v.total_minor then
    raise exception 'the bill is not paid' using errcode = '23514', constraint = 'table_sessions_unpaid';
  end if;
  if new.status = 'void' and v.paid_minor + v.held_minor > 0 then
    raise exception 'the bill is being paid' using errcode = '23514', constraint = 'table_sessions_being_paid';
  end if;
  if new.status = 'merged' and v.paid_minor + v.held_minor > 0 then
    raise exception 'the bill is being paid' using errcode = '23514', constraint = 'table_sessions_merge_paid';
  end if;
  return new;
end $$;

create or replace trigger check_end before update on public.table_sessions
  for each row when (old.status = 'open' and new.status <> 'open') execute function door.check_table_session_end();

-- A bill that is merged gives the other one its lines, which keep their ids, and its discount. What was merged into it before
-- is a part of the other one already, by changes of its own. Runs after discount_session, so that what it comes to is the
-- sum of its lines.
create or replace function door.merge_table_session() returns trigger
language plpgsql as $$
declare
  v_minor bigint;
begin
  update public.table_lines l set session_id = new.merged_into, position = n.position, updated_at = new.updated_at
  from (select o.id, (row_number() over (order by o.position) + (select coalesce(max(i.position), 0) from public.table_lines i
      where i.tenant_id = new.tenant_id and i.session_id = new.merged_into))::int as position
    from public.table_lines o
    where o.tenant_id = new.tenant_id and o.session_id = new.id and o.status = 'ordered') n
  where l.tenant_id = new.tenant_id and l.id = n.id;
  select s.total_minor into v_minor from public.table_session_sums s where s.tenant_id = new.tenant_id and s.id = new.id;
  update public.table_session_sums s set total_minor = s.total_minor + case s.id when new.id then -v_minor else v_minor end,
    updated_at = new.updated_at
  where s.tenant_id = new.tenant_id and s.id in (new.id, new.merged_into);
  update public.table_sessions s set discount_minor = s.discount_minor + old.discount_minor
  where s.tenant_id = new.tenant_id and s.id = new.merged_into and s.status = 'open';
  if not found then
    raise exception 'the other bill is not open' using errcode = '23514', constraint = 'table_sessions_merge_open';
  end if;
  if exists (select from public.table_sessions s where s.tenant_id = new.tenant_id and s.merged_into = new.id) then
    raise exception 'a bill is still a part of it' using errcode = '23514', constraint = 'table_sessions_merge_open';
  end if;
  return null;
end $$;

create or replace trigger merge_session after update on public.table_sessions
  for each row when (old.status <> 'merged' and new.status = 'merged') execute function door.merge_table_session();

-- Since when all of it is paid, and whether that is announced: it begins again when something is left in between.
create or replace function door.watch_table_session() returns trigger
language plpgsql as $$
begin
  if new.paid_minor < new.total_minor or new.total_minor = 0 then
    new.settled_at := null;
    new.announced_at := null;
  elsif new.settled_at is null then
    new.settled_at := new.updated_at;
  end if;
  return new;
end $$;

create or replace trigger watch_session before update on public.table_session_sums
  for each row execute function door.watch_table_session();

-- A payment has the lines that its guest chose: nobody else pays one of them.
create or replace function door.claim_table_lines(p public.payments, p_at timestamptz) returns void
language plpgsql as $$
declare
  v_lines constant uuid[] := array(select (n->>'id')::uuid from jsonb_array_elements(p."order"->'lines') n where n ? 'id');
begin
  update public.table_lines l set payment_id = p.id, updated_at = p_at
  where l.tenant_id = p.tenant_id and l.session_id = p.origin_id and l.id = any (v_lines) and l.status = 'ordered'
    and l.payment_id is null and l.external_payment_id is null;
  if cardinality(v_lines) <> (select count(*) from public.table_lines l
    where l.tenant_id = p.tenant_id and l.session_id = p.origin_id and l.id = any (v_lines) and l.payment_id = p.id)
  then
    raise exception 'another guest pays a line of it' using errcode = '23514', constraint = 'table_lines_claimed';
  end if;
end $$;

-- An attempt holds its part of the bill, and the lines that its guest chose.
create or replace function door.hold_table_session(a public.payment_attempts, p public.payments)
returns table (resource_id uuid, quantity bigint, free bigint)
language plpgsql strict rows 1 as $$
begin
  if jsonb_array_length(p."order"->'lines') > 0 then
    perform door.claim_table_lines(p, a.created_at);
  end if;
  -- Returns nothing: one guest may pay all of it by transfer, so that no share bounds what is unpaid.
  update public.table_session_sums s
  set held_minor = s.held_minor + a.amount_minor - p.markup_minor - p.tip_amount_minor, updated_at = a.created_at
  where s.tenant_id = p.tenant_id and s.id = p.origin_id;
end $$;

create or replace function door.end_table_session(
  a public.payment_attempts, p public.payments, p_was text, p_is text) returns void
language plpgsql as $$
declare
  v_minor constant bigint := a.amount_minor - p.markup_minor - p.tip_amount_minor;
begin
  -- Late money that pays its part after all finds that part as free as a new payment does, and its bill open.
  if p_was = 'free' and p_is = 'taken' then
    perform from public.table_sessions s
    where s.tenant_id = p.tenant_id and s.id = p.origin_id and s.status = 'open' for share;
    if not found then
      raise exception 'the bill is over' using errcode = '23514', constraint = 'table_sessions_over';
    end if;
    perform door.claim_table_lines(p, a.updated_at);
  end if;
  update public.table_session_sums s
  set held_minor = s.held_minor + v_minor * ((p_is in ('held', 'authorized'))::int - (p_was in ('held', 'authorized'))::int),
    paid_minor = s.paid_minor + v_minor * ((p_is = 'taken')::int - (p_was = 'taken')::int),
    tips_minor = s.tips_minor + p.tip_amount_minor * ((p_is = 'taken')::int - (p_was = 'taken')::int),
    updated_at = a.updated_at
  where s.tenant_id = p.tenant_id and s.id = p.origin_id;
  update public.table_lines l set payment_id = null, updated_at = a.updated_at
  where l.tenant_id = p.tenant_id and l.payment_id = p.id and p_is = 'free';
  if p_is = 'taken' and p.tip_amount_minor > 0 then
    insert into public.table_tips (tenant_id, id, waiter_id, session_id, payment_id, amount_minor, currency, returned_minor,
      created_at, updated_at)
    select p.tenant_id, p.id, s.waiter_id, s.id, p.id, p.tip_amount_minor, p.currency, 0, a.updated_at, a.updated_at
    from public.table_sessions s
    where s.tenant_id = p.tenant_id and s.id = p.origin_id and s.waiter_id is not null;
  end if;
end $$;

-- What a waiter is owed of tips has an account of its own in the ledger, against `tips_owed`: the two sum to nothing, since
-- the money itself is in the merchant's balance, or in its till.
create or replace function door.post_tips(j public.ledger_journals, p_waiter uuid, p_minor bigint) returns void
language plpgsql as $$
begin
  insert into public.ledger_journals select j.*;
  insert into public.ledger_postings (tenant_id, journal_id, line, currency, account_code, amount_minor)
  values (j.tenant_id, j.id, 1, j.currency, 'tips_owed', -p_minor), (j.tenant_id, j.id, 2, j.currency, 'waiter:' || p_waiter, p_minor);
end $$;

create or replace function door.owe_tip() returns trigger
language plpgsql as $$
begin
  perform door.post_tips(row(new.tenant_id, gen_random_uuid(), 'tip', new.id, case new.version when 1 then 'tip' else 'tip_returned' end,
    new.version, new.currency, new.updated_at, 0, now()), new.waiter_id,
    case new.version when 1 then new.amount_minor else old.returned_minor - new.returned_minor end);
  return null;
end $$;

-- A tip is of a bill, but for those of readers and phones.
create or replace function door.tip_has_its_bill() returns trigger
language plpgsql as $$
begin
  if (new.session_id is null) <> exists (select from public.payments p
    where p.tenant_id = new.tenant_id and p.id = new.payment_id and p.origin_type = 'in_person_payment') then
    raise exception 'a tip of a bill names it, and no other' using errcode = '23514', constraint = 'table_tips_bill';
  end if;
  return new;
end $$;
create or replace trigger has_its_bill before insert or update of session_id, payment_id on public.table_tips
  for each row execute function door.tip_has_its_bill();

create or replace trigger owe_tip after insert on public.table_tips for each row execute function door.owe_tip();
create or replace trigger return_tip after update on public.table_tips
  for each row when (old.returned_minor <> new.returned_minor) execute function door.owe_tip();

-- A refund gives back the guest's part of the bill, or what was bought, first, and takes back of the tip what goes beyond it.
-- One that fails gives it back to the waiter.
create or replace function door.return_payment_tip() returns trigger
language plpgsql as $$
begin
  if old.amount_refunded_minor = new.amount_refunded_minor or new.tip_amount_minor = 0 then
    return null;
  end if;
  update public.table_tips t set returned_minor = n.minor, version = t.version + 1,
    updated_at = greatest(t.updated_at, date_trunc('milliseconds', now()))
  from (select greatest(0, new.amount_refunded_minor - new.amount_captured_minor
    + least(new.tip_amount_minor, new.amount_captured_minor)) as minor) n
  where t.tenant_id = new.tenant_id and t.id = new.id and t.returned_minor <> n.minor;
  return null;
end $$;

create or replace trigger return_tip after update on public.payments
  for each row execute function door.return_payment_tip();

-- A payout that is recorded settles what is owed, one that was recorded by mistake leaves it open again.
create or replace function door.pay_out_tips() returns trigger
language plpgsql as $$
begin
  perform door.post_tips(row(new.tenant_id, gen_random_uuid(), 'tip_payout', new.id,
    case new.status when 'recorded' then 'tip_payout' else 'tip_payout_canceled' end, 1, new.currency, new.updated_at, 0, now()),
    new.waiter_id,
    case new.status when 'recorded' then -new.amount_minor else new.amount_minor end);
  return null;
end $$;

create or replace trigger pay_out after insert on public.tip_payouts for each row execute function door.pay_out_tips();
create or replace trigger cancel_payout after update on public.tip_payouts
  for each row when (old.status <> new.status) execute function door.pay_out_tips();

-- What stands beside bills wherever they are read: their sums and their lines. A session plans it once, and one call
-- answers for a whole page of bills.
create or replace function door.beside_table_sessions(p_ids uuid[])
returns table (id uuid, total_minor bigint, held_minor bigint, paid_minor bigint, tips_minor bigint, lines jsonb)
language plpgsql stable rows 20 security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  if door.sealed_tenant() is null then
    return;
  end if;
  return query
  select s.id, s.total_minor, s.held_minor, s.paid_minor, s.tips_minor, coalesce((
    select jsonb_agg(jsonb_build_object('id', l.id, 'status', l.status, 'item_id', l.item_id, 'name', l.name,
      'quantity', l.quantity, 'unit_amount', l.unit_amount_minor::text, 'iva_rate', l.iva_rate,
      'price_includes_tax', l.price_includes_tax, 'amount_total', l.total_minor::text, 'split_from', l.split_from,
      'payment_id', l.payment_id, 'external_payment_id', l.external_payment_id, 'version', l.version) order by l.position)
    from public.table_lines l where l.tenant_id = s.tenant_id and l.session_id = s.id), '[]')
  from public.table_session_sums s
  where s.tenant_id = door.pinned_tenant() and s.id = any (p_ids);
end $$;
