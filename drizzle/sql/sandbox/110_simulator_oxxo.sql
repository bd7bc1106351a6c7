-- OXXO at the simulated processor: one voucher per reference, however often it is sent. The store takes cash until the
-- voucher expires or is closed; `late` is a till that took it nevertheless.
create table if not exists simulator.vouchers (
  reference uuid primary key,
  number text unique check (number ~ '^[0-9]{14}$'),
  -- `closed`: closed before it was issued, so that it can never be issued.
  state text not null check (state in ('pending', 'paid', 'canceled', 'closed')),
  amount_minor bigint not null,
  -- What the processor will report as paid.
  reported_minor bigint not null,
  currency text not null,
  merchant_name text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

create or replace function simulator.luhn(p_digits text) returns int
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select sum(case when (length(p_digits) - i) % 2 = 1 then d * 2 - case when d > 4 then 9 else 0 end else d end)::int % 10
  from (select i, substr(p_digits, i, 1)::int as d from generate_series(1, length(p_digits)) i) digits
$$;

-- Fourteen digits that cannot be taken for a card number: they never pass Luhn.
create or replace function simulator.voucher_number() returns text
language sql volatile set search_path = pg_catalog, pg_temp as $$
  select stem || ((11 - simulator.luhn(stem || '0')) % 10)::text
  from (select '98' || lpad(floor(random() * 1e11)::bigint::text, 11, '0') as stem) drawn
$$;

create or replace function simulator.voucher_of(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('method', 'oxxo', 'reference', reference, 'number', number, 'state', state,
    'amountMinor', reported_minor::text, 'currency', currency, 'expiresAt', expires_at)
  from simulator.vouchers where reference = p_reference and state <> 'closed'
$$;

create or replace function simulator.issue_voucher(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.vouchers
    (reference, number, state, amount_minor, reported_minor, currency, merchant_name, expires_at)
  values ((p->>'reference')::uuid, simulator.voucher_number(), 'pending', (p->>'amountMinor')::bigint,
    (p->>'reportedMinor')::bigint, p->>'currency', p->>'merchantName', (p->>'expiresAt')::timestamptz)
  on conflict (reference) do nothing;
  return coalesce(simulator.voucher_of((p->>'reference')::uuid), '{"method": "oxxo", "state": "canceled"}');
end $$;

-- Null when there is no voucher of this reference; then there never will be.
create or replace function simulator.close_voucher(p_reference uuid) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.vouchers (reference, state, amount_minor, reported_minor, currency, merchant_name, expires_at)
  values (p_reference, 'closed', 0, 0, 'mxn', '', now())
  on conflict (reference) do update set state = 'canceled' where vouchers.state = 'pending';
  return simulator.voucher_of(p_reference);
end $$;

-- The till: takes the cash once.
create or replace function simulator.pay_voucher(p_number text, p_late boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.vouchers set state = 'paid'
  where number = p_number and (p_late or (state = 'pending' and expires_at > now()));
  return (select simulator.voucher_of(reference) from simulator.vouchers where number = p_number);
end $$;

-- The processor gives up waiting.
create or replace function simulator.expire_voucher(p_number text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.vouchers set state = 'canceled' where number = p_number and state = 'pending';
  return (select simulator.voucher_of(reference) from simulator.vouchers where number = p_number);
end $$;
