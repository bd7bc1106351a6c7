-- A payment that rules sent to review is under review from the moment in which its money is authorized or taken, in the
-- publish that books it. What others do with the money ends the review: it is given back in full, or its authorization
-- lapses. A capture ends nothing; nothing lapses then. Money that was not given back after all opens it again. Every path locks the payment before its review.
create or replace function door.review_payment() returns trigger
language plpgsql as $$
declare
  v_at constant timestamptz := greatest(new.updated_at, now());
begin
  if new.reviewed_attempt_id is null
    or old.status = new.status and old.amount_refunded_minor = new.amount_refunded_minor
  then
    return null;
  end if;
  if new.status in ('requires_capture', 'succeeded', 'partially_captured') and old.status <> new.status then
    -- Another attempt may have brought the money.
    insert into public.risk_reviews as r (tenant_id, id, payment_id, attempt_id, status, amount_minor, currency, score,
      expires_at, created_at, updated_at)
    select new.tenant_id, door.time_id(), new.id, a.id, 'open', a.amount_minor, a.currency,
      coalesce((e.features->>'score')::int, 0), case when new.status = 'requires_capture' then new.capture_before end, new.updated_at, new.updated_at
    from public.payment_attempts a
    left join public.risk_evaluations e on e.tenant_id = a.tenant_id and e.id = a.id
    where a.tenant_id = new.tenant_id and a.id = new.reviewed_attempt_id and a.status in ('authorized', 'captured')
    on conflict (tenant_id, payment_id) do update
    set expires_at = excluded.expires_at, version = r.version + 1, updated_at = v_at
    where r.status = 'open' and r.expires_at is distinct from excluded.expires_at;
  elsif new.status in ('canceled', 'expired')
    or new.amount_captured_minor > 0 and new.amount_refunded_minor = new.amount_captured_minor then
    update public.risk_reviews r
    set status = case new.status when 'expired' then 'expired' else 'refunded' end, ended_at = v_at,
      version = r.version + 1, updated_at = v_at
    where r.tenant_id = new.tenant_id and r.payment_id = new.id and r.status = 'open';
  elsif new.amount_refunded_minor < old.amount_refunded_minor then
    -- A refund that was canceled or failed: the money is there again, and nobody has decided.
    update public.risk_reviews r
    set status = 'open', ended_at = null, version = r.version + 1, updated_at = v_at
    where r.tenant_id = new.tenant_id and r.payment_id = new.id and r.status = 'refunded';
  end if;
  return null;
end $$;
create or replace trigger review_payment after update on public.payments
  for each row execute function door.review_payment();

create or replace trigger risk_review_stays before update on public.risk_reviews
  for each row when ((old.payment_id, old.attempt_id, old.amount_minor, old.currency, old.score, old.created_at)
      is distinct from (new.payment_id, new.attempt_id, new.amount_minor, new.currency, new.score, new.created_at))
  execute function door.refuse_other_terms();
