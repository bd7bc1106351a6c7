-- The simulated processor's refunds of charges: one per reference, however often it is sent, and never more than was
-- charged. The card decides how one ends. `made_ref`: made at the processor, in its dashboard; `confirmed_state` is the
-- state last confirmed by the Worker.
create table if not exists simulator.refunds (
  reference uuid primary key,
  charge_reference uuid not null,
  state text not null check (state in ('processing', 'succeeded', 'failed')),
  failure_code text,
  amount_minor bigint not null,
  currency text not null,
  made_ref text unique,
  confirmed_state text,
  created_at timestamptz not null default now()
);
create index if not exists refunds_unconfirmed on simulator.refunds (created_at)
  where made_ref is not null and confirmed_state is distinct from state;
create index if not exists refunds_by_charge on simulator.refunds (charge_reference);

create or replace function simulator.refund_of(p_reference uuid) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('reference', r.reference, 'state', r.state, 'code', r.failure_code,
    'amountMinor', r.amount_minor::text, 'currency', r.currency, 'token', c.token)
  from simulator.refunds r left join simulator.charges c on c.reference = r.charge_reference
  where r.reference = p_reference
$$;

-- `rules` says by token how a refund ends: {"tok": {"code": …, "partialOnly": …}}.
create or replace function simulator.refund(p jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_charge simulator.charges;
  v_captured bigint;
  v_rule jsonb;
  v_code text;
begin
  select * into v_charge from simulator.charges where reference = (p->>'attemptReference')::uuid for update;
  v_captured := coalesce((to_jsonb(v_charge)->>'captured_minor')::bigint, v_charge.amount_minor)
    + coalesce(v_charge.settles_at > now(), false)::int;
  v_rule := p->'rules'->v_charge.token;
  v_code := case
    when v_charge.state is distinct from 'captured' or v_charge.currency <> p->>'currency' then 'processing_error'
    when v_captured < (p->>'amountMinor')::bigint + (select coalesce(sum(r.amount_minor), 0) from simulator.refunds r
      where r.charge_reference = v_charge.reference and r.state <> 'failed' and r.reference <> (p->>'reference')::uuid)
      then 'processing_error'
    when (v_rule->>'partialOnly')::boolean and (p->>'amountMinor')::bigint = v_captured then null
    else v_rule->>'code' end;
  insert into simulator.refunds (reference, charge_reference, state, failure_code, amount_minor, currency)
  values ((p->>'reference')::uuid, (p->>'attemptReference')::uuid,
    case when v_code is null then 'succeeded' else 'failed' end, v_code, (p->>'amountMinor')::bigint, p->>'currency')
  on conflict (reference) do nothing;
  return simulator.refund_of((p->>'reference')::uuid);
end $$;

-- A bank sends back what it was paid, days later. Only what succeeded can be sent back.
create or replace function simulator.refund_sent_back(p_reference text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_reference uuid;
begin
  select reference into v_reference from simulator.refunds where made_ref = p_reference or reference::text = p_reference;
  update simulator.refunds set state = 'failed', failure_code = 'account_closed'
  where reference = v_reference and state = 'succeeded';
  return simulator.refund_of(v_reference);
end $$;

create or replace function simulator.refund_made(p_ref text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('refundRef', made_ref, 'attemptReference', charge_reference, 'state', state,
    'code', failure_code, 'amountMinor', amount_minor::text, 'currency', currency)
  from simulator.refunds where made_ref = p_ref
$$;

-- A user refunds a charge in the processor's dashboard: all that is left of it when no amount is given. Null where less
-- is left.
create or replace function simulator.make_refund(p_ref text, p_charge uuid, p_amount bigint) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  v_charge simulator.charges;
  v_left bigint;
begin
  select * into v_charge from simulator.charges where reference = p_charge and state = 'captured' for update;
  v_left := coalesce(v_charge.captured_minor, v_charge.amount_minor)
    - (select coalesce(sum(r.amount_minor), 0) from simulator.refunds r
       where r.charge_reference = p_charge and r.state <> 'failed');
  insert into simulator.refunds (reference, charge_reference, state, amount_minor, currency, made_ref)
  select gen_random_uuid(), p_charge, 'succeeded', coalesce(p_amount, v_left), v_charge.currency, p_ref
  where coalesce(p_amount, v_left) between 1 and v_left
  on conflict (made_ref) do nothing;
  return simulator.refund_made(p_ref);
end $$;

-- Refunds whose state is not confirmed yet. In random order, so that one that is never confirmed does not block others.
create or replace function simulator.unconfirmed_refunds(p_limit int) returns jsonb
language sql volatile security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(r.made_ref), '[]') from (select made_ref from simulator.refunds
    where made_ref is not null and confirmed_state is distinct from state order by random() limit p_limit) r
$$;

create or replace function simulator.confirm_refund(p_ref text, p_state text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update simulator.refunds set confirmed_state = p_state where made_ref = p_ref
$$;
