-- Stolen cards are tried out on pages: many cards, one after the other, most of them declined. What is counted are cards
-- that were tried and not accepted, of the last ten minutes (of one address: of the last hour). A declined attempt is not
-- accepted, nor one whose buyer leaves the bank's question open for half a minute.
-- From five on, if they are most of what is tried at one sale from one network, or twenty at all sales from one network,
-- the bank confirms each buyer there. From forty on, nine of ten at one sale from one network, cards pause there; from ten
-- on by one address, they pause for that address. A network alone never pauses: a carrier is one network for many buyers.
-- The lock makes those who come at once be counted one after the other. Nothing in a publish waits for a row after it.
create or replace function door.guard_cards() returns trigger
language plpgsql as $$
declare
  v_since constant timestamptz := new.created_at - interval '10 minutes';
  v record;
  v_of_contact int := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', 'card_tries', new.tenant_id, new.network_digest), 0));
  select count(distinct n.card_digest) filter (where n.has_failed) as of_network,
    count(distinct n.card_digest) filter (where n.has_failed and n.origin_id = new.origin_id) as failed,
    count(distinct n.card_digest) filter (where n.has_ended and n.origin_id = new.origin_id) as tried
  into v from (
    select t.card_digest, t.origin_id, door.has_failed(a, new.created_at) as has_failed,
      door.has_failed(a, new.created_at) or a.status in ('authorized', 'captured') as has_ended
    from public.card_tries t
    join public.payment_attempts a on a.tenant_id = t.tenant_id and a.id = t.attempt_id
    where t.tenant_id = new.tenant_id and t.network_digest = new.network_digest and t.created_at > v_since) n;
  if new.contact_digest is not null then
    select count(distinct t.card_digest) into v_of_contact from public.card_tries t
    join public.payment_attempts a on a.tenant_id = t.tenant_id and a.id = t.attempt_id
    where t.tenant_id = new.tenant_id and t.contact_digest = new.contact_digest
      and t.created_at > new.created_at - interval '1 hour' and door.has_failed(a, new.created_at);
  end if;
  if v.failed >= 40 and v.failed * 10 >= v.tried * 9 or v_of_contact >= 10 then
    raise exception 'cards pause here' using errcode = '23514', constraint = 'cards_paused';
  end if;
  if not new.is_confirmed and (v.failed >= 5 and v.failed * 10 >= v.tried * 6 or v.of_network >= 20) then
    raise exception 'the bank confirms the buyer here' using errcode = '23514', constraint = 'cards_confirmed';
  end if;
  return new;
end $$;
create or replace trigger guard_cards before insert on public.card_tries
  for each row execute function door.guard_cards();

-- What is not yet answered tells nothing of who tried it.
create or replace function door.has_failed(a public.payment_attempts, p_now timestamptz) returns boolean
language sql immutable
return a.status in ('declined', 'canceled', 'expired')
  or a.status = 'pending_customer' and a.created_at <= p_now - interval '30 seconds';

grant delete on public.card_tries to spindle_auth;
