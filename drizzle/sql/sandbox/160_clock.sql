-- A sandbox tenant's clock: advancing it moves every open deadline of the tenant nearer by as much, so that no code
-- needs another now. Dates move by the whole days that the clock has completed.
create or replace function door.advance_clock() returns trigger
language plpgsql as $$
declare
  v_before constant bigint := case when tg_op = 'INSERT' then 0 else old.advanced_seconds end;
  v_by constant interval := make_interval(secs => new.advanced_seconds - v_before);
  v_days constant int := new.advanced_seconds / 86400 - v_before / 86400;
  t constant text := new.tenant_id;
begin
  if new.advanced_seconds <= v_before then
    raise exception 'the clock goes forward only' using errcode = '23514', constraint = 'sandbox_clocks_forward';
  end if;
  update public.payments set available_on = available_on - v_days, reserve_release_on = reserve_release_on - v_days,
    expires_at = expires_at - v_by, capture_before = capture_before - v_by, version = version + 1
  where tenant_id = t and (funds_status = 'pending' or reserve_release_on is not null
    or status in ('processing', 'requires_payment_method', 'requires_action', 'requires_capture'));
  update public.payment_attempts set next_check_at = next_check_at - v_by, expires_at = expires_at - v_by,
    grace_ends_at = grace_ends_at - v_by, version = version + 1
  where tenant_id = t and status in ('submitting', 'unknown', 'pending_customer', 'authorized', 'amount_mismatch');
  update public.vouchers set expires_at = expires_at - v_by, grace_ends_at = grace_ends_at - v_by, version = version + 1
  where tenant_id = t and status = 'issued';
  update public.clabes set quarantine_ends_at = quarantine_ends_at - v_by, version = version + 1
  where tenant_id = t and status = 'quarantined';
  update public.payment_links set expires_at = expires_at - v_by, version = version + 1
  where tenant_id = t and status = 'active' and expires_at is not null;
  update public.refunds set next_check_at = next_check_at - v_by, version = version + 1
  where tenant_id = t and next_check_at is not null;
  update public.disputes set next_check_at = next_check_at - v_by, version = version + 1,
    evidence_due_by = case when status in ('needs_response', 'under_review') then evidence_due_by - v_by else evidence_due_by end
  where tenant_id = t and next_check_at is not null;
  update public.transfers set next_check_at = next_check_at - v_by, version = version + 1
  where tenant_id = t and next_check_at is not null;
  update public.payouts set next_check_at = next_check_at - v_by, arrives_on = arrives_on - v_days, version = version + 1
  where tenant_id = t and (status in ('pending', 'in_transit') or next_check_at is not null);
  update public.payout_settings set next_payout_on = next_payout_on - v_days,
    cool_down_ends_at = cool_down_ends_at - v_by, version = version + 1
  where tenant_id = t and (next_payout_on is not null or cool_down_ends_at is not null);
  update public.daily_spend set day = day - v_days where tenant_id = t;
  perform simulator.advance(array(select id from public.payment_attempts where tenant_id = t), v_by);
  return new;
end $$;

create or replace trigger advance_clock before insert or update on public.sandbox_clocks
  for each row execute function door.advance_clock();

-- Moves the simulator's deadlines of these attempts.
create or replace function simulator.advance(p_references uuid[], p_by interval) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c record;
begin
  for c in
    select a.attrelid::regclass as tbl, quote_ident(a.attname) as col from pg_attribute a
    join pg_class r on r.oid = a.attrelid and r.relkind = 'r'
    where r.relnamespace = 'simulator'::regnamespace and a.atttypid = 'timestamptz'::regtype and not a.attisdropped
      and a.attname in ('expires_at', 'capture_before', 'opens_at', 'evidence_due_by', 'settles_at')
      and exists (select from pg_attribute k where k.attrelid = a.attrelid and k.attname = 'reference')
  loop
    execute format('update %s set %s = %2$s - $1 where reference = any ($2) and %2$s is not null', c.tbl, c.col)
    using p_by, p_references;
  end loop;
end $$;
