-- The sandbox's simulated processor, with its own schema and role. It reads none of our tables, and they do not refer
-- to it. Like a real one it keeps one charge per reference, however often it is sent.
do $$
begin
  if not exists (select from pg_roles where rolname = 'spindle_simulator') then
    create role spindle_simulator nologin;
  end if;
  grant spindle_simulator to current_user;
end $$;

create schema if not exists simulator;
revoke all on schema simulator from public, spindle_worker;
grant usage, create on schema simulator to spindle_simulator;
grant usage on schema simulator to spindle_caller;

create table if not exists simulator.charges (
  reference uuid primary key,
  state text not null check (state in ('authorized', 'captured', 'declined', 'challenge', 'presented', 'canceled')),
  amount_minor bigint not null,
  currency text not null,
  token text not null,
  installment_months int not null,
  decline_code text,
  return_url text not null,
  merchant_name text not null,
  capture text not null default 'automatic',
  captured_minor bigint check (captured_minor between 1 and amount_minor),
  capture_before timestamptz,
  -- Until then another amount is reported than was taken.
  settles_at timestamptz,
  created_at timestamptz not null default now()
);

alter table simulator.charges add column if not exists challenged boolean not null default false;
-- Of a card that is presented: the device that waits for it, until when, and when the bank answers.
alter table simulator.charges add column if not exists device uuid,
  add column if not exists expires_at timestamptz, add column if not exists answers_at timestamptz,
  -- And how it is read.
  add column if not exists presented_as text;

-- An authorization is good for 7 days: what Stripe documents for e-commerce payments by Visa and Mastercard.

create or replace function simulator.charge(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.charges (reference, state, amount_minor, currency, token, installment_months, decline_code,
    return_url, merchant_name, capture, capture_before, settles_at, challenged)
  values ((p->>'reference')::uuid, p->>'state', (p->>'amountMinor')::bigint, p->>'currency', p->>'token',
    (p->>'installmentMonths')::int, p->>'declineCode', p->>'returnUrl', p->>'merchantName', p->>'capture',
    case when p->>'state' = 'authorized' then now() + interval '7 days' end,
    now() + make_interval(mins => (p->>'settlesMinutes')::int), p->>'state' = 'challenge')
  on conflict (reference) do nothing;
  return simulator.fetch((p->>'reference')::uuid);
end $$;

create or replace function simulator.fetch(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('reference', reference,
    'state', case when state = 'authorized' and capture_before <= now() then 'canceled' else state end,
    'unsettled', coalesce(settles_at > now(), false), 'amountMinor', amount_minor::text, 'capturedMinor', captured_minor::text, 'captureBefore', capture_before,
    'currency', currency, 'token', token, 'declineCode', decline_code, 'returnUrl', return_url, 'merchantName', merchant_name,
    'challenged', challenged, 'expiresAt', expires_at, 'unanswered', coalesce(answers_at > now(), false),
    'presentedAs', presented_as)
  from simulator.charges where reference = p_reference
$$;

-- The buyer's answer to the bank's challenge. The first answer counts.
create or replace function simulator.answer_challenge(p_reference uuid, p_approved boolean) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.charges
  set state = case when not p_approved then 'declined' when capture = 'manual' then 'authorized' else 'captured' end,
      capture_before = case when p_approved and capture = 'manual' then now() + interval '7 days' end,
      decline_code = case when p_approved then null else 'authentication_failed' end
  where reference = p_reference and state = 'challenge';
  return simulator.fetch(p_reference);
end $$;

-- A device waits for a card.
create or replace function simulator.present(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.charges (reference, state, amount_minor, currency, token, installment_months, return_url,
    merchant_name, capture, device, expires_at)
  values ((p->>'reference')::uuid, 'presented', (p->>'amountMinor')::bigint, p->>'currency', '',
    (p->>'installmentMonths')::int, '', '', p->>'capture', (p->>'deviceId')::uuid, (p->>'expiresAt')::timestamptz)
  on conflict (reference) do nothing;
  return simulator.fetch((p->>'reference')::uuid);
end $$;

-- A device read a card while it had no network, and forwards it: what the bank says is captured at once.
create or replace function simulator.forward(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.charges (reference, state, amount_minor, currency, token, installment_months, decline_code, return_url,
    merchant_name, device, presented_as, answers_at)
  values ((p->>'reference')::uuid, p->>'state', (p->>'amountMinor')::bigint, p->>'currency', p->>'token', 1, p->>'declineCode',
    '', '', (p->>'deviceId')::uuid, p->>'presentedAs', now() + make_interval(mins => (p->>'answerMinutes')::int))
  on conflict (reference) do nothing;
  return simulator.fetch((p->>'reference')::uuid);
end $$;

-- The device has read a card, once, and not after its time. Null where it waits for none.
create or replace function simulator.read_card(p jsonb) returns jsonb
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update simulator.charges
  set state = case when p->>'state' = 'captured' and capture = 'manual' then 'authorized' else p->>'state' end,
    capture_before = case when p->>'state' = 'captured' and capture = 'manual' then now() + interval '7 days' end,
    token = p->>'token', decline_code = p->>'declineCode', presented_as = p->>'presentedAs', amount_minor = (p->>'amountMinor')::bigint,
    answers_at = now() + make_interval(mins => (p->>'answerMinutes')::int)
  where reference = (p->>'reference')::uuid and state = 'presented' and expires_at > now()
  returning to_jsonb(reference)
$$;

-- Captures up to what was authorized, once, and releases the rest. A repeated call returns the first result.
create or replace function simulator.capture(p_reference uuid, p_amount bigint) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.charges
  set state = case when capture_before <= now() then 'canceled' else 'captured' end,
    captured_minor = case when capture_before > now() then p_amount end
  where reference = p_reference and state = 'authorized';
  return simulator.fetch(p_reference);
end $$;

-- Cancels what is not captured; an unknown reference is stored as canceled, so that a late charge finds it closed.
create or replace function simulator.cancel(p_reference uuid) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.charges (reference, state, amount_minor, currency, token, installment_months, return_url, merchant_name)
  values (p_reference, 'canceled', 0, 'mxn', '', 1, '', '')
  on conflict (reference) do update set state = 'canceled' where charges.state in ('challenge', 'authorized', 'presented');
  return simulator.fetch(p_reference);
end $$;
