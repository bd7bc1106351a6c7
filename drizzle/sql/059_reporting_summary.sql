-- Adds the journals of all workspaces up to hours of UTC, in the order of their transactions and below the horizon of open
-- ones: no journal with a lower number can come. The sums and the cursor move in one transaction, and the lock on the cursor
-- lets one follower at a time do so, so each journal is counted once.
insert into public.report_cursor (is_only, commit_order, as_of, counted_at, mark_order, mark_at)
values (true, 0, '2023-01-01Z', '2023-01-01Z', 0, '2023-01-01Z') on conflict (is_only) do nothing;

revoke all on public.report_cursor from public, spindle_worker, spindle_door;
grant select, update on public.report_cursor to spindle_auth;
grant insert, update on public.report_hours to spindle_auth;

-- Counts the journals of the next p_span transactions at most. Answers whether there may be others.
create or replace function door.follow_journals(p_span int) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- Before this transaction has a number: what has a higher one than that is booked after v_now.
  v_horizon constant bigint := door.events_horizon();
  v_now constant timestamptz := clock_timestamp();
  c public.report_cursor;
  v_has boolean;
  v_to bigint;
begin
  select * into c from public.report_cursor r where r.is_only for update skip locked;
  if not found then
    return false;
  end if;
  v_to := greatest(least(v_horizon, c.commit_order + p_span), c.commit_order);
  v_has := exists (select from public.ledger_journals j where j.commit_order >= c.commit_order and j.commit_order < v_to);
  if not v_has and v_to < v_horizon then
    v_to := coalesce((select min(j.commit_order) from public.ledger_journals j
      where j.commit_order >= v_to and j.commit_order < v_horizon), v_horizon);
  end if;

  -- A journal of a payment, a refund or a dispute: what it moved for the merchant, and what it spent of that on fees. What a
  -- payment releases moves between accounts that are the merchant's, hundreds in a transaction.
  insert into public.report_hours as h (tenant_id, id, hour, currency, method, location_id, gross_minor, refunds_minor,
    disputes_minor, fees_minor, iva_minor, payments_count, refunds_count, disputes_count)
  select j.tenant_id, gen_random_uuid(), date_trunc('hour', j.booked_at, 'UTC'), j.currency, p.method, p.location_id,
    coalesce(sum(m.net + m.fee + m.iva) filter (where j.source_type = 'payment'), 0),
    coalesce(-sum(m.net) filter (where j.source_type = 'refund'), 0),
    coalesce(-sum(m.net + m.fee + m.iva) filter (where j.source_type = 'dispute'), 0),
    sum(m.fee), sum(m.iva),
    count(*) filter (where j.source_type = 'payment' and j.entry_kind = 'capture'),
    coalesce(-sum(sign(m.net)) filter (where j.source_type = 'refund'), 0),
    -- An inquiry, or what was refunded before, holds nothing in the first round.
    count(*) filter (where j.source_type = 'dispute' and j.entry_kind = 'hold' and not exists (
      select from public.ledger_journals e where e.tenant_id = j.tenant_id and e.source_type = 'dispute'
        and e.source_id = j.source_id and e.entry_kind = 'hold' and e.round < j.round))
  from public.ledger_journals j
  cross join lateral (
    select coalesce(sum(q.amount_minor)
        filter (where q.account_code in ('merchant_pending', 'merchant_available', 'merchant_reserve')), 0) as net,
      coalesce(sum(q.amount_minor) filter (where q.account_code = 'fee_expense'), 0) as fee,
      coalesce(sum(q.amount_minor) filter (where q.account_code = 'iva_on_fees'), 0) as iva
    from public.ledger_postings q where q.tenant_id = j.tenant_id and q.journal_id = j.id offset 0) m
  cross join lateral (
    select p.method, p.location_id from public.payments p
    where p.tenant_id = j.tenant_id and p.id = case j.source_type when 'payment' then j.source_id
      when 'refund' then (select r.payment_id from public.refunds r where r.tenant_id = j.tenant_id and r.id = j.source_id)
      else (select d.payment_id from public.disputes d where d.tenant_id = j.tenant_id and d.id = j.source_id) end
    offset 0) p
  where j.commit_order >= c.commit_order and j.commit_order < v_to and j.source_type in ('payment', 'refund', 'dispute')
    and not (j.source_type = 'payment' and j.entry_kind in ('release', 'reserve_release'))
    and (m.net <> 0 or m.fee <> 0 or m.iva <> 0)
  group by j.tenant_id, date_trunc('hour', j.booked_at, 'UTC'), j.currency, p.method, p.location_id
  on conflict (tenant_id, hour, currency, method, location_id) do update set
    gross_minor = h.gross_minor + excluded.gross_minor, refunds_minor = h.refunds_minor + excluded.refunds_minor,
    disputes_minor = h.disputes_minor + excluded.disputes_minor, fees_minor = h.fees_minor + excluded.fees_minor,
    iva_minor = h.iva_minor + excluded.iva_minor, payments_count = h.payments_count + excluded.payments_count,
    refunds_count = h.refunds_count + excluded.refunds_count, disputes_count = h.disputes_count + excluded.disputes_count;

  update public.report_cursor set commit_order = v_to,
    counted_at = case when v_has then v_now else c.counted_at end,
    as_of = case when v_to > c.mark_order then c.mark_at else c.as_of end,
    mark_order = case when v_to > c.mark_order then door.commit_order(pg_current_xact_id()) else c.mark_order end,
    mark_at = case when v_to > c.mark_order then v_now else c.mark_at end
  where is_only;
  return v_to < v_horizon;
end $$;

-- Everything that was booked before this time is in report_hours.
create or replace function door.reported_until() returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
return (select c.as_of from public.report_cursor c where c.is_only);
