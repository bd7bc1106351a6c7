-- The simulated disputes: a buyer's bank takes back what a charge took. `reference` is the charge's; a dispute exists
-- from `opens_at` on, and is lost when the merchant sends no evidence in time.
create table if not exists simulator.disputes (
  dispute_ref text primary key,
  reference uuid not null,
  state text not null check (state in ('needs_response', 'under_review', 'won', 'lost',
    'inquiry_needs_response', 'inquiry_under_review', 'inquiry_closed')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  evidence jsonb,
  opens_at timestamptz not null,
  evidence_due_by timestamptz not null,
  -- The state last confirmed by the Worker; null before the first confirmation.
  confirmed_state text,
  created_at timestamptz not null default now()
);
create index if not exists disputes_unconfirmed on simulator.disputes (opens_at) where confirmed_state is distinct from state;
create index if not exists disputes_unanswered on simulator.disputes (evidence_due_by) where state = 'needs_response';

-- By the clock, not by now(): a transaction that waited for another's insert may have begun before it.
create or replace function simulator.fetch_dispute(p_ref text) returns jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('disputeRef', dispute_ref, 'attemptReference', reference,
    'state', case when state = 'needs_response' and evidence_due_by <= now() then 'lost' else state end,
    'amountMinor', amount_minor::text, 'currency', currency, 'reason', reason, 'evidenceDueBy', evidence_due_by)
  from simulator.disputes where dispute_ref = p_ref and opens_at <= clock_timestamp()
$$;

-- A buyer disputes a charge: all of it when no amount is given, and never more. Null where nothing was captured.
-- `p_inquires`: the bank only asks about it.
create or replace function simulator.open_dispute(p_ref text, p_reference uuid, p_amount bigint, p_reason text,
  p_opens_at timestamptz, p_inquires boolean default false)
returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into simulator.disputes (dispute_ref, reference, state, amount_minor, currency, reason, opens_at, evidence_due_by)
  select p_ref, c.reference, case when p_inquires then 'inquiry_needs_response' else 'needs_response' end, least(p_amount, coalesce(c.captured_minor, c.amount_minor)), c.currency,
    p_reason, p_opens_at, p_opens_at + interval '7 days'
  from simulator.charges c where c.reference = p_reference and c.state = 'captured'
  on conflict (dispute_ref) do nothing;
  return simulator.fetch_dispute(p_ref);
end $$;

create or replace function simulator.submit_evidence(p_ref text, p_evidence jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = replace(state, 'needs_response', 'under_review'), evidence = p_evidence
  where dispute_ref = p_ref and state in ('needs_response', 'inquiry_needs_response') and opens_at <= now() and evidence_due_by > now();
  return simulator.fetch_dispute(p_ref);
end $$;

create or replace function simulator.draft_evidence(p_ref text, p_evidence jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set evidence = p_evidence
  where dispute_ref = p_ref and state in ('needs_response', 'inquiry_needs_response') and evidence_due_by > now();
  return simulator.fetch_dispute(p_ref);
end $$;

-- The merchant gives in.
create or replace function simulator.accept_dispute(p_ref text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = 'lost' where dispute_ref = p_ref and state = 'needs_response';
  return simulator.fetch_dispute(p_ref);
end $$;

-- The bank decides; once.
create or replace function simulator.resolve_dispute(p_ref text, p_outcome text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = p_outcome
  where dispute_ref = p_ref and state in ('needs_response', 'under_review') and opens_at <= now();
  return simulator.fetch_dispute(p_ref);
end $$;

-- The bank lets an inquiry rest (`inquiry_closed`), or disputes the payment after all (`needs_response`), once.
create or replace function simulator.end_inquiry(p_ref text, p_state text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = p_state,
    evidence_due_by = case when p_state = 'needs_response' then now() + interval '7 days' else evidence_due_by end
  where dispute_ref = p_ref and state <> p_state and state like 'inquiry%' and opens_at <= now();
  return simulator.fetch_dispute(p_ref);
end $$;

-- The bank reconsiders its decision: asks again, reviews again, or decides the other way.
create or replace function simulator.reconsider_dispute(p_ref text, p_state text) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = p_state,
    evidence_due_by = case when p_state = 'needs_response' then now() + interval '7 days' else evidence_due_by end
  where dispute_ref = p_ref and state <> p_state
    and (state in ('won', 'lost') or (state = 'needs_response' and evidence_due_by <= now()));
  return simulator.fetch_dispute(p_ref);
end $$;

-- Disputes whose state is not confirmed yet. In random order, so that one that is never confirmed does not block
-- others.
create or replace function simulator.unconfirmed_disputes(p_limit int) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update simulator.disputes set state = 'lost' where state = 'needs_response' and evidence_due_by <= now();
  return (select coalesce(jsonb_agg(d.dispute_ref), '[]')
    from (select dispute_ref from simulator.disputes
          where confirmed_state is distinct from state and opens_at <= now() order by random() limit p_limit) d);
end $$;

create or replace function simulator.confirm_dispute(p_ref text, p_state text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update simulator.disputes set confirmed_state = p_state where dispute_ref = p_ref
$$;

-- tok_sbx_dispute_next_day: the buyer disputes it a day after it was charged.
create or replace function simulator.dispute_next_day() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform simulator.open_dispute('sbx_dp_' || replace(new.reference::text, '-', ''), new.reference, null,
    'fraudulent', now() + interval '1 day');
  return null;
end $$;
create or replace trigger dispute_next_day after insert or update of state on simulator.charges
  for each row when (new.state = 'captured' and new.token = 'tok_sbx_dispute_next_day')
  execute function simulator.dispute_next_day();
