-- SPEI at the simulated processor: lends one CLABE per reference, however often it is asked, and stores every transfer
-- that arrives, on a CLABE that is lent, was lent or never was.
create sequence if not exists simulator.clabe_counter;
create table if not exists simulator.clabes (
  reference uuid primary key,
  clabe text unique check (clabe ~ '^646180[0-9]{12}$'),
  -- `closed`: closed before it was lent, so that it can never be lent.
  state text not null check (state in ('open', 'canceled', 'closed')),
  amount_minor bigint not null,
  currency text not null,
  merchant_name text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create table if not exists simulator.spei_deposits (
  deposit_ref uuid primary key default gen_random_uuid(),
  clabe text not null,
  -- The reference that the CLABE was lent for; null when it never was.
  reference uuid,
  account text not null,
  amount_minor bigint not null check (amount_minor > 0),
  clave_rastreo text not null,
  sender_bank text not null,
  sender_clabe text,
  sender_name text,
  operated_on date not null,
  -- When its notification was confirmed; until then it is repeated.
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index if not exists spei_deposits_by_reference on simulator.spei_deposits (reference);
create index if not exists spei_deposits_unconfirmed on simulator.spei_deposits (created_at) where confirmed_at is null;

-- 646 (bank) 180 (plaza), the counter in 11 digits, and the check digit: weights 3, 7, 1.
create or replace function simulator.next_clabe() returns text
language sql volatile set search_path = pg_catalog, pg_temp as $$
  select stem || ((10 - sum((substr(stem, i, 1)::int * (array[3, 7, 1])[(i - 1) % 3 + 1]) % 10) % 10) % 10)::text
  from (select '646180' || lpad(nextval('simulator.clabe_counter')::text, 11, '0') as stem) drawn,
    generate_series(1, 17) i
  group by stem
$$;

create or replace function simulator.clabe_of(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('reference', reference, 'clabe', clabe, 'state', state, 'merchantName', merchant_name,
    'expiresAt', expires_at)
  from simulator.clabes where reference = p_reference and state <> 'closed'
$$;

create or replace function simulator.lend_clabe(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.clabes (reference, clabe, state, amount_minor, currency, merchant_name, expires_at)
  values ((p->>'reference')::uuid, simulator.next_clabe(), 'open', (p->>'amountMinor')::bigint, p->>'currency',
    p->>'merchantName', (p->>'expiresAt')::timestamptz)
  on conflict (reference) do nothing;
  return coalesce(simulator.clabe_of((p->>'reference')::uuid), '{"state": "canceled"}');
end $$;

-- Null when no CLABE was lent for this reference; then none ever will be.
create or replace function simulator.close_clabe(p_reference uuid) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.clabes (reference, state, amount_minor, currency, merchant_name, expires_at)
  values (p_reference, 'closed', 0, 'mxn', '', now())
  on conflict (reference) do update set state = 'canceled' where clabes.state = 'open';
  return simulator.clabe_of(p_reference);
end $$;

create or replace function simulator.deposit_facts(d simulator.spei_deposits) returns jsonb
language sql immutable set search_path = pg_catalog, pg_temp
return jsonb_build_object('depositRef', d.deposit_ref, 'clabe', d.clabe, 'attemptReference', d.reference,
  'account', d.account, 'amountMinor', d.amount_minor::text, 'currency', 'mxn', 'claveRastreo', d.clave_rastreo,
  'senderBank', d.sender_bank, 'senderClabe', d.sender_clabe, 'senderName', d.sender_name,
  'operatedOn', d.operated_on::text);

-- A transfer arrives, or is notified again under another id. An id that has arrived answers its transfer.
create or replace function simulator.spei_arrive(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v simulator.spei_deposits;
begin
  insert into simulator.spei_deposits (deposit_ref, clabe, reference, account, amount_minor, clave_rastreo, sender_bank,
    sender_clabe, sender_name, operated_on)
  values (coalesce((p->>'depositRef')::uuid, gen_random_uuid()), p->>'clabe',
    (select c.reference from simulator.clabes c where c.clabe = p->>'clabe'), p->>'account',
    (p->>'amountMinor')::bigint, p->>'claveRastreo', p->>'senderBank', p->>'senderClabe', p->>'senderName',
    (p->>'operatedOn')::date)
  on conflict (deposit_ref) do update set deposit_ref = excluded.deposit_ref
  returning * into v;
  return simulator.deposit_facts(v);
end $$;

create or replace function simulator.spei_deposit(p_ref uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select simulator.deposit_facts(d) from simulator.spei_deposits d where d.deposit_ref = p_ref
$$;

create or replace function simulator.spei_deposits_of(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(simulator.deposit_facts(d) order by d.created_at), '[]')
  from simulator.spei_deposits d where d.reference = p_reference
$$;

-- In random order, so that deposits that the Worker never confirms do not block others.
create or replace function simulator.spei_unconfirmed(p_limit int) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(d.deposit_ref), '[]')
  from (select u.deposit_ref from simulator.spei_deposits u where u.confirmed_at is null
        order by random() limit p_limit) d
$$;

create or replace function simulator.spei_confirm(p_ref uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update simulator.spei_deposits set confirmed_at = now() where deposit_ref = p_ref and confirmed_at is null
$$;

-- The answer of the rail that has the reference, with its payment method.
create or replace function simulator.fetch_any(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select jsonb_build_object('method', 'card', 'stored', s) from simulator.fetch(p_reference) s where s is not null),
    (select jsonb_build_object('method', 'oxxo', 'stored', s) from simulator.voucher_of(p_reference) s where s is not null),
    (select jsonb_build_object('method', 'spei', 'stored', s) from simulator.clabe_of(p_reference) s where s is not null))
$$;

-- The same, ended. Cards come last: they close a reference that no rail knows.
create or replace function simulator.cancel_any(p_reference uuid) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(
    (select jsonb_build_object('method', 'spei', 'stored', s) from simulator.close_clabe(p_reference) s where s is not null),
    (select jsonb_build_object('method', 'oxxo', 'stored', s) from simulator.close_voucher(p_reference) s where s is not null),
    (select jsonb_build_object('method', 'card', 'stored', s) from simulator.cancel(p_reference) s where s is not null))
$$;
