-- The simulated bank that money is sent through. It reads none of our tables; one order per reference, however often it
-- is sent. An order is on its way until the first look (bank_fetch), which settles it.
create table if not exists simulator.bank_orders (
  reference uuid primary key,
  state text not null check (state in ('processing', 'paid', 'failed', 'returned', 'canceled')),
  -- How it ends by itself; `processing` stays on its way until it is failed or canceled.
  ends text not null check (ends in ('processing', 'paid', 'failed', 'returned')),
  failure_code text,
  amount_minor bigint not null,
  currency text not null,
  clabe text not null,
  holder text not null,
  concept text not null,
  created_at timestamptz not null default now()
);

create or replace function simulator.bank_order(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('state', state, 'code', coalesce(failure_code, 'processing_error'),
    'claveRastreo', 'SBX' || upper(left(md5(reference::text), 24)),
    'returnClaveRastreo', 'DEV' || upper(left(md5(reference::text), 24)))
  from simulator.bank_orders where reference = p_reference
$$;

create or replace function simulator.bank_send(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.bank_orders (reference, state, ends, failure_code, amount_minor, currency, clabe, holder, concept)
  values ((p->>'reference')::uuid, 'processing', p->>'ends', p->>'code', (p->>'amountMinor')::bigint, p->>'currency',
    p->>'clabe', p->>'holder', p->>'concept')
  on conflict (reference) do nothing;
  return simulator.bank_order((p->>'reference')::uuid);
end $$;

create or replace function simulator.bank_fetch(p_reference uuid) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.bank_orders
  set state = case when state = 'processing' and ends = 'returned' then 'paid' else ends end
  where reference = p_reference and (state = 'processing' or (state = 'paid' and ends = 'returned'));
  return simulator.bank_order(p_reference);
end $$;

-- Stops what has not arrived; an unknown reference is stored as canceled, so that a late order finds it closed.
create or replace function simulator.bank_cancel(p_reference uuid) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.bank_orders (reference, state, ends, amount_minor, currency, clabe, holder, concept)
  values (p_reference, 'canceled', 'processing', 0, 'mxn', '', '', '')
  on conflict (reference) do update set state = 'canceled' where bank_orders.state = 'processing';
  return simulator.bank_order(p_reference);
end $$;

-- The receiving bank refuses what is on its way, or sends back what it was paid.
create or replace function simulator.bank_refuse(p_reference uuid, p_state text, p_code text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.bank_orders set state = p_state, ends = p_state, failure_code = p_code
  where reference = p_reference
    and ((p_state = 'failed' and state = 'processing') or (p_state = 'returned' and state = 'paid'));
  return simulator.bank_order(p_reference);
end $$;
