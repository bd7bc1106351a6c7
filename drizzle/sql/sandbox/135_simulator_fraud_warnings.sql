-- The simulated fraud warnings: a bank reports a charge as fraud to its card scheme. One can be acted on while the charge
-- is neither disputed nor wholly refunded, as at Stripe.
create table if not exists simulator.fraud_warnings (
  warning_ref text primary key,
  reference uuid not null,
  fraud_type text not null,
  -- What the Worker last confirmed; null before the first confirmation.
  confirmed_actionable boolean,
  created_at timestamptz not null default now()
);

create or replace function simulator.is_actionable(p simulator.fraud_warnings) returns boolean
language sql stable set search_path = pg_catalog, pg_temp as $$
  select not exists (select from simulator.disputes d where d.reference = p.reference and d.opens_at <= now()
      and d.state not like 'inquiry%')
    and coalesce(c.captured_minor, c.amount_minor) > (select coalesce(sum(r.amount_minor), 0) from simulator.refunds r
      where r.charge_reference = p.reference and r.state <> 'failed')
  from simulator.charges c where c.reference = p.reference
$$;

create or replace function simulator.fetch_fraud_warning(p_ref text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('warningRef', w.warning_ref, 'attemptReference', w.reference, 'fraudType', w.fraud_type,
    'isActionable', simulator.is_actionable(w))
  from simulator.fraud_warnings w where w.warning_ref = p_ref
$$;

-- Null where nothing was captured.
create or replace function simulator.report_fraud(p_ref text, p_reference uuid, p_type text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.fraud_warnings (warning_ref, reference, fraud_type)
  select p_ref, c.reference, p_type from simulator.charges c where c.reference = p_reference and c.state = 'captured'
  on conflict (warning_ref) do nothing;
  return simulator.fetch_fraud_warning(p_ref);
end $$;

-- In random order, so that one that is never confirmed does not block others.
create or replace function simulator.unconfirmed_fraud_warnings(p_limit int) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(w.warning_ref), '[]')
  from (select f.warning_ref from simulator.fraud_warnings f
    where f.confirmed_actionable is distinct from simulator.is_actionable(f) order by random() limit p_limit) w
$$;

create or replace function simulator.confirm_fraud_warning(p_ref text, p_actionable boolean) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update simulator.fraud_warnings set confirmed_actionable = p_actionable where warning_ref = p_ref
$$;

create or replace function door.has_unconfirmed(p_what text) returns boolean
language sql volatile as $$
  select jsonb_array_length(case p_what when 'deposit' then simulator.spei_unconfirmed(1)
    when 'refund' then simulator.unconfirmed_refunds(1) when 'dispute' then simulator.unconfirmed_disputes(1)
    when 'fraud_warning' then simulator.unconfirmed_fraud_warnings(1) end) > 0
$$;
